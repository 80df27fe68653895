/** SQL that several statements of the tree share. */

/**
 * The rest of a statement whose CTE `node` has the members to show, with their ids and a number n in the
 * order of the answer: their rows with exact counts, folded and pending, as of one snapshot.
 *
 * The members' own counts are looked up one by one (the limit keeps the planner from reading all of
 * them). What is pending is summed up for every ancestor and joined by a hash: nothing is assumed
 * about how many rows wait, and the full join leaves the planner, which may have planned this when
 * the table was empty, no nested loop. `more` are columns of node to hand through.
 */
export const countedNodes = (more: readonly string[] = []): string => `
   tally as (
     select x.id, sum(x.direct)::int as direct, sum(x.total)::int as total
     from (select node.id, c.direct, c.total
           from node cross join lateral (
             select c.direct, c.total from downline_count c
             where c.tenant_id = $1 and c.environment = $2 and c.member_id = node.id limit 1) c
           union all
           select a.id, 0, p.delta from downline_pending p cross join lateral unnest(p.ancestor_ids) a(id)
           where p.tenant_id = $1 and p.environment = $2 and p.delta <> 0
           union all
           select p.sponsor_id, p.sponsor_delta, 0 from downline_pending p
           where p.tenant_id = $1 and p.environment = $2 and p.sponsor_id is not null) x
     group by x.id)
   select node.id, node.parent_id, node.email, node.name, node.membership_tier, node.is_active, node.created_at, node.depth,
          ${more.map((column) => `node.${column}, `).join('')}coalesce(tally.direct, 0) as direct, coalesce(tally.total, 0) as total
   from node full join tally on tally.id = node.id
   where coalesce(node.n, 0) > 0
   order by node.n`;

/**
 * A member's row by its id, in a walk up the tree. The limit keeps the planner to one lookup a step: where
 * most tenants are small it expects few rows of any, and would read all of a large one at each step.
 */
export const memberBy = (id: string): string => `cross join lateral (
       select m.id, m.parent_id, m.is_active from member m
       where m.tenant_id = $1 and m.environment = $2 and m.id = ${id} limit 1) m`;

export const TREE_COLUMNS = (table: string): string =>
  ['id', 'parent_id', 'email', 'name', 'membership_tier', 'is_active', 'created_at']
    .map((column) => `${table}.${column}`)
    .join(', ');
