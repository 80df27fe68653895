/**
 * The sweeps behind an executed run. Neither calls the provider: they decide, move the money in the books,
 * and leave the calls to jobs. Source: docs/specification/payouts.md#execution.
 */
import { bySystem } from '../../../actor.ts';
import type { Scope, WriteDb } from '../../../db/scope.ts';
import type { JobIds } from '../../../jobs/job.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import type { NameJudge } from '../names/judge-names.ts';
import { tellPayout } from '../payouts-events.ts';
import type { PayoutFreeze } from '../reconcile/freeze.ts';
import { PAYMENT_DEFAULTS } from '../settings/payment-settings.ts';
import { paymentSettingsStatement } from '../settings/payment-settings-queries.ts';
import { findRefusals, storeRefusals, storeStarted, takeDuePayouts, takePayoutsToCheck } from './execute-queries.ts';
import { postMoves } from './payout-changes-queries.ts';
import { amountOf, endRun, type PayoutBooks } from './settle-payout.ts';

export const ADVANCE_PAYOUTS = 'advance-payouts';

const BY = bySystem('execute-payouts');

/** Payouts of one transaction: enough that its commit does not count, few enough that refunds wait no longer than a moment. */
export const EXECUTE_BATCH = 500;
export const CHECK_BATCH = 500;

/** Payouts of one job: more last longer before another tenant has the place, fewer end more often with only the last under way. */
const JOB_SIZE = 250;

/** Long after a job should have been through with them. */
const FALLBACK_SECONDS = 300;

export type Enqueue = (db: WriteDb, scope: Scope, name: string, ids: JobIds) => Promise<string>;

/**
 * One batch of what is due: each payout is executed exactly as it was drafted, or cancelled. Returns how
 * many it took; none while payouts are frozen: what is due stays due.
 */
export async function executePayouts(
  {
    lines,
    debts,
    names,
    freeze,
  }: Pick<PayoutBooks, 'lines' | 'debts'> & { names: NameJudge; freeze: Pick<PayoutFreeze, 'isFrozen'> },
  db: WriteDb,
  scope: Scope,
  enqueue: Enqueue,
  limit: number = EXECUTE_BATCH,
): Promise<number> {
  const due = await takeDuePayouts(db, scope, limit);
  if (due.length === 0 || (await freeze.isFrozen(db))) return 0;
  const ids = due.map(({ id }) => id);
  db.listen();
  // In one go, yet in this order: what is judged is read behind the locks, lines before debts as refunds take them.
  const [, , [settings = PAYMENT_DEFAULTS]] = await Promise.all([
    lines.lock(db, scope, ids),
    debts.lock(db, scope, due),
    db.rows(paymentSettingsStatement(scope)),
  ]);
  await names.ofPayouts(db, scope, ids);
  const refused = await findRefusals(db, scope, ids, settings.requireKyc);
  const refusedIds = new Set(refused.map(({ payoutId }) => payoutId));
  const started = due.filter(({ id }) => !refusedIds.has(id));
  const startedIds = started.map(({ id }) => id);
  if (started.length > 0) {
    await Promise.all([
      storeStarted(db, scope, startedIds, FALLBACK_SECONDS),
      lines.move(db, scope, startedIds, { from: 'cleared', to: 'processing' }),
      postMoves(db, scope, startedIds, { cause: 'payout_processing', from: 'member:cleared', to: 'member:processing' }),
    ]);
    for (const id of startedIds) tellPayout(db, BY, 'payout.processing', id);
    const toSend = started.filter(({ providerType }) => providerType === 'payvendor').map(({ id }) => id);
    await enqueueAdvance(db, scope, toSend, enqueue);
  }
  if (refused.length > 0) {
    const reasons = new Map(refused.map(({ payoutId, reason }) => [payoutId, reason]));
    await Promise.all([
      storeRefusals(db, scope, refused),
      ...due.flatMap((payout) => {
        const failureCode = reasons.get(payout.id);
        if (failureCode === undefined) return [];
        return recordAudit(db, scope, {
          action: 'payout.cancelled',
          by: BY,
          objectKind: 'payout',
          objectId: payout.id,
          details: { ...amountOf(payout), failureCode },
        });
      }),
    ]);
    for (const id of refusedIds) tellPayout(db, BY, 'payout.cancelled', id);
    const runIds = new Set(due.filter(({ id }) => refusedIds.has(id)).map(({ runId }) => runId));
    for (const runId of [...runIds].toSorted()) await endRun(db, scope, runId, BY);
  }
  return due.length;
}

/** One batch of what the provider is to be asked about. Returns how many. */
export async function checkPayouts(
  freeze: Pick<PayoutFreeze, 'isFrozen'>,
  db: WriteDb,
  scope: Scope,
  enqueue: Enqueue,
  limit: number = CHECK_BATCH,
): Promise<number> {
  if (await freeze.isFrozen(db)) return 0;
  const ids = await takePayoutsToCheck(db, scope, limit, FALLBACK_SECONDS);
  await enqueueAdvance(db, scope, ids, enqueue);
  return ids.length;
}

async function enqueueAdvance(db: WriteDb, scope: Scope, ids: readonly string[], enqueue: Enqueue): Promise<void> {
  for (let from = 0; from < ids.length; from += JOB_SIZE) {
    const part = ids.slice(from, from + JOB_SIZE).map((id, index) => [`payout${index}`, id]);
    await enqueue(db, scope, ADVANCE_PAYOUTS, Object.fromEntries(part) as JobIds);
  }
}
