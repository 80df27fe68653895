/** Which accounts are paid to, as SQL. Source: docs/specification/payouts.md#kept-account. */

/** The condition that `account`, a row of payout_account, is active, or kept for what is owed to an erased member. */
export function canBePaidTo(account: string): string {
  return `(${account}.status = 'active' or ${account}.kept_check_at is not null)`;
}
