/** What a reconciliation after a restore made of a payout. Source: docs/specification/payouts.md#reconcile. */
export const RECONCILED_AS = ['recorded', 'not_sent', 'unanswered'] as const;
export type ReconciledAs = (typeof RECONCILED_AS)[number];
