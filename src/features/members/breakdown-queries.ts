/** The commission breakdown in SQL: what the member earned, grouped four ways. */
import { raw, statement } from '../../db/query.ts';
import { earnedText, monthOf, whoText } from './earned-queries.ts';

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
 * `currency` is null for the tenant's, `period` the first day of the month, or null for all. The month's bounds are
 * midnights of the tenant's zone, so a month with a clock change is as long as it was. No row at all: no such member.
 */
export const breakdownStatement = statement<BreakdownRow, { memberId: string; currency: string | null; period: string | null }>(
  'members_breakdown',
  ({ memberId, currency, period }) =>
    raw(
      `with ${whoText(...monthOf(':period::date'))},
   earned as (${earnedText("case when :period is null then 'month' else 'day' end")}),
   labelled as (
     select e.source, e.status, e.level::text as level, to_char(e.day, case when :period is null then 'YYYY-MM' else 'YYYY-MM-DD' end) as period,
            e.amount_minor, e.lines
     from earned e),
   grouped as (
     select case when grouping(source) = 0 then 'source' when grouping(status) = 0 then 'status'
                 when grouping(level) = 0 then 'level' else 'period' end as dimension,
            coalesce(source, status, level, period) as bucket, sum(amount_minor)::bigint as amount, sum(lines)::int as count
     from labelled group by grouping sets ((source), (status), (level), (period)) having sum(lines) <> 0)
   select who.currency, who.zone as time_zone, g.dimension, g.bucket, coalesce(g.amount, 0)::bigint as amount, coalesce(g.count, 0) as count
   from who left join grouped g on true
   order by g.dimension, length(g.bucket), g.bucket`,
      { memberId, currency, period },
    ),
);
