/** What a member is called. */
import { type Html, html } from '../html.ts';

interface Called {
  name: string | null;
  email: string | null;
}

/** The name, without one the address. */
export function nameOf({ name, email }: Called): string {
  return name ?? email ?? 'Nameless';
}

/** The same to be drawn: a name of any script leaves the words around it where they are. */
export function drawnName(member: Called): Html {
  return isolated(nameOf(member));
}

/** A text that somebody has given, among words of ours. */
export function isolated(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}
