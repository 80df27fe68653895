/**
 * What keeps a drafted payout from being executed, as SQL: the execution goes by it, and whoever approves a run is told of it.
 * Source: docs/specification/payouts.md#execution.
 */
import { canBePaidTo } from '../open/payable-account.ts';
import type { RefusalReason } from '../open/payout-states.ts';

/** SQL conditions of a payout. */
interface Found {
  /** The identity of the member is another than was verified. */
  identityChanged: string;
  /** The account is held under another name. */
  nameStops: string;
  /** Its commissions are not what was drafted, or the member owes meanwhile. */
  changed: string;
}

/** The first that holds, by their precedence, of member `m`, hold `h` and account `a`; null: it can be executed. */
export function firstRefusal({ identityChanged, nameStops, changed }: Found): string {
  const conditions: Record<RefusalReason, string> = {
    TEST_USER: ":environment = 'LIVE' and m.is_test_user",
    HELD: 'h.member_id is not null',
    NO_ACCOUNT: `not ${canBePaidTo('a')}`,
    KYC_REQUIRED: `(:requireKyc and m.kyc_approved_at is null) or ${identityChanged}`,
    NAME_MISMATCH: nameStops,
    CHANGED: changed,
  };
  return `case ${Object.entries(conditions)
    .map(([reason, condition]) => `when ${condition} then '${reason}'`)
    .join('\n                 ')} end`;
}
