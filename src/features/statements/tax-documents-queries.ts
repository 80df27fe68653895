/** What members were paid out, by year, in SQL. By the date of the payout's journal, as the tax summary counts. */
import { raw, statement } from '../../db/query.ts';
import { ofTenant, theTenant } from '../../db/tenant-condition.ts';
import { PERSON_COLUMNS, PERSON_TABLES, type StatementPerson } from './person-queries.ts';

export interface TaxYearRow {
  time_zone: string;
  /** Null, like all that follow, on the one row of a member that was never paid. */
  year: number | null;
  currency: string;
  total: bigint;
  count: number;
  is_over: boolean;
}

/** The latest year first. No row: no such member. */
export const taxYears = statement<TaxYearRow, { memberId: string; currency: string | null }>(
  'statements_tax_years',
  ({ memberId, currency }) =>
    raw(
      `with who as materialized (
     select m.id, t.reporting_time_zone as zone, scope_now(:tenantId, :environment) as now,
            m.is_test_user and :environment = 'LIVE' as is_test
     from member m join tenant t on t.id = m.tenant_id
     where ${ofTenant('m')} and m.id = :memberId),
   paid as materialized (
     select p.currency, p.journal_id, sum(p.amount_minor) as amount_minor from posting p
     where ${ofTenant('p')} and p.member_id = :memberId and p.account = 'member:paid_out'
       and (:currency::text is null or p.currency = :currency)
     group by 1, 2),
   yearly as (
     select extract(year from j.occurred_at at time zone who.zone)::int as year, x.currency, sum(x.amount_minor)::bigint as total,
            (count(*) filter (where x.amount_minor > 0))::int as count
     from who cross join paid x
     cross join lateral (
       select j.occurred_at from journal_entry j
       where ${ofTenant('j')} and j.id = x.journal_id offset 0) j
     where not who.is_test
     group by 1, 2)
   select who.zone as time_zone, y.year, y.currency, y.total, y.count,
          start_of_local_day(make_date(y.year + 1, 1, 1), who.zone) <= who.now as is_over
   from who left join yearly y on true
   order by y.year desc, y.currency collate "C"`,
      { memberId, currency },
    ),
);

export interface TaxMonthRow extends StatementPerson {
  currency: string;
  timeZone: string;
  isOver: boolean;
  /** Of the latest payout or return of the year. */
  lastAt: Date | null;
  month: number;
  paid: bigint;
  /** Not negative. */
  returned: bigint;
  count: number;
}

/** Twelve rows, or none: no such member. */
export const taxMonths = statement<TaxMonthRow, { memberId: string; currency: string | null; year: number }>(
  'statements_tax_months',
  ({ memberId, currency, year }) =>
    raw(
      `with who as materialized (
     select ${PERSON_COLUMNS}, m.is_test_user and :environment = 'LIVE' as is_test, coalesce(:currency, t.default_currency) as currency, t.reporting_time_zone as "timeZone",
            start_of_local_day(make_date(:year::int, 1, 1), t.reporting_time_zone) as from_at,
            start_of_local_day(make_date(:year::int + 1, 1, 1), t.reporting_time_zone) as to_at
     from ${PERSON_TABLES}
     where ${ofTenant('m')} and m.id = :memberId),
   moved as materialized (
     select p.journal_id, sum(p.amount_minor) as amount_minor from posting p
     where ${ofTenant('p')} and p.member_id = :memberId and p.currency = (select w.currency from who w)
       and p.account = 'member:paid_out'
     group by p.journal_id),
   monthly as (
     select extract(month from j.occurred_at at time zone who."timeZone")::int as month, max(j.occurred_at) as last_at,
            sum(x.amount_minor) filter (where x.amount_minor > 0) as paid, -sum(x.amount_minor) filter (where x.amount_minor < 0) as returned,
            count(*) filter (where x.amount_minor > 0) as count
     from who cross join moved x
     cross join lateral (
       select j.occurred_at from journal_entry j
       where ${ofTenant('j')} and j.id = x.journal_id offset 0) j
     where j.occurred_at >= who.from_at and j.occurred_at < who.to_at and not who.is_test
     group by 1)
   select who."tenantName", who."memberId", who.email, who.name, who."countryCode", who.currency, who."timeZone",
          who.to_at <= scope_now(:tenantId, :environment) as "isOver", max(y.last_at) over () as "lastAt", m.month,
          coalesce(y.paid, 0)::bigint as paid, coalesce(y.returned, 0)::bigint as returned, coalesce(y.count, 0)::int as count
   from who cross join generate_series(1, 12) m(month) left join monthly y on y.month = m.month
   order by m.month`,
      { memberId, currency, year },
    ),
);

export interface PaymentRow {
  journalId: string;
  /** In the tenant's zone: `2026-01-31 12:00`. */
  localTime: string;
  occurredAt: Date;
  /** Negative for one that came back. */
  amountMinor: bigint;
  /** Null for what was posted without a payout. */
  payoutId: string | null;
  reference: string | null;
}

/** What was paid out and came back in a year, a row a journal, in the order of their ids. */
export const taxPayments = statement<
  PaymentRow,
  { memberId: string; currency: string; year: number; afterJournal: string; count: number }
>('statements_tax_payments', ({ memberId, currency, year, afterJournal, count }) =>
  raw(
    `with who as materialized (
     select t.reporting_time_zone as zone, start_of_local_day(make_date(:year::int, 1, 1), t.reporting_time_zone) as from_at,
            start_of_local_day(make_date(:year::int + 1, 1, 1), t.reporting_time_zone) as to_at
     from tenant t where ${theTenant('t')})
   select x.journal_id as "journalId", to_char(j.occurred_at at time zone who.zone, 'YYYY-MM-DD HH24:MI') as "localTime",
          j.occurred_at as "occurredAt", x.amount_minor::bigint as "amountMinor", o.id as "payoutId", o.reference
   from who cross join (
     select p.journal_id, sum(p.amount_minor) as amount_minor from posting p
     where ${ofTenant('p')} and p.member_id = :memberId and p.currency = :currency and p.account = 'member:paid_out'
       and p.journal_id > :afterJournal
     group by p.journal_id) x
   cross join lateral (
     select j.occurred_at, j.cause_id from journal_entry j
     where ${ofTenant('j')} and j.id = x.journal_id offset 0) j
   left join payout_attempt a on ${ofTenant('a')} and a.id = j.cause_id
   left join payout o on ${ofTenant('o')} and o.id = a.payout_id
   where j.occurred_at >= who.from_at and j.occurred_at < who.to_at
   order by x.journal_id limit :count`,
    { memberId, currency, year, afterJournal, count },
  ),
);
