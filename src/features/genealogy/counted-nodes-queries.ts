/** SQL that several statements of the tree share. */
import { ofTenant } from '../../db/tenant-condition.ts';
import { memberStep } from '../../db/upline-step-sql.ts';

/**
 * The rest of a statement whose CTE `node` has the members to show, with their ids and a number n in the
 * order of the answer: their rows with exact counts, folded and pending, as of one snapshot. `more` are
 * columns of node to hand through. `withActive` has how many are active below each as well, in the same look-ups.
 *
 * The members' own counts are looked up one by one (the limit keeps the planner from reading all of
 * them). What is pending is summed up for every ancestor into one object and looked up in it: the
 * planner, which may have planned this when nothing waited, has no join to get wrong, and while nothing
 * waits it costs nothing. Profiles are looked up as the counts are: most members have none.
 */
export const countedNodes = (more: readonly string[] = [], { withActive = false } = {}): string => `
   waiting as materialized (
     select jsonb_object_agg(a.member_id, a.total) as totals${withActive ? ', jsonb_object_agg(a.member_id, a.active) as actives' : ''}
     from (select a.member_id, sum(p.delta) as total${withActive ? ', sum(p.active_delta) as active' : ''}
           from downline_pending p cross join lateral unnest(p.ancestor_ids) a(member_id)
           where ${ofTenant('p')} and ${withActive ? '(p.delta <> 0 or p.active_delta <> 0)' : 'p.delta <> 0'} group by a.member_id) a),
   sponsoring as materialized (
     select jsonb_object_agg(s.sponsor_id, s.direct) as directs
     from (select p.sponsor_id, sum(p.sponsor_delta) as direct from downline_pending p
           where ${ofTenant('p')} and p.sponsor_id is not null group by p.sponsor_id) s)
   select node.id, node.parent_id, node.email, node.name, node.membership_tier, node.is_active, node.created_at, node.depth,
          pr.given_name, pr.surname,
          ${more.map((column) => `node.${column}, `).join('')}
          coalesce(c.direct, 0) + coalesce(((select directs from sponsoring) ->> node.id::text)::int, 0) as direct,
          coalesce(c.total, 0) + coalesce(((select totals from waiting) ->> node.id::text)::int, 0) as total${
            withActive
              ? `,
          coalesce(c.active, 0) + coalesce(((select actives from waiting) ->> node.id::text)::int, 0) as active`
              : ''
          }
   from node
   left join lateral (
     select c.direct, c.total${withActive ? ', c.active' : ''} from downline_count c
     where ${ofTenant('c')} and c.member_id = node.id limit 1) c on true
   left join lateral (
     select p.given_name, p.surname from member_profile p
     where ${ofTenant('p')} and p.member_id = node.id limit 1) pr on true
   order by node.n`;

/** A step up, and whether the member met is active. */
export const stepUp = (id: string): string => memberStep(id, ['id', 'parent_id', 'is_active']);

export const TREE_COLUMNS = (table: string): string =>
  ['id', 'parent_id', 'email', 'name', 'membership_tier', 'is_active', 'created_at']
    .map((column) => `${table}.${column}`)
    .join(', ');
