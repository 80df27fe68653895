/**
 * The sweep that forgets the bank details of erased members once nothing is owed to them any more.
 * Source: docs/specification/payouts.md#kept-account.
 */
import type { Sweep } from '../../../jobs/schedule.ts';
import { forgetUnlessOwed, lockNextKept } from './kept-accounts-queries.ts';

/** One account a transaction: nothing can be booked for its member meanwhile. */
export const forgetKeptAccounts: Sweep = {
  name: 'forget-kept-accounts',
  batchSize: 1,
  async run(db, scope) {
    const accountId = await lockNextKept(db, scope);
    if (accountId === undefined) return 0;
    await forgetUnlessOwed(db, scope, accountId);
    return 1;
  },
};
