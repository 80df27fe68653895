/** What the simulated vendor would know, from what the service has noted, in SQL. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';
import type { AccountStatus } from './payout-states.ts';

export interface SimulatedAccountRow {
  id: string;
  status: 'provisioning' | 'active' | 'pending' | 'restricted' | 'rejected' | 'gone';
  transfers: string | null;
  disabledReason: string | null;
  requirements: string[];
}

export const simulatedAccountStatement = prepared<SimulatedAccountRow, [string, string, connectedAccountId: string]>(
  'payouts_simulated_account',
  `select a.provider_account_id as id, a.status, a.transfers, a.disabled_reason as "disabledReason", a.requirements
   from provider_account a where a.tenant_id = $1 and a.environment = $2 and a.provider_account_id = $3`,
);

export const simulatedBankAccountsStatement = prepared<{ id: string }, [string, string, connectedAccountId: string]>(
  'payouts_simulated_bank_accounts',
  `select x.external_account_id as id
   from provider_account a
   join payout_account x on x.tenant_id = $1 and x.environment = $2 and x.provider_account_ref = a.id
   where a.tenant_id = $1 and a.environment = $2 and a.provider_account_id = $3 and x.external_account_id is not null
     and x.status <> 'deactivated'`,
);

/** A row when it is. */
export const isPaidStatement = prepared<object, [string, string, providerPayoutId: string]>(
  'payouts_is_paid',
  `select from payout_attempt t
   join payout p on p.tenant_id = $1 and p.environment = $2 and p.id = t.payout_id and p.attempt = t.attempt
   where t.tenant_id = $1 and t.environment = $2 and t.provider_payout_id = $3 and p.status = 'paid'`,
);

export interface SimulatedPayoutAccount {
  status: AccountStatus;
  connectedAccountId: string | null;
}

export const accountOfProviderStatement = prepared<SimulatedPayoutAccount, [string, string, payoutAccountId: string]>(
  'payouts_account_of_provider',
  `select x.status, a.provider_account_id as "connectedAccountId"
   from payout_account x
   left join provider_account a on a.tenant_id = $1 and a.environment = $2 and a.id = x.provider_account_ref
   where x.tenant_id = $1 and x.environment = $2 and x.id = $3`,
);

/** A row while the vendor has not been given the payout. */
export const unsentStatement = prepared<object, [string, string, payoutId: string]>(
  'payouts_is_unsent',
  `select from payout_attempt t
   join payout p on p.tenant_id = $1 and p.environment = $2 and p.id = t.payout_id and p.attempt = t.attempt
   where t.tenant_id = $1 and t.environment = $2 and t.payout_id = $3 and t.provider_payout_id is null and p.status = 'processing'`,
);

const takeBack = prepared<unknown, [string, string, payoutId: string]>(
  'payouts_simulate_reversal',
  `update payout_attempt t set reversal_id = 'sim-rev-' || t.id
   from payout p
   where p.tenant_id = $1 and p.environment = $2 and p.id = $3 and t.tenant_id = $1 and t.environment = $2 and t.payout_id = p.id
     and t.attempt = p.attempt and t.transfer_id is not null and t.reversal_id is null`,
);

/** Of a payout that is locked: its money comes back from the member's account at the simulated vendor. */
export async function simulateReversal(db: Db, scope: Scope, payoutId: string): Promise<void> {
  await db.rows(takeBack(scope.tenantId, scope.environment, payoutId));
}
