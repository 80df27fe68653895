/** A ledger in parts: ranges of journals with about as many postings each, so that no statement reads too much. */
import type { Db, Scope } from '../../db/scope.ts';
import { nextJournals } from './range-queries.ts';

/** Below and above every id. */
export const LOWEST = '00000000-0000-0000-0000-000000000000';
export const HIGHEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export interface RangeSize {
  /** Postings of one range, but for the last journal's. */
  postings: number;
  /** Ranges handed out together. */
  ranges: number;
}

/**
 * Calls `visit` with `ranges + 1` bounds at a time, until the end: range n holds the journals with ids
 * above bound n up to bound n + 1. Past the end of the ledger ranges are empty.
 */
export async function eachRange(
  db: Db,
  scope: Scope,
  after: string,
  size: RangeSize,
  visit: (bounds: string[]) => Promise<void>,
): Promise<void> {
  const boundsAfter = async (low: string): Promise<string[]> =>
    (await db.rows(nextJournals(scope, { after: low, postings: size.postings, count: size.ranges }))).map(
      (row) => row.id ?? HIGHEST,
    );
  let low = after;
  for (let highs = await boundsAfter(low); highs.length > 0; ) {
    const high = highs.at(-1) ?? HIGHEST;
    const padding = Array.from({ length: size.ranges - highs.length }, () => HIGHEST);
    // The next bounds are asked for right behind, and read while these ranges are on their way.
    const [, next] = await Promise.all([visit([low, ...highs, ...padding]), high === HIGHEST ? [] : boundsAfter(high)]);
    [low, highs] = [high, next];
  }
}
