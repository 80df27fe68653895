/**
 * One level of the tree in SQL: a member's recruits, or those without a sponsor. An order is of parts that follow each
 * other, each read from an index of its own, so a page costs the same at a member with 100,000 recruits; a filter reads
 * the names of the whole level once, from the index alone.
 */
import { type GivenPlaces, listStatement, raw } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { countedNodes, TREE_COLUMNS } from './counted-nodes-queries.ts';
import type { TreeRow } from './tree-member.ts';

/** Where a row stands: in which part of the order, and behind which key and id. */
export interface LevelPlace {
  part: number;
  id: string;
  /** What its place in the part goes by, beside its id; the empty text where that is the id alone. */
  key: string;
}

export interface LevelRow extends TreeRow, LevelPlace {
  /** Who is active of those below. */
  active: number;
}

interface Level {
  /** Undefined for those without a sponsor. */
  memberId: string | undefined;
  count: number;
  /** What the name or the address has in it, in the form of the columns. */
  text: string | undefined;
  afterId: string | undefined;
  afterKey: string | undefined;
}

type Places = GivenPlaces<Scope & Level>;

const HAS_TEXT = `(strpos(m.name_norm, :text) > 0 or strpos(m.email_norm, :text) > 0)`;

/**
 * As many as a filter may find for them to be sorted. Of more the order is walked instead, in which they then soon come;
 * of few it would be walked to its end, row by row, which took 0.4 s of 100,000.
 */
const FEW = 5_000;

/** A part of an order on a level. Its rows have `id`, `key` and what `order` names. */
interface Part {
  part: number;
  /** All of the level that meet the condition. */
  walk(condition: string): string;
  /** The same of those matched. */
  sort?: (condition: string) => string;
  /** What stands behind the last row of the page before. */
  after: string;
  /** By the sponsor first, which is the same for all: where it is null the planner does not know that, and an index has it there. */
  order: string;
}

type LevelKind = 'recruits' | 'roots';
const SPONSOR: Readonly<Record<LevelKind, (column: string) => string>> = {
  recruits: (column) => `${column} = :memberId`,
  roots: (column) => `${column} is null`,
};

function partsOf(kind: LevelKind) {
  const ofLevel = `${ofTenant('m')} and ${SPONSOR[kind]('m.parent_id')}`;
  const counted = `${ofTenant('c')} and ${SPONSOR[kind]('c.parent_id')} and c.total > 0`;
  const uncounted = `not exists (select from downline_count c where ${counted} and c.member_id = m.id)`;
  const member = (columns: string, condition: string): string =>
    `select m.id, ${columns}, m.parent_id from member m where ${ofLevel} and ${condition}`;

  const oldest: Part = {
    part: 0,
    walk: (condition) => member("'' as key", condition),
    sort: (condition) => `select m.id, '' as key, m.parent_id from matched m where ${condition}`,
    after: 'm.id > :afterId',
    order: 'parent_id, id',
  };
  const named: Part = {
    part: 0,
    walk: (condition) => member('m.name_norm as key', `m.name_norm is not null and ${condition}`),
    after: '(m.name_norm, m.id) > (:afterKey, :afterId)',
    order: 'parent_id, key, id',
  };
  const nameless: Part = {
    part: 1,
    walk: (condition) => member("'' as key", `m.name_norm is null and ${condition}`),
    after: 'm.id > :afterId',
    order: 'parent_id, id',
  };
  /** By the totals as they were folded last. */
  const largest: Part = {
    part: 0,
    walk: (condition) => `select c.member_id as id, c.total::text as key, c.parent_id, c.total
      from downline_count c cross join lateral (
        select m.name_norm, m.email_norm from member m where ${ofTenant('m')} and m.id = c.member_id limit 1) m
      where ${counted} and ${condition}`,
    sort: (condition) => `select c.member_id as id, c.total::text as key, c.parent_id, c.total
      from matched m join downline_count c on ${counted} and c.member_id = m.id where ${condition}`,
    after: '(c.total, c.member_id) < (:afterKey::int, :afterId)',
    order: 'parent_id desc, total desc, id desc',
  };
  const leaves: Part = {
    part: 1,
    walk: (condition) => member("'' as key", `${uncounted} and ${condition}`),
    sort: (condition) => `select m.id, '' as key, m.parent_id from matched m where ${uncounted} and ${condition}`,
    after: 'm.id > :afterId',
    order: 'parent_id, id',
  };

  const matched = `matched as materialized (
     select m.id, m.parent_id from member m where ${ofLevel} and ${HAS_TEXT} limit ${FEW + 1}),
   size as materialized (select count(*) <= ${FEW} as few from matched),`;

  /** The rows of a part, numbered, `behind` a place and, where the part has `room` alone, as far as there is. */
  const rowsOf = ({ part, walk, sort, order }: Part, behind: string, isFiltered: boolean, room = 'true'): string => {
    const ordered = (rows: string): string => `(${rows} order by ${order} limit :count)`;
    const found =
      isFiltered && sort
        ? `${ordered(sort(`(select few from size) and ${room}${behind}`))}
           union all
           ${ordered(walk(`not (select few from size) and ${room} and ${HAS_TEXT}${behind}`))}`
        : ordered(walk(`${isFiltered ? HAS_TEXT : 'true'}${behind}`));
    return `select ${part} as part, row_number() over (order by ${order}) as n, x.id, x.key from (${found}) x`;
  };

  const shown = (pages: string): string =>
    `page as materialized (select row_number() over (order by p.part, p.n) as n, p.part, p.id, p.key from (${pages}) p),
     node as materialized (
       select page.n, page.part, ${kind === 'roots' ? 0 : 1} as depth, page.key, ${TREE_COLUMNS('m')}
       from page cross join lateral (
         select ${TREE_COLUMNS('m')} from member m where ${ofTenant('m')} and m.id = page.id limit 1) m
       where page.n <= :count),
     ${countedNodes(['part', 'key'], { withActive: true })}`;

  const placesOf = (p: Places): Record<string, NonNullable<Places[keyof Places]>> => {
    const { count, text, afterId, afterKey } = p;
    const places = { count, ...(text && { text }), ...(afterId && { afterId }), ...(afterKey && { afterKey }) };
    return (kind === 'roots' ? places : { ...places, memberId: p.memberId }) as never;
  };

  /** One part of an order, as a page of members with their counts. */
  const page = (name: string, part: Part) =>
    listStatement<LevelRow, Level>(`genealogy_${kind}_${name}`, (p: Places) => {
      const behind = p.afterId ? ` and ${part.after}` : '';
      return raw(`with ${p.text && part.sort ? matched : ''} ${shown(rowsOf(part, behind, p.text !== undefined))}`, placesOf(p));
    });

  /** Both parts of a filtered order at once: what matches is searched for once. The second is read as far as the first leaves room. */
  const filtered = listStatement<LevelRow, Level>(`genealogy_${kind}_filtered`, (p: Places) =>
    raw(
      `with ${matched}
       first as materialized (${rowsOf(largest, p.afterId ? ` and ${largest.after}` : '', true)}),
       ${shown(`select * from first union all (${rowsOf(leaves, '', true, '(select count(*) from first) < :count')})`)}`,
      placesOf(p),
    ),
  );

  return {
    /** The parts of each order. Those without a name, and those without a downline, come last. */
    orders: {
      joinedAt: [page('oldest', oldest)],
      '-totalDownline': [page('largest', largest), page('leaves', leaves)],
      name: [page('by_name', named), page('nameless', nameless)],
    },
    filtered,
  };
}

export const CHILD_SORTS = ['joinedAt', '-totalDownline', 'name'] as const;
export type ChildSort = (typeof CHILD_SORTS)[number];

const LEVELS = { recruits: partsOf('recruits'), roots: partsOf('roots') };

export interface LevelQuery {
  /** Undefined: those without a sponsor. */
  memberId: string | undefined;
  sort: ChildSort;
  text: string | undefined;
  /** The last row of the page before. */
  from: LevelPlace | undefined;
  count: number;
}

/** At most `count` members of a level in the order asked for. */
export async function listLevel(db: Db, scope: Scope, { memberId, sort, text, from, count }: LevelQuery): Promise<LevelRow[]> {
  const { orders, filtered } = LEVELS[memberId === undefined ? 'roots' : 'recruits'];
  const given = (found: number, part: number): Level => {
    const after = from?.part === part ? from : undefined;
    return { memberId, text, count: count - found, afterId: after?.id, afterKey: after?.key === '' ? undefined : after?.key };
  };
  if (text !== undefined && sort === '-totalDownline' && (from?.part ?? 0) === 0) return db.rows(filtered(scope, given(0, 0)));
  const rows: LevelRow[] = [];
  for (const [part, statement] of orders[sort].entries()) {
    if (rows.length === count || part < (from?.part ?? 0)) continue;
    rows.push(...(await db.rows(statement(scope, given(rows.length, part)))));
  }
  return rows;
}
