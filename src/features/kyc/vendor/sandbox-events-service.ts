/** Events that a SANDBOX has its simulated KYC vendor send. Source: docs/specification/sandbox.md#vendor-events. */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { byVendor } from '../../../actor.ts';
import type { Frames } from '../../../db/frame.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { AppError } from '../../../errors.ts';
import type { ActingContext, RequestContext } from '../../../http/operation.ts';
import type { VendorReview } from '../../../vendors/kyc/kyc-vendor.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import type { DigestIdentity } from '../../profile/open/profile.ts';
import type { ProfileService } from '../../profile/profile-service.ts';
import type { SimulatedOutcome, simulatedKycAnswer, simulatedKycEvent } from '../open/simulated-kyc-event.ts';
import { type KycRecord, lockRecordOfMember } from '../records/kyc-record-queries.ts';
import { applyVendorEvent } from './apply-vendor-event.ts';
import type { KycSettingsReader } from './kyc-settings.ts';
import { storeSimulatedReview } from './simulated-review-queries.ts';
import { readVendorEvent, type VendorEvent } from './vendor-payload.ts';

type Send = z.output<typeof simulatedKycEvent>;
type Sent = z.input<typeof simulatedKycAnswer>;

export interface SandboxEventsService {
  /** ENVIRONMENT_MISMATCH, USER_NOT_FOUND; STATE_CONFLICT where the simulated vendor does not verify the member. */
  send(context: ActingContext, input: Send): Promise<Sent>;
}

interface Deps {
  frames: Frames;
  settings: KycSettingsReader;
  profiles: Pick<ProfileService, 'readProfile'>;
  digestIdentity: DigestIdentity;
}

/** The event has the vendor's effects; that the key had it sent is an entry of its own. */
const VENDOR = byVendor('kycvendor', 'sendVendorEvent').actor;

export function createSandboxEventsService({ frames, settings, profiles, digestIdentity }: Deps): SandboxEventsService {
  /** Whoever it is of, in frames of their own. */
  async function refuseOthers(context: RequestContext, userId: string): Promise<void> {
    const { scope, guard } = context;
    if (scope.environment !== 'SANDBOX') {
      throw new AppError('ENVIRONMENT_MISMATCH', 'Only a SANDBOX has a simulated vendor');
    }
    if (guard) await frames.read(scope, (db) => guard.replay(db));
    await profiles.readProfile(context, userId);
    const { account } = await settings.readSettings(scope);
    if (account) {
      throw new AppError('STATE_CONFLICT', "This SANDBOX has a vendor account; have the vendor's own sandbox send the event");
    }
  }

  return {
    async send(context, { userId, outcome, reason }) {
      await refuseOthers(context, userId);
      const { scope, guard, shape } = context;
      return frames.write(
        scope,
        async (db) => {
          const record = await requireAutomated(db, scope, userId);
          const { type, review } = simulate(outcome, reason);
          await storeSimulatedReview(db, scope, record.id, review);
          const event = eventOf(record, type, review);
          const applied = await applyVendorEvent(db, scope, event, {
            by: { ...scope.provenance, actor: VENDOR },
            asked: { review },
            digestIdentity,
          });
          if (!('record' in applied)) throw new Error('an event of a locked record did not find it');
          await recordAudit(db, scope, {
            action: 'sandbox.vendor_event_sent',
            by: scope.provenance,
            objectKind: 'kyc_record',
            objectId: record.id,
            details: { kind: 'kyc', outcome },
          });
          const { status } = applied.record;
          return { kind: 'kyc' as const, userId, kycRecordId: record.id, status, effect: effectOf(applied.outcome) };
        },
        { guard, shape },
      );
    },
  };
}

async function requireAutomated(db: Db, scope: Scope, memberId: string): Promise<KycRecord> {
  const record = await lockRecordOfMember(db, scope, memberId);
  if (!record) {
    throw new AppError('STATE_CONFLICT', 'No verification was started; POST /api/v1/members/{userId}/kyc/start first');
  }
  if (record.provider !== 'kycvendor') {
    throw new AppError('STATE_CONFLICT', 'The member is verified by hand; set the provider to kycvendor and start again');
  }
  return record;
}

const REVIEWS: Readonly<Record<SimulatedOutcome, { type: string; review: VendorReview }>> = {
  pending: { type: 'applicantPending', review: { reviewStatus: 'pending' } },
  on_hold: { type: 'applicantOnHold', review: { reviewStatus: 'onHold' } },
  approved: { type: 'applicantReviewed', review: { reviewStatus: 'completed', reviewResult: { reviewAnswer: 'GREEN' } } },
  rejected: {
    type: 'applicantReviewed',
    review: {
      reviewStatus: 'completed',
      reviewResult: { reviewAnswer: 'RED', reviewRejectType: 'FINAL', rejectLabels: ['FORGERY'] },
    },
  },
  resubmit_required: {
    type: 'applicantReviewed',
    review: {
      reviewStatus: 'completed',
      reviewResult: { reviewAnswer: 'RED', reviewRejectType: 'RETRY', rejectLabels: ['BAD_PHOTO'] },
    },
  },
  reset: { type: 'applicantReset', review: { reviewStatus: 'init' } },
};

function simulate(outcome: SimulatedOutcome, reason: string | undefined): { type: string; review: VendorReview } {
  const { type, review } = REVIEWS[outcome];
  if (reason === undefined) return { type, review };
  return { type, review: { ...review, reviewResult: { ...review.reviewResult, moderationComment: reason } } };
}

/** As the vendor would send it, a moment after whatever counted before. */
function eventOf(record: KycRecord, type: string, review: VendorReview): VendorEvent {
  const at = new Date(Math.max(Date.now(), (record.lastEventAt?.getTime() ?? 0) + 1));
  const payload = {
    type,
    applicantId: record.providerApplicantId,
    externalUserId: record.memberId,
    correlationId: `sim-${randomUUID()}`,
    applicantType: 'individual',
    sandboxMode: true,
    createdAtMs: at.toISOString().replace('T', ' ').replace('Z', ''),
    ...review,
  };
  return readVendorEvent(Buffer.from(JSON.stringify(payload)));
}

/** The vendor stands by what it sends, and nothing is newer. */
function effectOf(outcome: string): Sent['effect'] {
  if (outcome === 'applied' || outcome === 'held_by_staff') return outcome;
  return 'no_change';
}
