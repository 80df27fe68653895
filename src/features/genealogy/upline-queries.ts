/** The tree above members in SQL. */
import { raw, statement } from '../../db/query.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { countedNodes, stepUp, TREE_COLUMNS } from './counted-nodes-queries.ts';
import type { TreeRow } from './tree-member.ts';

const member = tenantTable('member');

/**
 * The upline of a member from the sponsor up, or on from a member of it: at most so many. The recursion
 * hands rows over as it finds them, so the limit ends it.
 */
export const uplineStatement = statement<TreeRow, { fromId: string; fromDepth: number; count: number }>(
  'genealogy_upline',
  ({ fromId, fromDepth, count }) =>
    raw(
      `with recursive up as (
     select m.id, m.parent_id, :fromDepth::int as depth from member m where ${ofTenant('m')} and m.id = :fromId
     union all
     select m.id, m.parent_id, up.depth + 1 from up
     ${stepUp('up.parent_id')}),
   page as materialized (select row_number() over () as n, u.id, u.depth from (select * from up limit :count + 1) u),
   node as materialized (
     select page.n, page.depth, ${TREE_COLUMNS('m')}
     from page cross join lateral (
       select ${TREE_COLUMNS('m')} from member m where ${ofTenant('m')} and m.id = page.id limit 1) m),
   ${countedNodes()}`,
      { fromId, fromDepth, count },
    ),
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
export const pathStatement = statement<PathRow, { memberId: string; targetId: string }>(
  'genealogy_path',
  ({ memberId, targetId }) =>
    raw(
      `with recursive up as (
     select side.of_target, m.id, m.parent_id, 0 as depth
     from (values (false, :memberId::uuid), (true, :targetId::uuid)) side(of_target, id)
     join member m on ${ofTenant('m')} and m.id = side.id
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
       select ${TREE_COLUMNS('m')} from member m where ${ofTenant('m')} and m.id = step.id limit 1) m),
   ${countedNodes(['above', 'below'])}`,
      { memberId, targetId },
    ),
);

export const membersExist = statement<{ id: string }, { ids: readonly string[] }>('genealogy_members_exist', ({ ids }) =>
  member().whereIn('id', ids).select('id'),
);

/** Whether the target is somewhere below the member: up from it, and no further than to the member. */
export const isBelowStatement = statement<{ below: boolean }, { memberId: string; targetId: string }>(
  'genealogy_is_below',
  ({ memberId, targetId }) =>
    raw(
      `with recursive up as (
     select m.parent_id from member m where ${ofTenant('m')} and m.id = :targetId
     union all
     select m.parent_id from up
     ${stepUp('up.parent_id')}
     where up.parent_id <> :memberId)
   select exists (select from up where up.parent_id = :memberId) as below`,
      { memberId, targetId },
    ),
);
