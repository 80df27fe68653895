/**
 * Sealed columns in SQL, made of what their owners declare: which rows are not under the first data key, and how many
 * are under which.
 */
import type { Knex } from 'knex';
import { knex, raw, type Scoped, statement, unscopedStatement } from '../../db/query.ts';
import type { Statement } from '../../db/statement.ts';
import { ofTenant } from '../../db/tenant-condition.ts';
import type { Sealed, SealedKeys, SealedRows, SealedSettings } from '../../house/sealed.ts';

const outdated = (column: string): string => `substr(${column}, 1, length(:activeHeader::bytea)) <> :activeHeader::bytea`;

export interface RowsStatements {
  /** Locked, so that what is written meanwhile is not written over. */
  lockOutdated: Scoped<{ id: string; sealed: Buffer }, { activeHeader: Buffer; afterId: string; count: number }>;
  /** Of rows that the transaction has locked. */
  storeResealed: Scoped<unknown, { ids: readonly string[]; sealed: readonly Buffer[] }>;
}

export function rowsStatements({ table, id, column }: SealedRows): RowsStatements {
  return {
    lockOutdated: statement(`data_keys_lock_${table}_${column}`, ({ activeHeader, afterId, count }) =>
      raw(
        `select t.${id} as id, t.${column} as sealed from ${table} t
         where ${ofTenant('t')} and t.${id} > :afterId and t.${column} is not null and ${outdated(`t.${column}`)}
         order by t.${id} limit :count for no key update`,
        { activeHeader, afterId, count },
      ),
    ),
    storeResealed: statement(`data_keys_store_${table}_${column}`, ({ ids, sealed }) =>
      raw(
        `update ${table} t set ${column} = x.sealed from unnest(:ids::uuid[], :sealed::bytea[]) x(id, sealed)
         where ${ofTenant('t')} and t.${id} = x.id`,
        { ids, sealed },
      ),
    ),
  };
}

export interface SettingsStatements {
  /** By column. Locked, so that what a tenant sets meanwhile is not written over. */
  lock: Scoped<Record<string, Buffer | null>>;
  /** All columns, by name, of a row that the transaction has locked. */
  store: Scoped<unknown, Record<string, unknown>>;
}

export function settingsStatements({ table, columns }: SealedSettings): SettingsStatements {
  const names = columns.map(({ column }) => column);
  return {
    lock: statement(`data_keys_lock_${table}`, () =>
      raw(`select ${names.map((name) => `s.${name}`).join(', ')} from ${table} s where ${ofTenant('s')} for no key update`),
    ),
    store: statement<unknown, Record<string, unknown>>(`data_keys_store_${table}`, (places) =>
      raw(
        `update ${table} s set ${names.map((name) => `${name} = :${name}`).join(', ')} where ${ofTenant('s')}`,
        Object.fromEntries(names.map((name) => [name, places[name] as Knex.Raw])),
      ),
    ),
  };
}

interface CountRow {
  /** `table.column`. */
  column: string;
  keyId: string;
  rows: number;
}

/** The second byte is the length of the key's id, which follows (encryption.ts). */
const keyIdOf = (column: string): string => `convert_from(substr(${column}, 3, get_byte(${column}, 1)), 'UTF8')`;

const countOf = (table: string, column: string, condition: string): string =>
  `select '${table}.${column}' as column, ${keyIdOf(`t.${column}`)} as "keyId", count(*)::int as rows
   from ${table} t where ${condition} group by 2`;

export interface KeysStatements {
  outdated(key: { activeHeader: Buffer }): Statement<{ id: string; sealed: Buffer }>;
  store(row: { id: string; former: Buffer; sealed: Buffer }): Statement<unknown>;
  counts(): Statement<CountRow>;
}

export function keysStatements({ table, id, column }: SealedKeys): KeysStatements {
  const counts = unscopedStatement<CountRow>(`data_keys_count_${table}`, () =>
    raw(countOf(table, column, `t.${column} is not null`)),
  );
  return {
    outdated: unscopedStatement(`data_keys_outdated_${table}`, ({ activeHeader }) =>
      raw(`select t.${id} as id, t.${column} as sealed from ${table} t where ${outdated(`t.${column}`)} order by t.${id}`, {
        activeHeader,
      }),
    ),
    store: unscopedStatement(`data_keys_store_${table}`, (row) =>
      knex(table)
        .where({ [id]: row.id, [column]: row.former })
        .update({ [column]: row.sealed }),
    ),
    counts: () => counts(),
  };
}

/** What a scope holds, in one statement. */
export function scopeCounts(sealed: readonly Sealed[]): Scoped<CountRow> {
  const counts = sealed.flatMap((one) => {
    if (one.kind === 'keys') return [];
    const columns = one.kind === 'settings' ? one.columns.map(({ column }) => column) : [one.column];
    return columns.map((column) => countOf(one.table, column, `${ofTenant('t')} and t.${column} is not null`));
  });
  return statement('data_keys_count', () => raw(counts.join('\n   union all\n   ')));
}
