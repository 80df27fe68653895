/** Rows of imports in SQL: they wait until each has been decided, in the order of their depth below other rows. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import type { RowFault } from '../../documents/csv-row.ts';

const importRow = tenantTable('import_row');

/** A row as it was read; one with faults has failed already. */
export interface NewRow {
  rowNumber: number;
  fields: object | undefined;
  faults: RowFault[] | undefined;
  names?: RowNames;
  sponsor?: RowNames;
}

export interface RowNames {
  emailNorm?: string | undefined;
  externalId?: string | undefined;
  code?: string | undefined;
}

const insert = statement<unknown, { importId: string; rows: string }>('import_rows_insert', ({ importId, rows }) =>
  raw(
    `insert into import_row (tenant_id, environment, import_id, row_number, state, fields, faults, email_norm, external_id,
                           own_code, sponsor_email_norm, sponsor_external_id, sponsor_code)
   select :tenantId, :environment, :importId, i.n, case when i.faults is null then 'waiting' else 'failed' end, i.fields,
          i.faults, i.e, i.x, i.c, i.se, i.sx, i.sc
   from jsonb_to_recordset(:rows::jsonb) i(n int, fields jsonb, faults jsonb, e text, x text, c text, se text, sx text, sc text)
   on conflict do nothing`,
    { importId, rows },
  ),
);

/** A repeat stores nothing twice. */
export async function insertRows(db: Db, scope: Scope, importId: string, rows: readonly NewRow[]): Promise<void> {
  const records = rows.map(({ rowNumber, fields, faults, names, sponsor }) => ({
    n: rowNumber,
    fields,
    faults,
    e: names?.emailNorm,
    x: names?.externalId,
    c: names?.code,
    se: sponsor?.emailNorm,
    sx: sponsor?.externalId,
    sc: sponsor?.code,
  }));
  await db.rows(insert(scope, { importId, rows: JSON.stringify(records) }));
}

/** Where among the rows that wait the work is. */
export interface Position {
  depth: number;
  rowNumber: number;
}

export interface WaitingRow {
  rowNumber: number;
  depth: number;
  fields: Record<string, unknown>;
  /** Null without a row of this file that is the sponsor's. */
  sponsorFailed: boolean | null;
  sponsorRecruits: boolean | null;
}

/** Begins behind `after`, for an index keeps what has been deleted from it for a while. */
const take = statement<WaitingRow, { importId: string; depth: number; rowNumber: number; count: number }>(
  'import_rows_take',
  ({ importId, depth, rowNumber, count }) =>
    raw(
      `with first as (
     select r.depth from import_row r
     where ${ofTenant('r')} and r.import_id = :importId and r.state = 'waiting'
       and (r.depth, r.row_number) > (:depth, :rowNumber)
     order by r.depth, r.row_number limit 1)
   select r.row_number as "rowNumber", r.depth, r.fields, r.sponsor_recruits as "sponsorRecruits",
          case when r.sponsor_row is not null then exists (
            select from import_row s
            where ${ofTenant('s')} and s.import_id = :importId and s.row_number = r.sponsor_row
              and s.state = 'failed') end as "sponsorFailed"
   from import_row r
   where ${ofTenant('r')} and r.import_id = :importId and r.state = 'waiting'
     and r.depth = (select depth from first) and (r.depth, r.row_number) > (:depth, :rowNumber)
   order by r.row_number limit :count`,
      { importId, depth, rowNumber, count },
    ),
);

/** The next rows, all of one depth. */
export async function takeRows(db: Db, scope: Scope, importId: string, after: Position, count: number): Promise<WaitingRow[]> {
  return db.rows(take(scope, { importId, depth: after.depth, rowNumber: after.rowNumber, count }));
}

const fail = statement<{ count: number }, { importId: string; rows: string; keepNames: boolean }>(
  'import_rows_fail',
  ({ importId, rows, keepNames }) =>
    raw(
      `with failed as (
     update import_row r
     set state = 'failed', faults = i.faults, fields = null, sponsor_recruits = null, depth = 0,
         email_norm = case when :keepNames then r.email_norm end, external_id = case when :keepNames then r.external_id end,
         own_code = case when :keepNames then r.own_code end, sponsor_code = case when :keepNames then r.sponsor_code end,
         sponsor_email_norm = case when :keepNames then r.sponsor_email_norm end,
         sponsor_external_id = case when :keepNames then r.sponsor_external_id end
     from jsonb_to_recordset(:rows::jsonb) i(n int, faults jsonb)
     where ${ofTenant('r')} and r.import_id = :importId and r.row_number = i.n and r.state = 'waiting'
     returning 1)
   select count(*)::int as count from failed`,
      { importId, rows, keepNames },
    ),
);

/** Their fields go, and how they are named unless `keepNames`. Returns how many were waiting until now. */
export async function failRows(
  db: Db,
  scope: Scope,
  importId: string,
  rows: readonly { rowNumber: number; faults: readonly RowFault[] }[],
  { keepNames = false }: { keepNames?: boolean } = {},
): Promise<number> {
  if (rows.length === 0) return 0;
  const records = rows.map(({ rowNumber, faults }) => ({ n: rowNumber, faults }));
  const row = await db.row(fail(scope, { importId, rows: JSON.stringify(records), keepNames }));
  return row?.count ?? 0;
}

const removeDone = statement<unknown, { importId: string; rowNumbers: readonly number[] }>(
  'import_rows_delete_done',
  ({ importId, rowNumbers }) => importRow().where({ import_id: importId }).whereIn('row_number', rowNumbers).delete(),
);

export async function deleteRows(db: Db, scope: Scope, importId: string, rowNumbers: readonly number[]): Promise<void> {
  if (rowNumbers.length > 0) await db.rows(removeDone(scope, { importId, rowNumbers }));
}

const removeSome = statement<{ count: number }, { importId: string; waitingOnly: boolean; count: number }>(
  'import_rows_delete_some',
  ({ importId, waitingOnly, count }) =>
    raw(
      `with gone as (
     delete from import_row where ctid = any (array(
       select ctid from import_row
       where ${ofTenant('import_row')} and import_id = :importId and (state = 'waiting' or not :waitingOnly) limit :count))
       and ${ofTenant('import_row')}
     returning 1)
   select count(*)::int as count from gone`,
      { importId, waitingOnly, count },
    ),
);

/** At most `count` rows, those that wait or all; returns how many. */
export async function deleteSomeRows(
  db: Db,
  scope: Scope,
  importId: string,
  { waitingOnly, count }: { waitingOnly: boolean; count: number },
): Promise<number> {
  const row = await db.row(removeSome(scope, { importId, waitingOnly, count }));
  return row?.count ?? 0;
}

export interface FailedRow {
  rowNumber: number;
  faults: RowFault[];
}

const listFailed = statement<FailedRow, { importId: string; afterRow: number; count: number }>(
  'import_rows_list_failed',
  ({ importId, afterRow, count }) =>
    importRow('r')
      .where('r.import_id', importId)
      .where('r.state', 'failed')
      .where('r.depth', 0)
      .where('r.row_number', '>', afterRow)
      .orderBy('r.row_number')
      .limit(count)
      .select({ rowNumber: 'r.row_number', faults: 'r.faults' }),
);

/** In the order of the file. */
export async function listFailedRows(
  db: Db,
  scope: Scope,
  importId: string,
  afterRow: number,
  count: number,
): Promise<FailedRow[]> {
  return db.rows(listFailed(scope, { importId, afterRow, count }));
}
