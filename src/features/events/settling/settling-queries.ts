/** Ladders that are settled over whole periods, in SQL: whom they have paid, what is due, and what it comes from. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { SCOPE_NOW } from '../../../db/scope-clock.ts';
import { ofTenant, theTenant } from '../../../db/tenant-condition.ts';
import type { Ladder } from '../../commissions/open/plan-ladders.ts';
import type { StoredEvaluation } from '../event-kinds.ts';

const KEY = ['tenant_id', 'environment', 'member_id', 'plan_version_id', 'ladder_id', 'from_day'];

const ZONE = `(select t.reporting_time_zone from tenant t where ${theTenant('t')})`;

/** A purchase that a ladder pays, of one member. */
export interface PaidByLadder {
  memberId: string;
  ladder: Pick<Ladder, 'id' | 'period' | 'settleAfterDays'>;
}

/**
 * Sees to it that the period of the sale is settled for these members, each named once. A row that is due later than in an
 * hour is left alone, so that sales do not wait for each other: nobody takes it before this transaction has ended. A SANDBOX
 * can be set to another time meanwhile.
 */
const note = statement<unknown, { versionId: string; occurredAt: Date; paid: string }>(
  'events_note_ladders',
  ({ versionId, occurredAt, paid }) =>
    raw(
      `insert into ladder_settlement as known (${KEY.join(', ')}, to_day, due_at)
   select :tenantId, :environment, paid.member_id, :versionId, paid.ladder_id, days.from_day, days.to_day,
          start_of_local_day(days.to_day + paid.after_days, zone.name)
   from (select ${ZONE} as name) zone
   cross join jsonb_to_recordset(:paid::jsonb) as paid(member_id uuid, ladder_id text, period text, after_days int)
   cross join lateral (select date_trunc(paid.period, :occurredAt::timestamptz at time zone zone.name) as starts) period
   cross join lateral (
     select period.starts::date as from_day,
            (period.starts + case paid.period when 'month' then interval '1 month' when 'quarter' then interval '3 months'
                                              else interval '1 year' end)::date as to_day) days
   where :environment = 'SANDBOX' or (
     -- By its key, and asked for the time outside: not among all that is due later than in an hour.
     select s.due_at from ladder_settlement s
     where ${ofTenant('s')} and s.member_id = paid.member_id and s.plan_version_id = :versionId and s.ladder_id = paid.ladder_id
       and s.from_day = days.from_day) > now() + interval '1 hour' is not true
   order by paid.member_id, paid.ladder_id
   on conflict (${KEY.join(', ')}) do update set due_at = least(known.due_at, excluded.due_at)`,
      { versionId, occurredAt, paid },
    ),
);

export async function noteLadders(
  db: Db,
  scope: Scope,
  { versionId, occurredAt, paid }: { versionId: string; occurredAt: Date; paid: readonly PaidByLadder[] },
): Promise<void> {
  const rows = paid.map(({ memberId, ladder }) => ({
    member_id: memberId,
    ladder_id: ladder.id,
    period: ladder.period,
    after_days: ladder.settleAfterDays,
  }));
  await db.rows(note(scope, { versionId, occurredAt, paid: JSON.stringify(rows) }));
}

/**
 * Has settled periods settled once more in which a member has sold more since: of the rows `change` (member_id, day). Comes
 * behind the lock on the sums of sales, which who settles takes too.
 */
export const settleAgain = (change: string): string =>
  `update ladder_settlement s set due_at = ${SCOPE_NOW}
     where ${ofTenant('s')} and s.member_id = any (array(select c.member_id from ${change} c)) and s.run > 0 and s.due_at is null
       and exists (
         select from ${change} c where c.member_id = s.member_id and c.day >= s.from_day and c.day < s.to_day)`;

const settleSaleAgain = statement<unknown, { purchaseId: string }>('events_settle_sale_again', ({ purchaseId }) =>
  raw(
    settleAgain(`(
       select l.beneficiary_id as member_id, (l.occurred_at at time zone ${ZONE})::date as day from commission_line l
       where ${ofTenant('l')} and l.event_id = :purchaseId and l.kind = 'commission')`),
    { purchaseId },
  ),
);

/**
 * The same for those that a purchase has paid. Comes behind the lock on its lines: of one that is given back nothing was left
 * to be topped up, perhaps, when it was settled.
 */
export async function settleAgainFor(db: Db, scope: Scope, purchaseId: string): Promise<void> {
  await db.rows(settleSaleAgain(scope, { purchaseId }));
}

/** What a member has reached, by currency: the step, and the sum of the run that settled it last. */
export type Reached = Readonly<Record<string, { step: number; sum: string }>>;

/** A ladder in a period of a member. Days are as YYYY-MM-DD; `toDay` is not of the period. */
export interface Settlement {
  memberId: string;
  versionId: string;
  ladderId: string;
  fromDay: string;
  toDay: string;
  /** How often it was settled. */
  run: number;
  reached: Reached;
}

interface SettlementRow {
  member_id: string;
  plan_version_id: string;
  ladder_id: string;
  from_day: string;
  to_day: string;
  run: number;
  reached: Reached;
}

const COLUMNS = [
  's.member_id',
  's.plan_version_id',
  's.ladder_id',
  's.from_day::text',
  's.to_day::text',
  's.run',
  's.reached',
].join(', ');

function toSettlement(row: SettlementRow): Settlement {
  return {
    memberId: row.member_id,
    versionId: row.plan_version_id,
    ladderId: row.ladder_id,
    fromDay: row.from_day,
    toDay: row.to_day,
    run: row.run,
    reached: row.reached,
  };
}

const dueSettlements = statement<SettlementRow, { count: number }>('events_take_due_settlements', ({ count }) =>
  raw(
    `select ${COLUMNS} from ladder_settlement s
   where ${ofTenant('s')} and s.due_at <= (select ${SCOPE_NOW})
   order by s.due_at, s.member_id, s.plan_version_id, s.ladder_id, s.from_day
   limit :count::int
   for update skip locked`,
    { count },
  ),
);

/** The first that are due, locked to the end of the transaction. */
export async function takeDueSettlements(db: Db, scope: Scope, count: number): Promise<Settlement[]> {
  return (await db.rows(dueSettlements(scope, { count }))).map(toSettlement);
}

const settled = statement<SettlementRow, { memberIds: readonly string[]; versionIds: readonly string[] }>(
  'events_settled_ladders',
  ({ memberIds, versionIds }) =>
    raw(
      `select ${COLUMNS} from ladder_settlement s
   where ${ofTenant('s')} and s.member_id = any (:memberIds::uuid[]) and s.plan_version_id = any (:versionIds::uuid[]) and s.run > 0`,
      { memberIds, versionIds },
    ),
);

/** Of these members and versions all that were settled before: a sale may be paid by several ladders. */
export async function readSettled(db: Db, scope: Scope, due: readonly Settlement[]): Promise<Settlement[]> {
  const memberIds = [...new Set(due.map(({ memberId }) => memberId))];
  const versionIds = [...new Set(due.map(({ versionId }) => versionId))];
  return (await db.rows(settled(scope, { memberIds, versionIds }))).map(toSettlement);
}

const linesOfPeriods = statement<{ n: number; id: string }, { periods: string }>('events_lines_of_periods', ({ periods }) =>
  raw(
    `select p.n, line.id
   from jsonb_to_recordset(:periods::jsonb) as p(n int, member_id uuid, plan_version_id uuid, from_day date, to_day date)
   cross join (select ${ZONE} as name) zone
   cross join lateral (
     select l.id from commission_line l
     where ${ofTenant('l')} and l.beneficiary_id = p.member_id and l.plan_version_id = p.plan_version_id and l.kind = 'commission'
       and l.occurred_at >= start_of_local_day(p.from_day, zone.name) and l.occurred_at < start_of_local_day(p.to_day, zone.name)
     offset 0) line
   order by p.n, line.id`,
    { periods },
  ),
);

/** What sales of the period have paid each member by the version, in the order given. */
export async function readLinesOfPeriods(db: Db, scope: Scope, periods: readonly Settlement[]): Promise<string[][]> {
  const sent = periods.map(({ memberId, versionId, fromDay, toDay }, n) => ({
    n,
    member_id: memberId,
    plan_version_id: versionId,
    from_day: fromDay,
    to_day: toDay,
  }));
  const byPeriod = Map.groupBy(await db.rows(linesOfPeriods(scope, { periods: JSON.stringify(sent) })), ({ n }) => n);
  return periods.map((_, n) => (byPeriod.get(n) ?? []).map(({ id }) => id));
}

/** What a line of a purchase is evaluated again by. */
export interface SoldLine {
  lineId: string;
  purchaseId: string;
  /** Local day of the sale, as YYYY-MM-DD. */
  day: string;
  /** The currency of the purchase. */
  currency: string;
  baseMinor: bigint;
  buyerId: string | null;
  evaluation: StoredEvaluation;
  /** All top-ups of the line until now, and the same before conversion. */
  toppedUpMinor: bigint;
  toppedUpSourceMinor: bigint;
  isTopUpVoid: boolean;
  /** What the purchase pays other members, with their top-ups, in its currency; whatever was refunded. */
  othersMinor: bigint;
}

interface SoldRow {
  id: string;
  event_id: string;
  day: string;
  currency: string;
  base_minor: bigint;
  buyer_member_id: string | null;
  evaluation: StoredEvaluation | null;
  topped_up: bigint;
  topped_up_source: bigint;
  is_void: boolean;
  others: bigint;
}

const SOURCE = (line: string): string => `coalesce(${line}.source_amount_minor, ${line}.amount_minor)`;

const soldLines = statement<SoldRow, { lineIds: readonly string[] }>('events_sold_lines', ({ lineIds }) =>
  raw(
    `select l.id, l.event_id, (e.occurred_at at time zone ${ZONE})::date::text as day, e.currency, e.base_minor,
          e.buyer_member_id, e.evaluation, own.topped_up, own.topped_up_source, own.is_void,
          (paid.minor + topped.minor)::bigint as others
   from unnest(:lineIds::uuid[]) given(id)
   join commission_line l on ${ofTenant('l')} and l.id = given.id
   join event e on ${ofTenant('e')} and e.id = l.event_id
   cross join lateral (
     select coalesce(sum(t.amount_minor), 0)::bigint as topped_up, coalesce(sum(${SOURCE('t')}), 0)::bigint as topped_up_source,
            coalesce(bool_or(exists (
              select from commission_line v
              where ${ofTenant('v')} and v.reverses_line_id = t.id and v.action_id is not null)), false) as is_void
     from commission_line t
     where ${ofTenant('t')} and t.about_event_id = l.event_id and t.beneficiary_id = l.beneficiary_id and t.level = l.level
       and t.paid_level = l.paid_level offset 0) own
   cross join lateral (
     select coalesce(sum(${SOURCE('o')}), 0) as minor from commission_line o
     where ${ofTenant('o')} and o.event_id = l.event_id and o.reverses_line_id is null and o.beneficiary_id <> l.beneficiary_id
     offset 0) paid
   cross join lateral (
     select coalesce(sum(${SOURCE('o')}), 0) as minor from commission_line o
     where ${ofTenant('o')} and o.about_event_id = l.event_id and o.beneficiary_id <> l.beneficiary_id offset 0) topped
   order by l.id`,
    { lineIds },
  ),
);

/** Behind the lock on the lines. */
export async function readSoldLines(db: Db, scope: Scope, lineIds: readonly string[]): Promise<SoldLine[]> {
  const rows = await db.rows(soldLines(scope, { lineIds }));
  return rows.map((row) => ({
    lineId: row.id,
    purchaseId: row.event_id,
    day: row.day,
    currency: row.currency,
    baseMinor: row.base_minor,
    buyerId: row.buyer_member_id,
    evaluation: row.evaluation ?? {},
    toppedUpMinor: row.topped_up,
    toppedUpSourceMinor: row.topped_up_source,
    isTopUpVoid: row.is_void,
    othersMinor: row.others,
  }));
}

const markSettled = statement<unknown, { settlements: string }>('events_mark_settled', ({ settlements }) =>
  raw(
    `update ladder_settlement s set due_at = null, run = d.run, reached = d.reached
   from jsonb_to_recordset(:settlements::jsonb) as d(member_id uuid, plan_version_id uuid, ladder_id text, from_day date, run int,
                                                     reached jsonb)
   where ${ofTenant('s')} and s.member_id = d.member_id and s.plan_version_id = d.plan_version_id and s.ladder_id = d.ladder_id
     and s.from_day = d.from_day`,
    { settlements },
  ),
);

/** Of locked rows. */
export async function storeSettled(db: Db, scope: Scope, settlements: readonly Settlement[]): Promise<void> {
  const sent = settlements.map(({ memberId, versionId, ladderId, fromDay, run, reached }) => ({
    member_id: memberId,
    plan_version_id: versionId,
    ladder_id: ladderId,
    from_day: fromDay,
    run,
    reached,
  }));
  await db.rows(markSettled(scope, { settlements: JSON.stringify(sent) }));
}
