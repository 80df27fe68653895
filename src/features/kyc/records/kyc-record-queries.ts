/** The verification of a member in SQL: one row a member, for good. */
import type { Knex } from 'knex';
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { scopeNow } from '../../../db/scope-clock.ts';
import type { Statement } from '../../../db/statement.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import type { IdentityDigests } from '../../../house/personal.ts';
import { setKycApproved } from '../../users/open/member-sql.ts';
import type { DocumentType, KycProvider, KycStatus } from '../open/kyc-states.ts';

export interface KycRecord {
  id: string;
  memberId: string;
  provider: KycProvider;
  providerApplicantId: string | null;
  status: KycStatus;
  statusSince: Date;
  verifiedAt: Date | null;
  /** When the approval ends; null: never, or there is none. */
  expiresAt: Date | null;
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
  /** What staff has asked for anew and has not come yet: the record is not submitted before. */
  awaitedDocuments: DocumentType[];
  simulatedReview: unknown;
  /** Rises with each change of who the member is. */
  identityVersion: number;
  /** That of what was submitted for review. */
  identitySeen: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Of the table under the alias k. */
export const recordColumns = `k.id, k.member_id as "memberId", k.provider, k.provider_applicant_id as "providerApplicantId", k.status,
  k.status_since as "statusSince", k.verified_at as "verifiedAt", k.expires_at as "expiresAt", k.rejection_reason as "rejectionReason",
  k.decided_by as "decidedBy", k.assigned_to as "assignedTo", k.last_event_at as "lastEventAt", k.checks,
  k.submitted_through as "submittedThrough", k.awaited_documents as "awaitedDocuments", k.simulated_review as "simulatedReview",
  k.identity_version as "identityVersion", k.identity_seen as "identitySeen", k.created_at as "createdAt", k.updated_at as "updatedAt"`;

const kycRecord = tenantTable('kyc_record');
const one = (id: Knex.Raw) => kycRecord('k').where('k.id', id).select(raw(recordColumns));
const oneOfMember = (memberId: Knex.Raw) => kycRecord('k').where('k.member_id', memberId).select(raw(recordColumns));

const find = statement<KycRecord, { id: string }>('kyc_find_record', ({ id }) => one(id));

export function findRecordStatement(scope: Scope, id: string): Statement<KycRecord> {
  return find(scope, { id });
}

const lock = statement<KycRecord, { id: string }>('kyc_lock_record', ({ id }) => one(id).forNoKeyUpdate());

/** Comes before whatever locks the member's row. */
export function lockRecord(db: Db, scope: Scope, id: string): Promise<KycRecord | undefined> {
  return db.row(lock(scope, { id }));
}

const findOfMember = statement<KycRecord, { memberId: string }>('kyc_find_record_of_member', ({ memberId }) =>
  oneOfMember(memberId),
);

export function recordOfMemberStatement(scope: Scope, memberId: string): Statement<KycRecord> {
  return findOfMember(scope, { memberId });
}

const lockOfMember = statement<KycRecord, { memberId: string }>('kyc_lock_record_of_member', ({ memberId }) =>
  oneOfMember(memberId).forNoKeyUpdate(),
);

/** Comes before whatever locks the member's row. */
export function lockRecordOfMember(db: Db, scope: Scope, memberId: string): Promise<KycRecord | undefined> {
  return db.row(lockOfMember(scope, { memberId }));
}

const lockDue = statement<KycRecord, { limit: number }>('kyc_lock_expired', ({ limit }) =>
  raw(
    `select ${recordColumns} from kyc_record k
   where ${ofTenant('k')} and k.expires_at <= scope_now(:tenantId, :environment)
   order by k.expires_at limit :limit for no key update skip locked`,
    { limit },
  ),
);

/** Approvals whose time has ended. Comes before whatever locks their members' rows. */
export function lockExpired(db: Db, scope: Scope, limit: number): Promise<KycRecord[]> {
  return db.rows(lockDue(scope, { limit }));
}

const insert = statement<KycRecord, { memberId: string; provider: KycProvider }>('kyc_insert_record', ({ memberId, provider }) =>
  kycRecord('k')
    .insert({ member_id: memberId, provider, status_since: scopeNow, created_at: scopeNow, updated_at: scopeNow })
    .onConflict('member_id')
    .ignore()
    .returning(raw(recordColumns)),
);

/** Undefined when the member has one already. */
export function insertRecord(
  db: Db,
  scope: Scope,
  { memberId, provider }: { memberId: string; provider: KycProvider },
): Promise<KycRecord | undefined> {
  return db.row(insert(scope, { memberId, provider }));
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
  awaitedDocuments: readonly DocumentType[];
  /** Who is approved; undefined: nobody is. */
  identity: IdentityDigests | undefined;
}

const update = statement<
  KycRecord,
  {
    id: string;
    status: KycStatus;
    reason: string | null;
    decidedBy: string | null;
    eventAt: Date | null;
    seconds: number | null;
    submittedThrough: string | null;
    awaited: DocumentType[];
    identity: Buffer | null;
    names: Buffer | null;
  }
>('kyc_update_status', ({ id, status, reason, decidedBy, eventAt, seconds, submittedThrough, awaited, identity, names }) =>
  raw(
    `update kyc_record k set status = :status,
          status_since = case when k.status = :status then k.status_since else scope_now(:tenantId, :environment) end,
          verified_at = case when :status = 'approved' then coalesce(k.verified_at, scope_now(:tenantId, :environment)) end,
          expires_at = case when :status <> 'approved' then null
                            when k.status = 'approved' then k.expires_at
                            else scope_now(:tenantId, :environment)
                                 + make_interval(days => (select s.approval_valid_days from kyc_settings s where ${ofTenant('s')})) end,
          rejection_reason = :reason, decided_by = :decidedBy, last_event_at = coalesce(:eventAt, k.last_event_at),
          check_at = scope_now(:tenantId, :environment) + make_interval(secs => :seconds), checks = 0,
          submitted_through = coalesce(:submittedThrough, k.submitted_through),
          identity_digest = case when :status = 'approved' then coalesce(k.identity_digest, :identity) end,
          names_digest = case when :status = 'approved' then coalesce(k.names_digest, :names) end,
          identity_changed_at = case when :status <> 'approved' then k.identity_changed_at end,
          identity_seen = case when :status = 'approved' or :submittedThrough::uuid is not null
                          then k.identity_version else k.identity_seen end,
          taken_by = case when k.status = :status then k.taken_by end,
          taken_until = case when k.status = :status then k.taken_until end,
          awaited_documents = :awaited::text[], updated_at = scope_now(:tenantId, :environment)
   where ${ofTenant('k')} and k.id = :id
   returning ${recordColumns}`,
    { id, status, reason, decidedBy, eventAt, seconds, submittedThrough, awaited, identity, names },
  ),
);

/** Of a record that is locked. */
export async function updateStatus(db: Db, scope: Scope, id: string, change: StatusUpdate): Promise<KycRecord> {
  const {
    status,
    rejectionReason,
    decidedBy,
    lastEventAt = null,
    nextCheckSeconds,
    submittedThrough = null,
    awaitedDocuments,
    identity,
  } = change;
  const row = await db.row(
    update(scope, {
      id,
      status,
      reason: rejectionReason,
      decidedBy,
      eventAt: lastEventAt,
      seconds: nextCheckSeconds,
      submittedThrough,
      awaited: [...awaitedDocuments],
      identity: identity?.identity ?? null,
      names: identity?.names ?? null,
    }),
  );
  if (!row) throw new Error('a locked KYC record vanished');
  return row;
}

const documentCame = statement<unknown, { id: string; documentType: DocumentType }>('kyc_awaited_came', ({ id, documentType }) =>
  raw(
    `update kyc_record k set awaited_documents = array_remove(k.awaited_documents, :documentType::text),
          updated_at = scope_now(:tenantId, :environment)
   where ${ofTenant('k')} and k.id = :id`,
    { id, documentType },
  ),
);

/** The document is not waited for any more; the record is locked. */
export async function settleAwaited(db: Db, scope: Scope, id: string, documentType: DocumentType): Promise<void> {
  await db.rows(documentCame(scope, { id, documentType }));
}

/** From the record itself, to the microsecond, which a Date does not hold. */
const setApproved = statement<unknown, { memberId: string }>('kyc_set_member_approved', ({ memberId }) =>
  raw(
    setKycApproved(`(
     select k.member_id, k.verified_at from kyc_record k where ${ofTenant('k')} and k.member_id = :memberId)`),
    { memberId },
  ),
);

/** What plans that pay verified members only go by: since when the record is approved, if it is. */
export async function setMemberApproved(db: Db, scope: Scope, memberId: string): Promise<void> {
  await db.rows(setApproved(scope, { memberId }));
}
