/** The audit log in SQL: entries are inserted and read, and nothing else. */
import type { ActorKind } from '../../actor.ts';
import { listStatement, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { tenantTable } from '../../db/tenant-table.ts';

interface NewEntry {
  action: string;
  actorKind: ActorKind;
  actorId: string | null;
  operationId: string;
  requestId: string | null;
  objectKind: string | null;
  objectId: string | null;
  details: Record<string, unknown>;
}

const auditLog = tenantTable('audit_log');

const insert = statement<unknown, Omit<NewEntry, 'details'> & { details: string }>(
  'audit_insert',
  ({ action, actorKind, actorId, operationId, requestId, objectKind, objectId, details }) =>
    auditLog().insert({
      action,
      actor_kind: actorKind,
      actor_id: actorId,
      operation_id: operationId,
      request_id: requestId,
      object_kind: objectKind,
      object_id: objectId,
      details,
    }),
);

export async function insertAuditEntry(db: Db, scope: Scope, entry: NewEntry): Promise<void> {
  await db.rows(insert(scope, { ...entry, details: JSON.stringify(entry.details) }));
}

export interface AuditLogEntry {
  id: string;
  action: string;
  actor: { kind: ActorKind; id: string | null };
  /** Of the operation, else the command, job or sweep; null of entries from before it was kept. */
  operationId: string | null;
  requestId: string | null;
  objectKind: string | null;
  objectId: string | null;
  details: Record<string, unknown>;
  createdAt: Date;
}

interface EntryRow {
  id: string;
  action: string;
  actor_kind: ActorKind;
  actor_id: string | null;
  operation_id: string | null;
  request_id: string | null;
  object_kind: string | null;
  object_id: string | null;
  details: Record<string, unknown>;
  recorded_at: Date;
}

export interface AuditFilters {
  action: string | undefined;
  actorId: string | undefined;
  objectKind: string | undefined;
  objectId: string | undefined;
  from: string | undefined;
  to: string | undefined;
}

const list = listStatement<EntryRow, AuditFilters & { beforeId: string | undefined; count: number }>('audit_list', (given) => {
  const query = auditLog('a').orderBy('a.id', 'desc').limit(given.count).select('a.*');
  if (given.action) query.where('a.action', given.action);
  if (given.actorId) query.where('a.actor_id', given.actorId);
  if (given.objectKind) query.where('a.object_kind', given.objectKind);
  if (given.objectId) query.where('a.object_id', given.objectId);
  if (given.from) query.where('a.recorded_at', '>=', given.from);
  if (given.to) query.where('a.recorded_at', '<', given.to);
  if (given.beforeId) query.where('a.id', '<', given.beforeId);
  return query;
});

/** Newest first, by their ids, which is the order they were written in. */
export async function listAuditEntries(
  db: Db,
  scope: Scope,
  filters: AuditFilters,
  beforeId: string | undefined,
  count: number,
): Promise<AuditLogEntry[]> {
  return (await db.rows(list(scope, { ...filters, beforeId, count }))).map(toEntry);
}

const latestOfObject = statement<EntryRow, { objectKind: string; objectId: string; count: number }>(
  'audit_latest_of_object',
  ({ objectKind, objectId, count }) =>
    auditLog('a')
      .where('a.object_kind', objectKind)
      .where('a.object_id', objectId)
      .orderBy('a.id', 'desc')
      .limit(count)
      .select('a.*'),
);

export async function latestAuditEntries(
  db: Db,
  scope: Scope,
  { kind, id }: { kind: string; id: string },
  count: number,
): Promise<AuditLogEntry[]> {
  return (await db.rows(latestOfObject(scope, { objectKind: kind, objectId: id, count }))).map(toEntry);
}

function toEntry(row: EntryRow): AuditLogEntry {
  return {
    id: row.id,
    action: row.action,
    actor: { kind: row.actor_kind, id: row.actor_id },
    operationId: row.operation_id,
    requestId: row.request_id,
    objectKind: row.object_kind,
    objectId: row.object_id,
    details: row.details,
    createdAt: row.recorded_at,
  };
}
