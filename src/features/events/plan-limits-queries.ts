/**
 * What only some plans ask for: qualification, the room left under caps, the recurring limits. A plan
 * without them runs none of these statements and takes none of these locks.
 */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';

/** In the order of their hashes, so that two sales never wait for each other. */
const lockKeys = prepared<unknown, [keys: string[]]>(
  'events_lock_keys',
  `select pg_advisory_xact_lock(k.hash) from (
     select distinct hashtextextended(key, 5) as hash from unnest($1::text[]) as t(key) order by 1 offset 0) k`,
);

/** Held to the end of the transaction. Keys name a purchase, a member's month or debt, or a customer of the scope. */
export async function lockInOrder(db: Db, scope: Scope, keys: readonly string[]): Promise<void> {
  await db.rows(lockKeys(keys.map((key) => `${scope.tenantId}:${scope.environment}:${key}`)));
}

/** The lock behind which what a member owes in a currency is read and forgiven. */
export function debtKey(memberId: string, currency: string): string {
  return `debt:${memberId}:${currency}`;
}

const localMonth = prepared<{ month: string }, [string, occurredAt: Date]>(
  'events_local_month',
  "select to_char($2::timestamptz at time zone t.reporting_time_zone, 'YYYY-MM') as month from tenant t where t.id = $1",
);

/** The month of the sale in the tenant's zone, as YYYY-MM. */
export async function readLocalMonth(db: Db, scope: Scope, occurredAt: Date): Promise<string> {
  const row = await db.row(localMonth(scope.tenantId, occurredAt));
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
 * less what was refunded or lost of them. Active directs: recruits under the member and active as of
 * the sale, which are its children now and those a sponsor history names.
 */
const qualification = prepared<QualificationRow, [string, string, string[], Date, currency: string]>(
  'events_qualification',
  `with period as (
     select start_of_local_day(date_trunc('month', $4::timestamptz at time zone t.reporting_time_zone)::date, t.reporting_time_zone) as from_at,
            start_of_local_day((date_trunc('month', $4::timestamptz at time zone t.reporting_time_zone) + interval '1 month')::date,
                               t.reporting_time_zone) as to_at
     from tenant t where t.id = $1)
   select m.id, coalesce(m.kyc_approved_at <= $4, false) as kyc,
          (select coalesce(sum(e.amount_minor - coalesce((
               select sum(case when r.kind = 'refund' or r.stage = 'lost' then r.amount_minor
                               when r.stage = 'won' and exists (
                                 select from event x where x.tenant_id = $1 and x.environment = $2 and x.dispute_id = r.dispute_id
                                   and x.stage = 'lost') then -r.amount_minor else 0 end)
               from event r where r.tenant_id = $1 and r.environment = $2 and r.purchase_id = e.id), 0)), 0)::bigint
           from event e cross join period
           where e.tenant_id = $1 and e.environment = $2 and e.attributed_member_id = m.id and e.kind = 'purchase'
             and e.currency = $5 and e.occurred_at >= period.from_at and e.occurred_at < period.to_at) as personal_sales,
          (select count(*)::int from (
             select c.id from member c where c.tenant_id = $1 and c.environment = $2 and c.parent_id = m.id
             union
             select s.member_id from member_sponsor_history s where s.tenant_id = $1 and s.environment = $2 and s.sponsor_id = m.id) d
           join member c on c.tenant_id = $1 and c.environment = $2 and c.id = d.id
           left join lateral (
             select true as found, s.sponsor_id from member_sponsor_history s
             where c.has_history and s.tenant_id = $1 and s.environment = $2 and s.member_id = c.id and s.valid_from <= $4::timestamptz
             order by s.valid_from desc, s.id desc limit 1) h on true
           left join lateral (
             select a.is_active from member_activity_history a
             where c.has_history and a.tenant_id = $1 and a.environment = $2 and a.member_id = c.id and a.valid_from <= $4::timestamptz
             order by a.valid_from desc, a.id desc limit 1) a on true
           where case when h.found then h.sponsor_id else c.parent_id end = m.id and coalesce(a.is_active, c.is_active)) as active_directs
   from member m where m.tenant_id = $1 and m.environment = $2 and m.id = any ($3::uuid[])`,
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
  const rows = await db.rows(qualification(scope.tenantId, scope.environment, [...memberIds], asOf, currency));
  return new Map(
    rows.map((row) => [
      row.id,
      { kycApproved: row.kyc, personalSalesMinor: row.personal_sales, activeDirects: row.active_directs },
    ]),
  );
}

const earnedInMonth = prepared<{ id: string; earned: bigint }, [string, string, string[], Date, currency: string]>(
  'events_earned_in_month',
  `with period as (
     select start_of_local_day(date_trunc('month', $4::timestamptz at time zone t.reporting_time_zone)::date, t.reporting_time_zone) as from_at,
            start_of_local_day((date_trunc('month', $4::timestamptz at time zone t.reporting_time_zone) + interval '1 month')::date,
                               t.reporting_time_zone) as to_at
     from tenant t where t.id = $1)
   select l.beneficiary_id as id, sum(coalesce(l.source_amount_minor, l.amount_minor))::bigint as earned
   from commission_line l cross join period
   where l.tenant_id = $1 and l.environment = $2 and l.beneficiary_id = any ($3::uuid[])
     and l.occurred_at >= period.from_at and l.occurred_at < period.to_at
     and coalesce(l.source_currency, l.currency) = $5 and l.source <> 'manual'
   group by l.beneficiary_id`,
);

/** Commissions net of reversals in the sale's local month, before conversion, by member; read behind their locks. */
export async function readEarnedInMonth(
  db: Db,
  scope: Scope,
  memberIds: readonly string[],
  occurredAt: Date,
  currency: string,
): Promise<Map<string, bigint>> {
  const rows = await db.rows(earnedInMonth(scope.tenantId, scope.environment, [...memberIds], occurredAt, currency));
  return new Map(rows.map((row) => [row.id, row.earned]));
}

const paidOnCustomer = prepared<{ paid: bigint }, [string, string, customerExternalId: string, currency: string]>(
  'events_paid_on_customer',
  // Laterals: one probe a row, whatever the planner believes of a young table.
  `with line as materialized (
     select l.id, l.event_id, l.amount_minor, l.currency, l.source_amount_minor, l.source_currency
     from (select e.id from event e
           where e.tenant_id = $1 and e.environment = $2 and e.customer_id = (
             select c.id from customer c where c.tenant_id = $1 and c.environment = $2 and c.external_id = $3)) purchase
     cross join lateral (
       select l.* from commission_line l
       where l.tenant_id = $1 and l.environment = $2 and l.event_id = purchase.id offset 0) l)
   select coalesce(sum(coalesce(l.source_amount_minor, l.amount_minor)), 0)::bigint as paid
   from (
     select line.amount_minor, line.currency, line.source_amount_minor, line.source_currency from line
     union all
     -- A void is a line of the event that it takes back: counted above.
     select back.amount_minor, back.currency, back.source_amount_minor, back.source_currency
     from line cross join lateral (
       select r.* from commission_line r
       where r.tenant_id = $1 and r.environment = $2 and r.reverses_line_id = line.id and r.event_id <> line.event_id offset 0) back) l
   where coalesce(l.source_currency, l.currency) = $4`,
);

/** Commissions on all purchases of a customer, net of reversals, before conversion; read behind the customer's lock. */
export async function readPaidOnCustomer(db: Db, scope: Scope, customerExternalId: string, currency: string): Promise<bigint> {
  return (await db.row(paidOnCustomer(scope.tenantId, scope.environment, customerExternalId, currency)))?.paid ?? 0n;
}

const recurringState = prepared<
  { events: number; ended: boolean },
  [string, string, customerExternalId: string, occurredAt: Date, maxMonths: number | null]
>(
  'events_recurring_state',
  `select count(*) filter (where e.type <> 'one_time')::int as events,
          coalesce($4::timestamptz >= ((least(min(e.occurred_at), $4::timestamptz) at time zone t.reporting_time_zone)
            + make_interval(months => $5::int)) at time zone t.reporting_time_zone, false) as ended
   from tenant t
   left join customer c on c.tenant_id = $1 and c.environment = $2 and c.external_id = $3
   left join event e on e.tenant_id = $1 and e.environment = $2 and e.customer_id = c.id and e.kind = 'purchase'
     and e.status in ('accepted', 'held')
   where t.id = $1
   group by t.reporting_time_zone`,
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
  const row = await db.row(recurringState(scope.tenantId, scope.environment, customerExternalId, occurredAt, maxMonths));
  return row ?? { events: 0, ended: false };
}
