/** The one way by which a verification changes its state: the record, what plans see of it, and the log, at once. */
import type { Provenance } from '../../../actor.ts';
import type { Db, Scope, WriteDb } from '../../../db/scope.ts';
import type { IdentityDigests } from '../../../house/personal.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import { tellNameMatch } from '../../payouts/payouts-service.ts';
import type { DigestIdentity } from '../../profile/open/profile.ts';
import { tellStatus } from '../kyc-events.ts';
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
  /** Who is approved, where the change is an approval. What staff has looked at itself is approved whatever was submitted. */
  approval?: { digestIdentity: DigestIdentity; seen: boolean };
  /** Beside `from` and `to`, which the log always has. */
  details?: Record<string, unknown>;
}

/** The reason of a verification that fell because its member has become another person. */
export const IDENTITY_CHANGED = 'IDENTITY_CHANGED';

/**
 * Changes the state of a record that the transaction has locked. Whether it may is for the caller to know. What the
 * vendor approves waits for staff where the member is not the person any more that the vendor was told of.
 */
export async function changeStatus(db: WriteDb, scope: Scope, record: KycRecord, asked: StatusChange): Promise<KycRecord> {
  const change = isOfAnother(record, asked) ? { ...asked, ...WAITS_FOR_STAFF } : asked;
  const { to, by, action, reason = null, decidedBy, lastEventAt, submittedThrough, awaitedDocuments = [], details } = change;
  const waits = to === 'pending' && record.provider === 'kycvendor' && decidedBy !== 'admin';
  const nextCheckSeconds = change.nextCheckSeconds ?? (waits ? FIRST_CHECK_SECONDS : null);
  const changed = await updateStatus(db, scope, record.id, {
    status: to,
    rejectionReason: reason,
    decidedBy,
    lastEventAt,
    nextCheckSeconds,
    submittedThrough,
    awaitedDocuments,
    identity: to === 'approved' ? await digestOf(db, scope, record, change) : undefined,
  });
  tellStatus(db, by, record, to);
  if ((to === 'approved') !== (record.status === 'approved')) {
    await setMemberApproved(db, scope, record.memberId);
    tellNameMatch(db, by, record.memberId);
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

/** The vendor's word is kept, and changes nothing until staff has decided. */
const WAITS_FOR_STAFF = {
  to: 'pending',
  action: 'kyc_record.identity_unseen',
  reason: null,
  decidedBy: 'admin',
} as const satisfies Partial<StatusChange>;

/** An approval of what was submitted before the member became another person. */
function isOfAnother(
  { identityVersion, identitySeen }: KycRecord,
  { to, approval }: Pick<StatusChange, 'to' | 'approval'>,
): boolean {
  return to === 'approved' && approval?.seen !== true && identityVersion !== identitySeen;
}

function digestOf(db: Db, scope: Scope, { memberId }: KycRecord, { approval }: StatusChange): Promise<IdentityDigests> {
  if (!approval) throw new Error('an approval says nothing of whom it is of');
  return approval.digestIdentity(db, scope, memberId);
}
