/** How large the tables are, and what a member and a commission line cost: for planning disks. Runs as svc_admin. */
import pg from 'pg';

/** What a feature's rows grow with: docs/operations.md#growth. */
export type GrowsWith = 'members' | 'lines';

/** What the sizes must know of one feature. */
export interface SizedFeature {
  name: string;
  tables?: readonly string[];
  growsWith?: GrowsWith;
}

export interface TableSize {
  table: string;
  /** Null for what is not of a feature: idempotency keys, jobs, catalogues. */
  feature: string | null;
  growsWith: GrowsWith | null;
  /** About; exact for a table of less than 64 MB that has never been analyzed. */
  rows: number;
  deadRows: number;
  tableBytes: number;
  indexBytes: number;
  /** When a vacuum last ended, by hand or by itself. */
  vacuumedAt: Date | null;
}

export interface Sizes {
  databaseBytes: number;
  tables: TableSize[];
  members: number;
  lines: number;
  /** Each member's part of the tables that grow with members; null without members. */
  bytesPerMember: number | null;
  /** Each commission line's part of the tables that grow with sales; null without lines. */
  bytesPerLine: number | null;
}

/** The tables by size, the largest first. Sizes are exact, rows are what the database's statistics say. */
export async function measureSizes(adminUrl: string, features: readonly SizedFeature[]): Promise<Sizes> {
  const client = new pg.Client({ connectionString: adminUrl, application_name: 'svc-doctor' });
  await client.connect();
  try {
    const { rows: found } = await client.query<Omit<TableSize, 'feature' | 'growsWith'> & { counted: boolean }>(TABLES);
    const owners = new Map(features.flatMap((feature) => (feature.tables ?? []).map((table) => [table, feature] as const)));
    const tables = found.map(({ counted: _counted, ...size }): TableSize => {
      const owner = owners.get(size.table);
      return { ...size, feature: owner?.name ?? null, growsWith: owner?.growsWith ?? null };
    });
    for (const size of tables) {
      if (found.find(({ table }) => table === size.table)?.counted === false) size.rows = await count(client, size.table);
    }
    const { rows: whole } = await client.query<{ bytes: number }>('select pg_database_size(current_database())::float8 as bytes');
    const rowsOf = (table: string): number => tables.find((size) => size.table === table)?.rows ?? 0;
    const [members, lines] = [rowsOf('member'), rowsOf('commission_line')];
    return {
      databaseBytes: whole[0]?.bytes ?? 0,
      tables,
      members,
      lines,
      bytesPerMember: share(tables, 'members', members),
      bytesPerLine: share(tables, 'lines', lines),
    };
  } finally {
    await client.end();
  }
}

/** Tables that were never analyzed have no count: the small ones are counted. */
const TABLES = `
  select case n.nspname when 'public' then c.relname else n.nspname || '.' || c.relname end as table,
         greatest(c.reltuples, 0)::float8 as rows, coalesce(s.n_dead_tup, 0)::float8 as "deadRows",
         pg_table_size(c.oid)::float8 as "tableBytes", pg_indexes_size(c.oid)::float8 as "indexBytes",
         greatest(s.last_vacuum, s.last_autovacuum) as "vacuumedAt",
         not (c.reltuples < 0 and n.nspname = 'public' and pg_table_size(c.oid) < 64 * 1024 * 1024
              and has_table_privilege(c.oid, 'select')) as counted
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  left join pg_stat_all_tables s on s.relid = c.oid
  where n.nspname in ('public', 'pgboss') and c.relkind = 'r'
  order by pg_total_relation_size(c.oid) desc, 1`;

async function count(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query<{ rows: number }>(`select count(*)::float8 as rows from ${pg.escapeIdentifier(table)}`);
  return rows[0]?.rows ?? 0;
}

function share(tables: readonly TableSize[], growsWith: GrowsWith, rows: number): number | null {
  if (rows === 0) return null;
  const bytes = tables
    .filter((size) => size.growsWith === growsWith)
    .reduce((sum, { tableBytes, indexBytes }) => sum + tableBytes + indexBytes, 0);
  return Math.round(bytes / rows);
}

/** Bytes for people: 1.5 MB. */
export function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power] ?? ''}`;
}
