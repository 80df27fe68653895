/** Payouts that a job has to itself, with whether their members are on hold. */
import type { Frames } from '../../../db/frame.ts';
import type { Scope } from '../../../db/scope.ts';
import { faultPoint } from '../../../fault-points.ts';
import { findHeld } from '../holds/payout-hold-queries.ts';
import type { PayoutFreeze } from '../reconcile/freeze.ts';
import { claimPayouts, type PayoutToAdvance } from './advance-queries.ts';

/** Payouts of one job that are spoken of at once. Few: while its last ones wait for a repeat, the rest of them stay idle. */
export const AT_ONCE = 8;

/** The provider keeps keys for 24 h at least: what is older is looked for before it is asked for again. */
const KEY_HOURS = 23;

/**
 * A job has its payouts to itself for so long, and begins no call later than this: with the client's own repeats
 * a call takes up to 48 s. Else another one may then have had them refused for good, and what is refused is not
 * remembered by its key.
 */
const CLAIM_SECONDS = 60;
const LAST_CALL_MS = 10_000;

/** What was transferred may reach the connected account only after days; its payout is asked for again until then. */
const OVERDUE_DAYS = 7;
const CLAIM = { seconds: CLAIM_SECONDS, keyHours: KEY_HOURS, overdueDays: OVERDUE_DAYS };

export interface Claimed {
  payout: PayoutToAdvance;
  /** The member is on hold: no transfer is asked for. */
  isHeld: boolean;
  lastCallAt: number;
}

/**
 * One payout after the other, claimed some at a time, as they are needed: a claim does not last long. None while payouts are
 * frozen, which is asked in the transaction of the claim: a sweep comes back to them.
 */
export function takeClaimed(
  frames: Frames,
  scope: Scope,
  ids: string[],
  freeze: Pick<PayoutFreeze, 'isFrozen'>,
): () => Promise<Claimed | undefined> {
  const claimed: Claimed[] = [];
  let claiming: Promise<void> | undefined;

  async function claimMore(): Promise<void> {
    const next = ids.splice(0, AT_ONCE);
    const at = performance.now();
    const free = await frames.write(scope, async (db) => {
      if (await freeze.isFrozen(db)) return [];
      const payouts = await claimPayouts(db, scope, next, CLAIM);
      const held = await findHeld(
        db,
        scope,
        payouts.map(({ memberId }) => memberId),
      );
      return payouts.map((payout) => ({ payout, isHeld: held.has(payout.memberId) }));
    });
    claimed.push(...free.map((one) => ({ ...one, lastCallAt: at + LAST_CALL_MS })));
    claiming = undefined;
    await faultPoint('payout:claimed');
  }

  return async () => {
    while (claimed.length === 0 && (claiming || ids.length > 0)) {
      claiming ??= claimMore();
      await claiming;
    }
    return claimed.shift();
  };
}
