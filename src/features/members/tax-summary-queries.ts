/** The tax summary in SQL: what was paid out in each month of a year, and what of the year's sales is not paid yet. */
import { raw, statement } from '../../db/query.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { earnedText, whoText } from './earned-queries.ts';

export interface TaxMonthRow {
  currency: string;
  time_zone: string;
  /** Of the whole year, the same on each row. */
  unpaid: bigint;
  month: number;
  amount: bigint;
  count: number;
  /** Of the whole year, the same on each row: it is over, something was paid out or came back in it, and the member is no test member. */
  has_document: boolean;
}

/**
 * Twelve rows, or none: no such member. Payouts count by the date of their journal, so one that is returned
 * is taken off the month it is returned in.
 */
export const taxSummaryStatement = statement<TaxMonthRow, { memberId: string; currency: string | null; year: number }>(
  'members_tax_summary',
  ({ memberId, currency, year }) =>
    raw(
      `with ${whoText('make_date(:year::int, 1, 1)', 'make_date(:year::int + 1, 1, 1)')},
   earned as (${earnedText("'month'")}),
   moved as materialized (
     select p.journal_id, sum(p.amount_minor) as amount_minor from posting p
     where ${ofTenant('p')} and p.member_id = :memberId and p.currency = (select w.currency from who w)
       and p.account = 'member:paid_out'
     group by p.journal_id),
   paid as (
     select extract(month from j.occurred_at at time zone who.zone)::int as month, sum(x.amount_minor) as amount_minor,
            count(*) filter (where x.amount_minor > 0) as count
     from who cross join moved x
     cross join lateral (
       select j.occurred_at from journal_entry j
       where ${ofTenant('j')} and j.id = x.journal_id offset 0) j
     where j.occurred_at >= who.from_at and j.occurred_at < who.to_at
     group by 1)
   select who.currency, who.zone as time_zone, m.month, coalesce(paid.amount_minor, 0)::bigint as amount,
          coalesce(paid.count, 0)::int as count,
          (select coalesce(sum(e.amount_minor), 0) from earned e where e.status <> 'paid')::bigint as unpaid,
          who.to_at <= scope_now(:tenantId, :environment) and exists (select from paid) and not who.is_test as has_document
   from who cross join generate_series(1, 12) m(month) left join paid on paid.month = m.month
   order by m.month`,
      { memberId, currency, year },
    ),
);
