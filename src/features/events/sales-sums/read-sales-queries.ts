/**
 * Sums of members' sales in one statement: folded, not yet folded, and of the events themselves where nothing is folded or
 * a day is not over. Each statement names a CTE `reach` of one row: `is_folded`; the whole days that are folded, from
 * `from_day` up to `to_day`, whose first instants are `from_at` and `to_at`; and `until`, where the events end.
 */
import { raw, statement } from '../../../db/query.ts';
import { ofTenant, theTenant } from '../../../db/tenant-condition.ts';
import type { SalePart } from './sale-change.ts';
import { backOf, netSaleText, salePartText } from './sale-sql.ts';

export type SalesPeriod = 'month' | 'quarter' | 'year' | 'lifetime';

export interface SalesRow {
  member_id: string;
  part: SalePart;
  base_minor: bigint;
  amount_minor: bigint;
  sales: number;
}

/** Whether the sums of the scope can be read: ready, and in the zone of the tenant. `state` is the row of rollup_state, or none. */
export const isFoldedText = (state: string, tenant: string): string =>
  `coalesce(${state}.ready and ${state}.time_zone = ${tenant}.reporting_time_zone, false)`;

const ZONE = `zone as materialized (
     select t.reporting_time_zone as name, ${isFoldedText('s', 't')} as is_folded
     from tenant t left join rollup_state s on ${ofTenant('s')} and s.rollup = 'sales'
     where ${theTenant('t')})`;

const reach = (column: string): string => `(select r.${column} from reach r)`;

/** Only the members that are asked for. */
const asked = (alias: string, member = 'member_id'): string =>
  `${ofTenant(alias)} and ${alias}.${member} = any (:memberIds::uuid[]) and ${alias}.currency = :currency`;

const localDay = (alias: string): string => `(${alias}.occurred_at at time zone (select z.name from zone z))::date`;

const net = netSaleText('e', 'back.minor');

/** Rows (member_id, part, day, base_minor, amount_minor, sales) of `reach`. The scalar conditions are tested once and keep the other branches from running. */
const SOLD = `select d.member_id, d.part, d.day, d.base_minor, d.amount_minor, d.sales from sales_day d
     where ${reach('is_folded')} and ${asked('d')} and d.day >= ${reach('from_day')} and d.day < ${reach('to_day')}
     union all
     select p.member_id, p.part, ${localDay('p')}, p.base_minor, p.amount_minor, p.sales from sales_pending p
     where ${reach('is_folded')} and ${asked('p')} and p.occurred_at >= ${reach('from_at')} and p.occurred_at < ${reach('to_at')}
     union all
     select e.attributed_member_id, ${salePartText('e')}, ${localDay('e')}, ${net.baseMinor}, ${net.amountMinor}, ${net.sales}
     from event e ${backOf('e')}
     where ${asked('e', 'attributed_member_id')} and e.kind = 'purchase'
       and e.occurred_at >= case when ${reach('is_folded')} then ${reach('to_at')} else ${reach('from_at')} end
       and e.occurred_at < ${reach('until')}`;

const SUMMED = 'sum(s.base_minor)::bigint as base_minor, sum(s.amount_minor)::bigint as amount_minor, sum(s.sales)::int as sales';

interface OfMembers {
  memberIds: readonly string[];
  currency: string;
}

/**
 * Of several periods what lies before an instant. Years that are over are read as years, so the days are those of one year;
 * a year counts as its first day, which lies in `lifetime` alone.
 */
export const salesBefore = statement<
  SalesRow & { period: SalesPeriod },
  OfMembers & { periods: readonly SalesPeriod[]; asOf: Date }
>('events_sales_before', ({ memberIds, currency, periods, asOf }) =>
  raw(
    `with ${ZONE},
   clock as materialized (select (:asOf::timestamptz at time zone z.name)::date as today, z.name from zone z),
   period as materialized (
     select p.name, case p.name when 'lifetime' then '-infinity'::date
                                else date_trunc(p.name, c.today::timestamp)::date end as first_day
     from clock c cross join unnest(:periods::text[]) p(name)),
   reach as materialized (
     select z.is_folded, greatest(f.first_day, date_trunc('year', c.today::timestamp)::date) as from_day, c.today as to_day,
            start_of_local_day(f.first_day, c.name) as from_at, start_of_local_day(c.today, c.name) as to_at,
            :asOf::timestamptz as until, f.first_day = '-infinity' as is_lifetime, extract(year from c.today)::smallint as year
     from zone z cross join clock c cross join (select min(p.first_day) as first_day from period p) f),
   sold as (
     select y.member_id, y.part, make_date(y.year, 1, 1) as day, y.base_minor, y.amount_minor, y.sales from sales_year y
     where ${reach('is_folded')} and ${reach('is_lifetime')} and ${asked('y')} and y.year < ${reach('year')}
     union all
     ${SOLD})
   select s.member_id, p.name as period, s.part, ${SUMMED}
   from sold s join period p on s.day >= p.first_day
   group by 1, 2, 3`,
    { memberIds, currency, periods, asOf },
  ),
);

/** The sales of local days, from one up to another that is not among them. */
export const salesOfDays = statement<SalesRow, OfMembers & { fromDay: string; toDay: string }>(
  'events_sales_of_days',
  ({ memberIds, currency, fromDay, toDay }) =>
    raw(
      `with ${ZONE},
   reach as materialized (
     select z.is_folded, d.from_day, d.to_day, start_of_local_day(d.from_day, z.name) as from_at, b.to_at, b.to_at as until
     from zone z cross join (select :fromDay::date as from_day, :toDay::date as to_day) d
     cross join lateral (select start_of_local_day(d.to_day, z.name) as to_at) b),
   sold as (
     ${SOLD})
   select s.member_id, s.part, ${SUMMED} from sold s group by 1, 2`,
      { memberIds, currency, fromDay, toDay },
    ),
);

/**
 * The folded and pending gross amount of the member and currency in SQL, whichever part, of the row `period` (from_day,
 * to_day, from_at, to_at).
 */
export const foldedAmountText = (member: string): string =>
  `(select coalesce(sum(s.amount_minor), 0)::bigint from (
     select d.amount_minor from sales_day d cross join period
     where ${ofTenant('d')} and d.member_id = ${member} and d.currency = :currency
       and d.day >= period.from_day and d.day < period.to_day
     union all
     select p.amount_minor from sales_pending p cross join period
     where ${ofTenant('p')} and p.member_id = ${member} and p.currency = :currency
       and p.occurred_at >= period.from_at and p.occurred_at < period.to_at) s)`;
