/** Imports in SQL. Their times are by the real clock, in SANDBOX too. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';
import type { ImportKind, ImportMode, ImportRun, ImportStatus } from './import.ts';

const columns = `r.id, r.kind, r.mode, r.status, r.file_name as "fileName", r.byte_count as "byteCount", r.row_count as "rowCount",
  r.applied_count as "appliedCount", r.failed_count as "failedCount", r.failure, r.created_at as "createdAt",
  r.started_at as "startedAt", r.finished_at as "finishedAt"`;

const insert = prepared<{ id: string }, [string, string, ImportKind, ImportMode, fileName: string | null, keyId: string]>(
  'imports_insert',
  `insert into import_run (tenant_id, environment, kind, mode, status, file_name, created_by, tidy_at, created_at, updated_at)
   values ($1, $2, $3, $4, 'receiving', $5, $6, now() + interval '1 hour', now(), now())
   returning id`,
);

/** In `receiving`, and to be tidied away if it is still in an hour: no transfer may take so long. */
export async function insertImport(
  db: Db,
  scope: Scope,
  { kind, mode, fileName, keyId }: { kind: ImportKind; mode: ImportMode; fileName: string | null; keyId: string },
): Promise<string> {
  const row = await db.row(insert(scope.tenantId, scope.environment, kind, mode, fileName, keyId));
  if (!row) throw new Error('the insert of an import returned no row');
  return row.id;
}

/** After so long without a step nobody works on it any more, and no job will. */
const STANDSTILL = "interval '1 day'";

const queue = prepared<ImportRun, [string, string, id: string, bytes: number, rows: number, failed: number]>(
  'imports_queue',
  `update import_run r set status = 'queued', byte_count = $4, row_count = $5, failed_count = $6, tidy_at = now() + ${STANDSTILL},
          updated_at = now()
   where r.tenant_id = $1 and r.environment = $2 and r.id = $3 and r.status = 'receiving'
   returning ${columns}`,
);

/** Undefined when the import is gone: tidied away, or its SANDBOX erased. */
export async function queueImport(
  db: Db,
  scope: Scope,
  id: string,
  counts: { bytes: number; rows: number; failed: number },
): Promise<ImportRun | undefined> {
  return db.row(queue(scope.tenantId, scope.environment, id, counts.bytes, counts.rows, counts.failed));
}

const find = prepared<ImportRun, [string, string, string]>(
  'imports_find',
  `select ${columns} from import_run r where r.tenant_id = $1 and r.environment = $2 and r.id = $3`,
);

export async function findImport(db: Db, scope: Scope, id: string): Promise<ImportRun | undefined> {
  return db.row(find(scope.tenantId, scope.environment, id));
}

const list = prepared<ImportRun, [string, string, kind: string | null, status: string | null, before: string | null, number]>(
  'imports_list',
  `select ${columns} from import_run r
   where r.tenant_id = $1 and r.environment = $2 and ($3::text is null or r.kind = $3) and ($4::text is null or r.status = $4)
     and ($5::uuid is null or r.id < $5)
   order by r.id desc limit $6`,
);

/** Newest first, by their ids. */
export async function listImports(
  db: Db,
  scope: Scope,
  filters: { kind: ImportKind | undefined; status: ImportStatus | undefined },
  beforeId: string | undefined,
  count: number,
): Promise<ImportRun[]> {
  const { kind = null, status = null } = filters;
  return db.rows(list(scope.tenantId, scope.environment, kind, status, beforeId ?? null, count));
}

export interface LockedImport extends ImportRun {
  /** What of the work is done before the rows are. */
  step: string | null;
}

const lock = prepared<LockedImport, [string, string, string]>(
  'imports_lock',
  `select ${columns}, r.step from import_run r
   where r.tenant_id = $1 and r.environment = $2 and r.id = $3 for no key update`,
);

/** Against whoever else works on it, or cancels it. */
export async function lockImport(db: Db, scope: Scope, id: string): Promise<LockedImport | undefined> {
  return db.row(lock(scope.tenantId, scope.environment, id));
}

const waitLonger = prepared<unknown, []>(
  'imports_wait_longer',
  "select set_config('lock_timeout', '20s', true), set_config('statement_timeout', '60s', true)",
);

/** For what waits for a batch of rows, or is one. */
export async function allowWaiting(db: Db): Promise<void> {
  await db.rows(waitLonger());
}

const analyze = prepared<unknown, []>('imports_analyze', 'select analyze_for_import()');

/** So that the planner knows of the rows that came since it last looked. */
export async function refreshStatistics(db: Db): Promise<void> {
  await db.rows(analyze());
}

const lockRows = prepared<unknown, [string, string]>(
  'imports_lock_batches',
  "select pg_advisory_xact_lock(hashtextextended($1 || ':' || $2, 8))",
);

/** One batch of the scope at a time: two files with the same members would wait for each other in a circle. */
export async function awaitBatch(db: Db, scope: Scope): Promise<void> {
  await db.rows(lockRows(scope.tenantId, scope.environment));
}

const begin = prepared<unknown, [string, string, string]>(
  'imports_begin',
  `update import_run set status = 'running', started_at = coalesce(started_at, now()), tidy_at = now() + ${STANDSTILL}, updated_at = now()
   where tenant_id = $1 and environment = $2 and id = $3`,
);

export async function beginImport(db: Db, scope: Scope, id: string): Promise<void> {
  await db.rows(begin(scope.tenantId, scope.environment, id));
}

const advance = prepared<unknown, [string, string, string, applied: number, failed: number, step: string | null]>(
  'imports_advance',
  `update import_run set applied_count = applied_count + $4, failed_count = failed_count + $5, step = coalesce($6, step),
          tidy_at = case when status = 'running' then now() + ${STANDSTILL} else tidy_at end, updated_at = now()
   where tenant_id = $1 and environment = $2 and id = $3`,
);

export async function advanceImport(
  db: Db,
  scope: Scope,
  id: string,
  { applied = 0, failed = 0, step }: { applied?: number; failed?: number; step?: string },
): Promise<void> {
  await db.rows(advance(scope.tenantId, scope.environment, id, applied, failed, step ?? null));
}

const end = prepared<ImportRun, [string, string, string, status: ImportStatus, failure: string | null]>(
  'imports_end',
  `update import_run r set status = $4, failure = $5, finished_at = now(), updated_at = now(),
          -- What waits is of no use any more; the faults are kept for a while.
          tidy_at = case when $4 = 'completed' then now() + interval '30 days' else now() end
   where r.tenant_id = $1 and r.environment = $2 and r.id = $3
   returning ${columns}`,
);

export async function endImport(
  db: Db,
  scope: Scope,
  id: string,
  status: 'completed' | 'failed' | 'cancelled',
  failure: string | null = null,
): Promise<ImportRun | undefined> {
  return db.row(end(scope.tenantId, scope.environment, id, status, failure));
}

/** An import of which something is to be removed. */
export interface DueImport {
  id: string;
  receiving: boolean;
  /** Queued or running, and nobody works on it. */
  stands: boolean;
  expired: boolean;
}

const takeDue = prepared<DueImport, [string, string]>(
  'imports_take_due',
  `select id, status = 'receiving' as receiving, status in ('queued', 'running') as stands,
          coalesce(finished_at <= now() - interval '30 days', false) as expired
   from import_run where tenant_id = $1 and environment = $2 and tidy_at <= now()
   order by tidy_at limit 1 for update skip locked`,
);

/** One import of which something is to be removed by now, locked. */
export async function takeDueImport(db: Db, scope: Scope): Promise<DueImport | undefined> {
  return db.row(takeDue(scope.tenantId, scope.environment));
}

const settleTidying = prepared<unknown, [string, string, string, expired: boolean]>(
  'imports_settle_tidying',
  `update import_run set tidy_at = case when not $4 then finished_at + interval '30 days' end
   where tenant_id = $1 and environment = $2 and id = $3`,
);

/** Its faults are still to be removed in time, or nothing any more. */
export async function settleTidyingOf(db: Db, scope: Scope, id: string, expired: boolean): Promise<void> {
  await db.rows(settleTidying(scope.tenantId, scope.environment, id, expired));
}

const remove = prepared<unknown, [string, string, string]>(
  'imports_delete',
  "delete from import_run where tenant_id = $1 and environment = $2 and id = $3 and status = 'receiving'",
);

export async function deleteImport(db: Db, scope: Scope, id: string): Promise<void> {
  await db.rows(remove(scope.tenantId, scope.environment, id));
}
