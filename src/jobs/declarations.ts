/** A background job as its feature declares it. Its queue is made by `migrate`. */

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

/** Where a job goes that failed for good, with the name, scope and error it had. */
export const DEAD_LETTERS = 'dead-letters';
