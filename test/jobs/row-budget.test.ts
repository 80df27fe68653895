/** How many rows a batch may take, on a clock of the test's own. */
import { beforeEach, expect, test } from 'vitest';
import { createRowBudget, type RowBudget } from '../../src/jobs/row-budget.ts';

let now: number;
let budget: RowBudget;
beforeEach(() => {
  now = 0;
  budget = createRowBudget(() => now);
});

/** The limits of so many full batches of rows that take so long each. */
function limitsOf(batches: number, { msARow, most = 15_000 }: { msARow: number; most?: number }): number[] {
  return Array.from({ length: batches }, () => {
    const limit = budget.rowsFor('a', most);
    budget.took('a', { limit, rows: limit, ms: limit * msARow });
    return limit;
  });
}

test.each([0.01, 0.2, 1, 3, 40])('comes to batches of 300 ms at most, and not of few, with %d ms a row', (msARow) => {
  const limits = limitsOf(60, { msARow });
  const ms = limits.map((limit) => limit * msARow);
  for (const one of ms.slice(3)) expect(one).toBeLessThanOrEqual(300);
  expect(Math.max(...ms.slice(40))).toBeGreaterThanOrEqual(Math.min(100, 15_000 * msARow));
});

test('is never below one row, and never above what the sweep takes', () => {
  expect(limitsOf(10, { msARow: 5_000 }).at(-1)).toBe(1);
  expect(limitsOf(12, { msARow: 0, most: 500 }).at(-1)).toBe(500);
  expect(budget.rowsFor('other', 50)).toBe(50);
});

test('a batch that took nothing for long halves it: it may have failed by its own size', () => {
  budget.took('a', { limit: 200, rows: 0, ms: 5_000 });
  expect(budget.rowsFor('a', 1_000)).toBe(100);
});

test('a batch that was not full says nothing of larger ones', () => {
  budget.took('a', { limit: 200, rows: 3, ms: 1 });
  expect(budget.rowsFor('a', 1_000)).toBe(200);
});

test('is of each scope and sweep by itself, and forgotten after ten minutes', () => {
  budget.took('a', { limit: 200, rows: 200, ms: 4_000 });
  expect([budget.rowsFor('a', 1_000), budget.rowsFor('b', 1_000)]).toEqual([10, 200]);
  now = 600_001;
  budget.took('b', { limit: 1, rows: 1, ms: 1 });
  expect(budget.rowsFor('a', 1_000)).toBe(200);
});
