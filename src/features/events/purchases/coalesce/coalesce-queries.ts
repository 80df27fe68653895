/** What a transaction of several purchases says of itself. */
import { raw, unscopedStatement } from '../../../../db/query.ts';

/**
 * Who holds a lock for longer holds up one purchase, and must not hold up those that happen to be beside it: each is
 * recorded alone then. It comes in front of all locks.
 */
export const waitBriefly = unscopedStatement<unknown>('events_wait_briefly', () =>
  raw(`select set_config('lock_timeout', '200ms', true)`),
);
