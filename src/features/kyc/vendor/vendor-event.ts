/** What an event of the KYC vendor means for a record. Pure functions. Source: docs/specification/webhooks.md#kyc-order. */
import type { VendorReview } from '../../../vendors/kyc/kyc-vendor.ts';
import type { KycStatus } from '../open/kyc-states.ts';
import type { KycRecord } from '../records/kyc-record-queries.ts';
import type { VendorEvent } from './vendor-payload.ts';
import { type Verdict, verdictOf } from './vendor-review.ts';

export type EventEffect =
  /** Kept, and nothing else. */
  | { kind: 'none' }
  /** The applicant is there: its id is learned. */
  | { kind: 'created' }
  /** The applicant is gone: its id is dropped, so that another start makes a new one. */
  | { kind: 'deleted' }
  /** Something about it has changed that the event does not tell: the vendor is asked soon. */
  | { kind: 'ask' }
  | { kind: 'verdict'; verdict: Verdict }
  /** All starts again, by the vendor's doing. */
  | { kind: 'reset' }
  /** Another level: how far it got is for the vendor to tell, before anything is changed. */
  | { kind: 'level' };

export type EventOutcome = 'applied' | 'no_change' | 'older' | 'not_confirmed' | 'held_by_staff';

export interface Decision {
  outcome: EventOutcome;
  /** The record moves to this, or stays with another reason. */
  change?: Verdict;
  /** It counted: events before it do not any more. */
  counts?: true;
  /** The applicant id of the event is the record's from now on, unless that applicant was deleted. */
  learn?: true;
  /** The record has no applicant any more. */
  forget?: true;
  /** So soon the vendor is to be asked. */
  askInSeconds?: number;
}

/**
 * Days for which an event is kept, and so known again: longer than any repeat of the vendor's takes, and than
 * anybody asks why a member was verified. The decision itself is in the audit log for good.
 */
export const REMEMBERED_DAYS = 400;

const DAY_MS = 86_400_000;

/**
 * Whether it is so old that it may have been forgotten. Its signature has no time in it: a delivery that somebody
 * kept would count a second time. A day sooner than it is forgotten, for the clocks of two machines.
 */
export function isBeyondMemory({ createdAt }: Pick<VendorEvent, 'createdAt'>, now: number): boolean {
  return createdAt !== null && createdAt.getTime() < now - (REMEMBERED_DAYS - 1) * DAY_MS;
}

/** Types whose effect does not depend on anything else. What is not named here or in `effectOf` is kept only. */
const PLAIN: Readonly<Record<string, EventEffect>> = {
  applicantCreated: { kind: 'created' },
  applicantPending: { kind: 'verdict', verdict: { status: 'pending', reason: null } },
  applicantPrechecked: { kind: 'verdict', verdict: { status: 'pending', reason: null } },
  applicantAwaitingService: { kind: 'verdict', verdict: { status: 'pending', reason: null } },
  applicantOnHold: { kind: 'verdict', verdict: { status: 'pending', reason: null } },
  applicantReset: { kind: 'reset' },
  applicantLevelChanged: { kind: 'level' },
  applicantWorkflowFailed: { kind: 'ask' },
  applicantPersonalInfoChanged: { kind: 'ask' },
  applicantDeleted: { kind: 'deleted' },
  applicantPersonalDataDeleted: { kind: 'deleted' },
};

const NONE: EventEffect = { kind: 'none' };

export function effectOf({ type, applicantType, reviewStatus, reviewResult }: VendorEvent): EventEffect {
  if (applicantType === 'company') return NONE;
  if (type === 'applicantAwaitingUser' || type === 'applicantStepsReset') {
    return effectOfReview({ reviewStatus: 'awaitingUser', reviewResult });
  }
  if (type === 'applicantReviewed' || type === 'applicantWorkflowCompleted') {
    // A result before that is a partial one.
    return reviewStatus === 'completed' ? effectOfReview({ reviewStatus, reviewResult }) : NONE;
  }
  return Object.hasOwn(PLAIN, type) ? (PLAIN[type] ?? NONE) : NONE;
}

function effectOfReview(review: VendorReview): EventEffect {
  const verdict = verdictOf(review);
  return verdict ? { kind: 'verdict', verdict } : NONE;
}

/** What the vendor says when asked: undefined when it knows no such applicant. */
export interface Asked {
  review: VendorReview | undefined;
}

type Seen = Pick<KycRecord, 'provider' | 'providerApplicantId' | 'status' | 'rejectionReason' | 'decidedBy' | 'lastEventAt'>;

const ASK_AT_ONCE = 0;
/** After an event that the vendor does not stand by: it may be about to. */
const ASK_AGAIN_SECONDS = 60;

/**
 * What an event does to its record. `ask_first`: it counts only if the vendor, asked with our own
 * credentials, says so too, and it was not asked yet. In whatever order events come, the latest by the
 * vendor's clock decides in the end.
 */
export function decideEvent(record: Seen, event: VendorEvent, asked: Asked | undefined): Decision | 'ask_first' {
  const effect = effectOf(event);
  if (record.provider !== 'kycvendor' || effect.kind === 'none' || isOfAnother(record, event)) return { outcome: 'no_change' };
  if (effect.kind === 'deleted') return forgetting(record, event);
  const learning = record.providerApplicantId === null && event.applicantId !== null ? ({ learn: true } as const) : {};
  if (effect.kind === 'created') return { outcome: 'learn' in learning ? 'applied' : 'no_change', ...learning };
  const held = record.decidedBy === 'admin' && effect.kind !== 'reset';
  if (effect.kind === 'ask') return held ? { outcome: 'held_by_staff' } : { outcome: 'no_change', askInSeconds: ASK_AT_ONCE };
  if (isOlder(record, event)) return { outcome: 'older' };
  if (held) return { outcome: 'held_by_staff', ...learning };
  // Whether it is newer than what counted cannot be told.
  if (event.createdAt === null) return { outcome: 'not_confirmed', ...learning, askInSeconds: ASK_AT_ONCE };
  if (effect.kind === 'reset' && record.decidedBy === 'admin') return { ...releasing(record), ...learning };
  if (needsAsking(effect) && !asked) return 'ask_first';
  const verdict = confirmed(record, effect, asked?.review);
  if (!verdict) return { outcome: 'not_confirmed', ...learning, askInSeconds: ASK_AGAIN_SECONDS };
  if (isSame(record.lastEventAt, event.createdAt) && !outranks(verdict, record)) return { outcome: 'older', ...learning };
  const same = record.status === verdict.status && record.rejectionReason === verdict.reason;
  return { outcome: same ? 'no_change' : 'applied', ...(same ? {} : { change: verdict }), counts: true, ...learning };
}

/** Of a member who was another applicant once, or of an applicant who is another member. */
function isOfAnother({ providerApplicantId }: Seen, { applicantId }: VendorEvent): boolean {
  return providerApplicantId !== null && applicantId !== null && providerApplicantId !== applicantId;
}

/** Whenever it was: a deleted applicant does not come back. */
function forgetting({ providerApplicantId }: Seen, { applicantId }: VendorEvent): Decision {
  return providerApplicantId !== null && providerApplicantId === applicantId
    ? { outcome: 'applied', forget: true }
    : { outcome: 'no_change' };
}

/**
 * A reset at the vendor gives back to it what staff had decided. What staff wants sent in again still
 * has to be. The vendor is asked, for what it has decided since the reset may have come before it, and was held.
 */
function releasing(record: Seen): Decision {
  const stays = record.status === 'resubmit_required';
  const change: Verdict = stays
    ? { status: 'resubmit_required', reason: record.rejectionReason }
    : { status: 'not_started', reason: null };
  return { outcome: 'applied', change, counts: true, askInSeconds: ASK_AGAIN_SECONDS };
}

function needsAsking(effect: EventEffect): boolean {
  return effect.kind === 'level' || (effect.kind === 'verdict' && effect.verdict.status === 'approved');
}

function confirmed(record: Seen, effect: EventEffect, review: VendorReview | undefined): Verdict | undefined {
  if (effect.kind === 'reset') {
    // Staff wants papers sent in again, and the reset is the one that was asked for because of it.
    const asked = record.status === 'resubmit_required' && record.decidedBy === null;
    return asked ? { status: record.status, reason: record.rejectionReason } : { status: 'not_started', reason: null };
  }
  if (effect.kind === 'level') {
    return review && { status: review.reviewStatus === 'init' ? 'not_started' : 'pending', reason: null };
  }
  if (effect.kind !== 'verdict') return undefined;
  if (effect.verdict.status !== 'approved') return effect.verdict;
  return review && verdictOf(review)?.status === 'approved' ? effect.verdict : undefined;
}

function isOlder({ lastEventAt }: Seen, { createdAt }: VendorEvent): boolean {
  return lastEventAt !== null && createdAt !== null && createdAt.getTime() < lastEventAt.getTime();
}

function isSame(one: Date | null, other: Date): boolean {
  return one !== null && one.getTime() === other.getTime();
}

/** Of two events of one instant the same one wins whichever comes first: what is final over what is not, a refusal over all. */
const RANK: Readonly<Record<KycStatus, number>> = {
  not_started: 0,
  pending: 1,
  resubmit_required: 2,
  approved: 3,
  rejected: 4,
};

function outranks({ status, reason }: Verdict, present: Seen): boolean {
  const difference = RANK[status] - RANK[present.status];
  return difference === 0 ? (reason ?? '') > (present.rejectionReason ?? '') : difference > 0;
}
