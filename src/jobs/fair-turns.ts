/** Whose turn it is: fair among those that are due, with rests that double after failures. */

const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 60_000;
const LOG_EVERY_MS = 60_000;

export interface Turns {
  /** The keys that may have a turn, beginning behind the one that had the last. Those that rest are left out. */
  order(keys: readonly string[]): string[];
  succeeded(key: string): void;
  /** Lets the key rest. True when the failure should be logged: once a minute for each key. */
  failed(key: string): boolean;
}

interface Trouble {
  restMs: number;
  until: number;
  loggedAt: number;
}

/** `now` in milliseconds, on a clock that is never set back. */
export function createTurns(now: () => number = () => performance.now()): Turns {
  const troubles = new Map<string, Trouble>();
  let last = '';

  return {
    order(keys) {
      for (const [key, { until }] of troubles) {
        if (until + LONGEST_REST_MS < now() && !keys.includes(key)) troubles.delete(key);
      }
      const sorted = keys.filter((key) => (troubles.get(key)?.until ?? 0) <= now()).toSorted();
      const next = sorted.findIndex((key) => key > last);
      return next === -1 ? sorted : [...sorted.slice(next), ...sorted.slice(0, next)];
    },
    succeeded(key) {
      last = key;
      troubles.delete(key);
    },
    failed(key) {
      last = key;
      const before = troubles.get(key);
      const restMs = before ? Math.min(2 * before.restMs, LONGEST_REST_MS) : FIRST_REST_MS;
      const log = !before || now() - before.loggedAt >= LOG_EVERY_MS;
      troubles.set(key, { restMs, until: now() + restMs, loggedAt: log ? now() : before.loggedAt });
      return log;
    },
  };
}
