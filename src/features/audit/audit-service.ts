/** Who changed what: one entry a change, in the transaction of the change, and never taken back. */
import type { Provenance } from '../../actor.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { type AuditLogEntry, insertAuditEntry, latestAuditEntries } from './audit-log-queries.ts';

export interface AuditEntry {
  /** `object.deed`, as `member_profile.updated`. */
  action: string;
  by: Provenance;
  objectKind: string | null;
  objectId: string | null;
  /** Names of fields and the like: never a value of personal data, for entries outlive an erasure. */
  details?: Record<string, unknown>;
}

/** Writes the entry in the caller's transaction: it is there exactly when the change is. */
export function recordAudit(db: Db, scope: Scope, entry: AuditEntry): Promise<void> {
  return insertAuditEntry(db, scope, {
    action: entry.action,
    actorKind: entry.by.actor.kind,
    actorId: entry.by.actor.id,
    operationId: entry.by.operationId,
    requestId: entry.by.requestId,
    // Express has none for a caller that has hung up.
    ip: entry.by.ip === '' ? null : entry.by.ip,
    objectKind: entry.objectKind,
    objectId: entry.objectId,
    details: entry.details ?? {},
  });
}

/** The latest entries on one object, newest first. */
export function readAuditOf(db: Db, scope: Scope, object: { kind: string; id: string }, count: number): Promise<AuditLogEntry[]> {
  return latestAuditEntries(db, scope, object, count);
}
