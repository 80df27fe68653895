/** What a change of who a member is means for its verification. Source: docs/specification/verification.md#verified-person. */
import type { Scope, WriteDb } from '../../../db/scope.ts';
import type { IdentityChange } from '../../../house/personal.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import { tellNameMatch } from '../../payouts/payouts-service.ts';
import { tellKyc } from '../kyc-events.ts';
import { storeRemark } from '../review/remarks-queries.ts';
import { changeStatus, IDENTITY_CHANGED } from './change-status.ts';
import { correctIdentity, noteIdentityChange } from './identity-queries.ts';
import { lockRecordOfMember } from './kyc-record-queries.ts';

/** An approval falls, unless whoever may give one keeps it. What is under review is of another person than was submitted. */
export async function followIdentity(
  db: WriteDb,
  scope: Scope,
  { memberId, by, fields, now, keep }: IdentityChange,
): Promise<void> {
  const record = await lockRecordOfMember(db, scope, memberId);
  if (!record) return;
  const approved = record.status === 'approved';
  if (approved && keep) {
    await correctIdentity(db, scope, record.id, now);
    tellKyc(db, by, record);
    tellNameMatch(db, by, memberId);
    await recordAudit(db, scope, {
      action: 'kyc_record.identity_corrected',
      by,
      objectKind: 'kyc_record',
      objectId: record.id,
      details: { ...(await storeRemark(db, scope, record.id, { note: keep.reason })), fields },
    });
    return;
  }
  await noteIdentityChange(db, scope, record.id, approved);
  if (!approved) return tellKyc(db, by, record);
  await changeStatus(db, scope, record, {
    to: 'resubmit_required',
    by,
    action: 'kyc_record.identity_changed',
    reason: IDENTITY_CHANGED,
    decidedBy: 'admin',
    // What the vendor has said is of the person before, however late it is heard of.
    ...(record.provider === 'kycvendor' ? { lastEventAt: laterOf(record.lastEventAt, new Date()) } : {}),
    details: { fields },
  });
}

export function laterOf(one: Date | null, other: Date): Date {
  return one !== null && one > other ? one : other;
}
