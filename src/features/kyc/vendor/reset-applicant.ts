/**
 * Taking back at the vendor what is no longer gone by: staff want papers sent in again, or the member
 * comes back to the vendor. Until that is done the record is held (`decided_by` is `admin`), and the
 * vendor's word changes nothing. A job does it, or the next start, whichever is first.
 */
import { byVendor } from '../../../actor.ts';
import type { Frames } from '../../../db/frame.ts';
import type { Scope } from '../../../db/scope.ts';
import type { LeasedHandler } from '../../../jobs/job.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import { tellKyc } from '../kyc-events.ts';
import { findRecordStatement, type KycRecord, lockRecord } from '../records/kyc-record-queries.ts';
import { forgetApplicant, markResetAtVendor } from './check-queries.ts';
import type { KycVendors } from './kyc-vendors.ts';
import { isMemberErased } from './vendor-events-queries.ts';

export const RESET_KYC_APPLICANT = 'reset-kyc-applicant';

const VENDOR = byVendor('kycvendor', RESET_KYC_APPLICANT);

/** Otherwise it was done before, and the member may have gone on since. */
export function waitsForReset({ provider, status, decidedBy }: KycRecord): boolean {
  return provider === 'kycvendor' && decidedBy === 'admin' && (status === 'not_started' || status === 'resubmit_required');
}

/** Returns the record as it is then. Throws as the vendor's calls do. Repeatable. */
export async function resetApplicant(
  { frames, vendors }: { frames: Frames; vendors: KycVendors },
  scope: Scope,
  seen: KycRecord,
): Promise<KycRecord | undefined> {
  const vendor = await vendors.of(scope, seen);
  const known = await vendor.reset();
  // The vendor's events of before, and that of the reset itself, are not to move the record.
  const eventsUpTo = vendor.simulated ? undefined : new Date();
  return frames.write(
    scope,
    async (db) => {
      const record = await lockRecord(db, scope, seen.id);
      if (!record || !waitsForReset(record)) return record;
      // What holds the record of an erased member is not taken back.
      if (await isMemberErased(db, scope, record.memberId)) return record;
      await markResetAtVendor(db, scope, record.id, eventsUpTo);
      tellKyc(db, VENDOR, record);
      if (!known && record.providerApplicantId === seen.providerApplicantId) await forgetApplicant(db, scope, record.id);
      await recordAudit(db, scope, {
        action: 'kyc_record.reset',
        by: VENDOR,
        objectKind: 'kyc_record',
        objectId: record.id,
        details: { applicantKnown: known },
      });
      return db.row(findRecordStatement(scope, record.id));
    },
    { repeatable: true },
  );
}

/** Fails as long as the vendor does not answer: without the reset its word stays without effect. */
export function createApplicantReset({ vendorsOn }: { vendorsOn(frames: Frames): KycVendors }): LeasedHandler {
  return {
    name: RESET_KYC_APPLICANT,
    kind: 'leased',
    async run(frames, { scope, ids: { kycRecordId = '' } }) {
      const [seen] = await frames.readOnce(scope, findRecordStatement(scope, kycRecordId));
      if (seen && waitsForReset(seen)) await resetApplicant({ frames, vendors: vendorsOn(frames) }, scope, seen);
    },
  };
}
