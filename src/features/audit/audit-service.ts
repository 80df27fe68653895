/** Who changed what: one entry a change, in the transaction of the change, and never taken back. */
import type { Db, Scope } from '../../db/scope.ts';
import type { Caller } from '../../http/operation.ts';
import { type ActorKind, type AuditLogEntry, insertAuditEntry, latestAuditEntries } from './audit-log-queries.ts';

export interface Actor {
  kind: ActorKind;
  /** Of the key or the member; null where nobody in particular did it. */
  id: string | null;
}

export interface AuditEntry {
  /** `object.deed`, as `member_profile.updated`. */
  action: string;
  actor: Actor;
  objectKind: string | null;
  objectId: string | null;
  /** Names of fields and the like: never a value of personal data, for entries outlive an erasure. */
  details?: Record<string, unknown>;
}

/** Writes the entry in the caller's transaction: it is there exactly when the change is. */
export function recordAudit(db: Db, scope: Scope, entry: AuditEntry): Promise<void> {
  return insertAuditEntry(db, scope, {
    action: entry.action,
    actorKind: entry.actor.kind,
    actorId: entry.actor.id,
    objectKind: entry.objectKind,
    objectId: entry.objectId,
    details: entry.details ?? {},
  });
}

/** The latest entries on one object, newest first. */
export function readAuditOf(db: Db, scope: Scope, object: { kind: string; id: string }, count: number): Promise<AuditLogEntry[]> {
  return latestAuditEntries(db, scope, object, count);
}

/** The member when a bearer token came with the key, else the key. */
export function actorOf(caller: Caller): Actor {
  return caller.member ? { kind: 'member', id: caller.member.memberId } : { kind: 'api_key', id: caller.keyId };
}
