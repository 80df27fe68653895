/** Which vendor a record is verified by: the tenant's own account, or in a SANDBOX without one the simulated vendor. */
import type { Frames } from '../../../db/frame.ts';
import type { Scope } from '../../../db/scope.ts';
import type { KycAccount } from '../../../vendors/kyc/kyc-account.ts';
import type { Applicant, KycVendor, SdkToken, VendorFindings, VendorReview } from '../../../vendors/kyc/kyc-vendor.ts';
import { createSimulatedVendor, isSimulated, type Stated } from '../../../vendors/kyc/simulated.ts';
import { misconfigured } from '../../../vendors/kyc/vendor-calls.ts';
import { findRecordStatement, type KycRecord } from '../records/kyc-record-queries.ts';
import type { KycSettingsReader } from './kyc-settings.ts';
import { storeSimulatedReview } from './simulated-review-queries.ts';
import { verdictOf } from './vendor-review.ts';

/** The vendor of one record. All throw as KycVendor's do, and are called outside any transaction. */
export interface RecordVendor {
  simulated: boolean;
  /** The vendor's name for how it verifies. */
  levelName: string;
  /** The record's applicant, if this vendor has made it. */
  applicantId: string | null;
  ensureApplicant(applicant: Applicant): Promise<string>;
  createSdkToken(applicant: Applicant): Promise<SdkToken>;
  /** Undefined: the vendor knows no such applicant, or the record has none. */
  readReview(): Promise<VendorReview | undefined>;
  /** What it has read from the papers; the simulated vendor reads what was stated. Undefined: as above. */
  readFindings(stated: Stated): Promise<VendorFindings | undefined>;
  /** False: as above. */
  reset(): Promise<boolean>;
}

export interface KycVendors {
  /** PROVIDER_CONFIGURATION in LIVE as long as the account lacks something. */
  of(scope: Scope, record: KycRecord): Promise<RecordVendor>;
}

interface Deps {
  settings: KycSettingsReader;
  kycvendor: KycVendor<KycAccount>;
  frames: Frames;
}

const SIMULATED_LEVEL = 'simulated';

export function createKycVendors({ settings, kycvendor, frames }: Deps): KycVendors {
  return {
    async of(scope, record) {
      const { account, ttlInSecs, levelName } = await settings.readSettings(scope);
      const { providerApplicantId: id } = record;
      if (account) {
        const applicantId = id !== null && isSimulated(id) ? null : id;
        return {
          simulated: false,
          levelName: account.levelName,
          applicantId,
          ensureApplicant: (applicant) => kycvendor.ensureApplicant(account, applicant),
          createSdkToken: ({ externalUserId }) => kycvendor.createSdkToken(account, externalUserId),
          readReview: async () => (applicantId === null ? undefined : kycvendor.readReview(account, applicantId)),
          readFindings: async () => (applicantId === null ? undefined : kycvendor.readFindings(account, applicantId)),
          reset: async () => applicantId !== null && kycvendor.resetApplicant(account, applicantId),
        };
      }
      if (scope.environment !== 'SANDBOX') throw misconfigured('no_account', 'settings', 'the account lacks something');

      const applicantId = id !== null && isSimulated(id) ? id : null;
      const simulated = createSimulatedVendor({
        read: async () => (await frames.readOnce(scope, findRecordStatement(scope, record.id)))[0]?.simulatedReview,
        write: (review) => frames.write(scope, (db) => storeSimulatedReview(db, scope, record.id, review), { repeatable: true }),
      });
      const isHeeded = (review: VendorReview): boolean => verdictOf(review)?.status === record.status;
      return {
        simulated: true,
        levelName: levelName ?? SIMULATED_LEVEL,
        applicantId,
        ensureApplicant: simulated.ensureApplicant,
        createSdkToken: (applicant) => simulated.createSdkToken(applicant, ttlInSecs),
        readReview: async () => (applicantId === null ? undefined : simulated.readReview(isHeeded)),
        readFindings: async (stated) =>
          applicantId === null ? undefined : simulated.readFindings(stated, await simulated.readReview(isHeeded)),
        reset: async () => applicantId !== null && simulated.resetApplicant(),
      };
    },
  };
}
