/**
 * The states of payouts, runs and accounts. Source: docs/specification/payouts.md#payout-states,
 * docs/specification/payouts.md#run-states, docs/specification/payouts.md#account-states.
 */

export const PAYMENT_PROVIDERS = ['manual', 'payvendor'] as const;
export type PaymentProvider = (typeof PAYMENT_PROVIDERS)[number];

/** Who the other pair of hands is, where two are needed: docs/specification/two-hands.md#rule. */
export const DUAL_CONTROL_BY = ['keys', 'persons'] as const;
export type DualControlBy = (typeof DUAL_CONTROL_BY)[number];

export const PAYOUT_STATUSES = ['queued', 'processing', 'paid', 'failed', 'returned', 'cancelled'] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

const PAYOUT_TRANSITIONS: Readonly<Record<PayoutStatus, readonly PayoutStatus[]>> = {
  queued: ['processing', 'cancelled'],
  processing: ['paid', 'failed'],
  paid: ['returned'],
  failed: ['queued'],
  returned: [],
  cancelled: [],
};

export const RUN_STATUSES = ['draft', 'approved', 'executing', 'completed', 'partially_failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

const RUN_TRANSITIONS: Readonly<Record<RunStatus, readonly RunStatus[]>> = {
  draft: ['approved', 'cancelled'],
  approved: ['executing', 'cancelled'],
  executing: ['completed', 'partially_failed'],
  partially_failed: ['executing', 'completed'],
  completed: [],
  cancelled: [],
};

export const ACCOUNT_STATUSES = ['provisioning', 'active', 'action_required', 'rejected', 'deactivated'] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

/** In the order of their precedence; `INACTIVE` is of former runs alone. */
export const BLOCK_REASONS = [
  'TEST_USER',
  'HELD',
  'BELOW_MINIMUM',
  'NO_MINIMUM',
  'NO_ACCOUNT',
  'KYC_REQUIRED',
  'NEGATIVE_BALANCE',
  'ACCOUNT_COOLDOWN',
  'NAME_MISMATCH',
  'AMOUNT_NOT_PAYABLE',
  'INACTIVE',
] as const;
export type BlockReason = (typeof BLOCK_REASONS)[number];

/** Why a payout is cancelled at its execution, in the order of their precedence. CHANGED: it would not be what was drafted. */
export const REFUSAL_REASONS = ['TEST_USER', 'HELD', 'NO_ACCOUNT', 'KYC_REQUIRED', 'NAME_MISMATCH', 'CHANGED'] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

export function payoutCanMove(from: PayoutStatus, to: PayoutStatus): boolean {
  return PAYOUT_TRANSITIONS[from].includes(to);
}

export function runCanMove(from: RunStatus, to: RunStatus): boolean {
  return RUN_TRANSITIONS[from].includes(to);
}
