/** What the doctor asks of the rollups of commissions. */
import type { Audit } from '../../doctor/audit.ts';

export const membersAudits: readonly Audit[] = [
  {
    // In the zone that the rollups fall into days and months by, whatever the tenant's is now.
    id: 'R-1',
    title: 'the commission rollups with what waits to be folded equal the lines',
    sql: `with zone as (
            select t.id as tenant_id, e.environment, coalesce(s.time_zone, t.reporting_time_zone) as name
            from tenant t cross join (values ('LIVE'), ('SANDBOX')) e(environment)
            left join rollup_state s on s.tenant_id = t.id and s.environment = e.environment and s.rollup = 'commissions'),
          part as (
            select tenant_id, environment, beneficiary_id as member_id, currency, occurred_at, source,
                   case status when 'held' then 'pending' else status end as status, level, leg_id, amount_minor, 1 as lines
            from commission_line where status <> 'reversed'
            union all
            select tenant_id, environment, member_id, currency, occurred_at, source, status, level, leg_id, -amount_minor, -lines
            from commission_pending),
          due as (
            select tenant_id, environment, member_id, currency, source, status, level, leg_id, (occurred_at at time zone name)::date as day,
                   sum(amount_minor) as amount, sum(lines) as lines
            from part join zone using (tenant_id, environment) group by 1, 2, 3, 4, 5, 6, 7, 8, 9),
          difference as (
            select tenant_id, environment, member_id, currency, grain,
                   case grain when 'month' then date_trunc('month', day)::date else day end as bucket, source, status, level,
                   null::uuid as leg_id, amount, lines
            from due cross join (values ('day'), ('month')) g(grain)
            union all
            select tenant_id, environment, member_id, currency, grain, bucket, source, status, level, null, -amount_minor, -lines
            from commission_rollup
            union all
            select tenant_id, environment, null, currency, 'total', day, null, status, null, null, amount, lines from due
            union all
            select tenant_id, environment, null, currency, 'total', day, null, status, null, null, -amount_minor, -lines
            from commission_total
            union all
            select tenant_id, environment, member_id, currency, 'leg', null, null, null, null, leg_id, amount, 0
            from due where leg_id is not null
            union all
            select tenant_id, environment, member_id, currency, 'leg', null, null, null, null, leg_id, -amount_minor, 0
            from commission_leg)
          select tenant_id, environment, member_id, currency, grain, bucket::text, source, status, level, leg_id,
                 sum(amount)::text as amount_missing, sum(lines)::text as lines_missing
          from difference group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 having sum(amount) <> 0 or sum(lines) <> 0`,
  },
];
