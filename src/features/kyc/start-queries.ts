/** What starting a verification changes, in SQL: its provider, its applicant, when the vendor is asked. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';
import { type KycRecord, recordColumns } from './kyc-record-queries.ts';
import type { KycProvider } from './kyc-states.ts';

const switchTo = prepared<KycRecord, [string, string, recordId: string, KycProvider]>(
  'kyc_switch_provider',
  `update kyc_record k set provider = $4, check_at = null, checks = 0, updated_at = scope_now($1, $2),
       decided_by = case when $4 = 'kycvendor' and k.provider_applicant_id is not null then 'admin' end
   where k.tenant_id = $1 and k.environment = $2 and k.id = $3
   returning ${recordColumns}`,
);

/**
 * Of a record that is locked. It begins anew with the other provider, whose word counts again: that of a
 * vendor that was it before once it has taken back what it said then.
 */
export async function switchProvider(db: Db, scope: Scope, recordId: string, provider: KycProvider): Promise<KycRecord> {
  const row = await db.row(switchTo(scope.tenantId, scope.environment, recordId, provider));
  if (!row) throw new Error('a locked KYC record vanished');
  return row;
}

const link = prepared<unknown, [string, string, recordId: string, applicantId: string, seconds: number]>(
  'kyc_link_applicant',
  `update kyc_record k
   set provider_applicant_id = $4, checks = 0, updated_at = scope_now($1, $2),
       check_at = scope_now($1, $2) + make_interval(secs => case when exists (
         select from kyc_event e
         where e.tenant_id = $1 and e.environment = $2 and e.outcome = 'unmatched'
           and (e.external_user_id = k.member_id::text or e.applicant_id = $4)) then 0 else $5 end)
   where k.tenant_id = $1 and k.environment = $2 and k.id = $3`,
);

/** The vendor is asked after so many seconds, and at once when it has told of the applicant before we knew it. */
export async function linkApplicant(
  db: Db,
  scope: Scope,
  recordId: string,
  { applicantId, checkSeconds }: { applicantId: string; checkSeconds: number },
): Promise<void> {
  await db.rows(link(scope.tenantId, scope.environment, recordId, applicantId, checkSeconds));
}

const schedule = prepared<unknown, [string, string, recordId: string, seconds: number]>(
  'kyc_schedule_check',
  `update kyc_record k
   set checks = case when k.check_at is null then 0 else k.checks end,
       check_at = least(k.check_at, scope_now($1, $2) + make_interval(secs => $4))
   where k.tenant_id = $1 and k.environment = $2 and k.id = $3 and k.provider = 'kycvendor'
     and k.status not in ('approved', 'rejected')`,
);

/** The vendor is asked after so many seconds at the latest. The record itself does not change by it. */
export async function scheduleCheck(db: Db, scope: Scope, recordId: string, seconds: number): Promise<void> {
  await db.rows(schedule(scope.tenantId, scope.environment, recordId, seconds));
}
