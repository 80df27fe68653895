/** How accounts at the payment vendor stand, in SQL, and what follows for the payout accounts on them. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { scopeNow } from '../../../db/scope-clock.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import type { AccountStatus } from '../open/payout-states.ts';

const account = tenantTable('payout_account');
const providerAccount = tenantTable('provider_account');

export type ProviderAccountStatus = 'provisioning' | 'active' | 'pending' | 'restricted' | 'rejected' | 'gone';

export interface ProviderAccount {
  id: string;
  memberId: string;
  status: ProviderAccountStatus;
  transfers: string | null;
  disabledReason: string | null;
  requirements: string[];
  lastEventAt: Date | null;
}

const lock = statement<ProviderAccount, { providerAccountId: string }>(
  'accounts_lock_provider_account',
  ({ providerAccountId }) =>
    providerAccount()
      .where({ provider_account_id: providerAccountId })
      .select({
        id: 'id',
        memberId: 'member_id',
        status: 'status',
        transfers: 'transfers',
        disabledReason: 'disabled_reason',
        requirements: 'requirements',
        lastEventAt: 'last_event_at',
      })
      .forNoKeyUpdate(),
);

/** By the vendor's id. Payout accounts on it change only under this lock. */
export async function lockProviderAccount(db: Db, scope: Scope, providerAccountId: string): Promise<ProviderAccount | undefined> {
  return db.row(lock(scope, { providerAccountId }));
}

export interface StoredState {
  status: ProviderAccountStatus;
  transfers: string | null;
  disabledReason: string | null;
  requirements: string[];
}

type NewState = StoredState & { id: string; at: Date | null };

const store = statement<unknown, NewState>(
  'accounts_store_provider_state',
  ({ id, status, transfers, disabledReason, requirements, at }) =>
    providerAccount()
      .where({ id })
      .update({
        status,
        transfers,
        disabled_reason: disabledReason,
        requirements,
        last_event_at: raw('greatest(last_event_at, :at)', { at }),
        updated_at: scopeNow,
      }),
);

/** `at` is of the vendor's event that told so; null when the vendor was asked. */
export async function storeProviderState(
  db: Db,
  scope: Scope,
  id: string,
  { status, transfers, disabledReason, requirements }: StoredState,
  at: Date | null,
): Promise<void> {
  await db.rows(store(scope, { id, status, transfers: transfers?.slice(0, 40) ?? null, disabledReason, requirements, at }));
}

export interface AccountOnProvider {
  id: string;
  status: AccountStatus;
  statusReason: string | null;
  externalAccountId: string | null;
  isPrimary: boolean;
  memberId: string;
}

const onProvider = statement<AccountOnProvider, { providerAccountRef: string }>(
  'accounts_lock_on_provider',
  ({ providerAccountRef }) =>
    account()
      .where({ provider_account_ref: providerAccountRef })
      .where('status', '<>', 'deactivated')
      .orderBy('id')
      .select({
        id: 'id',
        status: 'status',
        statusReason: 'status_reason',
        externalAccountId: 'external_account_id',
        isPrimary: 'is_primary',
        memberId: 'member_id',
      })
      .forNoKeyUpdate(),
);

/** The payout accounts on an account at the vendor, but for those that are given up. */
export function lockAccountsOn(db: Db, scope: Scope, providerAccountRef: string): Promise<AccountOnProvider[]> {
  return db.rows(onProvider(scope, { providerAccountRef }));
}

const change = statement<unknown, { id: string; status: AccountStatus; reason: string | null }>(
  'accounts_change_status',
  ({ id, status, reason }) =>
    raw(
      `update payout_account p set status = :status, status_reason = :reason,
          activated_at = case when :status = 'active' then coalesce(p.activated_at, scope_now(:tenantId, :environment))
                         else p.activated_at end,
          is_primary = p.is_primary and :status <> 'deactivated',
          check_at = case when :status = 'deactivated' then null else p.check_at end,
          updated_at = scope_now(:tenantId, :environment)
   where ${ofTenant('p')} and p.id = :id`,
      { id, status, reason },
    ),
);

export async function storeAccountStatus(
  db: Db,
  scope: Scope,
  id: string,
  { status, reason }: { status: AccountStatus; reason: string | null },
): Promise<void> {
  await db.rows(change(scope, { id, status, reason: reason?.slice(0, 500) ?? null }));
}

const ask = statement<unknown, { providerAccountRef: string }>('accounts_ask_provider', ({ providerAccountRef }) =>
  account()
    .where({ provider_account_ref: providerAccountRef })
    .where('status', '<>', 'deactivated')
    .update({ check_at: scopeNow }),
);

/** Has the sweep of accounts ask the vendor how the account stands. */
export async function askProviderOfAccount(db: Db, scope: Scope, providerAccountRef: string): Promise<void> {
  await db.rows(ask(scope, { providerAccountRef }));
}
