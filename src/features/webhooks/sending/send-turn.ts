/**
 * A sender's turn at one endpoint: it takes the lease, sends what is due, and stores what became of it in small batches.
 * A turn that breaks off anywhere loses nothing: what was not stored is sent again, under the same id.
 * Source: docs/specification/webhooks.md#attempts.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Scope } from '../../../db/scope.ts';
import { faultPoint } from '../../../fault-points.ts';
import { emptied } from '../open/event-body.ts';
import { openEndpoint, type SendingParts } from './attempt-delivery.ts';
import { createLane } from './lane.ts';
import type { DueDelivery, EndedAttempt } from './sending-queries.ts';
import { LeaseLost, storeAttempts, type Taken, takeLease, type WriteFrames } from './store-attempts.ts';

const MOST_READ = 100;
/** A batch is stored when it is so large, or so old; to an endpoint that fails nothing is sent twice in so short a time. */
const BATCH = 25;
const BATCH_MS = 250;
const FAILING_BATCH_MS = 1_000;
/** Sent and not stored: more is not risked to be sent twice. */
const MOST_UNSTORED = 50;
/** What has become due meanwhile is looked for, and the lease renewed; with each of these it is seen what an erasure has emptied. */
const LOOK_MS = 1_000;
const RENEW_MS = 5_000;
/** Behind a store that failed. */
const AGAIN_MS = 500;
/** Less than a lease lasts by the database's clock. */
const LEASE_MS = 18_000;
/** Where others wait for a place, and where none does. Connections last no longer. */
const TURN_MS = 5_000;
const LONGEST_TURN_MS = 15_000;
/** An attempt that takes longer holds up who sends. */
const SLOW_MS = 2_000;

export interface TurnLife {
  /** Whether others wait for the place. */
  isCrowded(): boolean;
  /** Whether nothing more is to be sent. */
  isEnding(): boolean;
  /** Cuts short what is being sent. */
  signal: AbortSignal;
}

export interface EndedTurn {
  delivered: number;
  failed: number;
  /** Whether the endpoint holds its place for long and gets little for it. */
  isSlow: boolean;
}

export interface TurnParts extends SendingParts {
  frames: WriteFrames;
  life: TurnLife;
}

/** Undefined where there is nothing to send, or another sends it. */
export async function takeTurn(parts: TurnParts, scope: Scope, endpointId: string): Promise<EndedTurn | undefined> {
  const lease = { endpointId, lease: randomUUID() };
  const asked = performance.now();
  const taken = await takeLease(parts.frames, scope, lease, MOST_READ);
  if (!taken) return undefined;
  await faultPoint('webhook:leased');
  return sendTaken(parts, scope, lease, { ...taken, heldAt: asked });
}

async function sendTaken(
  parts: TurnParts,
  scope: Scope,
  lease: { endpointId: string; lease: string },
  taken: Taken & { heldAt: number },
): Promise<EndedTurn> {
  const { frames, life } = parts;
  const endpoint = openEndpoint(parts, scope, lease.endpointId, taken.endpoint);
  const began = performance.now();
  const cut = new AbortController();
  const queue = [...taken.due];
  const sending = new Set<string>();
  const unstored: EndedAttempt[] = [];
  const turn = { delivered: 0, failed: 0, isSlow: false };
  let { heldAt } = taken;
  let isOver = false;
  let bug: { error: unknown } | undefined;
  let broken: { error: unknown } | undefined;
  let wake = (): void => undefined;

  const abort = (): void => cut.abort(life.signal.reason);
  life.signal.addEventListener('abort', abort, { once: true });

  function mayGoOn(): boolean {
    const most = life.isCrowded() ? TURN_MS : LONGEST_TURN_MS;
    isOver ||= life.isEnding() || life.signal.aborted || performance.now() - began > most;
    return !isOver;
  }

  const mayBeLost = (): boolean => performance.now() - heldAt > LEASE_MS;
  const isDone = (): boolean => lane.running() === 0 && (queue.length === 0 || !mayGoOn());

  async function send(delivery: DueDelivery): Promise<boolean> {
    sending.add(delivery.id);
    try {
      const attempt = await endpoint.attempt(delivery, cut.signal);
      await faultPoint('webhook:sent');
      unstored.push(attempt);
      const arrived = attempt.outcome === 'delivered';
      turn[arrived ? 'delivered' : 'failed'] += 1;
      turn.isSlow = !arrived || attempt.ms > SLOW_MS;
      return arrived;
    } catch (error) {
      if (!cut.signal.aborted) bug = { error };
      isOver = true;
      return false;
    } finally {
      sending.delete(delivery.id);
      if (unstored.length >= BATCH || (lane.running() === 1 && (queue.length === 0 || isOver))) wake();
    }
  }

  const lane = createLane<DueDelivery>({
    isFailing: taken.endpoint.isFailing,
    next: () => (mayGoOn() && !mayBeLost() && unstored.length + sending.size < MOST_UNSTORED ? queue.shift() : undefined),
    send,
  });

  /** Until there may be something to do. */
  async function rest(): Promise<void> {
    if (isDone()) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, lane.isFailing() ? FAILING_BATCH_MS : BATCH_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Whether the turn is at its end. */
  async function store(): Promise<boolean> {
    const attempts = [...unstored];
    const isLast = isDone();
    const sinceHeld = performance.now() - heldAt;
    const looks = mayGoOn() && (queue.length === 0 ? attempts.length > 0 || isLast || sinceHeld > LOOK_MS : queue.length < BATCH);
    if (attempts.length === 0 && !isLast && !looks && sinceHeld < RENEW_MS) return false;
    const known = [...queue.map(({ id }) => id), ...sending];
    const asked = performance.now();
    const stored = await storeAttempts(frames, scope, lease, {
      attempts,
      wanted: looks ? MOST_READ - known.length : 0,
      known,
      inHand: queue.map(({ event }) => event.id),
      isLast,
      version: taken.endpoint.version,
    });
    await faultPoint('webhook:stored');
    heldAt = asked;
    unstored.splice(0, attempts.length);
    for (const delivery of queue) if (stored.emptied.has(delivery.event.id)) delivery.event = emptied(delivery.event);
    queue.push(...stored.more);
    isOver ||= stored.isOutdated;
    return stored.isReleased;
  }

  /** The same, while the database may be away: then it is tried again until the lease may be another's. */
  async function stored(): Promise<boolean> {
    if (mayBeLost()) return true;
    try {
      const isEnd = await store();
      broken = undefined;
      return isEnd;
    } catch (error) {
      if (error instanceof LeaseLost) return true;
      broken = { error };
      await sleep(AGAIN_MS);
      return false;
    }
  }

  try {
    do {
      lane.pump();
      await rest();
    } while (!(await stored()));
  } finally {
    isOver = true;
    cut.abort();
    life.signal.removeEventListener('abort', abort);
    await endpoint.close();
  }
  const failure = bug ?? broken;
  if (failure) throw failure.error;
  return turn;
}
