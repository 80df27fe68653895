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

/** `page` has ids, in the order of n, with their keys. */
const level = (name: string, page: (given: { text: string; after: boolean }) => string) =>
  listStatement<ChildRow, Level>(name, (p: Places) => {
    const { memberId, count, text, afterId, afterKey } = p;
    const places = { memberId, count, ...(text && { text }), ...(afterId && { afterId }), ...(afterKey && { afterKey }) };
    return raw(
      `with page as materialized (${page({ text: text ? ` and ${HAS_TEXT}` : '', after: afterId !== undefined })}),
       node as materialized (
         select page.n, 1 as depth, page.key, ${TREE_COLUMNS('m')}
         from page cross join lateral (
           select ${TREE_COLUMNS('m')} from member m where ${ofTenant('m')} and m.id = page.id limit 1) m),
       ${countedNodes(['key'])}`,
      places as Record<string, NonNullable<Places[keyof Places]>>,
    );
  });

const oldest = level(
  'genealogy_children_oldest',
  ({ text, after }) =>
    `select row_number() over (order by x.id) as n, x.id, '' as key
     from (select m.id from member m where ${OF_LEVEL}${text}${after ? ' and m.id > :afterId' : ''} order by m.id limit :count) x`,
);

const named = level(
  'genealogy_children_by_name',
  ({ text, after }) =>
    `select row_number() over (order by x.key, x.id) as n, x.id, x.key
     from (select m.id, m.name_norm as key from member m
           where ${OF_LEVEL} and m.name_norm is not null${text}${after ? ' and (m.name_norm, m.id) > (:afterKey, :afterId)' : ''}
           order by m.name_norm, m.id limit :count) x`,
);

const nameless = level(
  'genealogy_children_nameless',
  ({ text, after }) =>
    `select row_number() over (order by x.id) as n, x.id, '' as key
     from (select m.id from member m where ${OF_LEVEL} and m.name_norm is null${text}${after ? ' and m.id > :afterId' : ''}
           order by m.id limit :count) x`,
);

/** By the totals as they were folded last. */
const COUNTED = `${ofTenant('c')} and c.parent_id = :memberId and c.total > 0`;

const largest = level(
  'genealogy_children_largest',
  ({ text, after }) =>
    `select row_number() over (order by x.total desc, x.id desc) as n, x.id, x.total::text as key
     from (select c.member_id as id, c.total from downline_count c
           where ${COUNTED}${after ? ' and (c.total, c.member_id) < (:afterKey::int, :afterId)' : ''}
           ${text === '' ? '' : `and exists (select from member m where ${OF_LEVEL} and m.id = c.member_id${text})`}
           order by c.total desc, c.member_id desc limit :count) x`,
);

const leaves = level(
  'genealogy_children_leaves',
  ({ text, after }) =>
    `select row_number() over (order by x.id) as n, x.id, '' as key
     from (select m.id from member m
           where ${OF_LEVEL}${text}${after ? ' and m.id > :afterId' : ''}
             and not exists (select from downline_count c where ${COUNTED} and c.member_id = m.id)
           order by m.id limit :count) x`,
);

export const CHILD_SORTS = ['joinedAt', '-totalDownline', 'name'] as const;
export type ChildSort = (typeof CHILD_SORTS)[number];

/** The parts of each order. Those without a name, and those without a downline, come last. */
export const CHILD_PARTS: Readonly<Record<ChildSort, readonly (typeof oldest)[]>> = {
  joinedAt: [oldest],
  '-totalDownline': [largest, leaves],
  name: [named, nameless],
};
