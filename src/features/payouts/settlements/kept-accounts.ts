/**
 * The sweep that forgets the bank details of erased members once nothing is owed to them any more.
 * Source: docs/specification/payouts.md#kept-account.
 */
import { bySystem } from '../../../actor.ts';
import type { Sweep } from '../../../jobs/schedule.ts';
import { tellAccount } from '../payouts-events.ts';
import { forgetUnlessOwed, lockNextKept } from './kept-accounts-queries.ts';

const BY = bySystem('forget-kept-accounts');

/** One account a transaction: nothing can be booked for its member meanwhile. */
export const forgetKeptAccounts: Sweep = {
  name: 'forget-kept-accounts',
  batchSize: 1,
  async run(db, scope) {
    const accountId = await lockNextKept(db, scope);
    if (accountId === undefined) return 0;
    const account = await forgetUnlessOwed(db, scope, accountId);
    if (account) tellAccount(db, BY, 'payout_account.updated', { id: accountId, ...account });
    return 1;
  },
};
