/** Which records the vendor is to be asked about, and what becomes of the question, in SQL. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { scopeNow } from '../../../db/scope-clock.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';

/** From 15 minutes, doubled each time, up to a day. A record that does not wait for the vendor is let go of after that. */
const DOUBLINGS = 7;

const takeDue = statement<{ id: string; asks: boolean }, { limit: number; firstSeconds: number }>(
  'kyc_take_due_checks',
  ({ limit, firstSeconds }) =>
    raw(
      `with due as (
     select k.id, k.provider = 'kycvendor' and k.provider_applicant_id is not null and k.decided_by is distinct from 'admin' as asks
     from kyc_record k
     where ${ofTenant('k')} and k.check_at <= scope_now(:tenantId, :environment)
     order by k.check_at limit :limit for no key update skip locked)
   update kyc_record k
   set check_at = case when due.asks and (k.status = 'pending' or k.checks < ${DOUBLINGS})
                       then scope_now(:tenantId, :environment)
                            + make_interval(secs => least(:firstSeconds * 2 ^ least(k.checks + 1, ${DOUBLINGS}), 86400)) end,
       checks = k.checks + 1
   from due
   where ${ofTenant('k')} and k.id = due.id
   returning k.id, due.asks`,
      { limit, firstSeconds },
    ),
);

/** Takes up to `limit` records that are due and sets when they are due again. `asks`: the vendor is to be asked. */
export function takeDueChecks(
  db: Db,
  scope: Scope,
  { limit, firstSeconds }: { limit: number; firstSeconds: number },
): Promise<{ id: string; asks: boolean }[]> {
  return db.rows(takeDue(scope, { limit, firstSeconds }));
}

const kycRecord = tenantTable('kyc_record');

const endAsking = statement<unknown, { recordId: string }>('kyc_end_checks', ({ recordId }) =>
  kycRecord().where({ id: recordId }).update({ check_at: null }),
);

/** The record itself does not change by it. */
export async function endChecks(db: Db, scope: Scope, recordId: string): Promise<void> {
  await db.rows(endAsking(scope, { recordId }));
}

const forget = statement<unknown, { recordId: string }>('kyc_forget_applicant', ({ recordId }) =>
  kycRecord().where({ id: recordId }).update({ provider_applicant_id: null, check_at: null, updated_at: scopeNow }),
);

/** The next start makes another. */
export async function forgetApplicant(db: Db, scope: Scope, recordId: string): Promise<void> {
  await db.rows(forget(scope, { recordId }));
}

const markReset = statement<unknown, { recordId: string; eventsUpTo: Date | null }>(
  'kyc_mark_reset',
  ({ recordId, eventsUpTo }) =>
    kycRecord()
      .where({ id: recordId })
      .update({
        decided_by: null,
        last_event_at: raw('greatest(last_event_at, :eventsUpTo)', { eventsUpTo }),
        updated_at: scopeNow,
      }),
);

/** The vendor's word counts again: that of events after `eventsUpTo`, if given. */
export async function markResetAtVendor(db: Db, scope: Scope, recordId: string, eventsUpTo: Date | undefined): Promise<void> {
  await db.rows(markReset(scope, { recordId, eventsUpTo: eventsUpTo ?? null }));
}
