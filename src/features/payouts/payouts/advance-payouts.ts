/**
 * The job that speaks to the payment provider about payouts: sends what is not sent, asks about what is.
 * Every call carries a key of its own, and each answer is kept in a commit of its own before the next call,
 * so a job that dies anywhere is taken up where it was, and the money moves once.
 */

import type { Logger } from 'pino';
import { bySystem } from '../../../actor.ts';
import type { Frames } from '../../../db/frame.ts';
import type { Scope } from '../../../db/scope.ts';
import { AppError } from '../../../errors.ts';
import { faultPoint } from '../../../fault-points.ts';
import type { LeasedHandler } from '../../../jobs/job.ts';
import {
  isRefusal,
  MONEY_REFUSED,
  type MoneyOrder,
  type PaymentVendor,
  type VendorPayout,
} from '../../../vendors/payments/payment-vendor.ts';
import { tellPayout } from '../payouts-events.ts';
import type { PayoutFreeze } from '../reconcile/freeze.ts';
import {
  checkLater,
  holdPayouts,
  type PayoutToAdvance,
  saveFinalRefusal,
  saveRefusal,
  saveReversal,
  saveReversalRefusal,
  saveSent,
  saveTransfer,
} from './advance-queries.ts';
import { ADVANCE_PAYOUTS } from './execute-payouts.ts';
import type { SettlePayout } from './settle-payout.ts';
import { AT_ONCE, type Claimed, takeClaimed } from './take-claimed.ts';

type Calls = PaymentVendor<unknown>;
type CallName = 'createTransfer' | 'findTransfer' | 'reverseTransfer' | 'createPayout' | 'findPayout' | 'readPayout';

/** What of a vendor payouts need, with the account of one tenant. */
export type PayoutVendor = {
  [Name in CallName]: Calls[Name] extends (account: unknown, ...rest: infer Rest) => infer Answer
    ? (...rest: Rest) => Answer
    : never;
};

export interface AdvanceDeps {
  /** Throws PROVIDER_CONFIGURATION when the tenant has no account there. */
  vendorOf(scope: Scope): Promise<PayoutVendor>;
  logger: Logger;
  settlePayout: SettlePayout;
  freeze: Pick<PayoutFreeze, 'isFrozen'>;
}

const BY = bySystem('advance-payouts');

/** Of what is under way: most is told by events long before. Of what could not be asked: sooner. */
const ASK_AFTER_SECONDS = [15, 60, 600, 3600, 21_600];
const TRY_AFTER_SECONDS = [5, 30, 120, 600, 3600];
/** Of what the tenant has to put right first; that it was, new settings tell at once, and the vendor at its next answer. */
const HELD_FOR_SECONDS = [...TRY_AFTER_SECONDS, 21_600];

export function createAdvancePayouts({ vendorOf, logger, settlePayout, freeze }: AdvanceDeps): LeasedHandler {
  /** Undefined: the tenant has no account there. All of the job's payouts wait then, of which one line is logged. */
  async function vendorOrHold(frames: Frames, scope: Scope, ids: readonly string[]): Promise<PayoutVendor | undefined> {
    try {
      return await vendorOf(scope);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'PROVIDER_CONFIGURATION') throw error;
      const trouble = { code: error.code, message: error.message };
      const held = await frames.write(scope, async (db) => {
        const { count, told } = await holdPayouts(db, scope, ids, HELD_FOR_SECONDS, trouble);
        for (const id of told) tellPayout(db, BY, 'payout.updated', id, { heard: true });
        return count;
      });
      if (held > 0) {
        logger.warn({ ...scope, code: error.code, ...error.details, payouts: held }, 'payouts wait for the payment settings');
      }
      return undefined;
    }
  }

  return {
    name: ADVANCE_PAYOUTS,
    kind: 'leased',
    lane: 'payouts',
    async run(frames, { scope, ids }, signal) {
      const payoutIds = Object.values(ids);
      const vendor = await vendorOrHold(frames, scope, payoutIds);
      if (!vendor) return;
      const next = takeClaimed(frames, scope, payoutIds, freeze);
      // Of a vendor that is away no more is asked: a sweep comes back to the rest.
      let unanswered = 0;
      const lane = async (): Promise<void> => {
        while (!signal.aborted && unanswered < AT_ONCE) {
          const claimed = await next();
          if (!claimed) return;
          const answered = await advance({ settlePayout, frames, scope, signal, ...claimed }, vendor);
          unanswered = answered ? 0 : unanswered + 1;
        }
      };
      const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, lane));
      for (const end of ended) if (end.status === 'rejected') throw end.reason;
    },
  };
}

interface Advancing extends Claimed {
  settlePayout: SettlePayout;
  frames: Frames;
  scope: Scope;
  signal: AbortSignal;
}

/** Takes one payout as far as it goes. What the provider has not answered is tried again later; false then. */
async function advance(advancing: Advancing, vendor: PayoutVendor): Promise<boolean> {
  const { payout } = advancing;
  try {
    const sent =
      payout.providerPayoutId === null ? await send(advancing, vendor) : await ask(advancing, vendor, payout.providerPayoutId);
    if (sent) await conclude(advancing, vendor, sent);
    return true;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const trouble = { code: reasonOf(error), message: error.message };
    const schedule = error.code === 'PROVIDER_CONFIGURATION' ? HELD_FOR_SECONDS : TRY_AFTER_SECONDS;
    await lookLater(advancing, after(schedule, payout.checks), trouble);
    return trouble.code === 'HELD';
  }
}

/** Transfer, then payout; undefined once it is known that nothing more will come of it now. */
async function send(advancing: Advancing, vendor: PayoutVendor): Promise<VendorPayout | undefined> {
  const { frames, scope, payout, isHeld } = advancing;
  const { connectedAccountId, bankAccountId } = payout;
  if (connectedAccountId === null || bankAccountId === null) {
    await settle(advancing, 'failed', { code: 'NO_ACCOUNT', message: 'The provider does not know the account' });
    return undefined;
  }
  const mark = { connectedAccountId, payoutId: payout.id, attempt: payout.attempt };
  if (payout.transferId === null) {
    // A search that is refused says nothing of whether there is one.
    const known = payout.isOld ? await vendor.findTransfer(mark) : undefined;
    if (!known && isHeld) return stop(advancing);
    const transfer =
      known ?? (await orRefusal(() => vendor.createTransfer(order(advancing, connectedAccountId, 'tr')), advancing));
    if ('refusal' in transfer) {
      await settle(advancing, 'failed', transfer.refusal);
      return undefined;
    }
    await faultPoint('payout:transferred');
    await frames.write(scope, (db) => saveTransfer(db, scope, payout, transfer.id), { repeatable: true });
    await faultPoint('payout:transfer-stored');
    payout.transferId = transfer.id;
  }
  if (payout.refusedCode !== null) return giveUp(advancing, vendor, payout.refusedCode);
  const known = payout.isOld ? await vendor.findPayout(mark) : undefined;
  const made =
    known ??
    (await orRefusal(() => vendor.createPayout({ ...order(advancing, connectedAccountId, 'po'), bankAccountId }), advancing));
  if ('refusal' in made) {
    if (made.refusal.code === 'insufficient_funds' && !payout.isOverdue) {
      await frames.write(scope, (db) => saveRefusal(db, scope, payout), { repeatable: true });
      throw new AppError('STATE_CONFLICT', 'The money has not reached the connected account yet', {
        details: { reason: 'funds_not_arrived' },
      });
    }
    const { code } = made.refusal;
    await frames.write(scope, (db) => saveFinalRefusal(db, scope, payout, code), { repeatable: true });
    await faultPoint('payout:refusal-stored');
    return giveUp(advancing, vendor, code);
  }
  await faultPoint('payout:sent');
  await frames.write(
    scope,
    async (db) => {
      const isTold = changesTrouble(payout, undefined);
      const sent = { providerPayoutId: made.id, checkInSeconds: ASK_AFTER_SECONDS[0] ?? 0, isLast: !isTold };
      const isStored = await saveSent(db, scope, payout, sent);
      if (isStored && isTold) tellPayout(db, BY, 'payout.updated', payout.id);
    },
    { repeatable: true },
  );
  Object.assign(payout, { failureCode: null, failureMessage: null });
  await faultPoint('payout:sent-stored');
  return isOver(made) ? made : undefined;
}

interface Trouble {
  code: string;
  message: string;
}

/** As `checkLater`. */
async function lookLater(
  { frames, scope, payout }: Advancing,
  inSeconds: number | null,
  trouble: Trouble | undefined,
): Promise<void> {
  await frames.write(
    scope,
    async (db) => {
      const isTold = changesTrouble(payout, trouble);
      const isStored = await checkLater(db, scope, payout, inSeconds, { trouble, isLast: !isTold });
      if (isStored && isTold) tellPayout(db, BY, 'payout.updated', payout.id);
    },
    { repeatable: true },
  );
}

/** What holds up a payout is shown with it. It is told of a row alone that was written: another may be changed and told at once. */
function changesTrouble({ status, failureCode, failureMessage }: PayoutToAdvance, trouble: Trouble | undefined): boolean {
  if (status !== 'processing') return false;
  return failureCode !== (trouble?.code ?? null) || failureMessage !== (trouble?.message.slice(0, 500) ?? null);
}

/** Waits for the end of the hold until a transfer cannot be on its way any more; then the commissions are free again. */
async function stop(advancing: Advancing): Promise<undefined> {
  const told = { code: 'HELD', message: 'Payouts to the member are on hold' };
  if (!advancing.payout.isOld) throw new AppError('STATE_CONFLICT', told.message, { details: { reason: told.code } });
  await settle(advancing, 'failed', told);
}

/** Kept before the transfer is taken back: no money of it is there any more, once that may have been done. */
async function giveUp(advancing: Advancing, vendor: PayoutVendor, code: string): Promise<undefined> {
  await takeBack(advancing, vendor);
  await settle(advancing, 'failed', { code, message: MONEY_REFUSED });
  return undefined;
}

async function ask(advancing: Advancing, vendor: PayoutVendor, providerPayoutId: string): Promise<VendorPayout | undefined> {
  const { payout } = advancing;
  const found = await vendor.readPayout(payout.connectedAccountId ?? '', providerPayoutId);
  // Another account of the tenant's there has it, or none in a SANDBOX whose vendor is simulated now.
  if (!found) throw new AppError('PROVIDER_CONFIGURATION', 'The provider does not know a payout that it has made');
  if (isOver(found)) return found;
  const seconds = payout.status === 'paid' ? null : after(ASK_AFTER_SECONDS, payout.checks + 1);
  await lookLater(advancing, seconds, undefined);
  return undefined;
}

async function conclude(advancing: Advancing, vendor: PayoutVendor, { status, failureCode }: VendorPayout): Promise<void> {
  const { payout } = advancing;
  if (status === 'paid') {
    if (payout.status === 'processing') return settle(advancing, 'paid');
    return lookLater(advancing, null, undefined);
  }
  await takeBack(advancing, vendor);
  return settle(advancing, 'failed', {
    code: failureCode ?? status,
    message: status === 'canceled' ? 'The payout was cancelled at the provider' : 'The bank did not take the payout',
  });
}

/** The money comes back from the connected account before the commissions are cleared again: so a retry moves it once. */
async function takeBack(advancing: Advancing, vendor: PayoutVendor): Promise<void> {
  const { frames, scope, payout } = advancing;
  if (payout.transferId === null || payout.reversalId !== null) return;
  const reversal = await reverse(advancing, vendor, payout.transferId);
  await faultPoint('payout:reversed');
  await frames.write(scope, (db) => saveReversal(db, scope, payout, reversal.id), { repeatable: true });
  await faultPoint('payout:reversal-stored');
}

/** A refusal is counted, for the next request goes by another key; what is not known is asked again by the same. */
async function reverse({ frames, scope, payout }: Advancing, vendor: PayoutVendor, transferId: string): Promise<{ id: string }> {
  try {
    return await vendor.reverseTransfer(transferId, keyOf('rev', payout));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    await faultPoint('payout:reversal-refused');
    await frames.write(scope, (db) => saveReversalRefusal(db, scope, payout), { repeatable: true });
    throw new AppError('STATE_CONFLICT', `The payment provider does not take the transfer back: ${reasonOf(error)}`, {
      details: { reason: 'reversal_refused' },
      cause: error,
    });
  }
}

async function settle(
  { frames, scope, payout, settlePayout }: Advancing,
  outcome: 'paid' | 'failed',
  failure?: { code: string; message: string },
): Promise<void> {
  const told = failure ? { failureCode: failure.code, failureMessage: failure.message } : {};
  const settlement = {
    payoutId: payout.id,
    attempt: payout.attempt,
    outcome,
    ...told,
    by: BY,
  } as const;
  await frames.write(scope, (db) => settlePayout(db, scope, settlement), { repeatable: true });
}

/** Begins a call in time. A refusal is returned: it is known that nothing has happened. */
async function orRefusal<T extends object>(
  call: () => Promise<T>,
  { signal, lastCallAt, payout }: Advancing,
): Promise<T | { refusal: { code: string; message: string } }> {
  if (signal.aborted || performance.now() > lastCallAt) {
    throw new AppError('PROVIDER_UNAVAILABLE', 'The provider is slow; the payout is taken up later');
  }
  try {
    return await call();
  } catch (error) {
    // Of one that was asked for before: another account of the tenant's there may have it.
    if (!isRefusal(error) || (payout.checks > 0 && reasonOf(error) === 'unknown_account')) throw error;
    return { refusal: { code: reasonOf(error), message: error.message } };
  }
}

function reasonOf({ code, details }: AppError): string {
  const reason = details?.['reason'];
  return typeof reason === 'string' ? reason : code;
}

function order({ scope, payout }: Advancing, connectedAccountId: string, kind: 'tr' | 'po'): MoneyOrder {
  return {
    connectedAccountId,
    currency: payout.currency,
    amountMinor: payout.amountMinor,
    metadata: {
      tenant_id: scope.tenantId,
      environment: scope.environment,
      user_id: payout.memberId,
      payout_id: payout.id,
      attempt: `${payout.attempt}`,
    },
    idempotencyKey: keyOf(kind, payout),
  };
}

/** What was refused for certain is asked for by another key: the provider repeats its answer to one. */
function keyOf(kind: 'tr' | 'po' | 'rev', { id, attempt, ...refused }: PayoutToAdvance): string {
  const refusals = { tr: 0, po: refused.refusals, rev: refused.reversalRefusals }[kind];
  return `${kind}:${id}:${attempt}${refusals > 0 ? `:${refusals}` : ''}`;
}

function isOver({ status }: VendorPayout): boolean {
  return status === 'paid' || status === 'failed' || status === 'canceled';
}

function after(schedule: readonly number[], times: number): number {
  return schedule[Math.min(times, schedule.length - 1)] ?? 0;
}
