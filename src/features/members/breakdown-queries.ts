/** The commission breakdown in SQL: one pass over the member's lines, grouped four ways. */
import { prepared } from '../../db/statement.ts';

export interface BreakdownRow {
  currency: string;
  time_zone: string;
  /** Which grouping the row belongs to; null on the one row of a member without lines. */
  dimension: 'source' | 'status' | 'level' | 'period' | null;
  bucket: string | null;
  amount: bigint;
  count: number;
}

/**
 * Parameters: tenant, environment, member, currency or null for the tenant's, first day of the
 * month or null for all. The month's bounds are midnights of the tenant's zone, so a month with a
 * clock change is as long as it was. No row at all: no such member.
 */
export const breakdownStatement = prepared<BreakdownRow, [string, string, string, string | null, string | null]>(
  'members_breakdown',
  `with who as (
     select m.id, coalesce($4, t.default_currency) as currency, t.reporting_time_zone as zone,
            start_of_local_day($5::date, t.reporting_time_zone) as from_at,
            start_of_local_day(($5::date + interval '1 month')::date, t.reporting_time_zone) as to_at
     from member m join tenant t on t.id = m.tenant_id
     where m.tenant_id = $1 and m.environment = $2 and m.id = $3),
   line as (
     select l.source, case l.status when 'held' then 'pending' else l.status end as status, l.level::text as level, l.amount_minor,
            to_char(l.occurred_at at time zone who.zone, case when $5 is null then 'YYYY-MM' else 'YYYY-MM-DD' end) as period
     from who
     join commission_line l on l.tenant_id = $1 and l.environment = $2 and l.beneficiary_id = who.id and l.currency = who.currency
     where l.status <> 'reversed' and ($5 is null or (l.occurred_at >= who.from_at and l.occurred_at < who.to_at))),
   grouped as (
     select case when grouping(source) = 0 then 'source' when grouping(status) = 0 then 'status'
                 when grouping(level) = 0 then 'level' else 'period' end as dimension,
            coalesce(source, status, level, period) as bucket, sum(amount_minor)::bigint as amount, count(*)::int as count
     from line group by grouping sets ((source), (status), (level), (period)))
   select who.currency, who.zone as time_zone, g.dimension, g.bucket, coalesce(g.amount, 0)::bigint as amount, coalesce(g.count, 0) as count
   from who left join grouped g on true
   order by g.dimension, length(g.bucket), g.bucket`,
);
