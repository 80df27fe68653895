/**
 * The job that tells of the payouts of a run, or of a member: page by page, each in a short transaction, however many there
 * are. Told twice they are the same. Source: docs/specification/webhooks.md#types.
 */
import type { Frames } from '../../../db/frame.ts';
import type { Scope } from '../../../db/scope.ts';
import type { LeasedHandler } from '../../../jobs/job.ts';
import { type PayoutsToTell, payoutsToTell, TELL_PAYOUTS, tellSomePayouts } from '../payouts-events.ts';
import { payoutBody } from './payout-body.ts';
import { holdFreePayouts, holdPayouts, listPayoutIds } from './tell-payouts-queries.ts';

const PAGE = 100;

export const tellPayoutsJob: LeasedHandler = {
  name: TELL_PAYOUTS,
  kind: 'leased',
  async run(frames, { scope, ids }, signal) {
    const told = payoutsToTell(ids);
    if (!told) throw new Error('the ids of the job name no payouts');
    for (let afterId: string | undefined; ; ) {
      signal.throwIfAborted();
      const page = await tellPage(frames, scope, told, afterId);
      for (const id of page.held) {
        signal.throwIfAborted();
        await tellOne(frames, scope, told, id);
      }
      // None are left, or the run is gone.
      if (page.lastId === undefined) return;
      afterId = page.lastId;
    }
  },
};

/**
 * Payouts are locked while they are told of, so that no later change of theirs is told before. Those that somebody holds are
 * passed over: whoever locks many in another order is never waited for with locks in hand.
 */
async function tellPage(frames: Frames, scope: Scope, told: PayoutsToTell, afterId: string | undefined) {
  return frames.write(
    scope,
    async (db) => {
      const status = told.type === 'payouts.cancelled' ? 'cancelled' : undefined;
      const ids = await listPayoutIds(db, scope, { ...told.of, status, afterId, count: PAGE });
      if (ids.length === 0) return { held: [], lastId: undefined };
      const free = await holdFreePayouts(db, scope, ids);
      if (free.length > 0) tellSomePayouts(db, told, free.map(payoutBody));
      const isFree = new Set(free.map(({ id }) => id));
      return { held: ids.filter((id) => !isFree.has(id)), lastId: ids.length === PAGE ? ids.at(-1) : undefined };
    },
    { repeatable: true },
  );
}

/** One alone is waited for. */
async function tellOne(frames: Frames, scope: Scope, told: PayoutsToTell, id: string): Promise<void> {
  await frames.write(
    scope,
    async (db) => {
      const payouts = await holdPayouts(db, scope, [id]);
      if (payouts.length > 0) tellSomePayouts(db, told, payouts.map(payoutBody));
    },
    { repeatable: true },
  );
}
