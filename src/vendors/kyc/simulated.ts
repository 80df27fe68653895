/**
 * The KYC vendor of a SANDBOX that has no account with the real one. It decides by the end of the
 * member's email, before the @, and otherwise as it is told.
 */
import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { AppError } from '../../errors.ts';
import type { Applicant, SdkToken, VendorFindings, VendorReview } from './kyc-vendor.ts';
import { reviewShape } from './review-shape.ts';
import { misconfigured } from './vendor-calls.ts';

/** What it knows of an applicant. */
const simulatedReview = reviewShape.extend({
  /** What it says once its word so far has been taken note of. */
  next: reviewShape.nullish(),
});

export type SimulatedReview = z.infer<typeof simulatedReview>;

/** Where it keeps what it knows of one applicant. */
export interface SimulatedMemory {
  read(): Promise<unknown>;
  write(review: SimulatedReview): Promise<void>;
}

const PENDING = { reviewStatus: 'pending' };
const completed = (reviewResult: VendorReview['reviewResult']): SimulatedReview => ({
  ...PENDING,
  next: { reviewStatus: 'completed', reviewResult },
});

const OUTCOMES: Record<string, SimulatedReview> = {
  approve: completed({ reviewAnswer: 'GREEN' }),
  reject: completed({
    reviewAnswer: 'RED',
    reviewRejectType: 'FINAL',
    rejectLabels: ['FORGERY'],
    moderationComment: 'The document is not genuine',
  }),
  resubmit: completed({
    reviewAnswer: 'RED',
    reviewRejectType: 'RETRY',
    rejectLabels: ['BAD_PHOTO'],
    moderationComment: 'The photograph is not readable',
  }),
  pending: PENDING,
};

const PREFIX = 'sim-';

/** Its ids are told from the real vendor's. */
export function isSimulated(applicantId: string): boolean {
  return applicantId.startsWith(PREFIX);
}

export interface SimulatedVendor {
  ensureApplicant(applicant: Applicant): Promise<string>;
  /** What the applicant would do with it is done at once: the papers are in. */
  createSdkToken(applicant: Applicant, ttlInSecs: number): Promise<SdkToken>;
  /** `heeded` is its word that the record goes by already: `next` follows it. */
  readReview(heeded: (review: VendorReview) => boolean): Promise<VendorReview>;
  /** As stated, so nothing differs; what it thinks of the papers goes by `review`. */
  readFindings(stated: Stated, review: VendorReview): VendorFindings;
  resetApplicant(): Promise<boolean>;
}

/** What the member has said of itself. */
export interface Stated extends Pick<Applicant, 'givenName' | 'surname' | 'dateOfBirth' | 'countryCode'> {
  idNumber: string | null;
}

export function createSimulatedVendor(memory: SimulatedMemory): SimulatedVendor {
  return {
    async ensureApplicant(applicant) {
      outcomeOf(applicant.email);
      return PREFIX + applicant.externalUserId;
    },

    async createSdkToken({ email }, ttlInSecs) {
      const outcome = outcomeOf(email);
      const present = await recall(memory);
      // What was decided stays until it is reset, save where something was to be sent in again.
      if (outcome && takesPapers(present)) await memory.write(outcome);
      return {
        token: `sim_${randomBytes(24).toString('base64url')}`,
        expiresAt: new Date(Date.now() + ttlInSecs * 1000),
      };
    },

    async readReview(heeded) {
      const { next, ...present } = await recall(memory);
      return next && heeded(present) ? next : present;
    },

    readFindings({ givenName, surname, dateOfBirth, countryCode, idNumber }, review) {
      const { reviewAnswer, moderationComment } = review.reviewResult ?? {};
      const rejected = reviewAnswer === 'RED';
      const other = reviewAnswer === 'GREEN' ? 'accepted' : 'pending';
      const identity = rejected ? 'rejected' : other;
      return {
        givenName,
        surname,
        dateOfBirth,
        countryCode,
        idNumbers: idNumber === null ? [] : [idNumber],
        documents: [
          { documentType: 'ID_CARD', verdict: identity, words: rejected ? (moderationComment ?? null) : null },
          { documentType: 'SELFIE', verdict: other, words: null },
        ],
        review,
      };
    },

    async resetApplicant() {
      await memory.write({ reviewStatus: 'init' });
      return true;
    },
  };
}

async function recall(memory: SimulatedMemory): Promise<SimulatedReview> {
  const known = simulatedReview.safeParse(await memory.read());
  return known.success ? known.data : { reviewStatus: 'init' };
}

function takesPapers(present: SimulatedReview): boolean {
  const said = present.next ?? present;
  return said.reviewStatus === 'init' || said.reviewStatus === 'awaitingUser' || said.reviewResult?.reviewRejectType === 'RETRY';
}

/** Undefined: it says nothing of its own accord. */
function outcomeOf(email: string): SimulatedReview | undefined {
  const magic = /\+kyc-(\w+)@[^@]+$/.exec(email.toLowerCase())?.[1] ?? '';
  if (magic === 'unavailable') {
    throw new AppError('PROVIDER_UNAVAILABLE', 'The KYC provider cannot be reached now; try again later', {
      details: { reason: 'server_error', at: 'simulated' },
    });
  }
  if (magic === 'misconfigured') throw misconfigured('unauthorized', 'simulated', 'as the email asks');
  return OUTCOMES[magic];
}
