/**
 * Pages of a downline in SQL. Up to GATHER_LIMIT members are gathered and sorted; in a larger downline
 * the members of the tenant are walked in the order asked for, and each is asked for its upline. Walking
 * costs by how many are passed over, which is few where the downline is a large part of the tenant, and
 * is bounded by WALK_LIMIT and STEPS_LIMIT. (Gathering a million takes 5 s, a walk of a page at their root 3 ms.)
 */
import { prepared, replanned } from '../../db/statement.ts';
import { countedNodes, stepUp, TREE_COLUMNS } from './counted-nodes-queries.ts';
import type { TreeRow } from './node.ts';

/** The largest downline that is gathered: some 0.1 s. */
export const GATHER_LIMIT = 20_000;
/** Members that a walk looks at for one page. */
export const WALK_LIMIT = 4_000;
/** Levels that it climbs for it, about: some 0.5 s. */
export const STEPS_LIMIT = 100_000;
/** Levels are listed whole until so many members have been listed. */
export const LEVELS_LIMIT = 100_000;

/** No row: no such member. */
export const downlineSize = prepared<{ total: number }, [tenantId: string, environment: string, memberId: string]>(
  'genealogy_downline_size',
  `select coalesce(c.total, 0) + coalesce((
            select sum(p.delta) from downline_pending p
            where p.tenant_id = $1 and p.environment = $2 and p.ancestor_ids @> array[m.id]), 0)::int as total
   from member m
   left join downline_count c on c.tenant_id = $1 and c.environment = $2 and c.member_id = m.id
   where m.tenant_id = $1 and m.environment = $2 and m.id = $3`,
);

export interface ListedRow extends TreeRow {
  /** What its place in the list goes by, beside its id: total or depth; 0 where it is when it joined. */
  at: number;
  /** Of a list by levels that could go on: there are more below it. */
  cut: boolean;
}

type Base = [tenantId: string, environment: string, memberId: string, includeInactive: boolean, count: number];

/** The page's members by id, in the order of n, with what the answer shows of them. */
const SHOWN = `
   node as materialized (
     select page.n, page.depth, page.at, page.cut, ${TREE_COLUMNS('m')}
     from page cross join lateral (
       select ${TREE_COLUMNS('m')} from member m where m.tenant_id = $1 and m.environment = $2 and m.id = page.id limit 1) m),
   ${countedNodes(['at', 'cut'])}`;

const GATHERED = `down as (
     select m.id, m.created_at, 1 as depth from member m
     where m.tenant_id = $1 and m.environment = $2 and m.parent_id = $3 and ($4 or m.is_active)
     union all
     select m.id, m.created_at, down.depth + 1 from down
     join member m on m.tenant_id = $1 and m.environment = $2 and m.parent_id = down.id
     where $4 or m.is_active)`;

/** When the last member of the page before joined, to the microsecond. */
const AFTER_AT = '(select m.created_at from member m where m.tenant_id = $1 and m.environment = $2 and m.id = $6)';

/**
 * Gathering goes down by joins. Among many small tenants the one plan for all of them would read the whole
 * tenant at each level of a deep tree; so it is planned for the tenant at hand.
 */
const gatherByJoining = (after: '>' | '<', direction: 'asc' | 'desc') =>
  replanned<ListedRow, [...Base, afterId: string | null]>(
    `with recursive ${GATHERED},
     page as (
       select row_number() over (order by created_at ${direction}, id ${direction}) as n, id, depth, 0 as at, false as cut from down
       where $6::uuid is null or (created_at, id) ${after} (${AFTER_AT}, $6)
       order by created_at ${direction}, id ${direction} limit $5),
     ${SHOWN}`,
  );

export const gatherOldest = gatherByJoining('>', 'asc');
export const gatherNewest = gatherByJoining('<', 'desc');

/** By the exact totals. */
export const gatherLargest = replanned<ListedRow, [...Base, afterId: string | null, afterTotal: number | null]>(
  `with recursive ${GATHERED},
   part as (
     select down.id, down.depth, c.total
     from down cross join lateral (
       select coalesce((select c.total from downline_count c
                        where c.tenant_id = $1 and c.environment = $2 and c.member_id = down.id limit 1), 0) as total) c
     union all
     select a.id, null, p.delta from downline_pending p cross join lateral unnest(p.ancestor_ids) a(id)
     where p.tenant_id = $1 and p.environment = $2 and p.delta <> 0),
   summed as (select id, max(depth) as depth, sum(total)::int as total from part group by id having max(depth) is not null),
   page as (
     select row_number() over (order by total desc, id desc) as n, id, depth, total as at, false as cut from summed
     where $6::uuid is null or (total, id) < ($7::int, $6)
     order by total desc, id desc limit $5),
   ${SHOWN}`,
);

/**
 * Level by level, each in the order of ids, behind the last member of the page before. Each level knows
 * how many were found with it, so the recursion ends with the level that fills the page; and with the
 * one that passes LEVELS_LIMIT.
 */
export const listLevels = prepared<ListedRow, [...Base, afterId: string | null, afterDepth: number, levelsLimit: number]>(
  'genealogy_levels',
  `with recursive down as (
     select $3::uuid as id, 0 as depth, 0::bigint as found, 0::bigint as passed
     union all
     select m.id, down.depth + 1, down.found + case when down.depth + 1 > $7 then count(*) over () else 0 end,
            down.passed + count(*) over ()
     from down
     join member m on m.tenant_id = $1 and m.environment = $2 and m.parent_id = down.id
     where ($4 or m.is_active) and down.found < $5 and down.passed < $8::bigint),
   page as (
     select row_number() over (order by depth, id) as n, id, depth, depth as at, (
              select exists (
                select from down d
                cross join lateral (
                  select from member m
                  where m.tenant_id = $1 and m.environment = $2 and m.parent_id = d.id and ($4 or m.is_active) limit 1) m
                where d.passed >= $8::bigint)) as cut
     from down
     where depth > 0 and (depth > $7 or (depth = $7 and id > $6))
     order by depth, id limit $5),
   ${SHOWN}`,
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
         where m.tenant_id = $1 and m.environment = $2 and m.id = seen.ids[step.n + 1] and ($4 or m.is_active)
         union all
         select m.parent_id, up.depth + 1 from up
         ${stepUp('up.parent_id')}
         where up.parent_id <> $3 and ($4 or m.is_active))
       select count(*) as steps, max(up.depth) filter (where up.parent_id = $3) as depth from up) up
     where step.n < seen.found and step.hits < $5 and step.steps < $9::bigint)`;

/** A walk, and where it ended, for a page that it could not fill. */
function walk(name: string, seen: string) {
  return {
    page: prepared<ListedRow, Walk>(
      name,
      `with recursive ${walked(seen)},
       page as materialized (
         select step.n, seen.ids[step.n] as id, step.depth, seen.totals[step.n] as at, false as cut
         from step cross join seen where step.depth is not null),
       ${SHOWN}`,
    ),
    /** `more`: it ended because it had gone far enough. No row: there was nobody to look at. */
    end: prepared<{ id: string; total: number; more: boolean }, Walk>(
      `${name}_end`,
      `with recursive ${walked(seen)}
       select seen.ids[last.n] as id, seen.totals[last.n] as total, last.n < seen.found or seen.found = $8 as more
       from seen cross join (select max(step.n) as n from step) last where last.n > 0`,
    ),
  };
}

type Walk = [...Base, afterId: string | null, afterTotal: number | null, walkLimit: number, stepsLimit: number];

/** From when on the downline joined, by what is counted: nobody who joined earlier need be asked. */
const JOINED_FROM = `(select least(
       (select min(d.month) - 1 from downline_month d
        where d.tenant_id = $1 and d.environment = $2 and d.member_id = $3 and d.joined > 0),
       (select min(p.joined_at)::date - 1 from downline_pending p
        where p.tenant_id = $1 and p.environment = $2 and p.ancestor_ids @> array[$3::uuid]))::timestamptz)`;

const seenByJoining = (after: '>' | '<', direction: 'asc' | 'desc'): string =>
  `select row_number() over () as n, x.id, 0 as total from (
     select m.id from member m
     where m.tenant_id = $1 and m.environment = $2 and $7::int is null
       and ($6::uuid is null or (m.created_at, m.id) ${after} (${AFTER_AT}, $6)) and m.created_at >= ${JOINED_FROM}
     order by m.created_at ${direction}, m.id ${direction} limit $8) x`;

export const walkOldest = walk('genealogy_walk_oldest', seenByJoining('>', 'asc'));
export const walkNewest = walk('genealogy_walk_newest', seenByJoining('<', 'desc'));

/** Members with a downline of their own, by their folded totals. */
export const walkLargest = walk(
  'genealogy_walk_largest',
  `select row_number() over () as n, x.id, x.total from (
     select c.member_id as id, c.total from downline_count c
     where c.tenant_id = $1 and c.environment = $2 and c.total > 0 and (c.total, c.member_id) < ($7::int, $6::uuid)
       and $3::uuid is not null
     order by c.total desc, c.member_id desc limit $8) x`,
);

/** Those without one, who come last: by id. */
export const walkLeaves = walk(
  'genealogy_walk_leaves',
  `select row_number() over () as n, x.id, 0 as total from (
     select m.id from member m
     where m.tenant_id = $1 and m.environment = $2 and ($6::uuid is null or m.id < $6) and $7::int is null and $3::uuid is not null
       and not exists (select from downline_count c
                       where c.tenant_id = $1 and c.environment = $2 and c.member_id = m.id and c.total > 0)
     order by m.id desc limit $8) x`,
);
