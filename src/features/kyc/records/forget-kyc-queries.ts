/** What goes of a verification when its member is erased, in SQL. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { scopeNow } from '../../../db/scope-clock.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';

const kycRecord = tenantTable('kyc_record');

/**
 * What was decided, and when, stays: money went by it. As with what staff has decided, the vendor's word
 * changes it no more. A rejection must have a reason.
 */
const record = statement<unknown, { id: string }>('kyc_forget_record', ({ id }) =>
  kycRecord('k')
    .where('k.id', id)
    .update({
      provider_applicant_id: null,
      assigned_to: null,
      taken_by: null,
      taken_until: null,
      simulated_review: null,
      identity_digest: null,
      names_digest: null,
      check_at: null,
      expires_at: null,
      decided_by: 'admin',
      rejection_reason: raw("case when k.status = 'rejected' then 'Erased' end"),
      updated_at: scopeNow,
    }),
);

export async function forgetRecord(db: Db, scope: Scope, id: string): Promise<void> {
  await db.rows(record(scope, { id }));
}

/** That they came, of what kind and when, stays; also of those that found no record. */
const events = statement<unknown, { memberId: string }>('kyc_forget_events', ({ memberId }) =>
  raw(
    `update kyc_event e set body = '{}', applicant_id = null, correlation_id = null
   where ${ofTenant('e')}
     and (e.kyc_record_id in (select k.id from kyc_record k where ${ofTenant('k')} and k.member_id = :memberId)
          or (e.outcome = 'unmatched' and e.external_user_id = :memberId::uuid::text))`,
    { memberId },
  ),
);

export async function forgetEvents(db: Db, scope: Scope, memberId: string): Promise<void> {
  await db.rows(events(scope, { memberId }));
}
