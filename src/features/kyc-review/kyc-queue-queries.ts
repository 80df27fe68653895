/** The queue of verifications in SQL, and whom one is assigned to. */
import { sqlBuilder } from '../../db/connect.ts';
import type { Db, Scope } from '../../db/frame.ts';
import { built, prepared, type Statement } from '../../db/statement.ts';
import type { KycProvider, KycStatus } from '../kyc/kyc-states.ts';

export interface QueuedRecord {
  id: string;
  userId: string;
  provider: KycProvider;
  providerApplicantId: string | null;
  status: KycStatus;
  waitingSeconds: number;
  verifiedAt: Date | null;
  rejectionReason: string | null;
  assignedTo: string | null;
  createdAt: Date;
  updatedAt: Date;
  /** Its place in the queue: `statusSince` to the microsecond, which a Date does not hold. */
  since: string;
}

export interface QueueFilters {
  status: KycStatus | undefined;
  provider: KycProvider | undefined;
  userId: string | undefined;
  assignedTo: string | undefined;
}

const WAITING = `greatest(0, floor(extract(epoch from scope_now(k.tenant_id, k.environment) - k.status_since)))::float8`;

const COLUMNS = [
  'k.id',
  'k.member_id as userId',
  'k.provider',
  'k.provider_applicant_id as providerApplicantId',
  'k.status',
  sqlBuilder.raw(`${WAITING} as "waitingSeconds"`),
  'k.verified_at as verifiedAt',
  'k.rejection_reason as rejectionReason',
  'k.assigned_to as assignedTo',
  'k.created_at as createdAt',
  'k.updated_at as updatedAt',
  sqlBuilder.raw(`to_char(k.status_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as since`),
];

/** A pending record that is held as if staff had decided is an erased member's: nobody can do anything about it. */
const UNDECIDABLE_LEFT_OUT = `(k.status <> 'pending' or k.decided_by is distinct from 'admin')`;

/** The longest waiting first. */
export function listQueue(
  db: Db,
  scope: Scope,
  filters: QueueFilters,
  after: { since: string; id: string } | undefined,
  count: number,
): Promise<QueuedRecord[]> {
  const query = sqlBuilder('kyc_record as k')
    .where({ 'k.tenant_id': scope.tenantId, 'k.environment': scope.environment })
    .whereRaw(UNDECIDABLE_LEFT_OUT)
    .orderBy(['k.status_since', 'k.id'])
    .limit(count)
    .select(COLUMNS);
  if (filters.status !== undefined) query.where('k.status', filters.status);
  if (filters.provider !== undefined) query.where('k.provider', filters.provider);
  if (filters.userId !== undefined) query.where('k.member_id', filters.userId);
  if (filters.assignedTo !== undefined) query.where('k.assigned_to', filters.assignedTo);
  if (after) query.whereRaw('(k.status_since, k.id) > (?::timestamptz, ?::uuid)', [after.since, after.id]);
  return db.rows(built<QueuedRecord>(query));
}

const countByStatus = prepared<{ status: KycStatus; records: number }, [string, string]>(
  'kyc_review_count_by_status',
  `select k.status, count(*)::float8 as records from kyc_record k
   where k.tenant_id = $1 and k.environment = $2 and ${UNDECIDABLE_LEFT_OUT} group by k.status`,
);

/** Only statuses that some record has. */
export function countsByStatusStatement(scope: Scope): Statement<{ status: KycStatus; records: number }> {
  return countByStatus(scope.tenantId, scope.environment);
}

const waiting = prepared<{ waitingSeconds: number }, [string, string, id: string]>(
  'kyc_review_waiting',
  `select ${WAITING} as "waitingSeconds" from kyc_record k where k.tenant_id = $1 and k.environment = $2 and k.id = $3`,
);

export async function readWaitingSeconds(db: Db, scope: Scope, id: string): Promise<number> {
  const row = await db.row(waiting(scope.tenantId, scope.environment, id));
  return row?.waitingSeconds ?? 0;
}

const assign = prepared<unknown, [string, string, id: string, assignee: string | null]>(
  'kyc_review_assign',
  `update kyc_record k set assigned_to = $4, updated_at = scope_now($1, $2)
   where k.tenant_id = $1 and k.environment = $2 and k.id = $3`,
);

/** Of a record that is locked. */
export async function assignRecord(db: Db, scope: Scope, id: string, assignee: string | null): Promise<void> {
  await db.rows(assign(scope.tenantId, scope.environment, id, assignee));
}
