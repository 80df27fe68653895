/** The rows of the tenants' tables as types, read off a migrated database: `npx vitest run test/contract/tenant-tables.test.ts -u`. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';

interface Column {
  table: string;
  column: string;
  type: string;
  nullable: boolean;
}

const TYPES: Readonly<Record<string, string>> = {
  uuid: 'string',
  text: 'string',
  varchar: 'string',
  bpchar: 'string',
  numeric: 'string',
  int2: 'number',
  int4: 'number',
  float8: 'number',
  int8: 'bigint',
  bool: 'boolean',
  bytea: 'Buffer',
  timestamptz: 'Date',
  date: 'Date',
  jsonb: 'unknown',
  json: 'unknown',
  char: 'string',
  xid8: 'string',
  interval: 'unknown',
  inet: 'string',
};

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('src/db/tables.ts tells the columns as the migrations have left them', async () => {
  const columns = await database.asSuperuser<Column & Record<string, unknown>>(
    `select c.relname as table, a.attname as column, t.typname as type, not a.attnotnull as nullable
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     join pg_type t on t.oid = a.atttypid
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
       and exists (select from pg_attribute k where k.attrelid = c.oid and k.attname = 'tenant_id' and not k.attisdropped)
       and exists (select from pg_attribute k where k.attrelid = c.oid and k.attname = 'environment' and not k.attisdropped)
     order by c.relname, a.attnum`,
  );
  const tables = Map.groupBy(columns, ({ table }) => table);
  const interfaces = [...tables].map(([table, own]) => `  ${table}: {\n${own.map(lineOf).join('')}  };\n`);
  const text = `/** The columns of the tables whose rows belong to a tenant. Made by: npx vitest run test/contract/tenant-tables.test.ts -u */
/* oxlint-disable max-lines */
export interface TenantTables {
${interfaces.join('')}}
`;
  await expect(text).toMatchFileSnapshot('../../src/db/tables.ts');
});

function lineOf({ column, type, nullable }: Column): string {
  const isList = type.startsWith('_');
  const one = TYPES[isList ? type.slice(1) : type];
  if (one === undefined) throw new Error(`${column} is of a type without one in TypeScript: ${type}`);
  return `    ${column}: ${one}${isList ? '[]' : ''}${nullable && one !== 'unknown' ? ' | null' : ''};\n`;
}
