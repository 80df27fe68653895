/** Taking back at the vendor what staff no longer go by, as a job: from then on the vendor's word counts again. */
import type { Frames } from '../../db/frame.ts';
import type { LeasedHandler } from '../../jobs/job.ts';
import { recordAudit } from '../audit/audit-log.ts';
import { forgetApplicant, markResetAtVendor } from './check-queries.ts';
import { findRecordStatement, type KycRecord, lockRecord } from './kyc-record-queries.ts';
import type { KycVendors } from './kyc-vendors.ts';

/** As src/jobs/declarations.ts declares it. */
export const RESET_KYC_APPLICANT = 'reset-kyc-applicant';

/** Fails as long as the vendor does not answer: without the reset its word stays without effect. */
export function createApplicantReset({ vendorsOn }: { vendorsOn(frames: Frames): KycVendors }): LeasedHandler {
  return {
    name: RESET_KYC_APPLICANT,
    kind: 'leased',
    async run(frames, { scope, ids: { kycRecordId = '' } }) {
      const [seen] = await frames.readOnce(scope, findRecordStatement(scope, kycRecordId));
      if (!seen || !waitsForPapers(seen)) return;
      const vendor = await vendorsOn(frames).of(scope, seen);
      const known = await vendor.reset();
      // The vendor's events of before, and that of the reset itself, are not to move the record.
      const eventsUpTo = vendor.simulated ? undefined : new Date();
      await frames.write(
        scope,
        async (db) => {
          const record = await lockRecord(db, scope, kycRecordId);
          if (!record || !waitsForPapers(record)) return;
          await markResetAtVendor(db, scope, record.id, eventsUpTo);
          if (!known && record.providerApplicantId === seen.providerApplicantId) await forgetApplicant(db, scope, record.id);
          await recordAudit(db, scope, {
            action: 'kyc_record.reset',
            actor: { kind: 'system', id: 'kycvendor' },
            objectKind: 'kyc_record',
            objectId: record.id,
            details: { applicantKnown: known },
          });
        },
        { repeatable: true },
      );
    },
  };
}

/** Otherwise it was done before, and the member has gone on since. */
function waitsForPapers({ provider, status }: KycRecord): boolean {
  return provider === 'kycvendor' && (status === 'not_started' || status === 'resubmit_required');
}
