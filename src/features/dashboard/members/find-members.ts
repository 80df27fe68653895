/** The members of a list: those that the filters ask for, and of them those that are searched for. */
import type { z } from 'zod';
import type { PageContext } from '../../../pages/define-page.ts';
import { type FoundBy, findMembers } from '../../../pages/parts/find-members.ts';
import { nameOf } from '../../../pages/parts/member-name.ts';
import { listMembers } from '../../members/member-list-operations.ts';

export type ListedMember = z.output<(typeof listMembers)['response']>['data'][number];

export interface FoundMembers {
  data: ListedMember[];
  nextCursor: string | null;
  by: FoundBy | undefined;
}

/** What is known of it is asked for once: on the pages behind the first one `by` says where it was found. */
export async function readMembers(
  page: PageContext,
  text: string | undefined,
  query: Readonly<Record<string, string | undefined>>,
  by?: string,
): Promise<FoundMembers> {
  const typed = text?.trim() ?? '';
  const read = (filter: Readonly<Record<string, string>>) => page.invoke(listMembers, { query: { ...query, ...filter } });
  return typed === '' ? { ...(await read({})), by: undefined } : findMembers(typed, read, by);
}

/** Names for ids, in one request. */
export async function namesOf(page: PageContext, ids: readonly (string | null)[]): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))].slice(0, 100);
  if (wanted.length === 0) return new Map();
  const { data } = await page.invoke(listMembers, { query: { ids: wanted.join(','), limit: '100' } });
  return new Map(data.map((member) => [member.id, nameOf(member)]));
}
