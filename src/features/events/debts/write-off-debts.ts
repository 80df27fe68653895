/** The sweep that forgives what members still owe when their plan's time for it has come: `writeOffAfterDays`. */
import { randomUUID } from 'node:crypto';
import { bySystem } from '../../../actor.ts';
import type { Scope, WriteDb } from '../../../db/scope.ts';
import { faultPoint } from '../../../fault-points.ts';
import { MAX_AMOUNT_MINOR } from '../../../money.ts';
import { insertEvent } from '../event-insert-queries.ts';
import { manualEvent, tellManual } from '../manual/record-manual.ts';
import { debtKey, lockInOrder } from '../purchases/plan-limits-queries.ts';
import type { RecorderDeps } from '../recorded-event.ts';
import { type DueClawback, readDebts, settleDueClawbacks, takeDueClawbacks } from './debt-queries.ts';

/** Clawbacks of one transaction: an event for each member and currency among them at most. */
export const WRITE_OFF_BATCH = 500;

/**
 * One batch: the due clawbacks of each member and currency together, an event for what the member
 * still owes of them. Returns how many it took. What was earned, reinstated or forgiven since is not
 * owed any more; what was clawed back later is not due.
 */
export async function writeOffDebts(db: WriteDb, scope: Scope, limit: number, deps: RecorderDeps): Promise<number> {
  const due = await takeDueClawbacks(db, scope, limit);
  const groups = Map.groupBy(due, ({ memberId, currency }) => debtKey(memberId, currency));
  if (groups.size === 0) return 0;
  const [, debts] = await Promise.all([
    lockInOrder(db, scope, [...groups.keys()]),
    readDebts(
      db,
      scope,
      [...groups.values()].flatMap(([first]) => (first ? [first] : [])),
    ),
  ]);
  const acting = { ...scope, provenance: bySystem('write-off-debts') };
  // The commit may not travel behind any one event's last statement: more follow.
  const within: WriteDb = { ...db, lastRow: (statement) => db.row(statement) };
  const events = debts.flatMap(({ memberId, currency, clearedMinor }) => {
    const clawbacks = groups.get(debtKey(memberId, currency)) ?? [];
    const dueMinor = clawbacks.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
    // Of a debt beyond what an event can be of, the rest stays.
    const amountMinor = [-clearedMinor, dueMinor, MAX_AMOUNT_MINOR].reduce((least, one) => (one < least ? one : least));
    const [first] = clawbacks;
    if (!first || amountMinor <= 0n) return [];
    const input = {
      external_event_id: `write-off-${randomUUID()}`,
      type: 'write_off' as const,
      user_id: memberId,
      amount_minor: amountMinor,
      currency,
      description: describe(clawbacks),
      actor: 'plan',
    };
    return [manualEvent(input, { occurredAt: first.now, clearsAt: first.now }, deps)];
  });
  const [count] = await Promise.all([
    settleDueClawbacks(
      db,
      scope,
      due.map(({ lineId }) => lineId),
    ),
    ...events.map(async (event) => {
      const { eventId } = await insertEvent(within, acting, event);
      tellManual(db, acting, eventId);
    }),
  ]);
  await faultPoint('write-off:written');
  return count;
}

function describe(clawbacks: readonly DueClawback[]): string {
  const days = clawbacks.map(({ afterDays }) => afterDays);
  const [least, most] = [Math.min(...days), Math.max(...days)];
  if (least !== most) return `Still owed after ${least} to ${most} days`;
  return `Still owed after ${least} ${least === 1 ? 'day' : 'days'}`;
}
