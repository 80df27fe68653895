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

/** Objects follow their rows, by the sweep that removes them. */
const documents = prepared<unknown, [string, string, recordId: string]>(
  'kyc_forget_papers',
  `with document as (
     delete from kyc_document d where d.tenant_id = $1 and d.environment = $2 and d.kyc_record_id = $3
     returning d.storage_key as key),
   upload as (
     delete from kyc_upload u where u.tenant_id = $1 and u.environment = $2 and u.kyc_record_id = $3
     returning u.pending_key as key)
   insert into object_removal (tenant_id, environment, storage_key, remove_after)
   select $1, $2, gone.key, now() from (select key from document union select key from upload) gone
   on conflict (tenant_id, environment, storage_key) do update set remove_after = excluded.remove_after`,
);

/** Of a record that is locked. */
export async function forgetDocuments(db: Db, scope: Scope, recordId: string): Promise<void> {
  await db.rows(documents(scope.tenantId, scope.environment, recordId));
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
