/** How the rows of an import hang together, in SQL: who is named twice, and whose sponsor is in which row. */
import { raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';

const importRow = tenantTable('import_row');

export interface LinkedRow {
  rowNumber: number;
  /** The first row of the file with the same name, when it is another one. */
  firstByEmail: number | null;
  firstByExternalId: number | null;
  firstByCode: number | null;
  /** Whether that first one says something else. */
  differs: boolean | null;
  sponsorRow: number | null;
  sponsorRecruits: boolean | null;
}

const last = statement<{ rowNumber: number | null }, { importId: string }>('import_rows_last', ({ importId }) =>
  importRow().where({ import_id: importId }).max({ rowNumber: 'row_number' }),
);

export async function lastRowNumber(db: Db, scope: Scope, importId: string): Promise<number> {
  const row = await db.row(last(scope, { importId }));
  return row?.rowNumber ?? 0;
}

const firstNamed = (column: 'email_norm' | 'external_id' | 'own_code', value: string): string => `left join lateral (
     select s.row_number, s.fields from import_row s
     where ${ofTenant('s')} and s.import_id = :importId and s.${column} = ${value}
     order by s.row_number limit 1)`;

const page = statement<LinkedRow, { importId: string; afterRow: number; count: number }>(
  'import_rows_link_page',
  ({ importId, afterRow, count }) =>
    raw(
      `select r.row_number as "rowNumber", nullif(e.row_number, r.row_number) as "firstByEmail",
          nullif(x.row_number, r.row_number) as "firstByExternalId", nullif(c.row_number, r.row_number) as "firstByCode",
          x.fields is distinct from r.fields as differs,
          coalesce(se.row_number, sx.row_number, sc.row_number) as "sponsorRow",
          case when num_nonnulls(se.row_number, sx.row_number, sc.row_number) > 0
               then coalesce((coalesce(se.fields, sx.fields, sc.fields) ->> 'canRecruit')::boolean, true) end as "sponsorRecruits"
   from import_row r
   ${firstNamed('email_norm', 'r.email_norm')} e on r.email_norm is not null
   ${firstNamed('external_id', 'r.external_id')} x on r.external_id is not null
   ${firstNamed('own_code', 'r.own_code')} c on r.own_code is not null
   ${firstNamed('email_norm', 'r.sponsor_email_norm')} se on r.sponsor_email_norm is not null
   ${firstNamed('external_id', 'r.sponsor_external_id')} sx on r.sponsor_external_id is not null
   ${firstNamed('own_code', 'r.sponsor_code')} sc on r.sponsor_code is not null
   where ${ofTenant('r')} and r.import_id = :importId and r.row_number > :afterRow
   order by r.row_number limit :count`,
      { importId, afterRow, count },
    ),
);

/** In the order of the file. Those that have failed too: as long as rows are linked they keep how they are named. */
export async function linkPage(db: Db, scope: Scope, importId: string, afterRow: number, count: number): Promise<LinkedRow[]> {
  return db.rows(page(scope, { importId, afterRow, count }));
}

export interface Link {
  rowNumber: number;
  sponsorRow: number;
  sponsorRecruits: boolean;
  depth: number;
}

const link = statement<unknown, { importId: string; rows: number[]; sponsors: number[]; recruits: boolean[]; depths: number[] }>(
  'import_rows_link',
  ({ importId, rows, sponsors, recruits, depths }) =>
    raw(
      `update import_row r
   set sponsor_row = i.sponsor, sponsor_recruits = i.recruits, depth = i.depth,
       fields = case when r.sponsor_code is not null and s.email_norm is not null
                then r.fields || jsonb_build_object('sponsorEmail', s.email_norm) else r.fields end
   from unnest(:rows::int[], :sponsors::int[], :recruits::boolean[], :depths::int[]) i(n, sponsor, recruits, depth)
   left join import_row s on ${ofTenant('s')} and s.import_id = :importId and s.row_number = i.sponsor
   where ${ofTenant('r')} and r.import_id = :importId and r.row_number = i.n and r.state = 'waiting'`,
      { importId, rows, sponsors, recruits, depths },
    ),
);

/** A code that a row brings is that row's person and nobody else, though another may have it by now: it is named by its email too. */
export async function linkRows(db: Db, scope: Scope, importId: string, links: readonly Link[]): Promise<void> {
  await db.rows(
    link(scope, {
      importId,
      rows: links.map(({ rowNumber }) => rowNumber),
      sponsors: links.map(({ sponsorRow }) => sponsorRow),
      recruits: links.map(({ sponsorRecruits }) => sponsorRecruits),
      depths: links.map(({ depth }) => depth),
    }),
  );
}

/** By what a row and its sponsor are named until they are linked. */
export const NAMES_OF_ROW = [
  'email_norm',
  'external_id',
  'own_code',
  'sponsor_email_norm',
  'sponsor_external_id',
  'sponsor_code',
] as const;

const forgetNames = statement<unknown, { importId: string }>('import_rows_forget_names', ({ importId }) =>
  importRow()
    .where({ import_id: importId, state: 'failed' })
    .whereRaw(`num_nonnulls(${NAMES_OF_ROW.join(', ')}) > 0`)
    .update(Object.fromEntries(NAMES_OF_ROW.map((name) => [name, null]))),
);

/** Of those that failed as they were read: they were kept until their recruits were known. */
export async function forgetNamesOfFailed(db: Db, scope: Scope, importId: string): Promise<void> {
  await db.rows(forgetNames(scope, { importId }));
}
