/** Who did something, by name: a key, a person, a member, a vendor, or the service itself. */
import type { PageContext } from '../define-page.ts';
import { type Html, html } from '../html.ts';
import { shortId } from './id.ts';

export interface NamedActor {
  kind: 'api_key' | 'staff' | 'member' | 'operator' | 'vendor' | 'system';
  id: string | null;
  name: string | null;
}

const WORDS: Readonly<Record<NamedActor['kind'], string>> = {
  api_key: 'API key',
  staff: 'Person',
  member: 'Member',
  operator: 'The operator of the service',
  vendor: 'Vendor',
  system: 'The service itself',
};

/** Keys lead to the keys, members to the member, where the reader may open them. */
export function actorName(page: Pick<PageContext, 'at' | 'can'>, { kind, id, name }: NamedActor): Html {
  const text = name ?? (id === null ? undefined : shortId(id));
  if (text === undefined) return html`${WORDS[kind]}`;
  return html`${WORDS[kind]} ${linked(page, kind, id, text)}`;
}

function linked(page: Pick<PageContext, 'at' | 'can'>, kind: NamedActor['kind'], id: string | null, text: string): Html {
  if (id !== null && kind === 'api_key' && page.can('admin:keys')) return html`<a href="${page.at('/keys')}">${text}</a>`;
  if (id !== null && kind === 'member' && page.can('members:read'))
    return html`<a href="${page.at(`/members/${id}`)}">${text}</a>`;
  return html`<strong>${text}</strong>`;
}
