/**
 * Operations whose commit travels with their last statement, so that the answer is made behind it, of a single row: by the
 * file of that statement. Source: docs/specification/conventions.md#shaped-answers.
 */
export const PIPELINED_BY_FILE: Readonly<Record<string, readonly string[]>> = {
  'events/event-insert-queries.ts': ['recordPurchase'],
  // Of jobs, which answer nobody.
  'payouts/payouts/advance-queries.ts': [],
  'referrals/clicks-queries.ts': ['recordClick'],
  // Of a link that is followed, whose answer is an address.
  'referrals/redirect-service.ts': [],
  'users/insert-member-queries.ts': ['createUser'],
};

export const PIPELINED_OPERATIONS: readonly string[] = Object.values(PIPELINED_BY_FILE).flat();
