/** What starting a verification changes, in SQL: its provider, its applicant, when the vendor is asked. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import type { KycProvider } from '../open/kyc-states.ts';
import { type KycRecord, recordColumns } from './kyc-record-queries.ts';

const switchTo = statement<KycRecord, { recordId: string; provider: KycProvider }>(
  'kyc_switch_provider',
  ({ recordId, provider }) =>
    raw(
      `update kyc_record k set provider = :provider, check_at = null, checks = 0, awaited_documents = '{}',
       updated_at = scope_now(:tenantId, :environment),
       decided_by = case when :provider = 'kycvendor' and k.provider_applicant_id is not null then 'admin' end
   where ${ofTenant('k')} and k.id = :recordId
   returning ${recordColumns}`,
      { recordId, provider },
    ),
);

/**
 * Of a record that is locked. It begins anew with the other provider, whose word counts again: that of a
 * vendor that was it before once it has taken back what it said then.
 */
export async function switchProvider(db: Db, scope: Scope, recordId: string, provider: KycProvider): Promise<KycRecord> {
  const row = await db.row(switchTo(scope, { recordId, provider }));
  if (!row) throw new Error('a locked KYC record vanished');
  return row;
}

const link = statement<unknown, { recordId: string; applicantId: string; seconds: number }>(
  'kyc_link_applicant',
  ({ recordId, applicantId, seconds }) =>
    raw(
      `update kyc_record k
   set provider_applicant_id = :applicantId, checks = 0, updated_at = scope_now(:tenantId, :environment),
       check_at = scope_now(:tenantId, :environment) + make_interval(secs => case when exists (
         select from kyc_event e
         where ${ofTenant('e')} and e.outcome = 'unmatched'
           and (e.external_user_id = k.member_id::text or e.applicant_id = :applicantId)) then 0 else :seconds end)
   where ${ofTenant('k')} and k.id = :recordId`,
      { recordId, applicantId, seconds },
    ),
);

/** The vendor is asked after so many seconds, and at once when it has told of the applicant before we knew it. */
export async function linkApplicant(
  db: Db,
  scope: Scope,
  recordId: string,
  { applicantId, checkSeconds }: { applicantId: string; checkSeconds: number },
): Promise<void> {
  await db.rows(link(scope, { recordId, applicantId, seconds: checkSeconds }));
}

const schedule = statement<unknown, { recordId: string; seconds: number }>('kyc_schedule_check', ({ recordId, seconds }) =>
  raw(
    `update kyc_record k
   set checks = case when k.check_at is null then 0 else k.checks end,
       check_at = least(k.check_at, scope_now(:tenantId, :environment) + make_interval(secs => :seconds))
   where ${ofTenant('k')} and k.id = :recordId and k.provider = 'kycvendor'
     and k.status not in ('approved', 'rejected')`,
    { recordId, seconds },
  ),
);

/** The vendor is asked after so many seconds at the latest. The record itself does not change by it. */
export async function scheduleCheck(db: Db, scope: Scope, recordId: string, seconds: number): Promise<void> {
  await db.rows(schedule(scope, { recordId, seconds }));
}
