/** Imports in SQL. Their times are by the real clock, in SANDBOX too. */

import { type Actor, actorRef } from '../../actor.ts';
import { takeLock } from '../../db/lock-classes.ts';
import { raw, statement, unscopedStatement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { namedActor } from '../audit/open/named-actor.ts';
import type { ImportKind, ImportMode, ImportRun, ImportStatus } from './import-run.ts';

const importRun = tenantTable('import_run');

const columns = `r.id, r.kind, r.mode, r.status, r.file_name as "fileName", r.byte_count as "byteCount", r.row_count as "rowCount",
  r.applied_count as "appliedCount", r.failed_count as "failedCount", r.failure, ${namedActor('r.created_by')} as "createdBy", r.created_at as "createdAt",
  r.started_at as "startedAt", r.finished_at as "finishedAt"`;

const now = raw('now()');

const insert = statement<{ id: string }, { kind: ImportKind; mode: ImportMode; fileName: string | null; createdBy: string }>(
  'imports_insert',
  ({ kind, mode, fileName, createdBy }) =>
    importRun()
      .insert({
        kind,
        mode,
        status: 'receiving',
        file_name: fileName,
        created_by: createdBy,
        tidy_at: raw("now() + interval '1 hour'"),
        created_at: now,
        updated_at: now,
      })
      .returning('id'),
);

/** In `receiving`, and to be tidied away if it is still in an hour: no transfer may take so long. */
export async function insertImport(
  db: Db,
  scope: Scope,
  { kind, mode, fileName, actor }: { kind: ImportKind; mode: ImportMode; fileName: string | null; actor: Actor },
): Promise<string> {
  const row = await db.row(insert(scope, { kind, mode, fileName, createdBy: actorRef(actor) }));
  if (!row) throw new Error('the insert of an import returned no row');
  return row.id;
}

/** After so long without a step nobody works on it any more, and no job will. */
const STANDSTILL = "interval '1 day'";
const afterStandstill = raw(`now() + ${STANDSTILL}`);

const queue = statement<ImportRun, { id: string; bytes: number; rows: number; failed: number }>(
  'imports_queue',
  ({ id, bytes, rows, failed }) =>
    importRun('r')
      .where('r.id', id)
      .where('r.status', 'receiving')
      .update({
        status: 'queued',
        byte_count: bytes,
        row_count: rows,
        failed_count: failed,
        tidy_at: afterStandstill,
        updated_at: now,
      })
      .returning(raw(columns)),
);

/** Undefined when the import is gone: tidied away, or its SANDBOX erased. */
export async function queueImport(
  db: Db,
  scope: Scope,
  id: string,
  counts: { bytes: number; rows: number; failed: number },
): Promise<ImportRun | undefined> {
  return db.row(queue(scope, { id, bytes: counts.bytes, rows: counts.rows, failed: counts.failed }));
}

const find = statement<ImportRun, { id: string }>('imports_find', ({ id }) =>
  importRun('r').where('r.id', id).select(raw(columns)),
);

export async function findImport(db: Db, scope: Scope, id: string): Promise<ImportRun | undefined> {
  return db.row(find(scope, { id }));
}

const list = statement<ImportRun, { kind: string | null; status: string | null; before: string | null; count: number }>(
  'imports_list',
  ({ kind, status, before, count }) =>
    raw(
      `select ${columns} from import_run r
   where ${ofTenant('r')} and (:kind::text is null or r.kind = :kind) and (:status::text is null or r.status = :status)
     and (:before::uuid is null or r.id < :before)
   order by r.id desc limit :count`,
      { kind, status, before, count },
    ),
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
  return db.rows(list(scope, { kind, status, before: beforeId ?? null, count }));
}

export interface LockedImport extends ImportRun {
  /** What of the work is done before the rows are. */
  step: string | null;
}

const lock = statement<LockedImport, { id: string }>('imports_lock', ({ id }) =>
  importRun('r').where('r.id', id).select(raw(columns), 'r.step').forNoKeyUpdate(),
);

/** Against whoever else works on it, or cancels it. */
export async function lockImport(db: Db, scope: Scope, id: string): Promise<LockedImport | undefined> {
  return db.row(lock(scope, { id }));
}

const waitLonger = unscopedStatement<unknown>('imports_wait_longer', () =>
  raw("select set_config('lock_timeout', '20s', true), set_config('statement_timeout', '60s', true)"),
);

/** For what waits for a batch of rows, or is one. */
export async function allowWaiting(db: Db): Promise<void> {
  await db.rows(waitLonger());
}

const analyze = unscopedStatement<unknown>('imports_analyze', () => raw(`select analyze_for_import()`));

/** So that the planner knows of the rows that came since it last looked. */
export async function refreshStatistics(db: Db): Promise<void> {
  await db.rows(analyze());
}

const lockRows = statement<unknown>('imports_lock_batches', () => raw(`select ${takeLock('importBatches')}`));

/** One batch of the scope at a time: two files with the same members would wait for each other in a circle. */
export async function awaitBatch(db: Db, scope: Scope): Promise<void> {
  await db.rows(lockRows(scope));
}

const begin = statement<unknown, { id: string }>('imports_begin', ({ id }) =>
  importRun()
    .where({ id })
    .update({ status: 'running', started_at: raw('coalesce(started_at, now())'), tidy_at: afterStandstill, updated_at: now }),
);

export async function beginImport(db: Db, scope: Scope, id: string): Promise<void> {
  await db.rows(begin(scope, { id }));
}

const advance = statement<unknown, { id: string; applied: number; failed: number; step: string | null }>(
  'imports_advance',
  ({ id, applied, failed, step }) =>
    raw(
      `update import_run set applied_count = applied_count + :applied, failed_count = failed_count + :failed,
          step = coalesce(:step, step),
          tidy_at = case when status = 'running' then now() + ${STANDSTILL} else tidy_at end, updated_at = now()
   where ${ofTenant('import_run')} and id = :id`,
      { id, applied, failed, step },
    ),
);

export async function advanceImport(
  db: Db,
  scope: Scope,
  id: string,
  { applied = 0, failed = 0, step }: { applied?: number; failed?: number; step?: string },
): Promise<void> {
  await db.rows(advance(scope, { id, applied, failed, step: step ?? null }));
}

const end = statement<ImportRun, { id: string; status: ImportStatus; failure: string | null }>(
  'imports_end',
  ({ id, status, failure }) =>
    raw(
      `update import_run r set status = :status, failure = :failure, finished_at = now(), updated_at = now(),
          -- What waits is of no use any more; the faults are kept for a while.
          tidy_at = case when :status = 'completed' then now() + interval '30 days' else now() end
   where ${ofTenant('r')} and r.id = :id
   returning ${columns}`,
      { id, status, failure },
    ),
);

export async function endImport(
  db: Db,
  scope: Scope,
  id: string,
  status: 'completed' | 'failed' | 'cancelled',
  failure: string | null = null,
): Promise<ImportRun | undefined> {
  return db.row(end(scope, { id, status, failure }));
}

/** An import of which something is to be removed. */
export interface DueImport {
  id: string;
  receiving: boolean;
  /** Queued or running, and nobody works on it. */
  stands: boolean;
  expired: boolean;
}

const takeDue = statement<DueImport>('imports_take_due', () =>
  raw(`select id, status = 'receiving' as receiving, status in ('queued', 'running') as stands,
          coalesce(finished_at <= now() - interval '30 days', false) as expired
   from import_run where ${ofTenant('import_run')} and tidy_at <= now()
   order by tidy_at limit 1 for update skip locked`),
);

/** One import of which something is to be removed by now, locked. */
export async function takeDueImport(db: Db, scope: Scope): Promise<DueImport | undefined> {
  return db.row(takeDue(scope));
}

const settleTidying = statement<unknown, { id: string; expired: boolean }>('imports_settle_tidying', ({ id, expired }) =>
  importRun()
    .where({ id })
    .update({ tidy_at: raw("case when not :expired then finished_at + interval '30 days' end", { expired }) }),
);

/** Its faults are still to be removed in time, or nothing any more. */
export async function settleTidyingOf(db: Db, scope: Scope, id: string, expired: boolean): Promise<void> {
  await db.rows(settleTidying(scope, { id, expired }));
}

const remove = statement<unknown, { id: string }>('imports_delete', ({ id }) =>
  importRun().where({ id, status: 'receiving' }).delete(),
);

export async function deleteImport(db: Db, scope: Scope, id: string): Promise<void> {
  await db.rows(remove(scope, { id }));
}
