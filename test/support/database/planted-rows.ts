/** Rows in any table, without the service: by the catalogue, past checks and triggers. */
import type { TestDatabase } from './test-database.ts';

interface Column {
  name: string;
  type: string;
  required: boolean;
}

/** SQL that makes a value for a column that must have one; `nr` tells rows apart. */
const VALUES: Record<string, (nr: string) => string> = {
  text: (nr) => `'x' || ${nr}`,
  'text[]': () => `'{}'::text[]`,
  uuid: (nr) => `md5((${nr})::text)::uuid`,
  'uuid[]': (nr) => `array[md5((${nr})::text)::uuid]`,
  bytea: (nr) => `sha256(convert_to(${nr}, 'utf8'))`,
  jsonb: () => `'{}'::jsonb`,
  boolean: () => 'false',
  date: () => 'current_date',
  'timestamp with time zone': () => 'now()',
  smallint: (nr) => `(hashtext(${nr}) & 16383)::smallint`,
  integer: (nr) => `hashtext(${nr}) & 1073741823`,
  bigint: (nr) => `hashtextextended(${nr}, 0) & 9007199254740991`,
};

export interface RowPlanter {
  /**
   * Inserts a row for each row of the select `from`, which has tenant_id, environment and nr, a text. Columns that are not
   * in `values` have the least that they may; all uuids of a row are of its `nr`, so that rows of one `nr` name each other.
   */
  plant(table: string, from: string, values?: Record<string, string>): Promise<void>;
}

/** Takes the checks of this database away; foreign keys stay, though they are not asked while planting. */
export async function createRowPlanter(database: TestDatabase): Promise<RowPlanter> {
  const checks = await database.asSuperuser<{ table: string; name: string }>(
    `select conrelid::regclass::text as table, conname as name from pg_constraint
     where contype = 'c' and connamespace = 'public'::regnamespace`,
  );
  let planted = 0;
  await database.asSuperuser(
    checks.map(({ table, name }) => `alter table ${table} drop constraint if exists "${name}"`).join(';'),
  );
  return {
    async plant(table, from, values = {}) {
      const columns = await readColumns(database, table);
      const used = columns.filter(
        ({ name, type, required }) => Object.hasOwn(values, name) || required || type === 'uuid' || name === 'environment',
      );
      const made = used.map(({ name, type }) => {
        if (Object.hasOwn(values, name)) return values[name];
        if (name === 'tenant_id' || name === 'environment') return `scope.${name}`;
        const value = VALUES[type]?.('scope.nr');
        if (value === undefined) throw new Error(`no value for ${table}.${name}, a ${type}`);
        return value;
      });
      planted += 1;
      // Values made of random() are the same in every run.
      await database.asSuperuser(
        `select setseed(${(planted % 100) / 100});
         set session_replication_role = replica;
         insert into ${table} (${used.map(({ name }) => name).join(', ')}) select ${made.join(', ')} from (${from}) scope;
         set session_replication_role = origin`,
      );
    },
  };
}

async function readColumns(database: TestDatabase, table: string): Promise<Column[]> {
  return database.asSuperuser<Column & Record<string, unknown>>(
    `select a.attname as name, format_type(a.atttypid, null) as type, a.attnotnull and not a.atthasdef as required
     from pg_attribute a where a.attrelid = '${table}'::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''`,
  );
}
