/** What a review at the vendor means for us. Source: docs/specification/verification.md#vendor-review. */
import type { VendorReview, VendorReviewResult } from '../../../vendors/kyc/kyc-vendor.ts';
import type { KycStatus } from '../open/kyc-states.ts';

export interface Verdict {
  status: KycStatus;
  /** Of a rejection, or of what is to be sent in again; may be shown to the member. */
  reason: string | null;
}

const WAITING = new Set(['pending', 'prechecked', 'queued', 'awaitingService', 'onHold']);

/** A result before `completed` is a partial one, and decides nothing. Undefined: a status we do not know. */
export function verdictOf({ reviewStatus, reviewResult }: VendorReview): Verdict | undefined {
  if (WAITING.has(reviewStatus)) return { status: 'pending', reason: null };
  if (reviewStatus === 'awaitingUser') return { status: 'resubmit_required', reason: reasonOf(reviewResult) };
  if (reviewStatus === 'init') {
    const again = reviewResult?.reviewAnswer === 'RED' && reviewResult.reviewRejectType === 'RETRY';
    return again ? { status: 'resubmit_required', reason: reasonOf(reviewResult) } : { status: 'not_started', reason: null };
  }
  if (reviewStatus !== 'completed') return undefined;
  if (reviewResult?.reviewAnswer === 'GREEN') return { status: 'approved', reason: null };
  if (reviewResult?.reviewAnswer !== 'RED') return undefined;
  // Without a reject type too: both deny access, and from this one there is a way back.
  return { status: reviewResult.reviewRejectType === 'FINAL' ? 'rejected' : 'resubmit_required', reason: reasonOf(reviewResult) };
}

const MAX_REASON = 2000;
const NO_REASON = 'The provider gave no reason';

function reasonOf(result: VendorReviewResult | null | undefined): string {
  const comment = result?.moderationComment?.trim() ?? '';
  const reason = comment === '' ? (result?.rejectLabels ?? []).join(', ') : comment;
  // A character of two halves is not cut in the middle.
  return reason === ''
    ? NO_REASON
    : Array.from(reason)
        .slice(0, MAX_REASON / 2)
        .join('');
}
