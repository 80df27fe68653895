/** What members of the tree earned in the present local month: folded, and what is not folded yet. */
import { raw, statement } from '../../db/query.ts';
import { SCOPE_NOW } from '../../db/scope-clock.ts';
import { ofTenant, theTenant } from '../../db/tenant-condition.ts';

export interface EarnedRow {
  id: string;
  currency: string;
  /** YYYY-MM. */
  month: string;
  amount: bigint;
}

const OF_FRAME = (column: string): string => `(select f.${column} from frame f)`;

/**
 * One row for each id, in the tenant's currency. Buckets fall in the zone of the rollups, which is the tenant's but for the
 * moments in which they are built anew for another. What is not folded is summed up once for all members and looked up:
 * the planner, which may have planned this when nothing waited, has no join to get wrong.
 */
export const earnedThisMonth = statement<EarnedRow, { ids: readonly string[] }>('genealogy_earned_this_month', ({ ids }) =>
  raw(
    `with present as (
     select t.default_currency as currency, date_trunc('month', ${SCOPE_NOW} at time zone t.reporting_time_zone)::date as month,
            coalesce(s.time_zone, t.reporting_time_zone) as zone
     from tenant t left join rollup_state s on ${ofTenant('s')} and s.rollup = 'commissions'
     where ${theTenant('t')}),
   frame as materialized (
     select p.currency, p.month, start_of_local_day(p.month, p.zone) as from_at,
            start_of_local_day((p.month + interval '1 month')::date, p.zone) as to_at
     from present p),
   waiting as materialized (
     select jsonb_object_agg(w.member_id, w.amount) as amounts
     from (select p.member_id, sum(p.amount_minor) as amount from commission_pending p
           where ${ofTenant('p')} and p.member_id = any (:ids::uuid[]) and p.currency = ${OF_FRAME('currency')}
             and p.occurred_at >= ${OF_FRAME('from_at')} and p.occurred_at < ${OF_FRAME('to_at')}
           group by p.member_id) w)
   select node.id, frame.currency, to_char(frame.month, 'YYYY-MM') as month,
          (coalesce(r.amount, 0) + coalesce(((select amounts from waiting) ->> node.id::text)::numeric, 0))::bigint as amount
   from frame cross join unnest(:ids::uuid[]) node(id)
   cross join lateral (
     select sum(r.amount_minor) as amount from commission_rollup r
     where ${ofTenant('r')} and r.member_id = node.id and r.currency = ${OF_FRAME('currency')} and r.grain = 'month'
       and r.bucket = ${OF_FRAME('month')}) r`,
    { ids },
  ),
);
