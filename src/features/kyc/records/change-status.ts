/** The one way by which a verification changes its state: the record, what plans see of it, and the log, at once. */
import type { Provenance } from '../../../actor.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import type { DocumentType, KycStatus } from '../open/kyc-states.ts';
import { type KycRecord, setMemberApproved, updateStatus } from './kyc-record-queries.ts';

/** After which the vendor is asked about a record that has become pending and of which it has not told since. */
export const FIRST_CHECK_SECONDS = 900;

export interface StatusChange {
  to: KycStatus;
  by: Provenance;
  /** `kyc_record.approved` and the like, for the log. */
  action: string;
  /** Of a rejection, or of what is to be sent in again; shown to the member. */
  reason?: string | null;
  decidedBy: KycRecord['decidedBy'];
  /** By the vendor's clock. */
  lastEventAt?: Date | undefined;
  /** The last document of a submission: what comes later, comes during its review. */
  submittedThrough?: string;
  /** What must come before it is submitted again. */
  awaitedDocuments?: readonly DocumentType[];
  /** When the vendor is asked next, if not after FIRST_CHECK_SECONDS from becoming pending. */
  nextCheckSeconds?: number;
  /** Beside `from` and `to`, which the log always has. */
  details?: Record<string, unknown>;
}

/** Changes the state of a record that the transaction has locked. Whether it may is for the caller to know. */
export async function changeStatus(db: Db, scope: Scope, record: KycRecord, change: StatusChange): Promise<KycRecord> {
  const { to, by, action, reason = null, decidedBy, lastEventAt, submittedThrough, awaitedDocuments = [], details } = change;
  const waits = to === 'pending' && record.provider === 'kycvendor';
  const nextCheckSeconds = change.nextCheckSeconds ?? (waits ? FIRST_CHECK_SECONDS : null);
  const changed = await updateStatus(db, scope, record.id, {
    status: to,
    rejectionReason: reason,
    decidedBy,
    lastEventAt,
    nextCheckSeconds,
    submittedThrough,
    awaitedDocuments,
  });
  if ((to === 'approved') !== (record.status === 'approved')) {
    await setMemberApproved(db, scope, record.memberId);
  }
  await recordAudit(db, scope, {
    action,
    by,
    objectKind: 'kyc_record',
    objectId: record.id,
    details: { ...details, from: record.status, to },
  });
  return changed;
}
