/** Who did something, with the way to all that they did. */
import type { NamedActor } from '../../actor.ts';
import type { PageContext } from '../define-page.ts';
import { type Html, html } from '../html.ts';
import { shortId } from './id.ts';

const KINDS: Readonly<Record<string, string>> = {
  api_key: 'API key',
  staff: 'Person',
  member: 'Member',
  operator: 'The operator',
  vendor: 'Vendor',
  system: 'The service',
};

/** The name, or of whom there is none the kind. */
export function actorName({ kind, id, name }: NamedActor): string {
  const word = KINDS[kind] ?? kind;
  return name ?? (id === null ? word : `${word} ${shortId(id)}`);
}

/** The same as a link to the audit log for whoever may read it. */
export function actor(page: Pick<PageContext, 'at' | 'can'>, by: NamedActor): Html {
  const { kind, id } = by;
  const word = KINDS[kind] ?? kind;
  const shown = actorName(by);
  if (id === null || !page.can('admin:audit')) return html`${shown}`;
  return html`<a href="${page.at('/audit', { actorKind: kind, actorId: id })}" title="${word}">${shown}</a>`;
}

export function actorKind(kind: string): string {
  return KINDS[kind] ?? kind;
}

/** The way to what was done to one thing; nothing for who may not read the audit log. */
export function auditOf(page: Pick<PageContext, 'at' | 'can'>, targetKind: string, targetId: string): Html {
  if (!page.can('admin:audit')) return html``;
  return html`<a class="button" href="${page.at('/audit', { targetKind, targetId })}">History</a>`;
}
