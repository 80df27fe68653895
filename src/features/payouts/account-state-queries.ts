/** What the provider says of a member's account, in SQL. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';
import type { AccountStatus } from './payout-states.ts';

export interface ProviderAccountRow {
  id: string;
  memberId: string;
  country: string;
  providerAccountId: string | null;
  status: 'provisioning' | 'active' | 'pending' | 'restricted' | 'rejected' | 'gone';
  requestedAt: Date | null;
  profileVersion: string;
  createdAt: Date;
}

export const PROVIDER_ACCOUNT = `a.id, a.member_id as "memberId", a.country, a.provider_account_id as "providerAccountId", a.status,
  a.requested_at as "requestedAt", a.profile_version as "profileVersion", a.created_at as "createdAt"`;

const lockByProviderId = prepared<ProviderAccountRow, [string, string, providerAccountId: string]>(
  'payouts_lock_provider_account',
  `select ${PROVIDER_ACCOUNT} from provider_account a
   where a.tenant_id = $1 and a.environment = $2 and a.provider_account_id = $3 for no key update`,
);

/** By the provider's id. Before its payout accounts, always. */
export function lockProviderAccount(db: Db, scope: Scope, providerAccountId: string): Promise<ProviderAccountRow | undefined> {
  return db.row(lockByProviderId(scope.tenantId, scope.environment, providerAccountId));
}

export interface AccountState {
  status: 'active' | 'pending' | 'restricted' | 'rejected' | 'gone';
  transfers: string | null;
  disabledReason: string | null;
  requirements: string[];
}

const store = prepared<
  unknown,
  [string, string, id: string, status: string, transfers: string | null, reason: string | null, string[], eventAt: Date | null]
>(
  'payouts_store_provider_state',
  `update provider_account set status = $4, transfers = left($5, 40), disabled_reason = left($6, 255), requirements = $7,
          last_event_at = greatest(last_event_at, $8::timestamptz), updated_at = scope_now($1, $2)
   where tenant_id = $1 and environment = $2 and id = $3`,
);

export async function storeAccountState(
  db: Db,
  scope: Scope,
  id: string,
  { status, transfers, disabledReason, requirements }: AccountState,
  eventAt: Date | null,
): Promise<void> {
  await db.rows(store(scope.tenantId, scope.environment, id, status, transfers, disabledReason, requirements, eventAt));
}

export interface FollowingAccount {
  id: string;
  from: AccountStatus;
}

const follow = prepared<FollowingAccount, [string, string, ref: string, to: AccountStatus, reason: string | null]>(
  'payouts_follow_provider_state',
  `with before as (
     select x.id, x.status from payout_account x
     where x.tenant_id = $1 and x.environment = $2 and x.provider_account_ref = $3 and x.external_account_id is not null
       and x.status <> 'deactivated'
     order by x.id for no key update)
   update payout_account x
   set status = $4, status_reason = $5, updated_at = scope_now($1, $2),
       activated_at = case $4 when 'active' then coalesce(x.activated_at, scope_now($1, $2)) else x.activated_at end,
       check_at = case $4 when 'provisioning' then coalesce(x.check_at, scope_now($1, $2) + interval '60 seconds') end,
       is_primary = x.is_primary and $4 <> 'deactivated'
   from before b
   where x.tenant_id = $1 and x.environment = $2 and x.id = b.id
     and (x.status <> $4 or x.status_reason is distinct from $5 or (x.check_at is not null and $4 <> 'provisioning'))
   returning x.id, b.status as "from"`,
);

/** The payout accounts whose bank account the provider has, in the state that follows from its own. Returns those that changed. */
export function followProviderState(
  db: Db,
  scope: Scope,
  ref: string,
  to: AccountStatus,
  reason: string | null,
): Promise<FollowingAccount[]> {
  return db.rows(follow(scope.tenantId, scope.environment, ref, to, reason));
}
