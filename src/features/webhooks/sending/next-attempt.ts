/** When a delivery is tried again. Source: docs/specification/webhooks.md#attempts. */
import type { DeliveryAnswer } from '../../../outgoing/delivery-line.ts';

const SECOND = 1;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Seconds behind the first try, the second and so on; behind the last there is no other. */
const GAPS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
const JITTER = 0.2;
const LONGEST_ASKED = 24 * HOUR;

/** How an attempt ended, for its delivery. */
export type Outcome = { status: 'delivered' } | { status: 'failed' } | { status: 'waiting'; gapSeconds: number };

type Answer = Pick<DeliveryAnswer, 'status' | 'fault' | 'retryAfter'>;

export function isDelivered({ status, fault }: Answer): boolean {
  return fault === null && status !== null && status >= 200 && status < 300;
}

/** `tries`: those before this one, since the delivery was last asked for. `random` is from 0 up to 1. */
export function outcomeOf(answer: Answer, tries: number, now: Date, random: () => number = Math.random): Outcome {
  if (isDelivered(answer)) return { status: 'delivered' };
  const gap = GAPS[tries];
  if (gap === undefined) return { status: 'failed' };
  const jittered = gap * (1 - JITTER + 2 * JITTER * random());
  return { status: 'waiting', gapSeconds: Math.max(jittered, askedSeconds(answer, now)) };
}

/** At most a day. */
function askedSeconds({ retryAfter }: Answer, now: Date): number {
  if (retryAfter === undefined) return 0;
  const text = retryAfter.trim();
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), LONGEST_ASKED);
}
