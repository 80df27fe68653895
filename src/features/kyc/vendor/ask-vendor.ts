/**
 * Asking the vendor how a record stands whose events may have been lost: a sweep finds the records, a
 * job asks about each, for no transaction is open while the vendor is asked.
 */

import type { Logger } from 'pino';
import { byVendor } from '../../../actor.ts';
import type { Frames } from '../../../db/frame.ts';
import type { Db, Scope, WriteDb } from '../../../db/scope.ts';
import { AppError } from '../../../errors.ts';
import type { LeasedHandler } from '../../../jobs/job.ts';
import type { VendorReview } from '../../../vendors/kyc/kyc-vendor.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import type { DigestIdentity } from '../../profile/open/profile.ts';
import { tellKyc } from '../kyc-events.ts';
import type { KycStatus } from '../open/kyc-states.ts';
import { changeStatus, FIRST_CHECK_SECONDS } from '../records/change-status.ts';
import { findRecordStatement, type KycRecord, lockRecord } from '../records/kyc-record-queries.ts';
import { scheduleCheck } from '../records/start-queries.ts';
import { endChecks, forgetApplicant, takeDueChecks } from './check-queries.ts';
import type { KycVendors } from './kyc-vendors.ts';
import { isMemberErased } from './vendor-events-queries.ts';
import { type Verdict, verdictOf } from './vendor-review.ts';

export const ASK_KYC_VENDOR = 'ask-kyc-vendor';
export const CHECK_BATCH = 50;

/** When the record has changed while the vendor was asked. */
const AGAIN_SECONDS = 60;
/** Clocks differ: an event from so shortly before the question may not have been in its answer. */
const CLOCK_MARGIN_MS = 2_000;

const VENDOR = byVendor('kycvendor', ASK_KYC_VENDOR);

/** As Sweep.run: has the vendor asked about each record that is due. */
export async function checkDueRecords(
  db: Db,
  scope: Scope,
  limit: number,
  ask: (recordId: string) => Promise<unknown>,
): Promise<number> {
  const due = await takeDueChecks(db, scope, { limit, firstSeconds: FIRST_CHECK_SECONDS });
  for (const { id, asks } of due) if (asks) await ask(id);
  return due.length;
}

interface Deps {
  vendorsOn(frames: Frames): KycVendors;
  logger: Logger;
  digestIdentity: DigestIdentity;
}

/** A vendor that does not answer is asked again when the record is due again: that is no failure of the job. */
export function createVendorCheck({ vendorsOn, logger, digestIdentity }: Deps): LeasedHandler {
  return {
    name: ASK_KYC_VENDOR,
    kind: 'leased',
    async run(frames, { scope, ids: { kycRecordId = '' } }) {
      const [seen] = await frames.readOnce(scope, findRecordStatement(scope, kycRecordId));
      if (!seen || !goesByVendor(seen)) return;
      const askedAt = Date.now();
      try {
        const vendor = await vendorsOn(frames).of(scope, seen);
        const review = await vendor.readReview();
        const eventsUpTo = vendor.simulated ? undefined : new Date(askedAt - CLOCK_MARGIN_MS);
        await frames.write(
          scope,
          (db) => settle(db, scope, seen, { digestIdentity, review, eventsUpTo, simulated: vendor.simulated }),
          {
            repeatable: true,
          },
        );
      } catch (error) {
        if (!(error instanceof AppError) || error.status !== 502) throw error;
        logger.warn({ ...scope, kycRecordId, err: error }, 'the KYC vendor could not say how a record stands');
      }
    },
  };
}

function goesByVendor({ provider, providerApplicantId, decidedBy }: KycRecord): boolean {
  return provider === 'kycvendor' && providerApplicantId !== null && decidedBy !== 'admin';
}

interface Answer {
  digestIdentity: DigestIdentity;
  /** Undefined: the vendor knows no such applicant. */
  review: VendorReview | undefined;
  /** By the vendor's clock; what it tells of before that is in the answer. */
  eventsUpTo: Date | undefined;
  simulated: boolean;
}

async function settle(
  db: WriteDb,
  scope: Scope,
  seen: KycRecord,
  { digestIdentity, review, eventsUpTo, simulated }: Answer,
): Promise<void> {
  const record = await lockRecord(db, scope, seen.id);
  if (!record || !goesByVendor(record)) return;
  if (await isMemberErased(db, scope, record.memberId)) return endChecks(db, scope, record.id);
  if (hasChanged(seen, record)) return scheduleCheck(db, scope, record.id, AGAIN_SECONDS);
  if (!review) return noteUnknown(db, scope, record);
  const verdict = verdictOf(review);
  if (verdict && isFinal(record.status) && verdict.status === record.status) return endChecks(db, scope, record.id);
  if (!verdict || !differs(record, verdict)) return;
  const { status, reason } = verdict;
  await changeStatus(db, scope, record, {
    to: status,
    by: VENDOR,
    action: 'kyc_record.reconciled',
    reason,
    approval: { digestIdentity, seen: false },
    decidedBy: status === 'pending' || status === 'not_started' ? null : 'vendor',
    lastEventAt: latest(record.lastEventAt, eventsUpTo),
    // The simulated vendor has its next word ready.
    ...(simulated && status === 'pending' ? { nextCheckSeconds: 0 } : {}),
    details: { providerStatus: review.reviewStatus },
  });
}

function isFinal(status: KycStatus): boolean {
  return status === 'approved' || status === 'rejected';
}

/** A newer event was applied, or staff decided: the answer may be older than that. */
function hasChanged(seen: KycRecord, record: KycRecord): boolean {
  return (
    seen.updatedAt.getTime() !== record.updatedAt.getTime() ||
    seen.lastEventAt?.getTime() !== record.lastEventAt?.getTime() ||
    seen.status !== record.status ||
    seen.providerApplicantId !== record.providerApplicantId
  );
}

/** That nothing has come in yet is no news of a record that waits for papers to come in again. */
function differs({ status }: KycRecord, verdict: Verdict): boolean {
  return verdict.status !== status && !(verdict.status === 'not_started' && status === 'resubmit_required');
}

async function noteUnknown(db: WriteDb, scope: Scope, record: KycRecord): Promise<void> {
  await forgetApplicant(db, scope, record.id);
  tellKyc(db, VENDOR, record);
  await recordAudit(db, scope, {
    action: 'kyc_record.reconciled',
    by: VENDOR,
    objectKind: 'kyc_record',
    objectId: record.id,
    details: { applicantKnown: false, status: record.status },
  });
}

function latest(present: Date | null, candidate: Date | undefined): Date | undefined {
  return candidate && (!present || present < candidate) ? candidate : undefined;
}
