/** What an approver of a run has to see, at one moment. Source: docs/specification/payouts.md#review. */
import type { Frames } from '../../../db/frame.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import type { RequestContext } from '../../../http/operation.ts';
import type { NameJudge } from '../names/judge-names.ts';
import { isStaleDraft } from '../open/draft-age.ts';
import { BLOCK_REASONS } from '../open/payout-states.ts';
import { readCutoff } from '../runs/draft-queries.ts';
import { findRun, findRunWithTerms } from '../runs/runs-queries.ts';
import { noSuchRun } from '../runs/runs-service.ts';
import { PAYMENT_DEFAULTS } from '../settings/payment-settings.ts';
import { paymentSettingsStatement } from '../settings/payment-settings-queries.ts';
import { type BooksOfRun, readBooks } from './books-queries.ts';
import { compareRuns, type FormerRun, findFormerRun, type RunDifference } from './difference-queries.ts';
import { type LikelyRefusal, listLikelyRefusals } from './likely-refusals-queries.ts';
import { type BlockedReason, countBlocked, type LargePayout, listLargest } from './review-queries.ts';

export interface RunReview {
  asOf: Date;
  stale: boolean;
  books: BooksOfRun;
  previous: FormerRun | undefined;
  difference: RunDifference | undefined;
  largest: LargePayout[];
  refused: LikelyRefusal[];
}

export interface ReviewService {
  /** NOT_FOUND. In the order of their precedence. */
  blockedReasons(context: RequestContext, runId: string): Promise<BlockedReason[]>;
  /** NOT_FOUND. */
  review(context: RequestContext, runId: string): Promise<RunReview>;
}

export function createReviewService({
  frames,
  names,
}: {
  frames: Frames;
  names: Pick<NameJudge, 'previewAccounts'>;
}): ReviewService {
  /** A name that an execution would compare first is compared as it would be. */
  async function judged(db: Db, scope: Scope, likely: readonly LikelyRefusal[]): Promise<LikelyRefusal[]> {
    const open = new Set(likely.filter(({ isUnjudged, reason }) => isUnjudged && (reason === null || reason === 'CHANGED')));
    const ids = [...open].map(({ accountId }) => accountId);
    const matches = ids.length === 0 ? undefined : await names.previewAccounts(db, scope, ids);
    return likely
      .map((one) => (open.has(one) && matches?.get(one.accountId) === 'mismatch' ? mismatched(one) : one))
      .filter(({ reason }) => reason !== null);
  }

  return {
    blockedReasons: ({ scope }, runId) =>
      frames.read(scope, async (db) => {
        const [run, counted] = await Promise.all([findRun(db, scope, runId), countBlocked(db, scope, runId)]);
        if (!run) throw noSuchRun();
        return counted.toSorted((a, b) => BLOCK_REASONS.indexOf(a.reason) - BLOCK_REASONS.indexOf(b.reason));
      }),

    review: ({ scope }, runId) =>
      frames.read(
        scope,
        async (db) => {
          const run = await findRunWithTerms(db, scope, runId);
          if (!run) throw noSuchRun();
          const { currency, cutoffAt: cutoff, createdAt: draftedAt, executedAt } = run;
          const [{ now }, [{ requireKyc } = PAYMENT_DEFAULTS], books, previous, largest] = await Promise.all([
            readCutoff(db, scope, undefined),
            db.rows(paymentSettingsStatement(scope)),
            readBooks(db, scope, { runId, currency, cutoff }),
            findFormerRun(db, scope, { runId, currency, executedAt }),
            listLargest(db, scope, runId),
          ]);
          const [likely, difference] = await Promise.all([
            listLikelyRefusals(db, scope, { runId, currency, draftedAt, requireKyc, ...books }, { requireKyc: run.requiredKyc }),
            previous && compareRuns(db, scope, runId, previous.runId),
          ]);
          return {
            asOf: now,
            stale: run.status === 'draft' && isStaleDraft(draftedAt, now),
            books,
            previous,
            difference,
            largest,
            refused: await judged(db, scope, likely),
          };
        },
        { snapshot: true },
      ),
  };
}

function mismatched(likely: LikelyRefusal): LikelyRefusal {
  return { ...likely, reason: 'NAME_MISMATCH' };
}
