/** How accounts at the payment vendor stand, in SQL, and what follows for the payout accounts on them. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';
import type { AccountStatus } from './payout-states.ts';

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

const lock = prepared<ProviderAccount, [string, string, providerAccountId: string]>(
  'accounts_lock_provider_account',
  `select a.id, a.member_id as "memberId", a.status, a.transfers, a.disabled_reason as "disabledReason", a.requirements,
          a.last_event_at as "lastEventAt"
   from provider_account a
   where a.tenant_id = $1 and a.environment = $2 and a.provider_account_id = $3 for no key update`,
);

/** By the vendor's id. Payout accounts on it change only under this lock. */
export async function lockProviderAccount(db: Db, scope: Scope, providerAccountId: string): Promise<ProviderAccount | undefined> {
  return db.row(lock(scope.tenantId, scope.environment, providerAccountId));
}

type StoreValues = [
  string,
  string,
  id: string,
  status: ProviderAccountStatus,
  transfers: string | null,
  disabledReason: string | null,
  requirements: string[],
  at: Date | null,
];

const store = prepared<unknown, StoreValues>(
  'accounts_store_provider_state',
  `update provider_account a set status = $4, transfers = $5, disabled_reason = $6, requirements = $7,
          last_event_at = greatest(a.last_event_at, $8), updated_at = scope_now($1, $2)
   where a.tenant_id = $1 and a.environment = $2 and a.id = $3`,
);

export interface StoredState {
  status: ProviderAccountStatus;
  transfers: string | null;
  disabledReason: string | null;
  requirements: string[];
}

/** `at` is of the vendor's event that told so; null when the vendor was asked. */
export async function storeProviderState(
  db: Db,
  scope: Scope,
  id: string,
  { status, transfers, disabledReason, requirements }: StoredState,
  at: Date | null,
): Promise<void> {
  const values = [status, transfers?.slice(0, 40) ?? null, disabledReason, requirements, at] as const;
  await db.rows(store(scope.tenantId, scope.environment, id, ...values));
}

export interface AccountOnProvider {
  id: string;
  status: AccountStatus;
  statusReason: string | null;
  externalAccountId: string | null;
  isPrimary: boolean;
  memberId: string;
}

const columns = `p.id, p.status, p.status_reason as "statusReason", p.external_account_id as "externalAccountId",
  p.is_primary as "isPrimary", p.member_id as "memberId"`;

const onProvider = prepared<AccountOnProvider, [string, string, providerAccountRef: string]>(
  'accounts_lock_on_provider',
  `select ${columns} from payout_account p
   where p.tenant_id = $1 and p.environment = $2 and p.provider_account_ref = $3 and p.status <> 'deactivated'
   order by p.id for no key update`,
);

/** The payout accounts on an account at the vendor, but for those that are given up. */
export function lockAccountsOn(db: Db, scope: Scope, providerAccountRef: string): Promise<AccountOnProvider[]> {
  return db.rows(onProvider(scope.tenantId, scope.environment, providerAccountRef));
}

const change = prepared<unknown, [string, string, id: string, status: AccountStatus, reason: string | null]>(
  'accounts_change_status',
  `update payout_account p set status = $4, status_reason = $5,
          activated_at = case when $4 = 'active' then coalesce(p.activated_at, scope_now($1, $2)) else p.activated_at end,
          is_primary = p.is_primary and $4 <> 'deactivated', check_at = case when $4 = 'deactivated' then null else p.check_at end,
          updated_at = scope_now($1, $2)
   where p.tenant_id = $1 and p.environment = $2 and p.id = $3`,
);

export async function storeAccountStatus(
  db: Db,
  scope: Scope,
  id: string,
  { status, reason }: { status: AccountStatus; reason: string | null },
): Promise<void> {
  await db.rows(change(scope.tenantId, scope.environment, id, status, reason?.slice(0, 500) ?? null));
}

const ask = prepared<unknown, [string, string, providerAccountRef: string]>(
  'accounts_ask_provider',
  `update payout_account p set check_at = scope_now($1, $2)
   where p.tenant_id = $1 and p.environment = $2 and p.provider_account_ref = $3 and p.status <> 'deactivated'`,
);

/** Has the sweep of accounts ask the vendor how the account stands. */
export async function askProviderOfAccount(db: Db, scope: Scope, providerAccountRef: string): Promise<void> {
  await db.rows(ask(scope.tenantId, scope.environment, providerAccountRef));
}
