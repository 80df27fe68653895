/** Changes of payout accounts in SQL. Of a member that is locked (`lockPayee`). */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { scopeNow } from '../../../db/scope-clock.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';

const account = tenantTable('payout_account');
const payout = tenantTable('payout');

const demote = statement<{ id: string }, { memberId: string }>('accounts_demote', ({ memberId }) =>
  account().where({ member_id: memberId, is_primary: true }).update({ is_primary: false, updated_at: scopeNow }).returning('id'),
);

/** Leaves the member without a primary account, until another is made that. Returns which it was. */
export async function demotePrimary(db: Db, scope: Scope, memberId: string): Promise<string | undefined> {
  return (await db.row(demote(scope, { memberId })))?.id;
}

const promote = statement<unknown, { id: string }>('accounts_promote', ({ id }) =>
  account().where({ id }).update({ is_primary: true, updated_at: scopeNow }),
);

export async function promoteAccount(db: Db, scope: Scope, id: string): Promise<void> {
  await db.rows(promote(scope, { id }));
}

const promoteNewest = statement<{ id: string }, { memberId: string }>('accounts_promote_newest', ({ memberId }) =>
  account()
    .where(
      'id',
      account('x').where('x.member_id', memberId).where('x.status', 'active').orderBy('x.id', 'desc').limit(1).select('x.id'),
    )
    .update({ is_primary: true, updated_at: scopeNow })
    .returning('id'),
);

/** Undefined: the member has no active account. */
export async function promoteNewestActive(db: Db, scope: Scope, memberId: string): Promise<string | undefined> {
  return (await db.row(promoteNewest(scope, { memberId })))?.id;
}

const rename = statement<unknown, { id: string; displayName: string }>('accounts_rename', ({ id, displayName }) =>
  account().where({ id }).update({ display_name: displayName, updated_at: scopeNow }),
);

export async function renameAccount(db: Db, scope: Scope, id: string, displayName: string): Promise<void> {
  await db.rows(rename(scope, { id, displayName }));
}

const lockPayouts = statement<unknown, { accountId: string }>('accounts_lock_payouts', ({ accountId }) =>
  payout()
    .where({ payout_account_id: accountId })
    .whereIn('status', ['queued', 'processing'])
    .orderBy('id')
    .select('id')
    .forShare(),
);

const deactivate = statement<unknown, { id: string }>('accounts_deactivate', ({ id }) =>
  raw(
    `update payout_account a set status = 'deactivated', is_primary = false, check_at = null, holder_sealed = null, name_judged_for = null,
          updated_at = scope_now(:tenantId, :environment),
          bank_sealed = case when exists (
            select from payout p
            where ${ofTenant('p')} and p.payout_account_id = a.id and p.status = 'processing')
          then a.bank_sealed end
   where ${ofTenant('a')} and a.id = :id`,
    { id },
  ),
);

/**
 * The bank details go, but for those of a payout that is on its way: the tenant may still have to pay it. One that
 * is being executed, or settled, is waited for; one that is queued is executed behind this, and finds no account.
 */
export async function deactivateAccount(db: Db, { tenantId, environment }: Scope, id: string): Promise<void> {
  // The second statement sees what the wait of the first was for.
  await Promise.all([
    db.rows(lockPayouts({ tenantId, environment }, { accountId: id })),
    db.rows(deactivate({ tenantId, environment }, { id })),
  ]);
}

const lastFour = statement<{ lastFour: string }, { id: string }>('accounts_last_four', ({ id }) =>
  account().where({ id }).select({ lastFour: 'last_four' }),
);

/** The end of its number, as the member knows it. */
export async function readLastFour(db: Db, scope: Scope, id: string): Promise<string> {
  return (await db.row(lastFour(scope, { id })))?.lastFour ?? '';
}
