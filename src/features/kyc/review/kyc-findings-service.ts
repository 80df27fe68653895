/**
 * What was stated beside what was found, for reviewers. The vendor is asked outside any transaction, and nothing of its
 * answer is kept. Source: docs/specification/verification.md#findings.
 */
import type { Frames } from '../../../db/frame.ts';
import type { Scope } from '../../../db/scope.ts';
import type { RequestContext } from '../../../http/operation.ts';
import { endOf, masked } from '../../../mask.ts';
import type { VendorFindings } from '../../../vendors/kyc/kyc-vendor.ts';
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
  readIdentity: ReadIdentity;
  digestNames: ProfileOffers['digestNames'];
  vendors: KycVendors;
}

type Field = KycFindingsAnswer['fields'][number];

export function createKycFindingsService({ frames, readIdentity, digestNames, vendors }: Deps): KycFindingsService {
  /** The names that accounts are held under were compared as they are paid to; the names themselves stay where they are. */
  async function ofAccounts(scope: Scope, memberId: string, stated: Identity): Promise<KycFindingsAnswer> {
    const names = digestNames(scope, { id: memberId, ...stated });
    const [found] = await frames.readOnce(scope, holdersStatement(scope, { memberId, names }));
    const matches = found?.matches ?? null;
    const isName = (field: IdentityField): boolean => field === 'givenName' || field === 'surname';
    return {
      ...NOTHING,
      source: matches === null ? 'none' : 'accounts',
      fields: IDENTITY_FIELDS.map((field) => compared(field, stated[field], [], isName(field) ? matches : null)),
    };
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
      const stated = await readIdentity(scope, record.memberId);
      if (!stated) throw new Error('a KYC record has no member');
      return record.provider === 'kycvendor' ? ofVendor(scope, record, stated) : ofAccounts(scope, record.memberId, stated);
    },
  };
}

const NOTHING = { source: 'none', documents: [], words: null, rejectLabels: [] } as const satisfies Partial<KycFindingsAnswer>;

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
function compared(
  field: IdentityField,
  stated: string | null,
  candidates: readonly string[],
  known: boolean | null = null,
): Field {
  const isStated = (value: string): boolean => comparable(field, value) === comparable(field, stated);
  const found = candidates.find(isStated) ?? candidates[0] ?? null;
  return {
    field,
    stated: shown(field, stated),
    found: shown(field, found),
    matches: stated === null || found === null ? known : isStated(found),
  };
}

function shown(field: keyof VerifiedFields, value: string | null): string | null {
  return value !== null && field === 'idNumber' ? masked(endOf(value)) : value;
}
