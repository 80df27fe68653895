import { type Route, route } from '../../../http/route.ts';
import { minorSum } from '../../../money.ts';
import type { BooksOfRun } from './books-queries.ts';
import type { FormerRun, RunDifference } from './difference-queries.ts';
import { getBlockedReasons, type ReviewAnswer, reviewPayoutRun } from './review-operations.ts';
import type { ReviewService, RunReview } from './review-service.ts';

/** Of each list. */
const SHOWN = 10;

export function reviewRoutes(reviews: ReviewService): Route[] {
  return [
    route(
      getBlockedReasons,
      ({ params, ...context }) => reviews.blockedReasons(context, params.runId),
      (reasons) => ({
        status: 200,
        body: {
          data: reasons.map(({ amountMinor, ...counted }) => ({ ...counted, ...minorSum('amountMinor', amountMinor) })),
        },
      }),
    ),
    route(
      reviewPayoutRun,
      ({ params, ...context }) => reviews.review(context, params.runId),
      (review) => ({ status: 200, body: reviewBody(review) }),
    ),
  ];
}

function reviewBody({ asOf, stale, books, previous, difference, largest, refused }: RunReview): ReviewAnswer {
  return {
    asOf,
    stale,
    ledger: ledgerBody(books),
    previous: previous ? previousBody(previous) : null,
    difference: difference ? differenceBody(difference) : null,
    largest: largest.map(({ payoutId, memberId, amountMinor }) => ({
      payoutId,
      userId: memberId,
      ...minorSum('amountMinor', amountMinor),
    })),
    changedSinceDraft: {
      ...counted(
        refused.length,
        refused.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
      ),
      first: refused
        .slice(0, SHOWN)
        .flatMap(({ payoutId, memberId, reason }) => (reason === null ? [] : [{ payoutId, userId: memberId, reason }])),
    },
  };
}

/**
 * What came or went since the draft is what the commissions say beyond it, less what payouts have taken of them. So what a
 * payout says beyond its commissions is a difference, as is what the ledger says, which is a book of its own.
 */
function ledgerBody(books: BooksOfRun) {
  const { runMinor, blockedMinor, elsewhereMinor, laterMinor, clearedMinor, takenMinor, ledgerMinor } = books;
  const changedMinor = clearedMinor - takenMinor - blockedMinor - laterMinor;
  const differenceMinor = ledgerMinor - runMinor - blockedMinor - elsewhereMinor - laterMinor - changedMinor;
  return {
    ...minorSum('runMinor', runMinor),
    ...minorSum('blockedMinor', blockedMinor),
    ...minorSum('elsewhereMinor', elsewhereMinor),
    ...minorSum('laterMinor', laterMinor),
    ...minorSum('changedMinor', changedMinor),
    ...minorSum('ledgerMinor', ledgerMinor),
    ...minorSum('differenceMinor', differenceMinor),
    equal: differenceMinor === 0n,
  };
}

function previousBody({ count, totalMinor, ...run }: FormerRun) {
  return { ...run, payouts: counted(count, totalMinor) };
}

function differenceBody({ joinedCount, joinedMinor, goneCount, goneMinor, more, less, changes }: RunDifference) {
  return {
    joined: counted(joinedCount, joinedMinor),
    gone: counted(goneCount, goneMinor),
    more,
    less,
    largestChanges: changes.map(({ userId, before, now }) => ({
      userId,
      ...minorSum('beforeMinor', before),
      ...minorSum('nowMinor', now),
    })),
  };
}

function counted(count: number, totalMinor: bigint) {
  return { count, ...minorSum('totalMinor', totalMinor) };
}
