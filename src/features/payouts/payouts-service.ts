/** Payouts: listed, and what people do to one of them. Source: docs/specification/payouts.md#payout-states. */
import type { z } from 'zod';
import type { Provenance } from '../../actor.ts';
import type { Frames } from '../../db/frame.ts';
import { isShownTo, type WriteDb } from '../../db/scope.ts';
import { AppError, invalidField } from '../../errors.ts';
import type { CallContext, RequestContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import type { TwoHandsOffers } from '../two-hands/two-hands-feature.ts';
import { findHeld } from './holds/payout-hold-queries.ts';
import { type PayoutStatus, payoutCanMove } from './open/payout-states.ts';
import { type LockedPayout, lockPayout } from './payouts/payout-changes-queries.ts';
import type { listPayouts as listOperation, settlePayout as settleOperation } from './payouts/payouts-operations.ts';
import {
  type ConsumedLine,
  findPayout,
  listAttempts,
  listConsumedLines,
  listPayouts,
  listPayoutsSorted,
  type Payout,
  type PayoutAttempt,
  storeCancelled,
} from './payouts/payouts-queries.ts';
import { auditPayout, refuseHeld, requeuePayout } from './payouts/requeue-payout.ts';
import { endRunIfDone, type SettlePayout } from './payouts/settle-payout.ts';
import { tellAccounts, tellPayout } from './payouts-events.ts';
import type { PayoutFreeze } from './reconcile/freeze.ts';
import { lockDraftsBeside, readCutoff } from './runs/draft-queries.ts';
import { findRun } from './runs/runs-queries.ts';
import { refuseOfOnePair, reopenForRetry } from './runs/runs-service.ts';

type List = z.output<(typeof listOperation)['query'] & {}>;
type SettleInput = z.output<(typeof settleOperation)['body'] & {}>;

export interface PayoutWithAttempts extends Payout {
  attempts: PayoutAttempt[];
}

export interface PayoutsService {
  list(context: RequestContext, query: List): Promise<Page<Payout>>;
  /** NOT_FOUND. */
  read(context: RequestContext, payoutId: string): Promise<PayoutWithAttempts>;
  /** NOT_FOUND. */
  listLines(context: RequestContext, payoutId: string, query: Pick<List, 'limit' | 'cursor'>): Promise<Page<ConsumedLine>>;
  /** All of these: NOT_FOUND, STATE_CONFLICT. */
  cancel(context: CallContext, payoutId: string): Promise<Payout>;
  /** And PAYOUTS_FROZEN, and SECOND_PERSON_REQUIRED of a run of one pair of hands, under dual control. */
  retry(context: CallContext, payoutId: string): Promise<Payout>;
  /** 400 on a time in the future or before the draft. */
  settle(context: CallContext, payoutId: string, input: SettleInput): Promise<Payout>;
  returnPayout(context: CallContext, payoutId: string, reason: string): Promise<Payout>;
}

export function createPayoutsService({
  frames,
  cursors,
  settlePayout,
  twoHands,
  freeze,
}: {
  frames: Frames;
  cursors: Cursors;
  settlePayout: SettlePayout;
  twoHands: TwoHandsOffers;
  freeze: Pick<PayoutFreeze, 'refuse'>;
}): PayoutsService {
  /** Runs `fn` on the locked payout and returns it as it is then; `lockFirst` takes what is locked before payouts. */
  function change(
    { scope, guard, shape }: CallContext,
    payoutId: string,
    fn: (db: WriteDb, payout: LockedPayout) => Promise<void>,
    lockFirst?: (db: WriteDb) => Promise<void>,
  ): Promise<Payout> {
    return frames.write(
      scope,
      async (db) => {
        await lockFirst?.(db);
        const locked = await lockPayout(db, scope, payoutId);
        if (!locked) throw noSuchPayout();
        await fn(db, locked);
        const payout = await findPayout(db, scope, payoutId);
        if (!payout) throw new Error('a locked payout vanished');
        return payout;
      },
      { guard, shape },
    );
  }

  return {
    async list({ scope }, { limit, cursor, sort, ...filters }) {
      const list = { scope, operationId: 'listPayouts', filters: { ...filters, sort } };
      const afterId = cursors.open(cursor, list);
      const rows = await frames.read(scope, (db) =>
        sort === undefined
          ? listPayouts(db, scope, filters, afterId, limit + 1)
          : listPayoutsSorted(db, scope, filters, { sort, afterId }, limit + 1),
      );
      return cursors.page(rows, limit, list, (payout) => payout.id);
    },

    read: ({ scope }, payoutId) =>
      frames.read(scope, async (db) => {
        const [payout, attempts] = await Promise.all([findPayout(db, scope, payoutId), listAttempts(db, scope, payoutId)]);
        if (!payout || !isShownTo(scope, payout.memberId)) throw noSuchPayout();
        return { ...payout, attempts };
      }),

    async listLines({ scope }, payoutId, { limit, cursor }) {
      const list = { scope, operationId: 'listPayoutCommissions', filters: { payoutId } };
      const afterId = cursors.open(cursor, list);
      const [payout, rows] = await frames.read(scope, (db) =>
        Promise.all([findPayout(db, scope, payoutId), listConsumedLines(db, scope, payoutId, afterId, limit + 1)]),
      );
      if (!payout) throw noSuchPayout();
      return cursors.page(rows, limit, list, (line) => line.id);
    },

    cancel: (context, payoutId) =>
      change(context, payoutId, async (db, payout) => {
        refuseUnless(payout, 'cancelled', 'cancelled');
        await storeCancelled(db, context.scope, payoutId);
        tellPayout(db, context.scope.provenance, 'payout.cancelled', payoutId);
        await auditPayout(db, context.scope, payout, 'cancelled');
        // A run that is not executing is not held up for it.
        const run = await findRun(db, context.scope, runOf(payout));
        if (run?.status === 'executing') await endRunIfDone(db, context.scope, payout.runId, context.scope.provenance);
      }),

    retry: (context, payoutId) =>
      change(
        context,
        payoutId,
        async (db, payout) => {
          refuseUnless(payout, 'queued', 'retried');
          await freeze.refuse(db);
          refuseHeld(payout, await findHeld(db, context.scope, [payout.memberId]));
          await refuseOfOnePair(db, context.scope, runOf(payout), twoHands);
          await requeuePayout(db, context.scope, payoutId);
          tellPayout(db, context.scope.provenance, 'payout.queued', payoutId);
          await reopenForRetry(db, context.scope, runOf(payout), context.scope.provenance);
          await auditPayout(db, context.scope, payout, 'retried');
        },
        // As a draft does, which takes commissions in another order than this.
        (db) => lockDraftsBeside(db, context.scope, payoutId),
      ),

    settle: (context, payoutId, { reference, paidAt }) =>
      change(context, payoutId, async (db, payout) => {
        refuseVendors(payout);
        refuseUnless(payout, 'paid', 'settled');
        const at = paidAt === undefined ? null : new Date(paidAt);
        const { now } = await readCutoff(db, context.scope, undefined);
        if (at && at > now) throw invalidField('paidAt', 'must not be in the future');
        if (at && at < payout.createdAt) throw invalidField('paidAt', 'must not be before the payout was drafted');
        await settlePayout(db, context.scope, {
          payoutId,
          outcome: 'paid',
          reference,
          paidAt: at,
          by: context.scope.provenance,
        });
      }),

    returnPayout: (context, payoutId, reason) =>
      change(context, payoutId, async (db, payout) => {
        refuseVendors(payout);
        refuseUnless(payout, payout.status === 'processing' ? 'failed' : 'returned', 'returned');
        const told = { failureCode: 'RETURNED', failureMessage: reason, by: context.scope.provenance };
        await settlePayout(db, context.scope, { payoutId, outcome: 'returned', ...told });
      }),
  };
}

/** A settlement is never queued and never fails. */
function runOf({ runId }: LockedPayout): string {
  if (runId === null) throw new Error('a settlement is not cancelled or retried');
  return runId;
}

function refuseUnless({ status }: LockedPayout, to: PayoutStatus, done: string): void {
  if (!payoutCanMove(status, to)) throw new AppError('STATE_CONFLICT', `A ${status} payout cannot be ${done}`);
}

function refuseVendors({ providerType }: LockedPayout): void {
  if (providerType !== 'manual') {
    throw new AppError('STATE_CONFLICT', 'The payment vendor tells what becomes of this payout');
  }
}

function noSuchPayout(): AppError {
  return new AppError('NOT_FOUND', 'No such payout');
}

/**
 * The verified name of the member is another, or there is one now or none any more: `nameMatch` of its accounts follows.
 * They are told behind the commit, for this frame has not locked them.
 */
export function tellNameMatch(db: WriteDb, by: Pick<Provenance, 'actor'>, memberId: string): void {
  tellAccounts(db, by, memberId);
}
