/** Rules of starting and reading a member's verification. Source: docs/specification/verification.md#record. */
import { isDeepStrictEqual } from 'node:util';
import type { ActingScope } from '../../actor.ts';
import { violates } from '../../db/constraints.ts';
import type { Frames } from '../../db/frame.ts';
import type { WriteDb } from '../../db/scope.ts';
import { AppError } from '../../errors.ts';
import { faultPoint } from '../../fault-points.ts';
import type { CallContext, RequestContext } from '../../http/operation.ts';
import type { Applicant } from '../../vendors/kyc/kyc-vendor.ts';
import { misconfigured } from '../../vendors/kyc/vendor-calls.ts';
import { recordAudit } from '../audit/audit-service.ts';
import type { Profile } from '../profile/open/profile.ts';
import type { ProfileOffers } from '../profile/profile-feature.ts';
import type { ProfileService } from '../profile/profile-service.ts';
import { documentsOfRecordStatement } from './documents/document-queries.ts';
import { tellKyc } from './kyc-events.ts';
import { FIRST_CHECK_SECONDS } from './records/change-status.ts';
import { ensureRecord, refuseDecided, refuseErased } from './records/ensure-record.ts';
import { noteIdentitySeen } from './records/identity-queries.ts';
import type { KycRecordAnswer, KycStartAnswer } from './records/kyc-operations.ts';
import { type KycRecord, lockRecord, recordOfMemberStatement } from './records/kyc-record-queries.ts';
import { describeManualStart, VENDOR_MESSAGE } from './records/start-answer.ts';
import { linkApplicant, scheduleCheck } from './records/start-queries.ts';
import type { KycSettingsReader } from './vendor/kyc-settings.ts';
import type { KycVendors, RecordVendor } from './vendor/kyc-vendors.ts';
import { resetApplicant, waitsForReset } from './vendor/reset-applicant.ts';

export interface KycService {
  /** USER_NOT_FOUND; STATE_CONFLICT once approved, rejected or erased; PROVIDER_CONFIGURATION, PROVIDER_UNAVAILABLE. */
  start(context: CallContext, memberId: string): Promise<KycStartAnswer>;
  /** USER_NOT_FOUND, NOT_FOUND. */
  read(context: RequestContext, memberId: string): Promise<KycRecordAnswer>;
}

interface Deps {
  frames: Frames;
  profiles: ProfileService;
  findProfile: ProfileOffers['findProfile'];
  settings: KycSettingsReader;
  vendors: KycVendors;
  /** The address callers know the service by. */
  ownAddress(): string;
}

export function createKycService({ frames, profiles, findProfile, settings, vendors, ownAddress }: Deps): KycService {
  /** Every step is committed before the vendor is asked, and a repeat finds what the last one has left. */
  async function startAtVendor({ scope, shape }: CallContext, present: KycRecord, profile: Profile): Promise<KycStartAnswer> {
    // Before the member has a token: papers that it sends in are not to go with what is taken back.
    const record = waitsForReset(present) ? await resetApplicant({ frames, vendors }, scope, present) : present;
    if (!record) throw new Error('a KYC record vanished');
    const vendor = await vendors.of(scope, record);
    const applicant = applicantOf(profile);
    const applicantId = vendor.applicantId ?? (await makeApplicant(scope, record, vendor, applicant));
    const { token, expiresAt } = await vendor.createSdkToken(applicant);
    await faultPoint('kyc:token-made');
    return frames.write(
      scope,
      async (db) => {
        await scheduleCheck(db, scope, record.id, vendor.simulated ? 0 : FIRST_CHECK_SECONDS);
        const { id, provider, status } = record;
        return {
          kycRecordId: id,
          provider,
          status,
          uploadUrl: null,
          requiredDocuments: null,
          sdkConfig: { accessToken: token, expiresAt, flowName: vendor.levelName, applicantId },
          message: VENDOR_MESSAGE,
        };
      },
      { shape, repeatable: true },
    );
  }

  async function makeApplicant(scope: ActingScope, seen: KycRecord, vendor: RecordVendor, applicant: Applicant): Promise<string> {
    const applicantId = await vendor.ensureApplicant(applicant);
    await faultPoint('kyc:applicant-made');
    try {
      await frames.write(scope, (db) => linkOnce(findProfile, db, scope, { seen, applicantId, applicant }), { repeatable: true });
    } catch (error) {
      if (!violates(error, 'kyc_record_applicant_key')) throw error;
      throw misconfigured('shared_applicant', 'ensureApplicant', 'the applicant is that of another member');
    }
    await faultPoint('kyc:applicant-stored');
    return applicantId;
  }

  return {
    async start(context, memberId) {
      const { scope } = context;
      const profile = await profiles.readProfile(context, memberId);
      const { provider } = await settings.readSettings(scope);
      const record = await frames.write(scope, (db) => ensureRecord(db, scope, { memberId, provider, by: scope.provenance }), {
        repeatable: true,
      });
      await faultPoint('kyc:record-ensured');
      if (record.provider === 'kycvendor') return startAtVendor(context, record, profile);
      return describeManualStart(record, ownAddress());
    },

    async read(context, memberId) {
      const { scope } = context;
      const found = await frames.read(scope, async (db) => {
        const record = await db.row(recordOfMemberStatement(scope, memberId));
        return record && { record, documents: await db.rows(documentsOfRecordStatement(scope, record.id)) };
      });
      if (found) {
        const { record, documents } = found;
        return { ...record, userId: record.memberId, requestedDocuments: record.awaitedDocuments, documents };
      }
      await profiles.readProfile(context, memberId);
      throw new AppError('NOT_FOUND', 'No verification of this member was started');
    },
  };
}

/** Nothing when another start was first: there is one applicant a member, so it has stored the same. */
async function linkOnce(
  findProfile: ProfileOffers['findProfile'],
  db: WriteDb,
  scope: ActingScope,
  { seen, applicantId, applicant }: { seen: KycRecord; applicantId: string; applicant: Applicant },
): Promise<void> {
  const present = await lockRecord(db, scope, seen.id);
  if (!present) throw new Error('a KYC record vanished');
  refuseDecided(present);
  await refuseErased(db, scope, present.memberId);
  if (present.provider !== seen.provider) throw new AppError('STATE_CONFLICT', 'The provider was changed meanwhile; start again');
  if (present.providerApplicantId === applicantId) return;
  const profile = await findProfile(db, scope, present.memberId);
  if (profile && isDeepStrictEqual(applicantOf(profile), applicant)) await noteIdentitySeen(db, scope, present.id);
  await linkApplicant(db, scope, present.id, { applicantId, checkSeconds: FIRST_CHECK_SECONDS });
  tellKyc(db, scope.provenance, present);
  await recordAudit(db, scope, {
    action: 'kyc_record.applicant_linked',
    by: scope.provenance,
    objectKind: 'kyc_record',
    objectId: present.id,
  });
}

function applicantOf({ id, email, givenName, surname, dateOfBirth, countryCode }: Profile): Applicant {
  return { externalUserId: id, email, givenName, surname, dateOfBirth, countryCode };
}
