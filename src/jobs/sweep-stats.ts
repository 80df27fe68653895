/** Figures of the sweeps of this process, for whoever looks at it. They are kept in memory and begin anew with the process. */

export interface SweepStats {
  /** Scopes that had something due when this process last asked. */
  dueScopes: number;
  /** Seconds for which the longest waiting of them has been seen due without an end: 0 when nothing is due. */
  oldestDueSeconds: number;
  /** Batches, and the rows that they handled, since the start. */
  batches: number;
  rows: number;
  failures: number;
  /** Milliseconds of the last batch, and of the longest since the start. */
  lastMs: number;
  longestMs: number;
}

interface SweepRecorder {
  /** What is due now, of all sweeps. */
  seen(due: readonly { key: string; sweep: string }[]): void;
  ran(sweep: string, batch: { key: string; rows: number; ms: number; full: boolean }): void;
  failed(sweep: string): void;
  all(): Record<string, SweepStats>;
}

/** `now` in milliseconds, on a clock that is never set back. */
export function createSweepStats(names: readonly string[], now: () => number = () => performance.now()): SweepRecorder {
  const counts = new Map(names.map((name) => [name, { batches: 0, rows: 0, failures: 0, lastMs: 0, longestMs: 0 }]));
  let dueSince = new Map<string, { sweep: string; since: number }>();

  return {
    seen(due) {
      dueSince = new Map(due.map(({ key, sweep }) => [key, dueSince.get(key) ?? { sweep, since: now() }]));
    },
    ran(sweep, { key, rows, ms, full }) {
      const count = counts.get(sweep);
      if (!count) return;
      count.batches += 1;
      count.rows += rows;
      count.lastMs = ms;
      count.longestMs = Math.max(count.longestMs, ms);
      if (rows > 0 && !full) dueSince.delete(key);
    },
    failed(sweep) {
      const count = counts.get(sweep);
      if (count) count.failures += 1;
    },
    all() {
      const stats: Record<string, SweepStats> = {};
      for (const [name, count] of counts) {
        const since = [...dueSince.values()].filter(({ sweep }) => sweep === name).map((one) => one.since);
        const oldestDueSeconds = since.length === 0 ? 0 : (now() - Math.min(...since)) / 1000;
        stats[name] = { ...count, dueScopes: since.length, oldestDueSeconds };
      }
      return stats;
    },
  };
}
