/**
 * Pages of a downline in SQL. Up to GATHER_LIMIT members are gathered and sorted; in a larger downline
 * the members of the tenant are walked in the order asked for, and each is asked for its upline. Walking
 * costs by how many are passed over, which is few where the downline is a large part of the tenant, and
 * is bounded by WALK_LIMIT and STEPS_LIMIT. (Gathering a million takes 5 s, a walk of a page at their root 3 ms.)
 */
import { raw, replanned, statement } from '../../db/query.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { countedNodes, stepUp, TREE_COLUMNS } from './counted-nodes-queries.ts';
import type { TreeRow } from './tree-member.ts';

/** The largest downline that is gathered: some 0.1 s. */
export const GATHER_LIMIT = 20_000;
/** Members that a walk looks at for one page. */
export const WALK_LIMIT = 4_000;
/** Levels that it climbs for it, about: some 0.5 s. */
export const STEPS_LIMIT = 100_000;
/** Levels are listed whole until so many members have been listed. */
export const LEVELS_LIMIT = 100_000;

const member = tenantTable('member');

const PENDING = `select sum(p.delta) from downline_pending p where ${ofTenant('p')} and p.ancestor_ids @> array[m.id]`;

/** No row: no such member. */
export const downlineSize = statement<{ total: number }, { memberId: string }>('genealogy_downline_size', ({ memberId }) =>
  member('m')
    .leftJoin('downline_count as c', 'c.member_id', 'm.id')
    .where('m.id', memberId)
    .select({ total: raw(`coalesce(c.total, 0) + coalesce((${PENDING}), 0)::int`) }),
);

export interface ListedRow extends TreeRow {
  /** What its place in the list goes by, beside its id: total or depth; 0 where it is when it joined. */
  at: number;
  /** A list by levels could go on: there are more below it. */
  cut: boolean;
}

/** A page of the members below one, behind another of them. */
interface Base {
  memberId: string;
  includeInactive: boolean;
  count: number;
  afterId: string | null;
}

/** The page's members by id, in the order of n, with what the answer shows of them. */
const SHOWN = `
   node as materialized (
     select page.n, page.depth, page.at, page.cut, ${TREE_COLUMNS('m')}
     from page cross join lateral (
       select ${TREE_COLUMNS('m')} from member m where ${ofTenant('m')} and m.id = page.id limit 1) m),
   ${countedNodes(['at', 'cut'])}`;

const GATHERED = `down as (
     select m.id, m.created_at, 1 as depth from member m
     where ${ofTenant('m')} and m.parent_id = :memberId and (:includeInactive or m.is_active)
     union all
     select m.id, m.created_at, down.depth + 1 from down
     join member m on ${ofTenant('m')} and m.parent_id = down.id
     where :includeInactive or m.is_active)`;

/** When the last member of the page before joined, to the microsecond. */
const AFTER_AT = `(select m.created_at from member m where ${ofTenant('m')} and m.id = :afterId)`;

/**
 * Gathering goes down by joins. Among many small tenants the one plan for all of them would read the whole
 * tenant at each level of a deep tree; so it is planned for the tenant at hand.
 */
const gatherByJoining = (after: '>' | '<', direction: 'asc' | 'desc') =>
  replanned<ListedRow, Base>(({ memberId, includeInactive, count, afterId }) =>
    raw(
      `with recursive ${GATHERED},
     page as (
       select row_number() over (order by created_at ${direction}, id ${direction}) as n, id, depth, 0 as at, false as cut from down
       where :afterId::uuid is null or (created_at, id) ${after} (${AFTER_AT}, :afterId)
       order by created_at ${direction}, id ${direction} limit :count),
     ${SHOWN}`,
      { memberId, includeInactive, count, afterId },
    ),
  );

export const gatherOldest = gatherByJoining('>', 'asc');
export const gatherNewest = gatherByJoining('<', 'desc');

/** By the exact totals. */
export const gatherLargest = replanned<ListedRow, Base & { afterTotal: number | null }>(
  ({ memberId, includeInactive, count, afterId, afterTotal }) =>
    raw(
      `with recursive ${GATHERED},
   part as (
     select down.id, down.depth, c.total
     from down cross join lateral (
       select coalesce((select c.total from downline_count c
                        where ${ofTenant('c')} and c.member_id = down.id limit 1), 0) as total) c
     union all
     select a.id, null, p.delta from downline_pending p cross join lateral unnest(p.ancestor_ids) a(id)
     where ${ofTenant('p')} and p.delta <> 0),
   summed as (select id, max(depth) as depth, sum(total)::int as total from part group by id having max(depth) is not null),
   page as (
     select row_number() over (order by total desc, id desc) as n, id, depth, total as at, false as cut from summed
     where :afterId::uuid is null or (total, id) < (:afterTotal::int, :afterId)
     order by total desc, id desc limit :count),
   ${SHOWN}`,
      { memberId, includeInactive, count, afterId, afterTotal },
    ),
);

/**
 * Level by level, each in the order of ids, behind the last member of the page before. Each level knows
 * how many were found with it, so the recursion ends with the level that fills the page; and with the
 * one that passes LEVELS_LIMIT.
 */
export const listLevels = statement<ListedRow, Base & { afterDepth: number; levelsLimit: number }>(
  'genealogy_levels',
  ({ memberId, includeInactive, count, afterId, afterDepth, levelsLimit }) =>
    raw(
      `with recursive down as (
     select :memberId::uuid as id, 0 as depth, 0::bigint as found, 0::bigint as passed
     union all
     select m.id, down.depth + 1, down.found + case when down.depth + 1 > :afterDepth then count(*) over () else 0 end,
            down.passed + count(*) over ()
     from down
     join member m on ${ofTenant('m')} and m.parent_id = down.id
     where (:includeInactive or m.is_active) and down.found < :count and down.passed < :levelsLimit::bigint),
   page as (
     select row_number() over (order by depth, id) as n, id, depth, depth as at, (
              select exists (
                select from down d
                cross join lateral (
                  select from member m
                  where ${ofTenant('m')} and m.parent_id = d.id and (:includeInactive or m.is_active) limit 1) m
                where d.passed >= :levelsLimit::bigint)) as cut
     from down
     where depth > 0 and (depth > :afterDepth or (depth = :afterDepth and id > :afterId))
     order by depth, id limit :count),
   ${SHOWN}`,
      { memberId, includeInactive, count, afterId, afterDepth, levelsLimit },
    ),
);

/**
 * The candidates one after another, each with the way up from it to the member or the top; until a page
 * is full or the ways together are longer than STEPS_LIMIT, as they soon are beside a deep chain.
 */
const walked = (seen: string): string =>
  `seen as materialized (
     select array_agg(x.id order by x.n) as ids, array_agg(x.total order by x.n) as totals, count(*)::int as found
     from (${seen}) x),
   step as (
     select 0 as n, 0::bigint as steps, 0 as hits, null::int as depth
     union all
     select step.n + 1, step.steps + 1 + up.steps, step.hits + (up.depth is not null)::int, up.depth
     from step cross join seen
     cross join lateral (
       with recursive up as (
         select m.parent_id, 1 as depth from member m
         where ${ofTenant('m')} and m.id = seen.ids[step.n + 1] and (:includeInactive or m.is_active)
         union all
         select m.parent_id, up.depth + 1 from up
         ${stepUp('up.parent_id')}
         where up.parent_id <> :memberId and (:includeInactive or m.is_active))
       select count(*) as steps, max(up.depth) filter (where up.parent_id = :memberId) as depth from up) up
     where step.n < seen.found and step.hits < :count and step.steps < :stepsLimit::bigint)`;

interface Walk extends Base {
  /** Null in an order that does not go by it. */
  afterTotal: number | null;
  /** How many are looked at, and how far up from all of them together. */
  walkLimit: number;
  stepsLimit: number;
}

/** A walk, and where it ended, for a page that it could not fill. */
function walk(name: string, seen: string) {
  return {
    page: statement<ListedRow, Walk>(name, ({ memberId, includeInactive, count, afterId, afterTotal, walkLimit, stepsLimit }) =>
      raw(
        `with recursive ${walked(seen)},
       page as materialized (
         select step.n, seen.ids[step.n] as id, step.depth, seen.totals[step.n] as at, false as cut
         from step cross join seen where step.depth is not null),
       ${SHOWN}`,
        { memberId, includeInactive, count, afterId, afterTotal, walkLimit, stepsLimit },
      ),
    ),
    /** `more`: it ended because it had gone far enough. No row: there was nobody to look at. */
    end: statement<{ id: string; total: number; more: boolean }, Walk>(
      `${name}_end`,
      ({ memberId, includeInactive, count, afterId, afterTotal, walkLimit, stepsLimit }) =>
        raw(
          `with recursive ${walked(seen)}
       select seen.ids[last.n] as id, seen.totals[last.n] as total, last.n < seen.found or seen.found = :walkLimit as more
       from seen cross join (select max(step.n) as n from step) last where last.n > 0`,
          { memberId, includeInactive, count, afterId, afterTotal, walkLimit, stepsLimit },
        ),
    ),
  };
}

/** From when on the downline joined, by what is counted: nobody who joined earlier need be asked. */
const JOINED_FROM = `(select least(
       (select min(d.month) - 1 from downline_month d
        where ${ofTenant('d')} and d.member_id = :memberId and d.joined > 0),
       (select min(p.joined_at)::date - 1 from downline_pending p
        where ${ofTenant('p')} and p.ancestor_ids @> array[:memberId::uuid]))::timestamptz)`;

const seenByJoining = (after: '>' | '<', direction: 'asc' | 'desc'): string =>
  `select row_number() over () as n, x.id, 0 as total from (
     select m.id from member m
     where ${ofTenant('m')} and :afterTotal::int is null
       and (:afterId::uuid is null or (m.created_at, m.id) ${after} (${AFTER_AT}, :afterId)) and m.created_at >= ${JOINED_FROM}
     order by m.created_at ${direction}, m.id ${direction} limit :walkLimit) x`;

export const walkOldest = walk('genealogy_walk_oldest', seenByJoining('>', 'asc'));
export const walkNewest = walk('genealogy_walk_newest', seenByJoining('<', 'desc'));

/** Members with a downline of their own, by their folded totals. */
export const walkLargest = walk(
  'genealogy_walk_largest',
  `select row_number() over () as n, x.id, x.total from (
     select c.member_id as id, c.total from downline_count c
     where ${ofTenant('c')} and c.total > 0 and (c.total, c.member_id) < (:afterTotal::int, :afterId::uuid)
       and :memberId::uuid is not null
     order by c.total desc, c.member_id desc limit :walkLimit) x`,
);

/** Those without one, who come last: by id. */
export const walkLeaves = walk(
  'genealogy_walk_leaves',
  `select row_number() over () as n, x.id, 0 as total from (
     select m.id from member m
     where ${ofTenant('m')} and (:afterId::uuid is null or m.id < :afterId) and :afterTotal::int is null and :memberId::uuid is not null
       and not exists (select from downline_count c
                       where ${ofTenant('c')} and c.member_id = m.id and c.total > 0)
     order by m.id desc limit :walkLimit) x`,
);
