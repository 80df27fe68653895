/** The tree below a member in SQL. */
import { prepared } from '../../db/statement.ts';
import { countedNodes, TREE_COLUMNS } from './counted-nodes-queries.ts';
import type { TreeRow } from './node.ts';

/**
 * A member and its downline level by level, each level in the order of its sponsors and then of joining,
 * to a depth and at most so many members. The recursion hands rows over as it finds them, so the limit
 * ends it; each sponsor's recruits come from the index in order, and never more than the answer holds.
 * No row: no such member.
 */
export const genealogyStatement = prepared<
  TreeRow,
  [tenantId: string, environment: string, memberId: string, depth: number, includeInactive: boolean, count: number]
>(
  'genealogy_tree',
  `with recursive shown as (
     select ${TREE_COLUMNS('m')}, 0 as depth from member m where m.tenant_id = $1 and m.environment = $2 and m.id = $3
     union all
     select ${TREE_COLUMNS('c')}, shown.depth + 1
     from shown
     cross join lateral (
       select ${TREE_COLUMNS('c')} from member c
       where c.tenant_id = $1 and c.environment = $2 and c.parent_id = shown.id and ($5 or c.is_active)
       order by c.id limit $6) c
     where shown.depth < $4),
   node as materialized (select row_number() over () as n, s.* from (select * from shown limit $6) s),
   ${countedNodes()}`,
);
