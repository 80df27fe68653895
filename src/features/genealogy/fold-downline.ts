/** The sweep that folds pending counts, and the rebuild (docs/decisions/0004-pending-downline-counts.md). */
import type { Scope, WriteDb } from '../../db/scope.ts';
import { foldPending, liftTimeLimit, lockFold, nameSponsors, rebuildCounts } from './downline-counts-queries.ts';

/** Pending rows of one transaction. */
export const DOWNLINE_BATCH = 2_000;

/**
 * Folds the oldest pending rows, at most `limit`; returns how many. 0 when there are none, or when somebody else is at
 * it. When the tenant reports in another zone than its counts fall into, they are built anew instead.
 */
export async function foldDownline(db: WriteDb, scope: Scope, limit: number = DOWNLINE_BATCH): Promise<number> {
  const lock = await db.row(lockFold(scope));
  if (lock?.mine !== true) return 0;
  const fold = await db.row(foldPending(scope, { batch: limit }));
  if (fold?.stale === true) {
    await rebuildDownline(db, scope);
    return 0;
  }
  return fold?.rows ?? 0;
}

/**
 * Builds all counts of a scope anew from the members' sponsors, whatever they say now. Members may join
 * meanwhile; sponsor moves wait and are refused after their time. Returns the number of members.
 */
export async function rebuildDownline(db: WriteDb, scope: Scope): Promise<number> {
  await db.rows(liftTimeLimit());
  const row = await db.row(rebuildCounts(scope));
  await db.rows(nameSponsors(scope));
  return Number(row?.members ?? 0);
}
