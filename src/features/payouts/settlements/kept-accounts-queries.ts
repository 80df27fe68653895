/** Accounts that are kept for what is owed to an erased member, in SQL. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { SCOPE_NOW } from '../../../db/scope-clock.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { owedSums } from '../../commissions/open/owed-sql.ts';
import { KEPT_CHECK } from '../personal-queries.ts';

const lockNext = statement<{ id: string }>('accounts_lock_next_kept', () =>
  raw(
    `select due.id from (
     select a.id, a.member_id from payout_account a
     where ${ofTenant('a')} and a.kept_check_at <= (select ${SCOPE_NOW})
     order by a.kept_check_at, a.id limit 1) due
   join member m on ${ofTenant('m')} and m.id = due.member_id for update of m`,
  ),
);

/**
 * The account that has waited longest to be looked at, its member locked: what is being booked for the member is waited
 * for, as an erasure does. Undefined: none is due.
 */
export async function lockNextKept(db: Db, scope: Scope): Promise<string | undefined> {
  return (await db.row(lockNext(scope)))?.id;
}

const forget = statement<{ memberId: string }, { accountId: string }>('accounts_forget_kept', ({ accountId }) =>
  raw(
    `update payout_account a
   set kept_check_at = case when judged.is_needed then judged.now + interval '${KEPT_CHECK}' end,
       bank_sealed = case when judged.is_needed then a.bank_sealed end, updated_at = judged.now
   from (select x.id, clock.now,
                exists (select from (${owedSums('x.member_id')}) owed where owed.currency = x.currency)
                or exists (
                  select from payout p
                  where ${ofTenant('p')} and p.payout_account_id = x.id and p.status in ('queued', 'processing')) as is_needed
         from payout_account x cross join (select ${SCOPE_NOW} as now) clock
         where ${ofTenant('x')} and x.id = :accountId and x.kept_check_at <= clock.now) judged
   where ${ofTenant('a')} and a.id = judged.id
   returning a.member_id as "memberId"`,
    { accountId },
  ),
);

/** Removes the bank details of a locked member, unless something is owed in the currency of the account; then it is due again. Undefined: it was not due. */
export async function forgetUnlessOwed(db: Db, scope: Scope, accountId: string): Promise<{ memberId: string } | undefined> {
  return db.row(forget(scope, { accountId }));
}
