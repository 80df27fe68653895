/** The tree above members in SQL. */
import { prepared } from '../../db/statement.ts';
import { countedNodes, stepUp, TREE_COLUMNS } from './counted-nodes-queries.ts';
import type { TreeRow } from './node.ts';

/**
 * The upline of a member from the sponsor up, or on from a member of it: at most so many. The recursion
 * hands rows over as it finds them, so the limit ends it.
 */
export const uplineStatement = prepared<
  TreeRow,
  [tenantId: string, environment: string, fromId: string, fromDepth: number, count: number]
>(
  'genealogy_upline',
  `with recursive up as (
     select m.id, m.parent_id, $4::int as depth from member m where m.tenant_id = $1 and m.environment = $2 and m.id = $3
     union all
     select m.id, m.parent_id, up.depth + 1 from up
     ${stepUp('up.parent_id')}),
   page as materialized (select row_number() over () as n, u.id, u.depth from (select * from up limit $5 + 1) u),
   node as materialized (
     select page.n, page.depth, ${TREE_COLUMNS('m')}
     from page cross join lateral (
       select ${TREE_COLUMNS('m')} from member m where m.tenant_id = $1 and m.environment = $2 and m.id = page.id limit 1) m),
   ${countedNodes()}`,
);

export interface PathRow extends TreeRow {
  /** Levels from the member up to the common ancestor, and from there down to the target. */
  above: number;
  below: number;
}

/**
 * The way from a member to another through their nearest common ancestor, in its order. No row when
 * there is none, or no such member. The two uplines are grouped, not joined: they may be long.
 */
export const pathStatement = prepared<PathRow, [tenantId: string, environment: string, memberId: string, targetId: string]>(
  'genealogy_path',
  `with recursive up as (
     select side.of_target, m.id, m.parent_id, 0 as depth
     from (values (false, $3::uuid), (true, $4::uuid)) side(of_target, id)
     join member m on m.tenant_id = $1 and m.environment = $2 and m.id = side.id
     union all
     select up.of_target, m.id, m.parent_id, up.depth + 1 from up
     ${stepUp('up.parent_id')}),
   meet as materialized (
     select max(up.depth) filter (where not up.of_target) as above, max(up.depth) filter (where up.of_target) as below
     from up group by up.id having count(*) = 2 order by 1 limit 1),
   node as materialized (
     select step.n, (step.n - 1)::int as depth, meet.above, meet.below, ${TREE_COLUMNS('m')}
     from meet
     cross join lateral (
       select up.id, case when up.of_target then meet.above + meet.below - up.depth else up.depth end + 1 as n
       from up where case when up.of_target then up.depth < meet.below else up.depth <= meet.above end) step
     cross join lateral (
       select ${TREE_COLUMNS('m')} from member m where m.tenant_id = $1 and m.environment = $2 and m.id = step.id limit 1) m),
   ${countedNodes(['above', 'below'])}`,
);

export const membersExist = prepared<{ id: string }, [tenantId: string, environment: string, ids: readonly string[]]>(
  'genealogy_members_exist',
  'select id from member where tenant_id = $1 and environment = $2 and id = any ($3::uuid[])',
);

/** Whether the target is somewhere below the member: up from it, and no further than to the member. */
export const isBelowStatement = prepared<
  { below: boolean },
  [tenantId: string, environment: string, memberId: string, targetId: string]
>(
  'genealogy_is_below',
  `with recursive up as (
     select m.parent_id from member m where m.tenant_id = $1 and m.environment = $2 and m.id = $4
     union all
     select m.parent_id from up
     ${stepUp('up.parent_id')}
     where up.parent_id <> $3)
   select exists (select from up where up.parent_id = $3) as below`,
);
