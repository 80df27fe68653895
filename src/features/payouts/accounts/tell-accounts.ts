/**
 * The job that tells of a member's accounts when something changed by which they are shown otherwise, and that is none of
 * theirs: the verified name. Told twice they are the same. Source: docs/specification/webhooks.md#types.
 */
import type { Frames } from '../../../db/frame.ts';
import type { Scope } from '../../../db/scope.ts';
import type { LeasedHandler } from '../../../jobs/job.ts';
import { accountsToTell, TELL_ACCOUNTS, tellAccount } from '../payouts-events.ts';
import { holdAccount, holdFreeAccounts, listOpenAccountIds } from './tell-accounts-queries.ts';

export const tellAccountsJob: LeasedHandler = {
  name: TELL_ACCOUNTS,
  kind: 'leased',
  async run(frames, { scope, ids }, signal) {
    const told = accountsToTell(ids);
    if (!told) throw new Error('the ids of the job name no member');
    for (const id of await tellFree(frames, scope, told)) {
      signal.throwIfAborted();
      await tellOne(frames, scope, told, id);
    }
  },
};

type ToTell = NonNullable<ReturnType<typeof accountsToTell>>;

/**
 * Accounts are locked while they are told of, so that no later change of theirs is told before. Those that somebody holds are
 * passed over, and returned: whoever locks many in another order is never waited for with locks in hand.
 */
function tellFree(frames: Frames, scope: Scope, { memberId, by }: ToTell): Promise<string[]> {
  return frames.write(
    scope,
    async (db) => {
      const ids = await listOpenAccountIds(db, scope, memberId);
      const free = await holdFreeAccounts(db, scope, ids);
      for (const id of free) tellAccount(db, by, 'payout_account.updated', { id, memberId });
      return ids.filter((id) => !free.includes(id));
    },
    { repeatable: true },
  );
}

/** One alone is waited for. */
async function tellOne(frames: Frames, scope: Scope, { memberId, by }: ToTell, id: string): Promise<void> {
  await frames.write(
    scope,
    async (db) => {
      if (await holdAccount(db, scope, id)) tellAccount(db, by, 'payout_account.updated', { id, memberId });
    },
    { repeatable: true },
  );
}
