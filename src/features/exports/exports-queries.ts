/** Exports in SQL. What is shown is by the scope's clock; when one stands still, by the real one. */

import type { Knex } from 'knex';
import { takeLock } from '../../db/lock-classes.ts';
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import type { Statement } from '../../db/statement.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { namedActor } from '../audit/open/named-actor.ts';
import type { ExportFilters, ExportFormat, ExportKind, ExportRun, ExportStatus } from './export-run.ts';

const COLUMNS = `r.id, r.kind, r.format, r.filters, r.status, r.row_count::int as "rowCount", r.byte_count as "byteCount", r.failure,
  ${namedActor('r.created_by')} as "createdBy", r.created_at as "createdAt", r.started_at as "startedAt", r.finished_at as "finishedAt", r.expires_at as "expiresAt"`;
const THIS = `${ofTenant('r')} and r.id = :exportId`;
const NOW = 'scope_now(:tenantId, :environment)';

/** After so long without a page nobody works on it any more, and no job will. */
const STANDSTILL = "interval '1 day'";
const KEPT = "interval '7 days'";
/** Of filters that may name a person nothing is kept for longer than the file. */
const FILTERS_WITHOUT_PERSON = "r.filters - array['email', 'name', 'externalId', 'customer_external_id']";
const WITHOUT_PERSON = `filters = ${FILTERS_WITHOUT_PERSON}`;

type OfExport = { exportId: string };

const exportRun = tenantTable('export_run');
const one = (exportId: Knex.Raw) => exportRun('r').where('r.id', exportId).select(raw(COLUMNS));

const lockNew = statement<unknown>('exports_lock_new', () => raw(`select ${takeLock('exports')}`));

const insert = statement<ExportRun, { kind: ExportKind; format: ExportFormat; filters: string; createdBy: string; most: number }>(
  'exports_insert',
  ({ kind, format, filters, createdBy, most }) =>
    raw(
      `insert into export_run as r (tenant_id, environment, kind, format, filters, status, created_by, created_at, stands_at)
   select :tenantId, :environment, :kind, :format, :filters::jsonb, 'queued', :createdBy, ${NOW}, now() + ${STANDSTILL}
   where (
     select count(*) from export_run u
     where ${ofTenant('u')} and u.stands_at is not null) < :most
   returning ${COLUMNS}`,
      { kind, format, filters, createdBy, most },
    ),
);

export interface NewExport {
  kind: ExportKind;
  format: ExportFormat;
  filters: ExportFilters;
  /** An `actorRef`. */
  createdBy: string;
}

/** Undefined when `most` are unfinished already; of several at once one is counted after the other. */
export async function insertExport(
  db: Db,
  scope: Scope,
  { filters, ...run }: NewExport,
  most: number,
): Promise<ExportRun | undefined> {
  await db.rows(lockNew(scope));
  return db.row(insert(scope, { ...run, filters: JSON.stringify(filters), most }));
}

const find = statement<ExportRun, OfExport>('exports_find', ({ exportId }) => one(exportId));

export async function findExport(db: Db, scope: Scope, exportId: string): Promise<ExportRun | undefined> {
  return db.row(find(scope, { exportId }));
}

export interface LockedExport extends ExportRun {
  storageKey: string | null;
  beginAnew: boolean;
}

const lock = statement<LockedExport, OfExport>('exports_lock', ({ exportId }) =>
  one(exportId).select('r.storage_key as storageKey', 'r.begin_anew as beginAnew').forNoKeyUpdate(),
);

/** Against whoever else works on it, cancels it or lets it expire. */
export async function lockExport(db: Db, scope: Scope, exportId: string): Promise<LockedExport | undefined> {
  return db.row(lock(scope, { exportId }));
}

interface ListFilters {
  /** Those that the caller may read. */
  kinds: readonly ExportKind[];
  status: ExportStatus | undefined;
}

const list = statement<
  ExportRun,
  { kinds: readonly ExportKind[]; status: ExportStatus | null; before: string | null; count: number }
>('exports_list', ({ kinds, status, before, count }) =>
  exportRun('r')
    .whereIn('r.kind', kinds)
    .whereRaw('(:status::text is null or r.status = :status)', { status })
    .whereRaw('(:before::uuid is null or r.id < :before)', { before })
    .orderBy('r.id', 'desc')
    .limit(count)
    .select(raw(COLUMNS)),
);

/** Newest first, by their ids. */
export async function listExports(
  db: Db,
  scope: Scope,
  { kinds, status }: ListFilters,
  before: string | undefined,
  count: number,
): Promise<ExportRun[]> {
  return db.rows(list(scope, { kinds, status: status ?? null, before: before ?? null, count }));
}

export interface BegunExport {
  kind: ExportKind;
  format: ExportFormat;
  filters: ExportFilters;
  attempt: number;
  /** Behind the ids of all that was there when it began. */
  untilId: string;
}

const begin = statement<BegunExport, OfExport>('exports_begin', ({ exportId }) =>
  raw(
    `update export_run r set status = 'running', attempt = r.attempt + 1, begin_anew = false, row_count = 0, started_at = ${NOW},
          stands_at = now() + ${STANDSTILL}
   where ${THIS} and r.status in ('queued', 'running')
   returning r.kind, r.format, r.filters, r.attempt, uuidv7() as "untilId"`,
    { exportId },
  ),
);

/** From the first row, whatever was done before. Undefined when there is nothing to do any more. */
export async function beginExport(db: Db, scope: Scope, exportId: string): Promise<BegunExport | undefined> {
  return db.row(begin(scope, { exportId }));
}

const OF_ATTEMPT = "r.status = 'running' and r.attempt = :attempt and not r.begin_anew";
const MINE = `${THIS} and ${OF_ATTEMPT}`;

const advance = statement<unknown, OfExport & { attempt: number; rowCount: number }>(
  'exports_advance',
  ({ exportId, attempt, rowCount }) =>
    raw(`update export_run r set row_count = :rowCount, stands_at = now() + ${STANDSTILL} where ${MINE} returning 1`, {
      exportId,
      attempt,
      rowCount,
    }),
);

/** False when this run is to stop: the export was cancelled, erased, or is another run's. */
export async function advanceExport(
  db: Db,
  scope: Scope,
  exportId: string,
  progress: { attempt: number; rowCount: number },
): Promise<boolean> {
  return (await db.row(advance(scope, { exportId, ...progress }))) !== undefined;
}

export interface ExportFile {
  attempt: number;
  storageKey: string;
  rowCount: number;
  byteCount: number;
}

const complete = statement<unknown, OfExport & ExportFile>(
  'exports_complete',
  ({ exportId, attempt, storageKey, rowCount, byteCount }) =>
    raw(
      `update export_run r set status = 'completed', storage_key = :storageKey, row_count = :rowCount, byte_count = :byteCount,
          finished_at = ${NOW}, expires_at = ${NOW} + ${KEPT}, stands_at = null
   where ${THIS} and ((${OF_ATTEMPT}) or (r.status = 'completed' and r.storage_key = :storageKey)) returning 1`,
      { exportId, attempt, storageKey, rowCount, byteCount },
    ),
);

/** False as `advanceExport`. Once more changes nothing. */
export async function completeExport(db: Db, scope: Scope, exportId: string, file: ExportFile): Promise<boolean> {
  return (await db.row(complete(scope, { exportId, ...file }))) !== undefined;
}

const end = statement<ExportRun, OfExport & { status: 'failed' | 'cancelled'; failure: string | null }>(
  'exports_end',
  ({ exportId, status, failure }) =>
    raw(
      `update export_run r set status = :status, failure = :failure, finished_at = ${NOW}, stands_at = null, ${WITHOUT_PERSON}
   where ${THIS} and r.status in ('queued', 'running') returning ${COLUMNS}`,
      { exportId, status, failure },
    ),
);

/** Without a file; undefined when it has ended already. */
export async function endExport(
  db: Db,
  scope: Scope,
  exportId: string,
  status: 'failed' | 'cancelled',
  failure: string | null = null,
): Promise<ExportRun | undefined> {
  return db.row(end(scope, { exportId, status, failure }));
}

const expire = statement<{ id: string }, { count: number }>('exports_expire', ({ count }) =>
  raw(
    `with due as (
     select d.id from export_run d
     where ${ofTenant('d')} and d.status = 'completed' and d.expires_at <= ${NOW}
     order by d.expires_at limit :count for no key update skip locked)
   update export_run r set status = 'expired', ${WITHOUT_PERSON} from due where ${ofTenant('r')} and r.id = due.id
   returning r.id`,
    { count },
  ),
);

/** The exports whose time is over by now; returns their ids. */
export async function expireDueExports(db: Db, scope: Scope, count: number): Promise<string[]> {
  return (await db.rows(expire(scope, { count }))).map(({ id }) => id);
}

const listStanding = statement<{ id: string }, { count: number }>('exports_list_standing', ({ count }) =>
  raw(
    `select r.id from export_run r where ${ofTenant('r')} and r.stands_at <= now()
   order by r.stands_at limit :count for no key update skip locked`,
    { count },
  ),
);

/** Queued or running, and nobody works on them; locked. */
export async function lockStandingExports(db: Db, scope: Scope, count: number): Promise<string[]> {
  return (await db.rows(listStanding(scope, { count }))).map(({ id }) => id);
}

const outdate = statement<unknown, { kinds: readonly ExportKind[] }>('exports_outdate', ({ kinds }) =>
  raw(
    `with outdated as (
     update export_run r
     set begin_anew = r.status = 'running', expires_at = case when r.status = 'completed' then ${NOW} end,
         status = case when r.status = 'completed' then 'expired' else r.status end,
         filters = case when r.status = 'completed' then ${FILTERS_WITHOUT_PERSON} else r.filters end
     where ${ofTenant('r')} and r.kind = any (:kinds::text[]) and r.status in ('running', 'completed')
     returning r.id, r.status)
   update export_object o set remove_after = now()
   from outdated
   where ${ofTenant('o')} and o.export_id = outdated.id and outdated.status = 'expired'`,
    { kinds },
  ),
);

/** Files of these kinds expire now, and those that are being made are made anew. */
export function outdateExports(scope: Scope, kinds: readonly ExportKind[]): Statement<unknown> {
  return outdate(scope, { kinds });
}
