/** The audit log in SQL: entries are inserted and read, and nothing else. */
import { sqlBuilder } from '../../db/connect.ts';
import type { Db, Scope } from '../../db/frame.ts';
import { built, prepared } from '../../db/statement.ts';

export type ActorKind = 'api_key' | 'member' | 'operator' | 'system';

interface NewEntry {
  action: string;
  actorKind: ActorKind;
  actorId: string | null;
  objectKind: string | null;
  objectId: string | null;
  details: Record<string, unknown>;
}

const insert = prepared<
  unknown,
  [string, string, action: string, ActorKind, actorId: string | null, string | null, objectId: string | null, details: string]
>(
  'audit_insert',
  `insert into audit_log (tenant_id, environment, action, actor_kind, actor_id, object_kind, object_id, details)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

export async function insertAuditEntry(db: Db, scope: Scope, entry: NewEntry): Promise<void> {
  await db.rows(
    insert(
      scope.tenantId,
      scope.environment,
      entry.action,
      entry.actorKind,
      entry.actorId,
      entry.objectKind,
      entry.objectId,
      JSON.stringify(entry.details),
    ),
  );
}

export interface AuditLogEntry {
  id: string;
  action: string;
  actor: { kind: ActorKind; id: string | null };
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

/** Newest first, by their ids, which is the order they were written in. */
export async function listAuditEntries(
  db: Db,
  scope: Scope,
  filters: AuditFilters,
  beforeId: string | undefined,
  count: number,
): Promise<AuditLogEntry[]> {
  const query = sqlBuilder('audit_log as a')
    .where({ 'a.tenant_id': scope.tenantId, 'a.environment': scope.environment })
    .orderBy('a.id', 'desc')
    .limit(count)
    .select('a.*');
  if (filters.action !== undefined) query.where('a.action', filters.action);
  if (filters.actorId !== undefined) query.where('a.actor_id', filters.actorId);
  if (filters.objectKind !== undefined) query.where('a.object_kind', filters.objectKind);
  if (filters.objectId !== undefined) query.where('a.object_id', filters.objectId);
  if (filters.from !== undefined) query.where('a.recorded_at', '>=', filters.from);
  if (filters.to !== undefined) query.where('a.recorded_at', '<', filters.to);
  if (beforeId !== undefined) query.where('a.id', '<', beforeId);
  return (await db.rows(built<EntryRow>(query))).map(toEntry);
}

const latestOfObject = prepared<EntryRow, [string, string, objectKind: string, objectId: string, count: number]>(
  'audit_latest_of_object',
  `select a.* from audit_log a
   where a.tenant_id = $1 and a.environment = $2 and a.object_kind = $3 and a.object_id = $4
   order by a.id desc limit $5`,
);

export async function latestAuditEntries(
  db: Db,
  scope: Scope,
  { kind, id }: { kind: string; id: string },
  count: number,
): Promise<AuditLogEntry[]> {
  return (await db.rows(latestOfObject(scope.tenantId, scope.environment, kind, id, count))).map(toEntry);
}

function toEntry(row: EntryRow): AuditLogEntry {
  return {
    id: row.id,
    action: row.action,
    actor: { kind: row.actor_kind, id: row.actor_id },
    objectKind: row.object_kind,
    objectId: row.object_id,
    details: row.details,
    createdAt: row.recorded_at,
  };
}
