/** One transfer of the vendor's list, matched with the books. Source: docs/specification/payouts.md#reconcile. */
import { actorRef, byOperator } from '../../../actor.ts';
import { violates } from '../../../db/constraints.ts';
import { withSavepoint } from '../../../db/savepoint.ts';
import type { Scope, WriteDb } from '../../../db/scope.ts';
import type { VendorTransfer } from '../../../vendors/payments/payment-vendor.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import { storeStarted } from '../payouts/execute-queries.ts';
import { askProviderAgain, postMoves } from '../payouts/payout-changes-queries.ts';
import { storeRequeued } from '../payouts/payouts-queries.ts';
import { amountOf, endRunIfDone, type PayoutBooks, settlePayout } from '../payouts/settle-payout.ts';
import { tellPayout, tellPayouts, tellRun } from '../payouts-events.ts';
import { lockDraftsOf } from '../runs/draft-queries.ts';
import { reopenForRetry } from '../runs/runs-service.ts';
import {
  beginRestoredRun,
  cancelUnsent,
  findKnownPayout,
  haveLinesGone,
  insertRecovered,
  type KnownPayout,
  type Recovered,
  storeTransferOf,
} from './reconcile-queries.ts';

export const OPERATOR = byOperator('payouts reconcile');
export const BY = actorRef(OPERATOR.actor);

/** `recorded`: the books know it from now on. `noted`: the payout was there, and learns its transfer. */
export type Verdict = 'agrees' | 'recorded' | 'noted' | 'asked_again' | 'taken_back' | 'accepted' | 'unmatched';

/** Why something is left to a person. */
export type Why =
  | 'no_member'
  | 'no_account'
  | 'no_lines'
  | 'differs'
  | 'double'
  | 'partly_reversed'
  | 'ended_otherwise'
  | 'unknown_to_vendor'
  | 'not_a_payout';

export interface Finding {
  verdict: Verdict;
  why: Why | null;
  /** At the vendor, or the reference of the bank. */
  id: string;
  payoutId: string | null;
  memberId: string | null;
  amountMinor: bigint;
  currency: string;
  at: Date | null;
}

/** What the service has put into the metadata of a transfer. */
export interface OwnTransfer extends VendorTransfer {
  payoutId: string;
  memberId: string;
  attempt: number;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Undefined: not made by the service for this tenant and environment. The tenant may use its account for other things. */
export function ownTransfer(scope: Scope, transfer: VendorTransfer): OwnTransfer | undefined {
  const { tenant_id: tenantId, environment, payout_id: payoutId, user_id: memberId, attempt } = transfer.metadata;
  if (tenantId !== scope.tenantId || environment !== scope.environment) return undefined;
  if (!UUID.test(payoutId ?? '') || !UUID.test(memberId ?? '') || !/^[1-9]\d{0,5}$/.test(attempt ?? '')) return undefined;
  return { ...transfer, payoutId: payoutId ?? '', memberId: memberId ?? '', attempt: Number(attempt) };
}

type Told = [verdict: Verdict, why?: Why];

/**
 * Matches one, in the caller's transaction. Safe to repeat. What it records is as if the execution had been recorded when it was
 * made: the ordinary check asks the vendor for its end. `sentIds` are all payouts that the vendor has transfers of.
 */
export async function matchTransfer(
  books: PayoutBooks,
  db: WriteDb,
  scope: Scope,
  transfer: OwnTransfer,
  sentIds: readonly string[],
): Promise<Finding> {
  const { payoutId, memberId, attempt, amountMinor, currency } = transfer;
  // Before what is free is looked at: drafts and other reconciliations hold this while they take commissions.
  await lockDraftsOf(db, scope, currency);
  const known = await findKnownPayout(db, scope, payoutId, attempt);
  const [verdict, why = null] = await (known
    ? matchKnown(books, db, scope, transfer, known, sentIds)
    : matchUnknown(books, db, scope, transfer, sentIds));
  if (verdict === 'recorded' || verdict === 'noted') {
    await recordAudit(db, scope, {
      action: 'payout.reconciled',
      by: OPERATOR,
      objectKind: 'payout',
      objectId: payoutId,
      details: { ...amountOf({ amountMinor, currency }), attempt, transferId: transfer.id },
    });
  }
  return { verdict, why, id: transfer.id, payoutId, memberId, amountMinor, currency, at: transfer.createdAt };
}

async function matchKnown(
  books: PayoutBooks,
  db: WriteDb,
  scope: Scope,
  transfer: OwnTransfer,
  known: KnownPayout,
  sentIds: readonly string[],
): Promise<Told> {
  const { asked } = known;
  const isSame =
    known.memberId === transfer.memberId &&
    known.currency === transfer.currency &&
    known.amountMinor === transfer.amountMinor &&
    known.connectedAccountId === transfer.connectedAccountId;
  if (!isSame) return ['unmatched', 'differs'];
  if (isPartlyReversed(transfer)) return ['unmatched', 'partly_reversed'];
  if (!asked) return recordExecution(books, db, scope, transfer, known, sentIds);
  if (asked.transferId === null) {
    if (asked.outcome !== null) return isReversed(transfer) ? ['taken_back'] : ['unmatched', 'ended_otherwise'];
    await storeTransferOf(db, scope, storedAs(transfer, null));
    return ['noted'];
  }
  if (asked.transferId !== transfer.id) return isReversed(transfer) ? ['taken_back'] : ['unmatched', 'double'];
  if (isReversed(transfer) && asked.reversalId === null) {
    return (await askProviderAgain(db, scope, transfer.payoutId)) ? ['asked_again'] : ['unmatched', 'ended_otherwise'];
  }
  return !isReversed(transfer) && asked.reversalId !== null ? ['unmatched', 'ended_otherwise'] : ['agrees'];
}

/** The execution that was lost: of a payout that is queued here, or has failed and was retried. */
async function recordExecution(
  books: PayoutBooks,
  db: WriteDb,
  scope: Scope,
  transfer: OwnTransfer,
  known: KnownPayout,
  sentIds: readonly string[],
): Promise<Told> {
  const { payoutId, attempt } = transfer;
  if ((known.status !== 'queued' && known.status !== 'failed') || attempt !== known.attempt + 1 || known.runId === null) {
    return isReversed(transfer) ? ['taken_back'] : ['unmatched', 'ended_otherwise'];
  }
  if (!(await startAgain(books, db, scope, { ...known, payoutId, runId: known.runId }, sentIds)))
    return ['unmatched', 'no_lines'];
  await storeTransferOf(db, scope, storedAs(transfer, isReversed(transfer) ? transfer.reversalId : null));
  if (isReversed(transfer)) {
    const failed = { outcome: 'failed', failureCode: 'RESTORED', failureMessage: 'The transfer was taken back' } as const;
    await settlePayout(books, db, scope, { payoutId, attempt, ...failed, by: OPERATOR });
  }
  return ['recorded'];
}

/** Begins the execution anew in the books. False, and nothing was changed: its commissions are not what they were. */
export async function startAgain(
  books: PayoutBooks,
  db: WriteDb,
  scope: Scope,
  payout: KnownPayout & { payoutId: string; runId: string },
  sentIds: readonly string[],
): Promise<boolean> {
  const { payoutId, runId, status } = payout;
  try {
    await withSavepoint(db, async () => {
      if (status === 'failed') {
        await storeRequeued(db, scope, payoutId, OPERATOR.actor);
        await reopenForRetry(db, scope, runId, OPERATOR);
      }
      await Promise.all([books.lines.lock(db, scope, [payoutId]), books.debts.lock(db, scope, [payout])]);
      if (await haveLinesGone(db, scope, payoutId)) throw new LinesChanged();
      const { begun, cancelled } = await beginRestoredRun(db, scope, runId, sentIds, BY);
      if (begun) tellRun(db, OPERATOR, 'payout_run.executed', runId);
      if (cancelled > 0) tellPayouts(db, OPERATOR, 'payouts.cancelled', { runId });
      await storeStarted(db, scope, [payoutId], 0);
      await moveOut(books, db, scope, payoutId);
    });
    return true;
  } catch (error) {
    if (error instanceof LinesChanged || violates(error, 'payout_line_live_key')) return false;
    throw error;
  }
}

/** Whoever was paid by a payout that was drafted and executed since. What was taken back whole has left nothing. */
async function matchUnknown(
  books: PayoutBooks,
  db: WriteDb,
  scope: Scope,
  transfer: OwnTransfer,
  sentIds: readonly string[],
): Promise<Told> {
  if (isReversed(transfer)) return ['taken_back'];
  if (isPartlyReversed(transfer)) return ['unmatched', 'partly_reversed'];
  const { connectedAccountId } = transfer;
  const why = await recoverPayout(books, db, scope, { ...transfer, provider: 'payvendor', connectedAccountId }, sentIds);
  if (why) return ['unmatched', why];
  await storeTransferOf(db, scope, storedAs(transfer, null));
  return ['recorded'];
}

/**
 * Makes the payout, with its commissions and its journal; it is processing then. Undefined when it was made; else nothing was
 * changed. What was drafted for the member since the restore makes way.
 */
export async function recoverPayout(
  books: PayoutBooks,
  db: WriteDb,
  scope: Scope,
  lost: Omit<Recovered, 'by' | 'startedAt'> & { createdAt: Date },
  sentIds: readonly string[],
): Promise<Why | undefined> {
  const { payoutId, attempt, memberId, currency, amountMinor, provider, connectedAccountId, createdAt: startedAt } = lost;
  const recovered = { payoutId, attempt, memberId, currency, amountMinor, provider, connectedAccountId, startedAt, by: BY };
  let { recovery, runId } = await insertRecovered(db, scope, recovered);
  if (recovery === 'no_lines') {
    await undoneUnless(db, async () => {
      const unsent = await cancelUnsent(db, scope, lost, sentIds);
      for (const one of unsent) tellPayout(db, OPERATOR, 'payout.cancelled', one.payoutId);
      if (unsent.length > 0) ({ recovery, runId } = await insertRecovered(db, scope, recovered));
      const emptied = new Set(unsent.map((one) => one.runId));
      if (recovery === 'made') for (const id of emptied) await endRunIfDone(db, scope, id, OPERATOR);
      return recovery === 'made';
    });
  }
  if (recovery !== 'made') return recovery;
  if (runId !== null) tellRun(db, OPERATOR, 'payout_run.updated', runId);
  await Promise.all([books.lines.lock(db, scope, [payoutId]), books.debts.lock(db, scope, [lost])]);
  // Changed since they were chosen: thrown away with the transaction, and tried again by the next run of the command.
  if (await haveLinesGone(db, scope, payoutId)) throw new LinesChanged();
  await moveOut(books, db, scope, payoutId);
  return undefined;
}

/** Undoes what `fn` did unless it returns true. */
export async function undoneUnless(db: WriteDb, fn: () => Promise<boolean>): Promise<boolean> {
  const undo = new Error('undone');
  try {
    await withSavepoint(db, async () => {
      if (!(await fn())) throw undo;
    });
    return true;
  } catch (error) {
    if (error !== undo) throw error;
    return false;
  }
}

/** Commissions were changed while they were taken: nothing was recorded. */
export class LinesChanged extends Error {
  constructor() {
    super('the commissions of a member are being changed; run the command again');
  }
}

async function moveOut(books: PayoutBooks, db: WriteDb, scope: Scope, payoutId: string): Promise<void> {
  const post = { cause: 'payout_processing', from: 'member:cleared', to: 'member:processing' } as const;
  await Promise.all([
    books.lines.move(db, scope, [payoutId], { from: 'cleared', to: 'processing' }),
    postMoves(db, scope, [payoutId], post),
  ]);
  tellPayout(db, OPERATOR, 'payout.processing', payoutId);
}

const storedAs = ({ payoutId, attempt, id, createdAt }: OwnTransfer, reversalId: string | null) => ({
  payoutId,
  attempt,
  transferId: id,
  reversalId,
  startedAt: createdAt,
});

const isReversed = ({ reversedMinor, amountMinor }: VendorTransfer): boolean => reversedMinor === amountMinor;
const isPartlyReversed = (one: VendorTransfer): boolean => one.reversedMinor > 0n && !isReversed(one);
