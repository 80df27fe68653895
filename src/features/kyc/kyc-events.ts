/** What tenants are told of verifications: docs/specification/webhooks.md#types. */
import type { Provenance } from '../../actor.ts';
import type { WriteDb } from '../../db/scope.ts';
import type { DeclaredEvents } from '../../house/events.ts';
import { tell } from '../webhooks/webhooks-service.ts';
import type { KycStatus } from './open/kyc-states.ts';

export const kycEvents = {
  'kyc.started': { meaning: 'The verification of a member was started for the first time.', shows: 'getKyc' },
  'kyc.submitted': { meaning: 'A verification waits for a review.', shows: 'getKyc' },
  'kyc.approved': { meaning: 'A verification was approved.', shows: 'getKyc' },
  'kyc.rejected': { meaning: 'A verification was rejected.', shows: 'getKyc' },
  'kyc.resubmit_required': {
    meaning: 'Something of a verification is to be sent in again, also where an approval fell by it.',
    shows: 'getKyc',
  },
  'kyc.expired': {
    meaning: 'An approval was given for a time, which has ended: what was shown for it is to be sent in again.',
    shows: 'getKyc',
  },
  'kyc.updated': {
    meaning:
      'Something of a verification changed that no other event tells of: its documents, its provider, or that it was reset.',
    shows: 'getKyc',
  },
} as const satisfies DeclaredEvents;

export type KycEventType = keyof typeof kycEvents;

/** By what it has become. */
const TYPES: Readonly<Record<KycStatus, KycEventType>> = {
  not_started: 'kyc.updated',
  pending: 'kyc.submitted',
  approved: 'kyc.approved',
  rejected: 'kyc.rejected',
  resubmit_required: 'kyc.resubmit_required',
};

/** Whose it is, and which. */
interface Told {
  id: string;
  memberId: string;
}

export function tellKyc(
  db: WriteDb,
  by: Pick<Provenance, 'actor'>,
  { id, memberId }: Told,
  type: KycEventType = 'kyc.updated',
): void {
  tell(db, by, type, id, { params: { userId: memberId } });
}

/** `record` is as it was before. */
export function tellStatus(
  db: WriteDb,
  by: Pick<Provenance, 'actor'>,
  record: Told & { status: KycStatus },
  to: KycStatus,
  type: KycEventType = TYPES[to],
): void {
  tellKyc(db, by, record, to === record.status ? 'kyc.updated' : type);
}
