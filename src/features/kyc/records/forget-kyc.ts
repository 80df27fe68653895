/** The part of an erasure that is in verifications. */
import type { ActingScope } from '../../../actor.ts';
import type { WriteDb } from '../../../db/scope.ts';
import { forgetDocuments } from '../documents/document-changes-queries.ts';
import { tellKyc } from '../kyc-events.ts';
import { forgetRemarks } from '../review/remarks-queries.ts';
import { forgetEvents, forgetRecord } from './forget-kyc-queries.ts';
import { lockRecordOfMember } from './kyc-record-queries.ts';

/**
 * Papers, reasons and what the vendor has told go; that the member was verified, and when, stays. Locks the
 * record, so it comes before whatever locks the member's row. The applicant at the vendor is not ours to erase.
 */
export async function forgetKyc(db: WriteDb, scope: ActingScope, memberId: string): Promise<void> {
  const record = await lockRecordOfMember(db, scope, memberId);
  if (record) tellKyc(db, scope.provenance, record);
  await Promise.all([
    record && forgetDocuments(db, scope, record.id),
    record && forgetRecord(db, scope, record.id),
    record && forgetRemarks(db, scope, record.id),
    forgetEvents(db, scope, memberId),
  ]);
}
