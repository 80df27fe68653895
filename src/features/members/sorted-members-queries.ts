/**
 * The list of members in the order of something that may change, in SQL. An order is of parts that follow each other,
 * each read from an index of its own: those without a name, and those without a downline, are in no index of the others.
 */
import { type GivenPlaces, listStatement, raw } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import {
  filteredMembers,
  JOINED_AT,
  type ListedMember,
  type ListParameters,
  MEMBER_COLUMNS,
  type MemberFilters,
  parametersOf,
} from './member-list-queries.ts';

export const MEMBER_SORTS = ['joined', '-joined', 'name', '-name', 'downline', '-downline'] as const;
export type MemberSort = (typeof MEMBER_SORTS)[number];

/** A row's place in its order. */
export interface SortedPlace {
  /** Which part of the order it is in. */
  part: number;
  id: string;
  /** What the part is ordered by; the empty text where that is the id alone. */
  key: string;
}

export type SortedMember = ListedMember & { place: SortedPlace };

type SortedRow = ListedMember & { sortKey: string };
type Parameters = ListParameters & { afterKey: string | undefined };
type Places = GivenPlaces<Scope & Parameters>;
type Direction = 'asc' | 'desc';

const past = { asc: '>', desc: '<' } as const;

const rowsOf = (p: Places, sortKey: string) =>
  filteredMembers(p)
    .limit(p.count)
    .select({ ...MEMBER_COLUMNS, sortKey: raw(sortKey) });

const byJoining = (name: string, direction: Direction) =>
  listStatement<SortedRow, Parameters>(name, (p) => {
    const query = rowsOf(p, "''").orderBy([
      { column: 'm.created_at', order: direction },
      { column: 'm.id', order: direction },
    ]);
    if (p.afterId) {
      query.where(raw(`(m.created_at, m.id) ${past[direction]} (${JOINED_AT}, :afterId)`, { afterId: p.afterId }));
    }
    return query;
  });

const byName = (name: string, direction: Direction) =>
  listStatement<SortedRow, Parameters>(name, (p) => {
    const query = rowsOf(p, 'm.name_norm')
      .whereNotNull('m.name_norm')
      .orderBy([
        { column: 'm.name_norm', order: direction },
        { column: 'm.id', order: direction },
      ]);
    const { afterKey, afterId } = p;
    if (afterKey && afterId) {
      query.where(raw(`(m.name_norm, m.id) ${past[direction]} (:afterKey, :afterId)`, { afterKey, afterId }));
    }
    return query;
  });

const nameless = listStatement<SortedRow, Parameters>('members_list_nameless', (p) => {
  const query = rowsOf(p, "''").whereNull('m.name_norm').orderBy('m.id');
  if (p.afterId) query.where('m.id', '>', p.afterId);
  return query;
});

/** By the totals as they were folded last. */
const bySize = (name: string, direction: Direction) =>
  listStatement<SortedRow, Parameters>(name, (p) => {
    const query = rowsOf(p, 'c.total::text')
      .join('downline_count as c', 'c.member_id', 'm.id')
      .where(raw('c.total > 0'))
      .orderBy([
        { column: 'c.total', order: direction },
        { column: 'c.member_id', order: direction },
      ]);
    const { afterKey, afterId } = p;
    if (afterKey && afterId) {
      query.where(raw(`(c.total, c.member_id) ${past[direction]} (:afterKey::int, :afterId)`, { afterKey, afterId }));
    }
    return query;
  });

/** Newest first: who joined long ago has most often recruited somebody, and would be read and left out. */
const leaves = listStatement<SortedRow, Parameters>('members_list_leaves', (p) => {
  const query = rowsOf(p, "''")
    .where(raw(`not exists (select from downline_count c where ${ofTenant('c')} and c.member_id = m.id and c.total > 0)`))
    .orderBy('m.id', 'desc');
  if (p.afterId) query.where('m.id', '<', p.afterId);
  return query;
});

type Part = typeof nameless;

/** In both directions those without a name come last. */
const PARTS: Readonly<Record<MemberSort, readonly Part[]>> = {
  joined: [byJoining('members_list_oldest', 'asc')],
  '-joined': [byJoining('members_list_newest', 'desc')],
  name: [byName('members_list_by_name', 'asc'), nameless],
  '-name': [byName('members_list_by_name_down', 'desc'), nameless],
  downline: [leaves, bySize('members_list_smallest', 'asc')],
  '-downline': [bySize('members_list_largest', 'desc'), leaves],
};

export async function listSortedMembers(
  db: Db,
  scope: Scope,
  { sort, ...filters }: MemberFilters & { sort: MemberSort },
  after: SortedPlace | undefined,
  count: number,
): Promise<SortedMember[]> {
  const parameters = parametersOf(filters);
  const rows: SortedMember[] = [];
  for (const [part, statement] of PARTS[sort].entries()) {
    if (rows.length === count || part < (after?.part ?? 0)) continue;
    const { id: afterId, key: afterKey } = after?.part === part ? after : { id: undefined, key: undefined };
    const found = await db.rows(
      statement(scope, { ...parameters, afterId, afterKey: afterKey || undefined, count: count - rows.length }),
    );
    rows.push(...found.map(({ sortKey: key, ...row }) => ({ ...row, place: { part, id: row.id, key } })));
  }
  return rows;
}
