/**
 * One level of the tree in SQL. An order is of parts that follow each other, each read from an index of its own, so a
 * page costs the same at a member with 100,000 recruits; a filter reads the names of the whole level, from the index alone.
 */
import { type GivenPlaces, listStatement, raw } from '../../db/query.ts';
import type { Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { countedNodes, TREE_COLUMNS } from './counted-nodes-queries.ts';
import type { TreeRow } from './tree-member.ts';

export interface ChildRow extends TreeRow {
  /** What its place in the part goes by, beside its id; the empty text where that is the id alone. */
  key: string;
}

interface Level {
  memberId: string;
  count: number;
  /** What the name or the address has in it, in the form of the columns. */
  text: string | undefined;
  afterId: string | undefined;
  afterKey: string | undefined;
}

type Places = GivenPlaces<Scope & Level>;

const OF_LEVEL = `${ofTenant('m')} and m.parent_id = :memberId`;
const HAS_TEXT = `(strpos(m.name_norm, :text) > 0 or strpos(m.email_norm, :text) > 0)`;

/**
 * As many as a filter may find for them to be sorted. Of more the order is walked instead, in which they then soon come;
 * of few it would be walked to its end, row by row, which took 0.4 s of 100,000.
 */
const FEW = 5_000;
const MATCHED = `matched as materialized (
     select m.id from member m where ${OF_LEVEL} and ${HAS_TEXT} limit ${FEW + 1}),
   size as materialized (select count(*) <= ${FEW} as few from matched),`;

interface Part {
  /** All of the level in the part's order, behind a place: columns id and key, and `at` to sort by. */
  walk(condition: string): string;
  /** The same of those matched. */
  sort?: (condition: string) => string;
  /** What stands behind the last row of the page before. */
  after: string;
  order: string;
}

/** One part of an order, as a page of members with their counts. */
const level = (name: string, { walk, sort, after, order }: Part) =>
  listStatement<ChildRow, Level>(name, (p: Places) => {
    const { memberId, count, text, afterId, afterKey } = p;
    const places = { memberId, count, ...(text && { text }), ...(afterId && { afterId }), ...(afterKey && { afterKey }) };
    const behind = afterId ? ` and ${after}` : '';
    const ordered = (part: string): string => `(${part} order by ${order} limit :count)`;
    const found =
      text && sort
        ? `${ordered(sort(`(select few from size)${behind}`))}
           union all
           ${ordered(walk(`not (select few from size) and ${HAS_TEXT}${behind}`))}`
        : ordered(walk(`${text ? HAS_TEXT : 'true'}${behind}`));
    return raw(
      `with ${text && sort ? MATCHED : ''}
       page as materialized (select row_number() over (order by ${order}) as n, x.id, x.key from (${found}) x),
       node as materialized (
         select page.n, 1 as depth, page.key, ${TREE_COLUMNS('m')}
         from page cross join lateral (
           select ${TREE_COLUMNS('m')} from member m where ${ofTenant('m')} and m.id = page.id limit 1) m),
       ${countedNodes(['key'])}`,
      places as Record<string, NonNullable<Places[keyof Places]>>,
    );
  });

const oldest = level('genealogy_children_oldest', {
  walk: (condition) => `select m.id, '' as key from member m where ${OF_LEVEL} and ${condition}`,
  sort: (condition) => `select m.id, '' as key from matched m where ${condition}`,
  after: 'm.id > :afterId',
  order: 'id',
});

const named = level('genealogy_children_by_name', {
  walk: (condition) =>
    `select m.id, m.name_norm as key from member m where ${OF_LEVEL} and m.name_norm is not null and ${condition}`,
  after: '(m.name_norm, m.id) > (:afterKey, :afterId)',
  order: 'key, id',
});

const nameless = level('genealogy_children_nameless', {
  walk: (condition) => `select m.id, '' as key from member m where ${OF_LEVEL} and m.name_norm is null and ${condition}`,
  after: 'm.id > :afterId',
  order: 'id',
});

/** By the totals as they were folded last. */
const COUNTED = `${ofTenant('c')} and c.parent_id = :memberId and c.total > 0`;

const largest = level('genealogy_children_largest', {
  walk: (condition) => `select c.member_id as id, c.total::text as key, c.total
    from downline_count c cross join lateral (
      select m.name_norm, m.email_norm from member m where ${ofTenant('m')} and m.id = c.member_id limit 1) m
    where ${COUNTED} and ${condition}`,
  sort: (condition) => `select c.member_id as id, c.total::text as key, c.total
    from matched m join downline_count c on ${COUNTED} and c.member_id = m.id where ${condition}`,
  after: '(c.total, c.member_id) < (:afterKey::int, :afterId)',
  order: 'total desc, id desc',
});

const UNCOUNTED = `not exists (select from downline_count c where ${COUNTED} and c.member_id = m.id)`;

const leaves = level('genealogy_children_leaves', {
  walk: (condition) => `select m.id, '' as key from member m where ${OF_LEVEL} and ${UNCOUNTED} and ${condition}`,
  sort: (condition) => `select m.id, '' as key from matched m where ${UNCOUNTED} and ${condition}`,
  after: 'm.id > :afterId',
  order: 'id',
});

export const CHILD_SORTS = ['joinedAt', '-totalDownline', 'name'] as const;
export type ChildSort = (typeof CHILD_SORTS)[number];

/** The parts of each order. Those without a name, and those without a downline, come last. */
export const CHILD_PARTS: Readonly<Record<ChildSort, readonly (typeof oldest)[]>> = {
  joinedAt: [oldest],
  '-totalDownline': [largest, leaves],
  name: [named, nameless],
};
