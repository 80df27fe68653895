/** What an account at the payment vendor amounts to. Source of the order: docs/specification/payouts.md#account-standing. */
import type { ConnectedAccount } from './payment-vendor.ts';

interface Told {
  transfers: string | null;
  disabledReason: string | null;
  currentlyDue: readonly string[];
  pastDue: readonly string[];
}

export type AccountState = Omit<ConnectedAccount, 'id'>;

export function accountStateOf({ transfers, disabledReason, currentlyDue, pastDue }: Told): AccountState {
  return {
    transfers: transfers ?? 'unrequested',
    disabledReason,
    requirements: [...new Set([...currentlyDue, ...pastDue])],
    status: statusOf(),
  };

  function statusOf(): AccountState['status'] {
    if (disabledReason?.startsWith('rejected.') === true) return 'rejected';
    if (disabledReason !== null || pastDue.length > 0) return 'restricted';
    return transfers === 'active' ? 'active' : 'pending';
  }
}
