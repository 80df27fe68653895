/** Finds members by what somebody types: an id, the beginning of an email or of a name, or an external id. */
import type { z } from 'zod';
import type { PageContext } from '../../../pages/define-page.ts';
import { listMembers } from '../../members/member-list-operations.ts';

export type ListedMember = z.output<(typeof listMembers)['response']>['data'][number];

/** What of a member the text was found in. */
export type FoundBy = 'ids' | 'email' | 'name' | 'externalId';

export interface FoundMembers {
  data: ListedMember[];
  nextCursor: string | null;
  by: FoundBy | undefined;
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Where a text is looked for, in this order: the first that has one is the answer. */
export function placesOf(text: string): FoundBy[] {
  if (UUID.test(text)) return ['ids', 'externalId'];
  if (text.includes('@')) return ['email', 'externalId'];
  return ['name', 'email', 'externalId'];
}

/** What is known of it is asked for once: on the pages behind the first one `by` says where it was found. */
export async function findMembers(
  page: PageContext,
  text: string | undefined,
  query: Readonly<Record<string, string | undefined>>,
  by?: string,
): Promise<FoundMembers> {
  const typed = text?.trim() ?? '';
  if (typed === '') return { ...(await page.invoke(listMembers, { query })), by: undefined };
  const places = placesOf(typed);
  const known = places.filter((place) => place === by);
  let found: FoundMembers = { data: [], nextCursor: null, by: undefined };
  for (const place of known.length > 0 ? known : places) {
    found = { ...(await page.invoke(listMembers, { query: { ...query, [place]: typed } })), by: place };
    if (found.data.length > 0) break;
  }
  return found;
}

/** Names for ids, in one request. */
export async function namesOf(page: PageContext, ids: readonly (string | null)[]): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))].slice(0, 100);
  if (wanted.length === 0) return new Map();
  const { data } = await page.invoke(listMembers, { query: { ids: wanted.join(','), limit: '100' } });
  return new Map(data.map((member) => [member.id, nameOf(member)]));
}

/** What a member is called: the name, without one the address. */
export function nameOf({ name, email }: { name: string | null; email: string | null }): string {
  return name ?? email ?? 'Nameless';
}
