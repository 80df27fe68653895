/** The queue of verifications in SQL, and whom one is assigned to. */
import { listStatement, raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { scopeNow } from '../../../db/scope-clock.ts';
import type { Statement } from '../../../db/statement.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import type { KycProvider, KycStatus } from '../open/kyc-states.ts';
import { DESK_COLUMNS, type Desk } from './desk-queries.ts';

export interface QueuedRecord extends Desk {
  id: string;
  userId: string;
  provider: KycProvider;
  providerApplicantId: string | null;
  status: KycStatus;
  user: { email: string; name: string | null };
  verifiedAt: Date | null;
  expiresAt: Date | null;
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
  /** Only what nobody beside this actor has taken. */
  freeFor: string | undefined;
}

/** Looked up for what is shown alone. */
const USER = `(select json_build_object('email', m.email, 'name', m.name) from member m where ${ofTenant('m')} and m.id = k.member_id)`;

/** A pending record that is held as if staff had decided is an erased member's: nobody can do anything about it. */
const UNDECIDABLE_LEFT_OUT = `(k.status <> 'pending' or k.decided_by is distinct from 'admin')`;

const kycRecord = tenantTable('kyc_record');

type ListParameters = QueueFilters & { afterSince: string | undefined; afterId: string | undefined; count: number };

const list = listStatement<QueuedRecord, ListParameters>(
  'kyc_review_queue',
  ({ status, provider, userId, assignedTo, freeFor, afterSince, afterId, count }) => {
    const query = kycRecord('k')
      .whereRaw(UNDECIDABLE_LEFT_OUT)
      .orderBy(['k.status_since', 'k.id'])
      .limit(count)
      .select([
        'k.id',
        'k.member_id as userId',
        'k.provider',
        'k.provider_applicant_id as providerApplicantId',
        'k.status',
        ...DESK_COLUMNS,
        raw(`${USER} as "user"`),
        'k.verified_at as verifiedAt',
        'k.expires_at as expiresAt',
        'k.rejection_reason as rejectionReason',
        'k.assigned_to as assignedTo',
        'k.created_at as createdAt',
        'k.updated_at as updatedAt',
        raw(`to_char(k.status_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as since`),
      ]);
    if (status) query.where('k.status', status);
    if (provider) query.where('k.provider', provider);
    if (userId) query.where('k.member_id', userId);
    if (assignedTo) query.where('k.assigned_to', assignedTo);
    if (freeFor) query.whereRaw('(k.taken_until is null or k.taken_until <= now() or k.taken_by = ?)', [freeFor]);
    if (afterSince && afterId) query.whereRaw('(k.status_since, k.id) > (?::timestamptz, ?::uuid)', [afterSince, afterId]);
    return query;
  },
);

/** The longest waiting first. */
export function listQueue(
  db: Db,
  scope: Scope,
  filters: QueueFilters,
  after: { since: string; id: string } | undefined,
  count: number,
): Promise<QueuedRecord[]> {
  return db.rows(list(scope, { ...filters, afterSince: after?.since, afterId: after?.id, count }));
}

const countByStatus = statement<{ status: KycStatus; records: number }>('kyc_review_count_by_status', () =>
  kycRecord('k').whereRaw(UNDECIDABLE_LEFT_OUT).groupBy('k.status').select('k.status', raw('count(*)::float8 as records')),
);

/** Only statuses that some record has. */
export function countsByStatusStatement(scope: Scope): Statement<{ status: KycStatus; records: number }> {
  return countByStatus(scope);
}

const assign = statement<unknown, { id: string; assignee: string | null }>('kyc_review_assign', ({ id, assignee }) =>
  kycRecord('k').where('k.id', id).update({ assigned_to: assignee, updated_at: scopeNow }),
);

/** Of a record that is locked. */
export async function assignRecord(db: Db, scope: Scope, id: string, assignee: string | null): Promise<void> {
  await db.rows(assign(scope, { id, assignee }));
}
