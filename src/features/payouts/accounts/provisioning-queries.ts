/** Accounts on their way to the provider, in SQL. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { scopeNow } from '../../../db/scope-clock.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import type { AccountStatus } from '../open/payout-states.ts';
import type { ProviderAccountStatus } from './account-state-queries.ts';
import type { TosAcceptance } from './connected-person.ts';

const account = tenantTable('payout_account');
const providerAccount = tenantTable('provider_account');

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

const find = statement<ProvisioningAccount, { id: string }>('payouts_find_provisioning', ({ id }) =>
  raw(
    `select x.id, x.member_id as "memberId", x.status, x.method_type as "methodType", x.country, x.currency,
          x.external_account_id as "externalAccountId", x.bank_sealed as "bankSealed", x.tos_acceptance as "tosAcceptance", x.attempt,
          a.provider_account_id as "providerAccountId"
   from payout_account x
   left join provider_account a on ${ofTenant('a')} and a.id = x.provider_account_ref and a.status <> 'gone'
   where ${ofTenant('x')} and x.id = :id and x.provider_type = 'payvendor'
     and (x.status in ('provisioning', 'action_required') or (x.status <> 'deactivated' and x.external_account_id is not null))`,
    { id },
  ),
);

/** No row: there is no such account, or nothing to be done for it. One that the provider has is only asked about. */
export function provisioningStatement({ tenantId, environment }: Scope, id: string) {
  return find({ tenantId, environment }, { id });
}

const ensure = statement<unknown, { memberId: string; country: string }>(
  'payouts_ensure_provider_account',
  ({ memberId, country }) =>
    providerAccount()
      .insert({
        member_id: memberId,
        country,
        status: 'provisioning',
        profile_version: '',
        created_at: scopeNow,
        updated_at: scopeNow,
      })
      .onConflict(['member_id', 'country'])
      .ignore(),
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

const lock = statement<ClaimableAccount, { memberId: string; country: string }>(
  'payouts_lock_claimable_account',
  ({ memberId, country }) =>
    providerAccount()
      .where({ member_id: memberId, country })
      .select({
        id: 'id',
        memberId: 'member_id',
        country: 'country',
        providerAccountId: 'provider_account_id',
        status: 'status',
        profileVersion: 'profile_version',
        claimed: raw('coalesce(claimed_until > now(), false)'),
      })
      .forNoKeyUpdate(),
);

/** The member's account at the provider in the country, made if it is not there, and locked. */
export async function lockClaimableAccount(db: Db, scope: Scope, memberId: string, country: string): Promise<ClaimableAccount> {
  const key = { memberId, country };
  const [, row] = await Promise.all([db.rows(ensure(scope, key)), db.row(lock(scope, key))]);
  if (!row) throw new Error('the account at the provider was not stored');
  return row;
}

const claim = statement<{ unsettledSince: Date | null }, { id: string; version: string; seconds: number }>(
  'payouts_claim_provider_account',
  ({ id, version, seconds }) =>
    raw(
      `update provider_account
   set unsettled_since = case when profile_version <> :version or requested_at < now() - interval '23 hours'
                         then coalesce(unsettled_since, requested_at) else unsettled_since end,
       requested_at = case when profile_version = :version then coalesce(requested_at, now()) else now() end,
       profile_version = :version, claimed_until = now() + make_interval(secs => :seconds),
       updated_at = scope_now(:tenantId, :environment)
   where ${ofTenant('provider_account')} and id = :id
   returning unsettled_since as "unsettledSince"`,
      { id, version, seconds },
    ),
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
  const claimed = await db.row(claim(scope, { id, version, seconds }));
  if (!claimed) throw new Error('a locked account at the provider vanished');
  return claimed.unsettledSince;
}

const noteSearched = statement<{ id: string }, { id: string; version: string; seconds: number }>(
  'payouts_note_account_searched',
  ({ id, version, seconds }) =>
    providerAccount()
      .where({ id, profile_version: version })
      .update({
        unsettled_since: null,
        requested_at: raw('now()'),
        claimed_until: raw('now() + make_interval(secs => :seconds)', { seconds }),
      })
      .returning('id'),
);

/** It was looked for and is not there: from now on only this version's request may make it. False: somebody has claimed it for another one. */
export async function noteAccountSearched(db: Db, scope: Scope, id: string, version: string, seconds: number): Promise<boolean> {
  return (await db.row(noteSearched(scope, { id, version, seconds }))) !== undefined;
}

const storeId = statement<unknown, { id: string; providerAccountId: string; before: string | null }>(
  'payouts_store_provider_id',
  ({ id, providerAccountId, before }) =>
    providerAccount().where({ id }).whereRaw('provider_account_id is not distinct from :before', { before }).update({
      provider_account_id: providerAccountId,
      status: 'provisioning',
      claimed_until: null,
      unsettled_since: null,
      requested_at: null,
      updated_at: scopeNow,
    }),
);

const readId = statement<{ providerAccountId: string | null }, { id: string }>('payouts_read_provider_id', ({ id }) =>
  providerAccount().where({ id }).select({ providerAccountId: 'provider_account_id' }),
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
    db.rows(storeId({ tenantId, environment }, { id, providerAccountId, before })),
    db.row(readId({ tenantId, environment }, { id })),
  ]);
  return stored?.providerAccountId ?? providerAccountId;
}

const dropForeign = statement<{ id: string; from: AccountStatus }, { ref: string; except: string; reason: string }>(
  'payouts_drop_foreign_accounts',
  ({ ref, except, reason }) =>
    raw(
      `with before as (
     select x.id, x.status from payout_account x
     where ${ofTenant('x')} and x.provider_account_ref = :ref and x.id <> :except
       and x.external_account_id is not null and x.status not in ('rejected', 'deactivated')
     order by x.id for no key update)
   update payout_account x set status = 'rejected', status_reason = :reason, check_at = null,
          updated_at = scope_now(:tenantId, :environment)
   from before b
   where ${ofTenant('x')} and x.id = b.id
   returning x.id, b.status as "from"`,
      { ref, except, reason },
    ),
);

/** The other payout accounts on it: the provider that had their bank accounts is not the tenant's any more. */
export function dropForeignAccounts(
  db: Db,
  scope: Scope,
  ref: string,
  except: string,
  reason: string,
): Promise<{ id: string; from: AccountStatus }[]> {
  return db.rows(dropForeign(scope, { ref, except, reason }));
}

const unclaim = statement<unknown, { id: string; version: string; next: string }>(
  'payouts_unclaim_provider_account',
  ({ id, version, next }) =>
    providerAccount()
      .where({ id, profile_version: version })
      .update({ claimed_until: null, profile_version: next, requested_at: null }),
);

/** Nothing was made by this version's request, and nothing has been asked under the next one yet. Of a claim that is another's by now: nothing. */
export async function unclaimProviderAccount(db: Db, scope: Scope, id: string, version: string, next: string): Promise<void> {
  await db.rows(unclaim(scope, { id, version, next }));
}

const attach = statement<{ id: string }, { id: string; ref: string }>('payouts_attach_provider_account', ({ id, ref }) =>
  account()
    .where({ id })
    .whereRaw('provider_account_ref is distinct from :ref', { ref })
    .update({ provider_account_ref: ref, updated_at: scopeNow })
    .returning('id'),
);

/** Which account at the provider a payout account belongs to. False: it was noted before. */
export async function attachProviderAccount(db: Db, scope: Scope, id: string, ref: string): Promise<boolean> {
  return (await db.row(attach(scope, { id, ref }))) !== undefined;
}

const saveBank = statement<{ id: string }, { id: string; externalAccountId: string; bankName: string | null }>(
  'payouts_save_bank_account',
  ({ id, externalAccountId, bankName }) =>
    raw(
      `update payout_account
   set external_account_id = :externalAccountId, bank_name = left(:bankName, 255), bank_sealed = null,
       updated_at = scope_now(:tenantId, :environment),
       display_name = case when :bankName <> '' and display_name = '•••• ' || last_four
                      then left(:bankName, 100) || ' ' || display_name
                      else display_name end
   where ${ofTenant('payout_account')} and id = :id and status <> 'deactivated'
     and external_account_id is distinct from :externalAccountId
   returning id`,
      { id, externalAccountId, bankName },
    ),
);

/** What the provider has of the bank account, in place of the details themselves. False: it was noted before, or the account is gone. */
export async function saveBankAccount(
  db: Db,
  scope: Scope,
  id: string,
  stored: { id: string; bankName: string | null },
): Promise<boolean> {
  return (await db.row(saveBank(scope, { id, externalAccountId: stored.id, bankName: stored.bankName }))) !== undefined;
}

const stall = statement<
  { id: string; from: string },
  { id: string; status: 'provisioning' | 'action_required' | 'rejected'; reason: string }
>('payouts_stall_account', ({ id, status, reason }) =>
  raw(
    `with before as (
     select x.id, x.status from payout_account x
     where ${ofTenant('x')} and x.id = :id and x.status in ('provisioning', 'action_required')
     for no key update)
   update payout_account x
   set status = :status, status_reason = left(:reason, 500), updated_at = scope_now(:tenantId, :environment),
       check_at = case when :status <> 'rejected'
                  then coalesce(x.check_at, scope_now(:tenantId, :environment) + interval '60 seconds') end,
       bank_sealed = case :status when 'rejected' then null else x.bank_sealed end
   from before b
   where ${ofTenant('x')} and x.id = b.id
   returning x.id, b.status as "from"`,
    { id, status, reason },
  ),
);

/** Says why it does not go on; it is taken up again by itself unless it is rejected. */
export function stallAccount(
  db: Db,
  scope: Scope,
  id: string,
  status: 'provisioning' | 'action_required' | 'rejected',
  reason: string,
): Promise<{ id: string; from: string } | undefined> {
  return db.row(stall(scope, { id, status, reason }));
}

const endChecks = statement<unknown, { id: string }>('payouts_end_account_checks', ({ id }) =>
  account().where({ id }).where('status', '<>', 'provisioning').whereNotNull('check_at').update({ check_at: null, checks: 0 }),
);

/** Once the provider has said how it is: from then on it tells of changes by itself. */
export async function endAccountChecks(db: Db, scope: Scope, id: string): Promise<void> {
  await db.rows(endChecks(scope, { id }));
}

const takeDue = statement<{ id: string }, { count: number }>('payouts_take_due_accounts', ({ count }) =>
  raw(
    `update payout_account x
   set checks = x.checks + 1,
       check_at = case when x.status in ('provisioning', 'action_required')
                  then scope_now(:tenantId, :environment)
                       + least(interval '6 hours', interval '1 minute' * power(2, least(x.checks, 10))) end
   from (select d.id from payout_account d
         where ${ofTenant('d')} and d.check_at <= scope_now(:tenantId, :environment)
         order by d.check_at limit :count for no key update skip locked) due
   where ${ofTenant('x')} and x.id = due.id
   returning x.id`,
    { count },
  ),
);

/** What is due, and due again after 1 minute, 2, 4 and so on up to 6 hours. */
export function takeDueAccounts(db: Db, scope: Scope, count: number): Promise<{ id: string }[]> {
  return db.rows(takeDue(scope, { count }));
}
