/** The background jobs by name. Their queues are made by `migrate`, their handlers named in compose.ts. */

export interface JobDeclaration {
  /** Kebab case, verb first. */
  name: string;
  /**
   * `transactional`: claimed, done and completed in one transaction; for work that stays in the database.
   * `leased`: claimed for a time that heartbeats extend; for work that calls the outside or takes several
   * transactions. It may run twice, and each of its steps must be repeatable.
   */
  kind: 'transactional' | 'leased';
  /** Repeats after the first attempt, before it becomes a dead letter. */
  retryLimit?: number;
  /** Longest run of a leased job, heartbeats or not. */
  longestSeconds?: number;
}

export const JOBS: readonly JobDeclaration[] = [
  // Made anew by a sweep for what is still under way, so it need not be repeated for long.
  { name: 'advance-payouts', kind: 'leased', retryLimit: 3 },
  // Repeated once, to tell a broken ledger from a broken connection.
  { name: 'check-ledger', kind: 'leased', retryLimit: 1 },
  // Its sweep asks again.
  { name: 'ask-kyc-vendor', kind: 'leased', retryLimit: 2, longestSeconds: 60 },
  { name: 'reset-kyc-applicant', kind: 'leased', longestSeconds: 60 },
  { name: 'remove-objects', kind: 'leased' },
  // Enqueues itself anew while there are rows left, long before its time is over.
  { name: 'run-import', kind: 'leased', retryLimit: 10 },
  // Repeated for what breaks off; while the provider refuses, the account is due again after a time that grows.
  { name: 'provision-payout-account', kind: 'leased', retryLimit: 2 },
];

/** Where a job goes that failed for good, with the name, scope and error it had. */
export const DEAD_LETTERS = 'dead-letters';
