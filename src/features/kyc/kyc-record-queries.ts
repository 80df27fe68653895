/** The verification of a member in SQL: one row a member, for good. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared, type Statement } from '../../db/statement.ts';
import type { KycProvider, KycStatus } from './kyc-states.ts';

export interface KycRecord {
  id: string;
  memberId: string;
  provider: KycProvider;
  providerApplicantId: string | null;
  status: KycStatus;
  statusSince: Date;
  verifiedAt: Date | null;
  /** Of a rejection, or of what is to be sent in again. */
  rejectionReason: string | null;
  /** `admin`: what the vendor says is kept, and changes nothing until the record is reset. */
  decidedBy: 'admin' | 'vendor' | null;
  assignedTo: string | null;
  /** By the vendor's clock; older events do not count. */
  lastEventAt: Date | null;
  checks: number;
  /** The last document when it was submitted: later ones came during the review. Null: not by documents. */
  submittedThrough: string | null;
  simulatedReview: unknown;
  createdAt: Date;
  updatedAt: Date;
}

/** Of the table under the alias k. */
export const recordColumns = `k.id, k.member_id as "memberId", k.provider, k.provider_applicant_id as "providerApplicantId", k.status,
  k.status_since as "statusSince", k.verified_at as "verifiedAt", k.rejection_reason as "rejectionReason",
  k.decided_by as "decidedBy", k.assigned_to as "assignedTo", k.last_event_at as "lastEventAt", k.checks,
  k.submitted_through as "submittedThrough", k.simulated_review as "simulatedReview", k.created_at as "createdAt", k.updated_at as "updatedAt"`;

const find = prepared<KycRecord, [string, string, id: string]>(
  'kyc_find_record',
  `select ${recordColumns} from kyc_record k where k.tenant_id = $1 and k.environment = $2 and k.id = $3`,
);

export function findRecordStatement(scope: Scope, id: string): Statement<KycRecord> {
  return find(scope.tenantId, scope.environment, id);
}

const lock = prepared<KycRecord, [string, string, id: string]>(
  'kyc_lock_record',
  `select ${recordColumns} from kyc_record k where k.tenant_id = $1 and k.environment = $2 and k.id = $3 for no key update`,
);

/** Comes before whatever locks the member's row. */
export function lockRecord(db: Db, scope: Scope, id: string): Promise<KycRecord | undefined> {
  return db.row(lock(scope.tenantId, scope.environment, id));
}

const findOfMember = prepared<KycRecord, [string, string, memberId: string]>(
  'kyc_find_record_of_member',
  `select ${recordColumns} from kyc_record k where k.tenant_id = $1 and k.environment = $2 and k.member_id = $3`,
);

export function recordOfMemberStatement(scope: Scope, memberId: string): Statement<KycRecord> {
  return findOfMember(scope.tenantId, scope.environment, memberId);
}

const lockOfMember = prepared<KycRecord, [string, string, memberId: string]>(
  'kyc_lock_record_of_member',
  `select ${recordColumns} from kyc_record k
   where k.tenant_id = $1 and k.environment = $2 and k.member_id = $3 for no key update`,
);

/** Comes before whatever locks the member's row. */
export function lockRecordOfMember(db: Db, scope: Scope, memberId: string): Promise<KycRecord | undefined> {
  return db.row(lockOfMember(scope.tenantId, scope.environment, memberId));
}

const insert = prepared<KycRecord, [string, string, memberId: string, provider: KycProvider]>(
  'kyc_insert_record',
  `insert into kyc_record as k (tenant_id, environment, member_id, provider, status_since, created_at, updated_at)
   values ($1, $2, $3, $4, scope_now($1, $2), scope_now($1, $2), scope_now($1, $2))
   on conflict (tenant_id, environment, member_id) do nothing
   returning ${recordColumns}`,
);

/** Undefined when the member has one already. */
export function insertRecord(
  db: Db,
  scope: Scope,
  { memberId, provider }: { memberId: string; provider: KycProvider },
): Promise<KycRecord | undefined> {
  return db.row(insert(scope.tenantId, scope.environment, memberId, provider));
}

export interface StatusUpdate {
  status: KycStatus;
  rejectionReason: string | null;
  decidedBy: KycRecord['decidedBy'];
  /** Undefined leaves it as it is. */
  lastEventAt: Date | undefined;
  /** Null: the vendor is not asked. */
  nextCheckSeconds: number | null;
  /** Undefined leaves it as it is. */
  submittedThrough: string | undefined;
}

const update = prepared<
  KycRecord,
  [
    string,
    string,
    id: string,
    status: KycStatus,
    reason: string | null,
    decidedBy: string | null,
    eventAt: Date | null,
    seconds: number | null,
    submittedThrough: string | null,
  ]
>(
  'kyc_update_status',
  `update kyc_record k set status = $4,
          status_since = case when k.status = $4 then k.status_since else scope_now($1, $2) end,
          verified_at = case when $4 = 'approved' then coalesce(k.verified_at, scope_now($1, $2)) end,
          rejection_reason = $5, decided_by = $6, last_event_at = coalesce($7, k.last_event_at),
          check_at = scope_now($1, $2) + make_interval(secs => $8), checks = 0,
          submitted_through = coalesce($9, k.submitted_through), updated_at = scope_now($1, $2)
   where k.tenant_id = $1 and k.environment = $2 and k.id = $3
   returning ${recordColumns}`,
);

/** Of a record that is locked. */
export async function updateStatus(db: Db, scope: Scope, id: string, change: StatusUpdate): Promise<KycRecord> {
  const { status, rejectionReason, decidedBy, lastEventAt = null, nextCheckSeconds, submittedThrough = null } = change;
  const { tenantId, environment } = scope;
  const row = await db.row(
    update(tenantId, environment, id, status, rejectionReason, decidedBy, lastEventAt, nextCheckSeconds, submittedThrough),
  );
  if (!row) throw new Error('a locked KYC record vanished');
  return row;
}

/** From the record itself, to the microsecond, which a Date does not hold. */
const setApproved = prepared<unknown, [string, string, memberId: string]>(
  'kyc_set_member_approved',
  `update member m set kyc_approved_at = k.verified_at from kyc_record k
   where m.tenant_id = $1 and m.environment = $2 and m.id = $3
     and k.tenant_id = $1 and k.environment = $2 and k.member_id = $3`,
);

/** What plans that pay verified members only go by: since when the record is approved, if it is. */
export async function setMemberApproved(db: Db, scope: Scope, memberId: string): Promise<void> {
  await db.rows(setApproved(scope.tenantId, scope.environment, memberId));
}
