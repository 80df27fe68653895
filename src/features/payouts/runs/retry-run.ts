/** What failed of a run, tried again together. Source: docs/specification/payouts.md#retry-run. */
import type { z } from 'zod';
import type { Frames } from '../../../db/frame.ts';
import { withSavepoint } from '../../../db/savepoint.ts';
import { AppError } from '../../../errors.ts';
import { faultPoint } from '../../../fault-points.ts';
import type { CallContext } from '../../../http/operation.ts';
import type { TwoHandsOffers } from '../../two-hands/two-hands-feature.ts';
import { findHeld } from '../holds/payout-hold-queries.ts';
import { auditPayout, refuseHeld, requeuePayout } from '../payouts/requeue-payout.ts';
import { tellPayout } from '../payouts-events.ts';
import type { PayoutFreeze } from '../reconcile/freeze.ts';
import { lockDraftsOf } from './draft-queries.ts';
import type { retryPayoutRun } from './retry-run-operations.ts';
import { countFailed, lockFailed } from './retry-run-queries.ts';
import { allowLongStatements, findRun } from './runs-queries.ts';
import { noSuchRun, refuseOfOnePair, reopenForRetry } from './runs-service.ts';

type Input = z.output<(typeof retryPayoutRun)['body'] & {}>;

/** Of one request, in one transaction. */
const MOST = 500;

export interface Retried {
  retried: number;
  refused: { payoutId: string; code: string; message: string }[];
  /** Failed payouts behind these. */
  remaining: number;
  lastPayoutId: string | null;
}

/** NOT_FOUND; PAYOUTS_FROZEN; SECOND_PERSON_REQUIRED of a run of one pair of hands, under dual control. */
export type RetryRun = (context: CallContext, runId: string, input: Input) => Promise<Retried>;

export function createRetryRun({
  frames,
  twoHands,
  freeze,
}: {
  frames: Frames;
  twoHands: TwoHandsOffers;
  freeze: Pick<PayoutFreeze, 'refuse'>;
}): RetryRun {
  return ({ scope, guard, shape }, runId, input) =>
    frames.write(
      scope,
      async (db) => {
        const run = await findRun(db, scope, runId);
        if (!run) throw noSuchRun();
        await freeze.refuse(db);
        await refuseOfOnePair(db, scope, runId, twoHands);
        await allowLongStatements(db);
        // Before the first commission is taken: drafts and reconciliations hold this while they take theirs.
        await lockDraftsOf(db, scope, run.currency);
        // Payouts before their run, as whoever settles one of them takes the two.
        const failed = await lockFailed(db, scope, runId, input?.afterPayoutId, MOST);
        const memberIds = failed.map(({ memberId }) => memberId);
        const held = failed.length === 0 ? new Set<string>() : await findHeld(db, scope, memberIds);
        const result: Retried = { retried: 0, refused: [], remaining: 0, lastPayoutId: failed.at(-1)?.id ?? null };
        for (const payout of failed) {
          try {
            refuseHeld(payout, held);
            await withSavepoint(db, () => requeuePayout(db, scope, payout.id));
            await faultPoint('payout:requeued');
          } catch (error) {
            if (!(error instanceof AppError) || error.code !== 'STATE_CONFLICT') throw error;
            result.refused.push({ payoutId: payout.id, code: error.code, message: error.message });
            continue;
          }
          result.retried++;
          tellPayout(db, scope.provenance, 'payout.queued', payout.id);
          await auditPayout(db, scope, payout, 'retried');
        }
        if (result.retried > 0) await reopenForRetry(db, scope, runId, scope.provenance);
        if (failed.length === MOST) result.remaining = await countFailed(db, scope, runId, result.lastPayoutId);
        return result;
      },
      { guard, shape },
    );
}
