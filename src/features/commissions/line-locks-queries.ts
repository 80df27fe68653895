/** Lines and their families locked for a change, and the change of their status. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';
import type { HoldCause, LineAction, LineKind, LineSource, LineStatus } from './commission-line.ts';

/** A stored line with all that a line linked to it takes over. */
export interface LockedLine {
  id: string;
  eventId: string;
  kind: LineKind;
  source: LineSource;
  beneficiaryId: string;
  level: number;
  legId: string | null;
  paidLevel: number;
  rateBps: number;
  flatMinor: bigint | null;
  multiplierMilli: number;
  baseMinor: bigint;
  amountMinor: bigint;
  currency: string;
  conversion: { amountMinor: bigint; currency: string; exchangeRateId: string } | null;
  status: LineStatus;
  holdCause: HoldCause | null;
  clearsAt: Date;
  occurredAt: Date;
  planVersionId: string | null;
  reversesLineId: string | null;
  /** Whether this line voids the one it takes back: nothing more becomes of that family. */
  isVoid: boolean;
  /** What was last done to this line by hand; ids ascend with time. */
  lastAction: LastAction | null;
  /** Of a purchase's own line: held since it was born, for its beneficiary has the customer's email. */
  bornHeld: boolean;
}

interface LastAction {
  id: string;
  action: LineAction;
}

interface LockedLineRow {
  id: string;
  event_id: string;
  kind: LineKind;
  source: LineSource;
  beneficiary_id: string;
  level: number;
  leg_id: string | null;
  paid_level: number;
  rate_bps: number;
  flat_minor: bigint | null;
  multiplier_milli: number;
  base_minor: bigint;
  amount_minor: bigint;
  currency: string;
  source_amount_minor: bigint | null;
  source_currency: string | null;
  exchange_rate_id: string | null;
  status: LineStatus;
  hold_cause: HoldCause | null;
  clears_at: Date;
  occurred_at: Date;
  plan_version_id: string | null;
  reverses_line_id: string | null;
  is_void: boolean;
  last_action: LastAction | null;
  born_held: boolean;
}

const lockedColumns = `l.id, l.event_id, l.kind, l.source, l.beneficiary_id, l.level, l.leg_id, l.paid_level, l.rate_bps, l.flat_minor, l.multiplier_milli,
          l.base_minor, l.amount_minor, l.currency, l.source_amount_minor, l.source_currency, l.exchange_rate_id, l.status, l.hold_cause,
          l.clears_at, l.occurred_at, l.plan_version_id, l.reverses_line_id, l.action_id is not null as is_void,
          (select jsonb_build_object('id', a.id, 'action', a.action) from commission_action a
           where a.tenant_id = $1 and a.environment = $2 and a.line_id = l.id order by a.id desc limit 1) as last_action,
          exists (select from event e where e.tenant_id = $1 and e.environment = $2 and e.id = l.event_id
                    and e.evaluation ->> 'selfMember' = l.beneficiary_id::text) as born_held`;

/**
 * What is linked to a line is inserted behind a lock on that line. So the originals are locked first,
 * and the families read by a second statement, which sees what was linked while the first one waited.
 */
const lockOriginals = prepared<unknown, [string, string, purchaseId: string]>(
  'commissions_lock_originals',
  `select l.id from commission_line l
   where l.tenant_id = $1 and l.environment = $2 and l.event_id = $3 and l.reverses_line_id is null
   order by l.id for update`,
);

/**
 * Locks the lines of `original` and what is linked to them. Laterals: one probe a line, whatever the
 * planner believes of a young table.
 */
const lockFamilies = `select line.*
   from (select original.id from original
         union
         select linked.id from original cross join lateral (
           select r.id from commission_line r where r.tenant_id = $1 and r.environment = $2 and r.reverses_line_id = original.id
           offset 0) linked
         order by 1) family
   cross join lateral (
     select ${lockedColumns} from commission_line l
     where l.tenant_id = $1 and l.environment = $2 and l.id = family.id offset 0 for update) line`;

const lockLines = prepared<LockedLineRow, [string, string, purchaseId: string]>(
  'commissions_lock_purchase_lines',
  `with original as materialized (
     select o.id from commission_line o where o.tenant_id = $1 and o.environment = $2 and o.event_id = $3)
   ${lockFamilies}`,
);

/** Every line of a purchase and every line linked to one, oldest first, locked to the end of the transaction. */
export async function lockPurchaseLines(db: Db, scope: Scope, purchaseId: string): Promise<LockedLine[]> {
  const key = [scope.tenantId, scope.environment, purchaseId] as const;
  const [, rows] = await Promise.all([db.rows(lockOriginals(...key)), db.rows(lockLines(...key))]);
  return rows.map(toLockedLine);
}

const lockOriginal = prepared<unknown, [string, string, lineId: string]>(
  'commissions_lock_original',
  `select l.id from commission_line l
   where l.tenant_id = $1 and l.environment = $2 and l.id = (
     select coalesce(x.reverses_line_id, x.id) from commission_line x where x.tenant_id = $1 and x.environment = $2 and x.id = $3)
   for update`,
);

const lockFamily = prepared<LockedLineRow, [string, string, lineId: string]>(
  'commissions_lock_family',
  `with original as materialized (
     select coalesce(x.reverses_line_id, x.id) as id from commission_line x
     where x.tenant_id = $1 and x.environment = $2 and x.id = $3)
   ${lockFamilies}`,
);

/** The line's original and everything linked to it, oldest first, locked; none when there is no such line. */
export async function lockFamilyOf(db: Db, scope: Scope, lineId: string): Promise<LockedLine[]> {
  const key = [scope.tenantId, scope.environment, lineId] as const;
  const [, rows] = await Promise.all([db.rows(lockOriginal(...key)), db.rows(lockFamily(...key))]);
  return rows.map(toLockedLine);
}

function toLockedLine(row: LockedLineRow): LockedLine {
  return {
    id: row.id,
    eventId: row.event_id,
    kind: row.kind,
    source: row.source,
    beneficiaryId: row.beneficiary_id,
    level: row.level,
    legId: row.leg_id,
    paidLevel: row.paid_level,
    rateBps: row.rate_bps,
    flatMinor: row.flat_minor,
    multiplierMilli: row.multiplier_milli,
    baseMinor: row.base_minor,
    amountMinor: row.amount_minor,
    currency: row.currency,
    conversion:
      row.source_amount_minor === null || row.source_currency === null || row.exchange_rate_id === null
        ? null
        : { amountMinor: row.source_amount_minor, currency: row.source_currency, exchangeRateId: row.exchange_rate_id },
    status: row.status,
    holdCause: row.hold_cause,
    clearsAt: row.clears_at,
    occurredAt: row.occurred_at,
    planVersionId: row.plan_version_id,
    reversesLineId: row.reverses_line_id,
    isVoid: row.is_void,
    lastAction: row.last_action,
    bornHeld: row.born_held,
  };
}

const openDispute = prepared<{ is_open: boolean }, [string, string, lineId: string]>(
  'commissions_open_dispute',
  // Laterals: one probe a row, whatever the planner believes of a young table.
  `select exists (
     select from commission_line x
     cross join lateral (
       select coalesce(o.event_id, x.event_id) as id from (values (1)) one left join commission_line o
         on o.tenant_id = $1 and o.environment = $2 and o.id = x.reverses_line_id offset 0) purchase
     cross join lateral (
       select e.dispute_id from event e
       where e.tenant_id = $1 and e.environment = $2 and e.purchase_id = purchase.id and e.stage = 'opened' offset 0) opened
     where x.tenant_id = $1 and x.environment = $2 and x.id = $3 and not exists (
       select from event e
       where e.tenant_id = $1 and e.environment = $2 and e.dispute_id = opened.dispute_id and e.stage <> 'opened')) as is_open`,
);

/**
 * Whether a dispute of the purchase that the line is of is open. Asked behind the lock on its family: who opens or
 * decides one takes that lock too.
 */
export async function isInDispute(db: Db, scope: Scope, lineId: string): Promise<boolean> {
  return (await db.row(openDispute(scope.tenantId, scope.environment, lineId)))?.is_open ?? false;
}

const changeStatus = prepared<unknown, [string, string, changes: string]>(
  'commissions_change_status',
  `update commission_line l set status = c.status, hold_cause = c.hold_cause, hold_reason = c.hold_reason,
          status_changed_at = case when $2 = 'SANDBOX' then scope_now($1, $2) else now() end
   from jsonb_to_recordset($3::jsonb) as c(id uuid, status text, hold_cause text, hold_reason text)
   where l.tenant_id = $1 and l.environment = $2 and l.id = c.id`,
);

export interface StatusChange {
  lineId: string;
  status: LineStatus;
  holdCause: HoldCause | null;
  holdReason: string | null;
}

/** Of lines that the transaction has locked. */
export async function changeLineStatuses(db: Db, scope: Scope, changes: readonly StatusChange[]): Promise<void> {
  const rows = changes.map((change) => ({
    id: change.lineId,
    status: change.status,
    hold_cause: change.holdCause,
    hold_reason: change.holdReason,
  }));
  await db.rows(changeStatus(scope.tenantId, scope.environment, JSON.stringify(rows)));
}

const scopeNow = prepared<{ now: Date }, [string, string]>(
  'commissions_now',
  "select case when $2 = 'SANDBOX' then scope_now($1::uuid, $2) else now() end as now",
);

/** The scope's clock. */
export async function readScopeNow(db: Db, scope: Scope): Promise<Date> {
  const row = await db.row(scopeNow(scope.tenantId, scope.environment));
  if (!row) throw new Error('the clock has no row');
  return row.now;
}
