/** The sweep that folds what purchases have added and reversals taken into the sums of sales, once these are ready. */
import type { Scope, WriteDb } from '../../../db/scope.ts';
import { allowTime, clearSums, foldPending, lockFolding, lockSums, noteBegun, rebuildSums } from './sales-sums-queries.ts';

/** Rows of one transaction. */
export const FOLD_BATCH = 5_000;

/**
 * One batch of at most `limit` rows; returns how many rows it took. Sums that are begun it takes a step nearer to being
 * ready, and those of another zone than the tenant's it builds anew: 0 then, as when nothing waits, when sales are not
 * summed up, and when somebody else is folding this tenant and environment.
 */
export async function foldSales(db: WriteDb, scope: Scope, limit: number = FOLD_BATCH): Promise<number> {
  const lock = await db.row(lockFolding(scope));
  if (lock?.mine !== true) return 0;
  const fold = await db.row(foldPending(scope, { count: limit }));
  if (fold?.next === 'note') await db.rows(noteBegun(scope));
  if (fold?.next === 'sum' || fold?.next === 'rebuild') await rebuildSales(db, scope);
  return fold?.taken ?? 0;
}

/**
 * Builds the sums anew from the events, in the tenant's present zone; returns the number of purchases. Leaves a scope alone
 * that does not sum up its sales, or has begun to so lately that not all of them are noted down.
 */
export async function rebuildSales(db: WriteDb, scope: Scope): Promise<number> {
  // The lock first: each statement then sees what the fold before it left.
  const [, , , rebuilt] = await Promise.all([
    db.rows(allowTime()),
    db.rows(lockSums(scope)),
    db.rows(clearSums(scope)),
    db.row(rebuildSums(scope)),
  ]);
  return rebuilt?.sales ?? 0;
}
