/**
 * The queue before the connection pool. First come, first served; a caller is turned away when no
 * connection has come free for `stalledMs`, so a hung database answers soon while a burst that is
 * being worked off is waited out, up to `longestWaitMs`.
 */
import { AppError } from '../errors.ts';

export interface Gate {
  /** Resolves when one of the places is the caller's. Throws SERVICE_UNAVAILABLE. */
  enter(): Promise<void>;
  /** Gives the place to the next caller. `served` is false when nothing came of it: who waits is then no better off. */
  leave(served?: boolean): void;
  waiting(): number;
  /** Callers turned away so far. */
  refused(): number;
}

interface Waiter {
  since: number;
  admit: () => void;
  refuse: (error: Error) => void;
}

export function createGate(options: {
  places: number;
  stalledMs: number;
  longestWaitMs: number;
  /** What who is turned away is told. */
  refusal?: string;
}): Gate {
  const refusal = options.refusal ?? 'No database connection is free';
  let free = options.places;
  let lastServed = 0;
  let refused = 0;
  let watch: NodeJS.Timeout | undefined;
  const waiters: Waiter[] = [];

  function turnAway(): void {
    const now = performance.now();
    const isLate = (waiter: Waiter): boolean =>
      now - Math.max(waiter.since, lastServed) >= options.stalledMs || now - waiter.since >= options.longestWaitMs;
    for (let first = waiters[0]; first && isLate(first); first = waiters[0]) {
      waiters.shift();
      refused += 1;
      first.refuse(new AppError('SERVICE_UNAVAILABLE', refusal, { retryAfterSeconds: 1 }));
    }
    if (waiters.length === 0) {
      clearInterval(watch);
      watch = undefined;
    }
  }

  return {
    enter() {
      if (free > 0) {
        free -= 1;
        return Promise.resolve();
      }
      watch ??= setInterval(turnAway, Math.min(50, options.stalledMs)).unref();
      return new Promise((admit, refuse) => waiters.push({ since: performance.now(), admit, refuse }));
    },
    leave(served = true) {
      if (served) lastServed = performance.now();
      const next = waiters.shift();
      if (next) next.admit();
      else free += 1;
    },
    waiting: () => waiters.length,
    refused: () => refused,
  };
}
