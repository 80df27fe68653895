/** The sweep that folds what commission lines have added and taken into the rollups of the member summaries. */
import type { Scope, WriteDb } from '../../db/scope.ts';
import {
  allowTime,
  clearRollups,
  foldPending,
  lockFolding,
  lockRebuilding,
  rebuildRollups,
} from './commission-rollup-queries.ts';

/** Rows of one transaction. */
export const FOLD_BATCH = 5_000;

/**
 * One batch of at most `limit` rows; returns how many rows it took. 0 when nothing waits, when somebody else is folding this
 * tenant and environment, and once the rollups were built anew for another zone.
 */
export async function foldCommissions(db: WriteDb, scope: Scope, limit: number = FOLD_BATCH): Promise<number> {
  const lock = await db.row(lockFolding(scope));
  if (lock?.mine !== true) return 0;
  const fold = await db.row(foldPending(scope, { count: limit }));
  if (fold?.stale === true) {
    await rebuildCommissions(db, scope);
    return 0;
  }
  return fold?.taken ?? 0;
}

/** Builds the rollups anew from the lines, in the tenant's present zone; returns the number of lines. */
export async function rebuildCommissions(db: WriteDb, scope: Scope): Promise<number> {
  // The lock first: each statement then sees what the fold before it left.
  const [, , , rebuilt] = await Promise.all([
    db.rows(allowTime()),
    db.rows(lockRebuilding(scope)),
    db.rows(clearRollups(scope)),
    db.row(rebuildRollups(scope)),
  ]);
  return rebuilt?.lines ?? 0;
}
