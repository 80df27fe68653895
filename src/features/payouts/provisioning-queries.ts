/** Accounts on their way to the provider, in SQL. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';
import type { ProviderAccountStatus } from './account-state-queries.ts';
import type { TosAcceptance } from './connected-person.ts';
import type { AccountStatus } from './payout-states.ts';

export interface ProvisioningAccount {
  id: string;
  memberId: string;
  status: AccountStatus;
  methodType: string;
  country: string;
  currency: string;
  externalAccountId: string | null;
  bankSealed: Buffer | null;
  tosAcceptance: TosAcceptance | null;
  attempt: number;
  /** Of the account at the provider that it belongs to, if that is settled. */
  providerAccountId: string | null;
}

const find = prepared<ProvisioningAccount, [string, string, id: string]>(
  'payouts_find_provisioning',
  `select x.id, x.member_id as "memberId", x.status, x.method_type as "methodType", x.country, x.currency,
          x.external_account_id as "externalAccountId", x.bank_sealed as "bankSealed", x.tos_acceptance as "tosAcceptance", x.attempt,
          a.provider_account_id as "providerAccountId"
   from payout_account x
   left join provider_account a on a.tenant_id = $1 and a.environment = $2 and a.id = x.provider_account_ref and a.status <> 'gone'
   where x.tenant_id = $1 and x.environment = $2 and x.id = $3 and x.provider_type = 'payvendor'
     and (x.status in ('provisioning', 'action_required') or (x.status <> 'deactivated' and x.external_account_id is not null))`,
);

/** No row: there is no such account, or nothing to be done for it. One that the provider has is only asked about. */
export function provisioningStatement({ tenantId, environment }: Scope, id: string) {
  return find(tenantId, environment, id);
}

const ensure = prepared<unknown, [string, string, memberId: string, country: string]>(
  'payouts_ensure_provider_account',
  `insert into provider_account (tenant_id, environment, member_id, country, status, profile_version, created_at, updated_at)
   values ($1, $2, $3, $4, 'provisioning', '', scope_now($1, $2), scope_now($1, $2))
   on conflict (tenant_id, environment, member_id, country) do nothing`,
);

export interface ClaimableAccount {
  id: string;
  memberId: string;
  country: string;
  providerAccountId: string | null;
  status: ProviderAccountStatus;
  profileVersion: string;
  /** Somebody else asks the provider for it now. */
  claimed: boolean;
}

const lock = prepared<ClaimableAccount, [string, string, memberId: string, country: string]>(
  'payouts_lock_claimable_account',
  `select a.id, a.member_id as "memberId", a.country, a.provider_account_id as "providerAccountId", a.status,
          a.profile_version as "profileVersion", coalesce(a.claimed_until > now(), false) as claimed
   from provider_account a
   where a.tenant_id = $1 and a.environment = $2 and a.member_id = $3 and a.country = $4 for no key update`,
);

/** The member's account at the provider in the country, made if it is not there, and locked. */
export async function lockClaimableAccount(db: Db, scope: Scope, memberId: string, country: string): Promise<ClaimableAccount> {
  const key = [scope.tenantId, scope.environment, memberId, country] as const;
  const [, row] = await Promise.all([db.rows(ensure(...key)), db.row(lock(...key))]);
  if (!row) throw new Error('the account at the provider was not stored');
  return row;
}

const claim = prepared<{ unsettledSince: Date | null }, [string, string, id: string, version: string, seconds: number]>(
  'payouts_claim_provider_account',
  `update provider_account
   set unsettled_since = case when profile_version <> $4 or requested_at < now() - interval '23 hours'
                         then coalesce(unsettled_since, requested_at) else unsettled_since end,
       requested_at = case when profile_version = $4 then coalesce(requested_at, now()) else now() end,
       profile_version = $4, claimed_until = now() + make_interval(secs => $5), updated_at = scope_now($1, $2)
   where tenant_id = $1 and environment = $2 and id = $3
   returning unsettled_since as "unsettledSince"`,
);

/**
 * Since when another request, or one whose key the provider may have forgotten, may have made the account; null: none
 * has. It stays so, whoever dies, until the account was looked for or is stored.
 */
export async function claimProviderAccount(
  db: Db,
  scope: Scope,
  id: string,
  version: string,
  seconds: number,
): Promise<Date | null> {
  const claimed = await db.row(claim(scope.tenantId, scope.environment, id, version, seconds));
  if (!claimed) throw new Error('a locked account at the provider vanished');
  return claimed.unsettledSince;
}

const noteSearched = prepared<{ id: string }, [string, string, id: string, version: string, seconds: number]>(
  'payouts_note_account_searched',
  `update provider_account
   set unsettled_since = null, requested_at = now(), claimed_until = now() + make_interval(secs => $5)
   where tenant_id = $1 and environment = $2 and id = $3 and profile_version = $4 returning id`,
);

/** It was looked for and is not there: from now on only this version's request may make it. False: somebody has claimed it for another one. */
export async function noteAccountSearched(db: Db, scope: Scope, id: string, version: string, seconds: number): Promise<boolean> {
  return (await db.row(noteSearched(scope.tenantId, scope.environment, id, version, seconds))) !== undefined;
}

const storeId = prepared<unknown, [string, string, id: string, providerAccountId: string, before: string | null]>(
  'payouts_store_provider_id',
  `update provider_account set provider_account_id = $4, status = 'provisioning', claimed_until = null, unsettled_since = null, requested_at = null,
          updated_at = scope_now($1, $2)
   where tenant_id = $1 and environment = $2 and id = $3 and provider_account_id is not distinct from $5`,
);

const readId = prepared<{ providerAccountId: string | null }, [string, string, id: string]>(
  'payouts_read_provider_id',
  `select a.provider_account_id as "providerAccountId" from provider_account a
   where a.tenant_id = $1 and a.environment = $2 and a.id = $3`,
);

/** What the provider has made, or found to have made before, in place of `before`. Ends the claim. Returns what stands now: the first of two. */
export async function storeProviderId(
  db: Db,
  { tenantId, environment }: Scope,
  id: string,
  providerAccountId: string,
  before: string | null,
): Promise<string> {
  const [, stored] = await Promise.all([
    db.rows(storeId(tenantId, environment, id, providerAccountId, before)),
    db.row(readId(tenantId, environment, id)),
  ]);
  return stored?.providerAccountId ?? providerAccountId;
}

const dropForeign = prepared<{ id: string; from: AccountStatus }, [string, string, ref: string, except: string, reason: string]>(
  'payouts_drop_foreign_accounts',
  `with before as (
     select x.id, x.status from payout_account x
     where x.tenant_id = $1 and x.environment = $2 and x.provider_account_ref = $3 and x.id <> $4
       and x.external_account_id is not null and x.status not in ('rejected', 'deactivated')
     order by x.id for no key update)
   update payout_account x set status = 'rejected', status_reason = $5, check_at = null, updated_at = scope_now($1, $2)
   from before b
   where x.tenant_id = $1 and x.environment = $2 and x.id = b.id
   returning x.id, b.status as "from"`,
);

/** The other payout accounts on it: the provider that had their bank accounts is not the tenant's any more. */
export function dropForeignAccounts(
  db: Db,
  scope: Scope,
  ref: string,
  except: string,
  reason: string,
): Promise<{ id: string; from: AccountStatus }[]> {
  return db.rows(dropForeign(scope.tenantId, scope.environment, ref, except, reason));
}

const unclaim = prepared<unknown, [string, string, id: string, version: string, next: string]>(
  'payouts_unclaim_provider_account',
  `update provider_account set claimed_until = null, profile_version = $5, requested_at = null
   where tenant_id = $1 and environment = $2 and id = $3 and profile_version = $4`,
);

/** Nothing was made by this version's request, and nothing has been asked under the next one yet. Of a claim that is another's by now: nothing. */
export async function unclaimProviderAccount(db: Db, scope: Scope, id: string, version: string, next: string): Promise<void> {
  await db.rows(unclaim(scope.tenantId, scope.environment, id, version, next));
}

const attach = prepared<unknown, [string, string, id: string, ref: string]>(
  'payouts_attach_provider_account',
  `update payout_account set provider_account_ref = $4, updated_at = scope_now($1, $2)
   where tenant_id = $1 and environment = $2 and id = $3 and provider_account_ref is distinct from $4`,
);

/** Which account at the provider a payout account belongs to. */
export async function attachProviderAccount(db: Db, scope: Scope, id: string, ref: string): Promise<void> {
  await db.rows(attach(scope.tenantId, scope.environment, id, ref));
}

const saveBank = prepared<{ id: string }, [string, string, id: string, externalAccountId: string, bankName: string | null]>(
  'payouts_save_bank_account',
  `update payout_account
   set external_account_id = $4, bank_name = left($5, 255), bank_sealed = null, updated_at = scope_now($1, $2),
       display_name = case when $5 <> '' and display_name = '•••• ' || last_four then left($5, 100) || ' ' || display_name
                      else display_name end
   where tenant_id = $1 and environment = $2 and id = $3 and status <> 'deactivated' and external_account_id is distinct from $4
   returning id`,
);

/** What the provider has of the bank account, in place of the details themselves. False: it was noted before, or the account is gone. */
export async function saveBankAccount(
  db: Db,
  scope: Scope,
  id: string,
  stored: { id: string; bankName: string | null },
): Promise<boolean> {
  return (await db.row(saveBank(scope.tenantId, scope.environment, id, stored.id, stored.bankName))) !== undefined;
}

const stall = prepared<
  { id: string; from: string },
  [string, string, id: string, status: 'provisioning' | 'action_required' | 'rejected', reason: string]
>(
  'payouts_stall_account',
  `with before as (
     select x.id, x.status from payout_account x
     where x.tenant_id = $1 and x.environment = $2 and x.id = $3 and x.status in ('provisioning', 'action_required')
     for no key update)
   update payout_account x
   set status = $4, status_reason = left($5, 500), updated_at = scope_now($1, $2),
       check_at = case when $4 <> 'rejected' then coalesce(x.check_at, scope_now($1, $2) + interval '60 seconds') end,
       bank_sealed = case $4 when 'rejected' then null else x.bank_sealed end
   from before b
   where x.tenant_id = $1 and x.environment = $2 and x.id = b.id
   returning x.id, b.status as "from"`,
);

/** Says why it does not go on; it is taken up again by itself unless it is rejected. */
export function stallAccount(
  db: Db,
  scope: Scope,
  id: string,
  status: 'provisioning' | 'action_required' | 'rejected',
  reason: string,
): Promise<{ id: string; from: string } | undefined> {
  return db.row(stall(scope.tenantId, scope.environment, id, status, reason));
}

const endChecks = prepared<unknown, [string, string, id: string]>(
  'payouts_end_account_checks',
  `update payout_account set check_at = null, checks = 0
   where tenant_id = $1 and environment = $2 and id = $3 and status <> 'provisioning' and check_at is not null`,
);

/** Once the provider has said how it is: from then on it tells of changes by itself. */
export async function endAccountChecks(db: Db, scope: Scope, id: string): Promise<void> {
  await db.rows(endChecks(scope.tenantId, scope.environment, id));
}

const takeDue = prepared<{ id: string }, [string, string, count: number]>(
  'payouts_take_due_accounts',
  `update payout_account x
   set checks = x.checks + 1,
       check_at = case when x.status in ('provisioning', 'action_required')
                  then scope_now($1, $2) + least(interval '6 hours', interval '1 minute' * power(2, least(x.checks, 10))) end
   from (select d.id from payout_account d
         where d.tenant_id = $1 and d.environment = $2 and d.check_at <= scope_now($1, $2)
         order by d.check_at limit $3 for no key update skip locked) due
   where x.tenant_id = $1 and x.environment = $2 and x.id = due.id
   returning x.id`,
);

/** What is due, and due again after 1 minute, 2, 4 and so on up to 6 hours. */
export function takeDueAccounts(db: Db, scope: Scope, count: number): Promise<{ id: string }[]> {
  return db.rows(takeDue(scope.tenantId, scope.environment, count));
}
