/** The verification of a member that takes documents now: started, done by hand, and not decided. */
import type { Db, Scope } from '../../../db/scope.ts';
import { AppError } from '../../../errors.ts';
import { memberStatement } from '../documents/upload-queries.ts';
import { takesDocuments } from '../open/kyc-states.ts';
import { type KycRecord, lockRecordOfMember, recordOfMemberStatement } from './kyc-record-queries.ts';

/** USER_NOT_FOUND; STATE_CONFLICT where no documents are taken. */
export async function readOpenRecord(db: Db, scope: Scope, memberId: string): Promise<KycRecord> {
  const [member, record] = await Promise.all([
    db.row(memberStatement(scope, memberId)),
    db.row(recordOfMemberStatement(scope, memberId)),
  ]);
  return openRecord(member, record);
}

/** As `readOpenRecord`, and locks it; what is known of the member is read behind the lock. */
export async function lockOpenRecord(db: Db, scope: Scope, memberId: string): Promise<KycRecord> {
  const [record, member] = await Promise.all([lockRecordOfMember(db, scope, memberId), db.row(memberStatement(scope, memberId))]);
  return openRecord(member, record);
}

function openRecord(member: { isErased: boolean } | undefined, record: KycRecord | undefined): KycRecord {
  if (!member) throw new AppError('USER_NOT_FOUND', 'No such member');
  if (member.isErased) throw new AppError('STATE_CONFLICT', 'The member was erased');
  if (!record) throw new AppError('STATE_CONFLICT', 'The verification was not started');
  if (record.provider !== 'manual') throw new AppError('STATE_CONFLICT', 'Documents are sent to the vendor of this verification');
  if (!takesDocuments(record.status)) {
    throw new AppError('STATE_CONFLICT', `The verification is ${record.status} and takes no documents`);
  }
  return record;
}
