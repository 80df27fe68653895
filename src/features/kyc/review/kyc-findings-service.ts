/**
 * What was stated beside what was found, for reviewers. The vendor is asked outside any transaction, and nothing of its
 * answer is kept. Source: docs/specification/verification.md#findings.
 */
import type { Frames } from '../../../db/frame.ts';
import type { Scope } from '../../../db/scope.ts';
import type { RequestContext } from '../../../http/operation.ts';
import { endOf, masked } from '../../../mask.ts';
import type { VendorFindings } from '../../../vendors/kyc/kyc-vendor.ts';
import { maskIdNumber } from '../../profile/open/id-number.ts';
import { comparable, IDENTITY_FIELDS, type IdentityField, type VerifiedFields } from '../../profile/open/identity-digest.ts';
import type { Identity, ReadIdentity } from '../../profile/open/profile.ts';
import type { ProfileOffers } from '../../profile/profile-feature.ts';
import { findRecordStatement, type KycRecord } from '../records/kyc-record-queries.ts';
import type { KycVendors } from '../vendor/kyc-vendors.ts';
import { holdersStatement } from './flags-queries.ts';
import type { KycFindingsAnswer } from './kyc-findings-operations.ts';
import { unknownRecord } from './kyc-queue-service.ts';

export interface KycFindingsService {
  /** NOT_FOUND; PROVIDER_CONFIGURATION and PROVIDER_UNAVAILABLE where the vendor verifies and cannot be asked. */
  read(context: RequestContext, kycId: string): Promise<KycFindingsAnswer>;
}

interface Deps {
  frames: Frames;
  findProfile: ProfileOffers['findProfile'];
  readIdentity: ReadIdentity;
  digestNames: ProfileOffers['digestNames'];
  vendors: KycVendors;
}

type Field = KycFindingsAnswer['fields'][number];

export function createKycFindingsService({ frames, findProfile, readIdentity, digestNames, vendors }: Deps): KycFindingsService {
  /**
   * The names that accounts are held under were compared as they are paid to; the names themselves stay where they are. Of
   * an ID number the end is enough, so that none is opened here.
   */
  async function ofAccounts(scope: Scope, memberId: string): Promise<KycFindingsAnswer> {
    return frames.read(scope, async (db) => {
      const profile = await findProfile(db, scope, memberId);
      if (!profile) throw noMember();
      const found = await db.row(holdersStatement(scope, { memberId, names: digestNames(scope, profile) }));
      const matches = found?.matches ?? null;
      const stated = { ...profile, idNumber: maskIdNumber(profile.idNumberLastFour) };
      const isName = (field: IdentityField): boolean => field === 'givenName' || field === 'surname';
      return {
        ...NOTHING,
        source: matches === null ? 'none' : 'accounts',
        fields: IDENTITY_FIELDS.map((field) => ({
          field,
          stated: stated[field],
          found: null,
          matches: isName(field) ? matches : null,
        })),
      };
    });
  }

  async function ofVendor(scope: Scope, record: KycRecord, stated: Identity): Promise<KycFindingsAnswer> {
    const found = await (await vendors.of(scope, record)).readFindings(stated);
    if (!found) return { ...NOTHING, fields: IDENTITY_FIELDS.map((field) => compared(field, stated[field], [])) };
    const { documents, review, ...fields } = found;
    return {
      source: 'kycvendor',
      fields: IDENTITY_FIELDS.map((field) => compared(field, stated[field], candidatesOf(field, fields))),
      documents,
      words: review.reviewResult?.moderationComment ?? null,
      rejectLabels: review.reviewResult?.rejectLabels ?? [],
    };
  }

  return {
    async read({ scope }, kycId) {
      const [record] = await frames.readOnce(scope, findRecordStatement(scope, kycId));
      if (!record) throw unknownRecord();
      if (record.provider !== 'kycvendor') return ofAccounts(scope, record.memberId);
      const stated = await readIdentity(scope, record.memberId);
      if (!stated) throw noMember();
      return ofVendor(scope, record, stated);
    },
  };
}

const NOTHING = { source: 'none', documents: [], words: null, rejectLabels: [] } as const satisfies Partial<KycFindingsAnswer>;

function noMember(): Error {
  return new Error('a KYC record has no member');
}

/** An ID number is one of those on the papers. */
function candidatesOf(
  field: IdentityField,
  found: Pick<VendorFindings, Exclude<IdentityField, 'idNumber'> | 'idNumbers'>,
): string[] {
  if (field === 'idNumber') return found.idNumbers;
  const value = found[field];
  return value === null ? [] : [value];
}

/** Compared whole, shown by its end where it is an ID number. Where one of several is the same, it is the one. */
function compared(field: IdentityField, stated: string | null, candidates: readonly string[]): Field {
  const isStated = (value: string): boolean => comparable(field, value) === comparable(field, stated);
  const found = candidates.find(isStated) ?? candidates[0] ?? null;
  return {
    field,
    stated: shown(field, stated),
    found: shown(field, found),
    matches: stated === null || found === null ? null : isStated(found),
  };
}

function shown(field: keyof VerifiedFields, value: string | null): string | null {
  return value !== null && field === 'idNumber' ? masked(endOf(value)) : value;
}
