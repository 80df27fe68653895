/** Which records the vendor is to be asked about, and what becomes of the question, in SQL. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';

/** From 15 minutes, doubled each time, up to a day. A record that does not wait for the vendor is let go of after that. */
const DOUBLINGS = 7;

const takeDue = prepared<{ id: string; asks: boolean }, [string, string, limit: number, firstSeconds: number]>(
  'kyc_take_due_checks',
  `with due as (
     select k.id, k.provider = 'kycvendor' and k.provider_applicant_id is not null and k.decided_by is distinct from 'admin' as asks
     from kyc_record k
     where k.tenant_id = $1 and k.environment = $2 and k.check_at <= scope_now($1, $2)
     order by k.check_at limit $3 for no key update skip locked)
   update kyc_record k
   set check_at = case when due.asks and (k.status = 'pending' or k.checks < ${DOUBLINGS})
                       then scope_now($1, $2) + make_interval(secs => least($4 * 2 ^ least(k.checks + 1, ${DOUBLINGS}), 86400)) end,
       checks = k.checks + 1
   from due
   where k.tenant_id = $1 and k.environment = $2 and k.id = due.id
   returning k.id, due.asks`,
);

/** Takes up to `limit` records that are due and sets when they are due again. `asks`: the vendor is to be asked. */
export function takeDueChecks(
  db: Db,
  scope: Scope,
  { limit, firstSeconds }: { limit: number; firstSeconds: number },
): Promise<{ id: string; asks: boolean }[]> {
  return db.rows(takeDue(scope.tenantId, scope.environment, limit, firstSeconds));
}

const endAsking = prepared<unknown, [string, string, recordId: string]>(
  'kyc_end_checks',
  'update kyc_record set check_at = null where tenant_id = $1 and environment = $2 and id = $3',
);

/** The record itself does not change by it. */
export async function endChecks(db: Db, scope: Scope, recordId: string): Promise<void> {
  await db.rows(endAsking(scope.tenantId, scope.environment, recordId));
}

const forget = prepared<unknown, [string, string, recordId: string]>(
  'kyc_forget_applicant',
  `update kyc_record set provider_applicant_id = null, check_at = null, updated_at = scope_now($1, $2)
   where tenant_id = $1 and environment = $2 and id = $3`,
);

/** The next start makes another. */
export async function forgetApplicant(db: Db, scope: Scope, recordId: string): Promise<void> {
  await db.rows(forget(scope.tenantId, scope.environment, recordId));
}

const markReset = prepared<unknown, [string, string, recordId: string, eventsUpTo: Date | null]>(
  'kyc_mark_reset',
  `update kyc_record
   set decided_by = null, last_event_at = greatest(last_event_at, $4), updated_at = scope_now($1, $2)
   where tenant_id = $1 and environment = $2 and id = $3`,
);

/** The vendor's word counts again: that of events after `eventsUpTo`, if given. */
export async function markResetAtVendor(db: Db, scope: Scope, recordId: string, eventsUpTo: Date | undefined): Promise<void> {
  await db.rows(markReset(scope.tenantId, scope.environment, recordId, eventsUpTo ?? null));
}
