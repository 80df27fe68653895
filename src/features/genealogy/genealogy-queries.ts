/** The tree below a member in SQL. */
import { raw, statement } from '../../db/query.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { countedNodes, TREE_COLUMNS } from './counted-nodes-queries.ts';
import type { TreeRow } from './tree-member.ts';

/**
 * A member and its downline level by level, each level in the order of its sponsors and then of joining,
 * to a depth and at most so many members. The recursion hands rows over as it finds them, so the limit
 * ends it; each sponsor's recruits come from the index in order, and never more than the answer holds.
 * No row: no such member.
 */
export const genealogyStatement = statement<
  TreeRow,
  { memberId: string; depth: number; includeInactive: boolean; count: number }
>('genealogy_tree', ({ memberId, depth, includeInactive, count }) =>
  raw(
    `with recursive shown as (
     select ${TREE_COLUMNS('m')}, 0 as depth from member m where ${ofTenant('m')} and m.id = :memberId
     union all
     select ${TREE_COLUMNS('c')}, shown.depth + 1
     from shown
     cross join lateral (
       select ${TREE_COLUMNS('c')} from member c
       where ${ofTenant('c')} and c.parent_id = shown.id and (:includeInactive or c.is_active)
       order by c.id limit :count) c
     where shown.depth < :depth),
   node as materialized (select row_number() over () as n, s.* from (select * from shown limit :count) s),
   ${countedNodes()}`,
    { memberId, depth, includeInactive, count },
  ),
);
