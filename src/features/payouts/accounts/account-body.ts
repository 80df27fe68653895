/** A payout account as answers show it. Source: docs/specification/payouts.md#accounts. */
import type { PayoutAccountAnswer } from './payout-accounts-operations.ts';
import type { ShownAccount } from './payout-accounts-service.ts';

export function accountBody({ memberId: _memberId, country, ...account }: ShownAccount): PayoutAccountAnswer {
  return { ...account, category: 'bank_transfer', countryCode: country, isActive: account.status !== 'deactivated' };
}
