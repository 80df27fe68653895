/** What every deed of a reviewer begins with. */
import type { Db, Scope } from '../../../db/scope.ts';
import { AppError } from '../../../errors.ts';
import type { ProfileOffers } from '../../profile/profile-feature.ts';
import { type KycRecord, lockRecord } from '../records/kyc-record-queries.ts';
import { unknownRecord } from './kyc-queue-service.ts';

/** The record, locked. NOT_FOUND; STATE_CONFLICT once the member is erased: what is written of nobody would stay. */
export async function lockForReview(
  findProfile: ProfileOffers['findProfile'],
  db: Db,
  scope: Scope,
  kycId: string,
): Promise<KycRecord> {
  const record = await lockRecord(db, scope, kycId);
  if (!record) throw unknownRecord();
  // An erasure locks the record first, so this stays as it is read.
  const profile = await findProfile(db, scope, record.memberId);
  if (profile?.erasedAt) throw new AppError('STATE_CONFLICT', 'The member was erased');
  return record;
}
