/** Sealing the audit log, off every request's path. Source: docs/specification/conventions.md#audit-seals. */
import type { Scope, WriteDb } from '../../db/scope.ts';
import { lockAuditChain, sealAuditBlock } from './seal-queries.ts';

export const BLOCK_ENTRIES = 1_000;

/**
 * Seals the oldest unsealed entries, at most `limit`, into the next block; returns how many. 0 when there are none, or when somebody else
 * is at work on this tenant and environment. The first block of a day asks for a check of the whole log.
 */
export async function sealAuditLog(
  db: WriteDb,
  scope: Scope,
  limit: number = BLOCK_ENTRIES,
  requestCheck?: (db: WriteDb, scope: Scope) => Promise<unknown>,
): Promise<number> {
  const lock = await db.row(lockAuditChain(scope));
  if (lock?.mine !== true) return 0;
  const block = await db.row(sealAuditBlock(scope, { entries: limit }));
  if (block?.first_of_day === true) await requestCheck?.(db, scope);
  return block?.entry_count ?? 0;
}
