/** Lines and their families locked for a change, and the change of their status. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { SCOPE_NOW } from '../../db/scope-clock.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import type { LastAction, LockedLine, StatusChange } from './open/line-locks.ts';
import { type LineRow, lineColumns, toLine } from './open/line-rows.ts';

const line = tenantTable('commission_line');

interface LockedLineRow extends LineRow {
  is_void: boolean;
  last_action: LastAction | null;
  born_held: boolean;
}

const sameShare = (a: string, b: string): string =>
  `${a}.beneficiary_id = ${b}.beneficiary_id and ${a}.level = ${b}.level and ${a}.paid_level = ${b}.paid_level`;

/**
 * A top-up is born under the hold of its line: what was done to that before counts for it. Ids ascend with time. Each step
 * is fenced, so that it is a probe of the index that it is meant for, whatever else the planner knows of the tables. A
 * coalesce in a condition would keep it from the index: policies let only what cannot leak go before them.
 */
const lastAction = `(
     select jsonb_build_object('id', a.id, 'action', a.action)
     from (
       select l.id
       union all
       select p.id
       from (select x.* from commission_line x
             where ${ofTenant('x')} and x.event_id = l.about_event_id and x.reverses_line_id is null offset 0) p
       where ${sameShare('p', 'l')}) acted
     cross join lateral (
       select c.id, c.action from commission_action c where ${ofTenant('c')} and c.line_id = acted.id offset 0) a
     where acted.id = l.id or a.id < l.id
     order by a.id desc limit 1)`;

const lockedColumns = `${lineColumns('l')}, l.action_id is not null as is_void, ${lastAction} as last_action,
          coalesce((select e.evaluation ->> 'selfMember' = l.beneficiary_id::text from event e
                    where ${ofTenant('e')}
                      and e.id = case when l.about_event_id is null then l.event_id else l.about_event_id end), false) as born_held`;

/**
 * What is linked to a line, and what tops it up, is inserted behind a lock on that line; a top-up itself is changed behind
 * the lock on the line that it tops up. So the purchase's own lines are locked first, and the families read by a second
 * statement, which sees what was linked while the first one waited. Each locks in the order of ids.
 */
const lockOriginals = statement<unknown, { purchaseId: string }>('commissions_lock_originals', ({ purchaseId }) =>
  line('l').where('l.event_id', purchaseId).whereNull('l.reverses_line_id').orderBy('l.id').select('l.id').forUpdate(),
);

/**
 * Locks the lines of `original` and what is linked to them. Laterals: one probe a line, whatever the
 * planner believes of a young table.
 */
const lockFamilies = `select line.*
   from (select original.id from original
         union
         select linked.id from original cross join lateral (
           select r.id from commission_line r where ${ofTenant('r')} and r.reverses_line_id = original.id
           offset 0) linked
         order by 1) family
   cross join lateral (
     select ${lockedColumns} from commission_line l
     where ${ofTenant('l')} and l.id = family.id offset 0 for update) line`;

const lockLines = statement<LockedLineRow, { purchaseId: string }>('commissions_lock_purchase_lines', ({ purchaseId }) =>
  raw(
    `with original as materialized (
     select o.id from commission_line o where ${ofTenant('o')} and o.event_id = :purchaseId
     union all
     select t.id from commission_line t where ${ofTenant('t')} and t.about_event_id = :purchaseId)
   ${lockFamilies}`,
    { purchaseId },
  ),
);

/** Every line of a purchase, every top-up of one, and every line linked to these, oldest first, locked to the end of the transaction. */
export async function lockPurchaseLines(db: Db, scope: Scope, purchaseId: string): Promise<LockedLine[]> {
  const [, rows] = await Promise.all([db.rows(lockOriginals(scope, { purchaseId })), db.rows(lockLines(scope, { purchaseId }))]);
  return rows.map(toLockedLine);
}

/** The line's original; of a top-up the line that it tops up, behind whose lock it is changed. */
const lockOriginal = statement<unknown, { lineId: string }>('commissions_lock_original', ({ lineId }) =>
  raw(
    `select l.id from commission_line l
   where ${ofTenant('l')} and l.id = any (array(
     select case when o.about_event_id is null then o.id else (
       select p.id from commission_line p
       where ${ofTenant('p')} and p.event_id = o.about_event_id and p.reverses_line_id is null and ${sameShare('p', 'o')}) end
     from commission_line x join commission_line o on ${ofTenant('o')} and o.id = coalesce(x.reverses_line_id, x.id)
     where ${ofTenant('x')} and x.id = :lineId))
   for update`,
    { lineId },
  ),
);

const lockFamily = statement<LockedLineRow, { lineId: string }>('commissions_lock_family', ({ lineId }) =>
  raw(
    `with own as materialized (
     select o.* from commission_line x join commission_line o on ${ofTenant('o')} and o.id = coalesce(x.reverses_line_id, x.id)
     where ${ofTenant('x')} and x.id = :lineId),
   original as materialized (
     select own.id from own
     union all
     select topped.id from own cross join lateral (
       select t.id from commission_line t
       where ${ofTenant('t')} and t.about_event_id = own.event_id and ${sameShare('t', 'own')} offset 0) topped)
   ${lockFamilies}`,
    { lineId },
  ),
);

/** The line's original, its top-ups, and everything linked to these, oldest first, locked; none when there is no such line. */
export async function lockFamilyOf(db: Db, scope: Scope, lineId: string): Promise<LockedLine[]> {
  const [, rows] = await Promise.all([db.rows(lockOriginal(scope, { lineId })), db.rows(lockFamily(scope, { lineId }))]);
  return rows.map(toLockedLine);
}

const lockGiven = statement<unknown, { lineIds: readonly string[] }>('commissions_lock_given', ({ lineIds }) =>
  raw(`select l.id from commission_line l where ${ofTenant('l')} and l.id = any (:lineIds::uuid[]) order by l.id for update`, {
    lineIds,
  }),
);

const lockGivenFamilies = statement<LockedLineRow, { lineIds: readonly string[] }>(
  'commissions_lock_given_families',
  ({ lineIds }) => raw(`with original as materialized (select unnest(:lineIds::uuid[]) as id) ${lockFamilies}`, { lineIds }),
);

/** These lines and everything linked to them, oldest first, locked: behind it they may be topped up. */
export async function lockLinesToTopUp(db: Db, scope: Scope, lineIds: readonly string[]): Promise<LockedLine[]> {
  const [, rows] = await Promise.all([db.rows(lockGiven(scope, { lineIds })), db.rows(lockGivenFamilies(scope, { lineIds }))]);
  return rows.map(toLockedLine);
}

function toLockedLine(row: LockedLineRow): LockedLine {
  return { ...toLine(row), isVoid: row.is_void, lastAction: row.last_action, bornHeld: row.born_held };
}

const openDispute = statement<{ is_open: boolean }, { lineId: string }>('commissions_open_dispute', ({ lineId }) =>
  raw(
    `select exists (
     select from commission_line x
     cross join lateral (
       select coalesce(o.about_event_id, o.event_id, x.about_event_id, x.event_id) as id
       from (values (1)) one left join commission_line o
         on ${ofTenant('o')} and o.id = x.reverses_line_id offset 0) purchase
     cross join lateral (
       select e.dispute_id from event e
       where ${ofTenant('e')} and e.purchase_id = purchase.id and e.stage = 'opened' offset 0) opened
     where ${ofTenant('x')} and x.id = :lineId and not exists (
       select from event e
       where ${ofTenant('e')} and e.dispute_id = opened.dispute_id and e.stage <> 'opened')) as is_open`,
    { lineId },
  ),
);

/**
 * Whether a dispute of the purchase that the line is of is open. Asked behind the lock on its family: who opens or
 * decides one takes that lock too.
 */
export async function isInDispute(db: Db, scope: Scope, lineId: string): Promise<boolean> {
  return (await db.row(openDispute(scope, { lineId })))?.is_open ?? false;
}

const changeStatus = statement<unknown, { changes: string }>('commissions_change_status', ({ changes }) =>
  raw(
    `update commission_line l set status = c.status, hold_cause = c.hold_cause, hold_reason = c.hold_reason,
          status_changed_at = ${SCOPE_NOW}
   from jsonb_to_recordset(:changes::jsonb) as c(id uuid, status text, hold_cause text, hold_reason text)
   where ${ofTenant('l')} and l.id = c.id`,
    { changes },
  ),
);

/** Of lines that the transaction has locked. */
export async function changeLineStatuses(db: Db, scope: Scope, changes: readonly StatusChange[]): Promise<void> {
  const rows = changes.map((change) => ({
    id: change.lineId,
    status: change.status,
    hold_cause: change.holdCause,
    hold_reason: change.holdReason,
  }));
  await db.rows(changeStatus(scope, { changes: JSON.stringify(rows) }));
}

const scopeNow = statement<{ now: Date }>('commissions_now', () =>
  raw("select case when :environment = 'SANDBOX' then scope_now(:tenantId::uuid, :environment) else now() end as now"),
);

/** The scope's clock. */
export async function readScopeNow(db: Db, scope: Scope): Promise<Date> {
  const row = await db.row(scopeNow(scope));
  if (!row) throw new Error('the clock has no row');
  return row.now;
}
