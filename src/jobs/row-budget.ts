/**
 * How many rows the next batch of a sweep may take. Rows cost different times in different scopes, and nobody knows them
 * beforehand: the budget begins small, doubles while batches are quick and full, and shrinks behind one that was slow.
 */

/** A batch holds its locks, and keeps the other scopes waiting, about so long. */
export const LONGEST_BATCH_MS = 300;
/** What is aimed at, so that one that takes half as long again is still no longer than that. */
const AIM_MS = 200;
const FIRST_ROWS = 200;
/** Of what has not been due for so long nothing is remembered. */
const FORGET_AFTER_MS = 600_000;

export interface RowBudget {
  /** From 1 to `most`. */
  rowsFor(key: string, most: number): number;
  /** To be told of each batch that was allowed `limit` rows and took `rows`. */
  took(key: string, batch: { limit: number; rows: number; ms: number }): void;
}

/** `now` in milliseconds, on a clock that is never set back. */
export function createRowBudget(now: () => number = () => performance.now()): RowBudget {
  const budgets = new Map<string, { rows: number; at: number }>();
  let prunedAt = now();

  function prune(): void {
    if (now() - prunedAt < FORGET_AFTER_MS) return;
    prunedAt = now();
    for (const [key, { at }] of budgets) if (at <= now() - FORGET_AFTER_MS) budgets.delete(key);
  }

  return {
    rowsFor: (key, most) => Math.min(most, budgets.get(key)?.rows ?? FIRST_ROWS),
    took(key, { limit, rows, ms }) {
      prune();
      let next = limit;
      if (ms > LONGEST_BATCH_MS) {
        // One that took nothing has failed, or waited for somebody: it tells little of what rows cost.
        next = Math.max(1, Math.floor(rows > 0 ? (Math.min(rows, limit) * AIM_MS) / ms : limit / 2));
      } else if (rows >= limit && ms < AIM_MS / 2) next = 2 * limit;
      else if (rows >= limit && ms < AIM_MS) next = Math.ceil(1.1 * limit);
      budgets.set(key, { rows: next, at: now() });
    },
  };
}
