/** The audit log in SQL: entries are inserted and read, and nothing else. */
import type { ActorKind, NamedActor } from '../../actor.ts';
import { listStatement, raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { namedActor } from './open/named-actor.ts';

interface NewEntry {
  action: string;
  actorKind: ActorKind;
  actorId: string | null;
  operationId: string;
  requestId: string | null;
  ip: string | null;
  objectKind: string | null;
  objectId: string | null;
  details: Record<string, unknown>;
}

const auditLog = tenantTable('audit_log');

/** The address lies beside the entry, which is sealed: it is forgotten sooner. */
const insert = statement<unknown, Omit<NewEntry, 'details'> & { details: string }>(
  'audit_insert',
  ({ action, actorKind, actorId, operationId, requestId, ip, objectKind, objectId, details }) =>
    raw(
      `with entry as (
     insert into audit_log (tenant_id, environment, action, actor_kind, actor_id, operation_id, request_id, object_kind, object_id, details)
     values (:tenantId, :environment, :action, :actorKind, :actorId, :operationId, :requestId, :objectKind, :objectId, :details)
     returning id)
   insert into audit_origin (tenant_id, environment, entry_id, ip)
   select :tenantId, :environment, entry.id, :ip::text from entry where :ip::text is not null`,
      { action, actorKind, actorId, operationId, requestId, ip, objectKind, objectId, details },
    ),
);

export async function insertAuditEntry(db: Db, scope: Scope, entry: NewEntry): Promise<void> {
  await db.rows(insert(scope, { ...entry, details: JSON.stringify(entry.details) }));
}

export interface AuditLogEntry {
  id: string;
  action: string;
  actor: NamedActor;
  target: { kind: string | null; id: string | null } | null;
  /** Of the operation, else the command, job or sweep; null of entries from before it was kept. */
  operationId: string | null;
  requestId: string | null;
  /** While it is kept. */
  ip: string | null;
  objectKind: string | null;
  objectId: string | null;
  details: Record<string, unknown>;
  createdAt: Date;
}

interface EntryRow {
  id: string;
  action: string;
  actor: NamedActor;
  operation_id: string | null;
  request_id: string | null;
  ip: string | null;
  object_kind: string | null;
  object_id: string | null;
  details: Record<string, unknown>;
  recorded_at: Date;
}

const ENTRY = {
  id: 'a.id',
  action: 'a.action',
  actor: raw(namedActor("concat_ws(':', a.actor_kind, a.actor_id)")),
  operation_id: 'a.operation_id',
  request_id: 'a.request_id',
  ip: 'o.ip',
  object_kind: 'a.object_kind',
  object_id: 'a.object_id',
  details: 'a.details',
  recorded_at: 'a.recorded_at',
};

/** Each with its address, while that is kept. */
const entries = () => auditLog('a').leftJoin('audit_origin as o', 'o.entry_id', 'a.id').select(ENTRY);

export interface AuditFilters {
  action: string | undefined;
  actorKind: ActorKind | undefined;
  actorId: string | undefined;
  targetKind: string | undefined;
  targetId: string | undefined;
  objectKind: string | undefined;
  objectId: string | undefined;
  operationId: string | undefined;
  from: string | undefined;
  to: string | undefined;
  /** What the entries were done to, whatever the filters say; undefined: anything. */
  onlyKind: string | undefined;
}

/** Bounds of ids, by which a time is found; the second is not part of it. */
export interface IdRange {
  fromId: string | undefined;
  toId: string | undefined;
}

const list = listStatement<EntryRow, AuditFilters & IdRange & { beforeId: string | undefined; count: number }>(
  'audit_list',
  (given) => {
    const query = entries().orderBy('a.id', 'desc').limit(given.count);
    if (given.action) query.where('a.action', given.action);
    if (given.actorKind) query.where('a.actor_kind', given.actorKind);
    if (given.actorId) query.where('a.actor_id', given.actorId);
    if (given.targetKind) query.where('a.object_kind', given.targetKind);
    if (given.targetId) query.where('a.object_id', given.targetId);
    if (given.objectKind) query.where('a.object_kind', given.objectKind);
    if (given.objectId) query.where('a.object_id', given.objectId);
    if (given.operationId) query.where('a.operation_id', given.operationId);
    if (given.onlyKind) query.where('a.object_kind', given.onlyKind);
    if (given.from) query.where('a.recorded_at', '>=', given.from);
    if (given.to) query.where('a.recorded_at', '<', given.to);
    if (given.fromId) query.where('a.id', '>=', given.fromId);
    if (given.toId) query.where('a.id', '<', given.toId);
    if (given.beforeId) query.where('a.id', '<', given.beforeId);
    return query;
  },
);

/** Newest first, by their ids, which is the order they were written in. */
export async function listAuditEntries(
  db: Db,
  scope: Scope,
  filters: AuditFilters & IdRange,
  beforeId: string | undefined,
  count: number,
): Promise<AuditLogEntry[]> {
  return (await db.rows(list(scope, { ...filters, beforeId, count }))).map(toEntry);
}

const latestOfObject = statement<EntryRow, { objectKind: string; objectId: string; count: number }>(
  'audit_latest_of_object',
  ({ objectKind, objectId, count }) =>
    entries().where('a.object_kind', objectKind).where('a.object_id', objectId).orderBy('a.id', 'desc').limit(count),
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
  const { object_kind: objectKind, object_id: objectId } = row;
  return {
    id: row.id,
    action: row.action,
    actor: row.actor,
    target: objectKind === null && objectId === null ? null : { kind: objectKind, id: objectId },
    operationId: row.operation_id,
    requestId: row.request_id,
    ip: row.ip,
    objectKind,
    objectId,
    details: row.details,
    createdAt: row.recorded_at,
  };
}
