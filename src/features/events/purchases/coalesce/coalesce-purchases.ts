/** Recording purchases that come at once together. Source: docs/decisions/0037-coalesced-purchases.md. */
import type { Logger } from 'pino';
import type { Frames } from '../../../../db/frame.ts';
import { isOfKey, nameOfKey } from '../../../../http/idempotency-together.ts';
import type { CallContext } from '../../../../http/operation.ts';
import type { Purchase } from '../../open/purchase.ts';
import type { Recorded } from '../../recorded-event.ts';
import type { PurchaseDeps } from '../record-purchase.ts';
import { createLanes, type Outcome } from './lanes.ts';
import { recordTogether, type Together } from './record-together.ts';

/** `always` is for tests: batches are as large as can be, and one alone is a batch, too. */
export const COALESCING = ['on', 'off', 'always'] as const;
export type Coalescing = (typeof COALESCING)[number];

/** So many connections are the most that purchases of a tenant's environment hold in a process. */
const LANES = 2;
/** More in one transaction record no more a second, and each takes longer. */
const MOST = 16;
/** In a turn of a tenant beside others. The others' requests wait for the processor meanwhile, longer the more it is. */
const MOST_OF_TURN = 4;
const LINGER_MS = 5;

/** Records a purchase with others that are there, or by `alone`. */
export type CoalescePurchases = (context: CallContext, purchase: Purchase, alone: () => Promise<Recorded>) => Promise<Recorded>;

export function createCoalescing(
  { frames, logger, mode }: { frames: Frames; logger: Logger; mode: Coalescing },
  deps: PurchaseDeps,
): CoalescePurchases {
  async function work(items: readonly Together[]): Promise<readonly Outcome<Recorded>[]> {
    const what = { tenantId: items[0]?.scope.tenantId, count: items.length };
    try {
      const outcomes = await recordTogether(frames, items, deps);
      logger.debug({ ...what, alone: outcomes.filter((one) => one === 'alone').length }, 'purchases were recorded together');
      return outcomes;
    } catch (err) {
      logger.warn({ ...what, err }, 'purchases that came at once are recorded one by one');
      throw err;
    }
  }

  const lanes = createLanes<Together, Recorded>({
    lanes: LANES,
    most: MOST,
    mostOfTurn: MOST_OF_TURN,
    keysOf,
    work,
    lingerMs: mode === 'always' ? LINGER_MS : undefined,
  });
  return ({ scope, guard }, purchase, alone) => {
    const isPlain = scope.environment === 'LIVE' && scope.member === undefined && (guard === undefined || isOfKey(guard));
    if (mode === 'off' || !isPlain) return alone();
    return lanes.run(scope.tenantId, { purchase, scope, guard }, alone);
  };
}

/** Each is a row that two transactions would wait for. */
function keysOf({ purchase: { externalEventId, customer }, guard }: Together): string[] {
  const keys = [`event ${externalEventId}`, `customer ${customer.externalId}`];
  return guard ? [...keys, `key ${nameOfKey(guard)}`] : keys;
}
