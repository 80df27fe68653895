/** Changes of payout accounts in SQL. Of a member that is locked (`lockPayee`). */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';

const demote = prepared<{ id: string }, [string, string, memberId: string]>(
  'accounts_demote',
  `update payout_account set is_primary = false, updated_at = scope_now($1, $2)
   where tenant_id = $1 and environment = $2 and member_id = $3 and is_primary returning id`,
);

/** Leaves the member without a primary account, until another is made that. Returns which it was. */
export async function demotePrimary(db: Db, scope: Scope, memberId: string): Promise<string | undefined> {
  return (await db.row(demote(scope.tenantId, scope.environment, memberId)))?.id;
}

const promote = prepared<unknown, [string, string, id: string]>(
  'accounts_promote',
  `update payout_account set is_primary = true, updated_at = scope_now($1, $2)
   where tenant_id = $1 and environment = $2 and id = $3`,
);

export async function promoteAccount(db: Db, scope: Scope, id: string): Promise<void> {
  await db.rows(promote(scope.tenantId, scope.environment, id));
}

const promoteNewest = prepared<{ id: string }, [string, string, memberId: string]>(
  'accounts_promote_newest',
  `update payout_account set is_primary = true, updated_at = scope_now($1, $2)
   where tenant_id = $1 and environment = $2 and id = (
     select x.id from payout_account x
     where x.tenant_id = $1 and x.environment = $2 and x.member_id = $3 and x.status = 'active' order by x.id desc limit 1)
   returning id`,
);

/** Undefined: the member has no active account. */
export async function promoteNewestActive(db: Db, scope: Scope, memberId: string): Promise<string | undefined> {
  return (await db.row(promoteNewest(scope.tenantId, scope.environment, memberId)))?.id;
}

const rename = prepared<unknown, [string, string, id: string, displayName: string]>(
  'accounts_rename',
  `update payout_account set display_name = $4, updated_at = scope_now($1, $2)
   where tenant_id = $1 and environment = $2 and id = $3`,
);

export async function renameAccount(db: Db, scope: Scope, id: string, displayName: string): Promise<void> {
  await db.rows(rename(scope.tenantId, scope.environment, id, displayName));
}

const lockPayouts = prepared<unknown, [string, string, accountId: string]>(
  'accounts_lock_payouts',
  `select p.id from payout p
   where p.tenant_id = $1 and p.environment = $2 and p.payout_account_id = $3 and p.status in ('queued', 'processing')
   order by p.id for share`,
);

const deactivate = prepared<unknown, [string, string, id: string]>(
  'accounts_deactivate',
  `update payout_account a set status = 'deactivated', is_primary = false, check_at = null, updated_at = scope_now($1, $2),
          bank_sealed = case when exists (
            select from payout p
            where p.tenant_id = $1 and p.environment = $2 and p.payout_account_id = a.id and p.status = 'processing')
          then a.bank_sealed end
   where a.tenant_id = $1 and a.environment = $2 and a.id = $3`,
);

/**
 * The bank details go, but for those of a payout that is on its way: the tenant may still have to pay it. One that
 * is being executed, or settled, is waited for; one that is queued is executed behind this, and finds no account.
 */
export async function deactivateAccount(db: Db, { tenantId, environment }: Scope, id: string): Promise<void> {
  // The second statement sees what the wait of the first was for.
  await Promise.all([db.rows(lockPayouts(tenantId, environment, id)), db.rows(deactivate(tenantId, environment, id))]);
}
