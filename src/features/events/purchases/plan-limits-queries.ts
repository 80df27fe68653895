/**
 * What only some plans ask for: qualification, the room left under caps, the recurring limits. A plan
 * without them runs none of these statements and takes none of these locks.
 */
import { takeLocksInOrder } from '../../../db/lock-classes.ts';
import { raw, statement, unscopedStatement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { ofTenant, theTenant } from '../../../db/tenant-condition.ts';
import { foldedAmountText, isFoldedText } from '../sales-sums/read-sales-queries.ts';
import { refundedText } from '../sales-sums/sale-sql.ts';

/** In the order of their hashes, so that two sales never wait for each other. */
const lockKeys = unscopedStatement<unknown, { keys: readonly string[] }>('events_lock_keys', ({ keys }) =>
  raw(takeLocksInOrder('planLimits', ':keys'), { keys }),
);

/** Held to the end of the transaction. Keys name a purchase, a member's month or debt, or a customer of the scope. */
export async function lockInOrder(db: Db, scope: Scope, keys: readonly string[]): Promise<void> {
  await db.rows(lockKeys({ keys: keys.map((key) => `${scope.tenantId}:${scope.environment}:${key}`) }));
}

/** The lock behind which what a member owes in a currency is read and forgiven. */
export function debtKey(memberId: string, currency: string): string {
  return `debt:${memberId}:${currency}`;
}

const localMonth = unscopedStatement<{ month: string }, { tenantId: string; occurredAt: Date }>(
  'events_local_month',
  ({ tenantId, occurredAt }) =>
    raw(
      `select to_char(:occurredAt::timestamptz at time zone t.reporting_time_zone, 'YYYY-MM') as month
   from tenant t where ${theTenant('t')}`,
      { tenantId, occurredAt },
    ),
);

/** The month of the sale in the tenant's zone, as YYYY-MM. */
export async function readLocalMonth(db: Db, scope: Scope, occurredAt: Date): Promise<string> {
  const row = await db.row(localMonth({ ...scope, occurredAt }));
  if (!row) throw new Error('the tenant vanished');
  return row.month;
}

interface QualificationRow {
  id: string;
  kyc: boolean;
  personal_sales: bigint;
  active_directs: number;
}

/**
 * Personal sales: purchases credited to the member in the local month of the sale and its currency,
 * less what was refunded or lost of them; folded, where the scope's sales are summed up. Active directs: recruits under the member and active as of
 * the sale, which are its children now and those a sponsor history names.
 */
const qualification = statement<QualificationRow, { memberIds: readonly string[]; asOf: Date; currency: string }>(
  'events_qualification',
  ({ memberIds, asOf, currency }) =>
    raw(
      `with period as (
     select d.from_day, d.to_day, start_of_local_day(d.from_day, t.reporting_time_zone) as from_at,
            start_of_local_day(d.to_day, t.reporting_time_zone) as to_at, ${isFoldedText('s', 't')} as is_folded
     from tenant t left join rollup_state s on ${ofTenant('s')} and s.rollup = 'sales'
     cross join lateral (
       select m.first::date as from_day, (m.first + interval '1 month')::date as to_day
       from (select date_trunc('month', :asOf::timestamptz at time zone t.reporting_time_zone) as first) m) d
     where ${theTenant('t')})
   select m.id, coalesce(m.kyc_approved_at <= :asOf, false) as kyc,
          case when (select period.is_folded from period) then ${foldedAmountText('m.id')} else (
            select coalesce(sum(e.amount_minor - ${refundedText('e')}), 0)::bigint
            from event e cross join period
            where ${ofTenant('e')} and e.attributed_member_id = m.id and e.kind = 'purchase'
              and e.currency = :currency and e.occurred_at >= period.from_at and e.occurred_at < period.to_at) end as personal_sales,
          (select count(*)::int from (
             select c.id from member c where ${ofTenant('c')} and c.parent_id = m.id
             union
             select s.member_id from member_sponsor_history s
             where ${ofTenant('s')} and s.sponsor_id = m.id) d
           join member c on ${ofTenant('c')} and c.id = d.id
           left join lateral (
             select true as found, s.sponsor_id from member_sponsor_history s
             where c.has_history and ${ofTenant('s')} and s.member_id = c.id
               and s.valid_from <= :asOf::timestamptz
             order by s.valid_from desc, s.id desc limit 1) h on true
           left join lateral (
             select a.is_active from member_activity_history a
             where c.has_history and ${ofTenant('a')} and a.member_id = c.id
               and a.valid_from <= :asOf::timestamptz
             order by a.valid_from desc, a.id desc limit 1) a on true
           where case when h.found then h.sponsor_id else c.parent_id end = m.id and coalesce(a.is_active, c.is_active)) as active_directs
   from member m where ${ofTenant('m')} and m.id = any (:memberIds::uuid[])`,
      { memberIds, asOf, currency },
    ),
);

export interface Qualification {
  kycApproved: boolean;
  personalSalesMinor: bigint;
  activeDirects: number;
}

export async function readQualification(
  db: Db,
  scope: Scope,
  memberIds: readonly string[],
  asOf: Date,
  currency: string,
): Promise<Map<string, Qualification>> {
  const rows = await db.rows(qualification(scope, { memberIds, asOf, currency }));
  return new Map(
    rows.map((row) => [
      row.id,
      { kycApproved: row.kyc, personalSalesMinor: row.personal_sales, activeDirects: row.active_directs },
    ]),
  );
}

const earnedInMonth = statement<
  { id: string; earned: bigint },
  { memberIds: readonly string[]; occurredAt: Date; currency: string }
>('events_earned_in_month', ({ memberIds, occurredAt, currency }) =>
  raw(
    `with period as (
     select start_of_local_day(date_trunc('month', :occurredAt::timestamptz at time zone t.reporting_time_zone)::date,
                               t.reporting_time_zone) as from_at,
            start_of_local_day(
              (date_trunc('month', :occurredAt::timestamptz at time zone t.reporting_time_zone) + interval '1 month')::date,
              t.reporting_time_zone) as to_at
     from tenant t where ${theTenant('t')})
   select l.beneficiary_id as id, sum(coalesce(l.source_amount_minor, l.amount_minor))::bigint as earned
   from commission_line l cross join period
   where ${ofTenant('l')} and l.beneficiary_id = any (:memberIds::uuid[])
     and l.occurred_at >= period.from_at and l.occurred_at < period.to_at
     and coalesce(l.source_currency, l.currency) = :currency and l.source <> 'manual'
   group by l.beneficiary_id`,
    { memberIds, occurredAt, currency },
  ),
);

/** Commissions net of reversals in the sale's local month, before conversion, by member; read behind their locks. */
export async function readEarnedInMonth(
  db: Db,
  scope: Scope,
  memberIds: readonly string[],
  occurredAt: Date,
  currency: string,
): Promise<Map<string, bigint>> {
  const rows = await db.rows(earnedInMonth(scope, { memberIds, occurredAt, currency }));
  return new Map(rows.map((row) => [row.id, row.earned]));
}

const paidOnCustomer = statement<{ paid: bigint }, { customerExternalId: string; currency: string }>(
  'events_paid_on_customer',
  ({ customerExternalId, currency }) =>
    raw(
      `with line as materialized (
     select l.id, l.event_id, l.about_event_id, l.amount_minor, l.currency, l.source_amount_minor, l.source_currency
     from (select e.id from event e
           where ${ofTenant('e')} and e.customer_id = (
             select c.id from customer c where ${ofTenant('c')}
               and c.external_id = :customerExternalId)) purchase
     cross join lateral (
       select l.* from commission_line l
       where ${ofTenant('l')} and l.event_id = purchase.id
       union all
       select t.* from commission_line t
       where ${ofTenant('t')} and t.about_event_id = purchase.id offset 0) l)
   select coalesce(sum(coalesce(l.source_amount_minor, l.amount_minor)), 0)::bigint as paid
   from (
     select line.amount_minor, line.currency, line.source_amount_minor, line.source_currency from line
     union all
     -- A void is a line of the event that it takes back: counted above, unless it takes a top-up back.
     select back.amount_minor, back.currency, back.source_amount_minor, back.source_currency
     from line cross join lateral (
       select r.* from commission_line r
       where ${ofTenant('r')} and r.reverses_line_id = line.id
         and (r.event_id <> line.event_id or line.about_event_id is not null) offset 0) back) l
   where coalesce(l.source_currency, l.currency) = :currency`,
      { customerExternalId, currency },
    ),
);

/** Commissions on all purchases of a customer, net of reversals, before conversion; read behind the customer's lock. */
export async function readPaidOnCustomer(db: Db, scope: Scope, customerExternalId: string, currency: string): Promise<bigint> {
  return (await db.row(paidOnCustomer(scope, { customerExternalId, currency })))?.paid ?? 0n;
}

const recurringState = statement<
  { events: number; ended: boolean },
  { customerExternalId: string; occurredAt: Date; maxMonths: number | null }
>('events_recurring_state', ({ customerExternalId, occurredAt, maxMonths }) =>
  raw(
    `select count(*) filter (where e.type <> 'one_time')::int as events,
          coalesce(:occurredAt::timestamptz >= (
            (least(min(e.occurred_at), :occurredAt::timestamptz) at time zone t.reporting_time_zone)
            + make_interval(months => :maxMonths::int)) at time zone t.reporting_time_zone, false) as ended
   from tenant t
   left join customer c on ${ofTenant('c')} and c.external_id = :customerExternalId
   left join event e on ${ofTenant('e')} and e.customer_id = c.id and e.kind = 'purchase'
     and e.status in ('accepted', 'held')
   where ${theTenant('t')}
   group by t.reporting_time_zone`,
    { customerExternalId, occurredAt, maxMonths },
  ),
);

/**
 * How many subscription payments of the customer were credited, and whether `maxMonths` calendar
 * months of the tenant's zone have passed since the first credited purchase.
 */
export async function readRecurringState(
  db: Db,
  scope: Scope,
  customerExternalId: string,
  occurredAt: Date,
  maxMonths: number | null,
): Promise<{ events: number; ended: boolean }> {
  const row = await db.row(recurringState(scope, { customerExternalId, occurredAt, maxMonths }));
  return row ?? { events: 0, ended: false };
}

const customerFacts = statement<CustomerFacts, { customerExternalId: string; occurredAt: Date }>(
  'events_customer_facts',
  ({ customerExternalId, occurredAt }) =>
    raw(
      `select bought.purchases, m.months - (
            (bought.first_local + make_interval(months => m.months)) at time zone bought.zone > :occurredAt::timestamptz)::int as months
   from (
     select count(e.id)::int as purchases, t.reporting_time_zone as zone,
            least(min(e.occurred_at), :occurredAt::timestamptz) at time zone t.reporting_time_zone as first_local
     from tenant t
     left join customer c on ${ofTenant('c')} and c.external_id = :customerExternalId
     left join event e on ${ofTenant('e')} and e.customer_id = c.id and e.kind = 'purchase' and e.status in ('accepted', 'held')
     where ${theTenant('t')}
     group by t.reporting_time_zone) bought
   cross join lateral (
     select (12 * (extract(year from at.local) - extract(year from bought.first_local))
             + extract(month from at.local) - extract(month from bought.first_local))::int as months
     from (select :occurredAt::timestamptz at time zone bought.zone as local) at) m`,
      { customerExternalId, occurredAt },
    ),
);

export interface CustomerFacts {
  /** Credited purchases that are recorded. */
  purchases: number;
  /** Calendar months in the tenant's zone since the first of them; 0 before it. */
  months: number;
}

/** Where the number counts it is read behind the customer's lock. */
export async function readCustomerFacts(
  db: Db,
  scope: Scope,
  customerExternalId: string,
  occurredAt: Date,
): Promise<CustomerFacts> {
  const row = await db.row(customerFacts(scope, { customerExternalId, occurredAt }));
  if (!row) throw new Error('the tenant vanished');
  return row;
}
