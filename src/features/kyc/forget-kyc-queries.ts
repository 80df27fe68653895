/** What goes of a verification when its member is erased, in SQL. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';

/**
 * What was decided, and when, stays: money went by it. As with what staff has decided, the vendor's word
 * changes it no more. A rejection must have a reason.
 */
const record = prepared<unknown, [string, string, id: string]>(
  'kyc_forget_record',
  `update kyc_record k set provider_applicant_id = null, assigned_to = null, simulated_review = null, check_at = null, decided_by = 'admin',
          rejection_reason = case when k.status = 'rejected' then 'Erased' end, updated_at = scope_now($1, $2)
   where k.tenant_id = $1 and k.environment = $2 and k.id = $3`,
);

export async function forgetRecord(db: Db, scope: Scope, id: string): Promise<void> {
  await db.rows(record(scope.tenantId, scope.environment, id));
}

/** That they came, of what kind and when, stays; also of those that found no record. */
const events = prepared<unknown, [string, string, memberId: string]>(
  'kyc_forget_events',
  `update kyc_event e set body = '{}', applicant_id = null, correlation_id = null
   where e.tenant_id = $1 and e.environment = $2
     and (e.kyc_record_id in (select k.id from kyc_record k where k.tenant_id = $1 and k.environment = $2 and k.member_id = $3)
          or (e.outcome = 'unmatched' and e.external_user_id = $3::uuid::text))`,
);

export async function forgetEvents(db: Db, scope: Scope, memberId: string): Promise<void> {
  await db.rows(events(scope.tenantId, scope.environment, memberId));
}
