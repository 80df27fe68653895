/** What the simulated vendor would know, from what the service has noted, in SQL. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import type { AccountStatus } from '../open/payout-states.ts';

const account = tenantTable('payout_account');
const providerAccount = tenantTable('provider_account');
const payoutAttempt = tenantTable('payout_attempt');

export interface SimulatedAccountRow {
  id: string;
  status: 'provisioning' | 'active' | 'pending' | 'restricted' | 'rejected' | 'gone';
  transfers: string | null;
  disabledReason: string | null;
  requirements: string[];
}

export const simulatedAccountStatement = statement<SimulatedAccountRow, { connectedAccountId: string }>(
  'payouts_simulated_account',
  ({ connectedAccountId }) =>
    providerAccount().where({ provider_account_id: connectedAccountId }).select({
      id: 'provider_account_id',
      status: 'status',
      transfers: 'transfers',
      disabledReason: 'disabled_reason',
      requirements: 'requirements',
    }),
);

export const simulatedBankAccountsStatement = statement<{ id: string }, { connectedAccountId: string }>(
  'payouts_simulated_bank_accounts',
  ({ connectedAccountId }) =>
    providerAccount('a')
      .join('payout_account as x', 'x.provider_account_ref', 'a.id')
      .where('a.provider_account_id', connectedAccountId)
      .whereNotNull('x.external_account_id')
      .where('x.status', '<>', 'deactivated')
      .select({ id: 'x.external_account_id' }),
);

/** A row of an attempt that is its payout's present one. */
const presentAttempt = () =>
  payoutAttempt('t')
    .join('payout as p', (on) => on.on('p.id', 't.payout_id').on('p.attempt', 't.attempt'))
    .select('t.id');

/** A row when it is. */
export const isPaidStatement = statement<object, { providerPayoutId: string }>('payouts_is_paid', ({ providerPayoutId }) =>
  presentAttempt().where('t.provider_payout_id', providerPayoutId).where('p.status', 'paid'),
);

export interface SimulatedPayoutAccount {
  status: AccountStatus;
  connectedAccountId: string | null;
}

export const accountOfProviderStatement = statement<SimulatedPayoutAccount, { payoutAccountId: string }>(
  'payouts_account_of_provider',
  ({ payoutAccountId }) =>
    account('x')
      .leftJoin('provider_account as a', 'a.id', 'x.provider_account_ref')
      .where('x.id', payoutAccountId)
      .select({ status: 'x.status', connectedAccountId: 'a.provider_account_id' }),
);

/** A row while the vendor has not been given the payout. */
export const unsentStatement = statement<object, { payoutId: string }>('payouts_is_unsent', ({ payoutId }) =>
  presentAttempt().where('t.payout_id', payoutId).whereNull('t.provider_payout_id').where('p.status', 'processing'),
);

const takeBack = statement<unknown, { payoutId: string }>('payouts_simulate_reversal', ({ payoutId }) =>
  raw(
    `update payout_attempt t set reversal_id = 'sim-rev-' || t.id
   from payout p
   where ${ofTenant('p')} and p.id = :payoutId and ${ofTenant('t')} and t.payout_id = p.id
     and t.attempt = p.attempt and t.transfer_id is not null and t.reversal_id is null`,
    { payoutId },
  ),
);

/** Of a payout that is locked: its money comes back from the member's account at the simulated vendor. */
export async function simulateReversal(db: Db, scope: Scope, payoutId: string): Promise<void> {
  await db.rows(takeBack(scope, { payoutId }));
}
