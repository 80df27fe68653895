/** The functions that are made of all features' parts: what has to be said, and how they are installed. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { DuePart, FunctionParts } from '../../src/db/composed-functions.ts';
import { installComposedFunctions } from '../../src/db/install-functions.ts';
import { house } from '../../src/features.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';

const functionParts = house.features;

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({}, 'own');
});
afterAll(() => app.close());

const sql: TestApp['database']['asSuperuser'] = (...query) => app.database.asSuperuser(...query);

/** Each word that is there more than once. */
const twice = (words: string[]): string[] => words.filter((word, index) => words.indexOf(word) !== index);

describe('the parts', () => {
  test('name every table, each once', async () => {
    const rows = await sql<{ name: string }>(
      `select relname as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname not like 'knex\\_%' order by 1`,
    );
    const listed = functionParts.flatMap(({ tables = [] }) => tables);
    expect(twice(listed)).toEqual([]);
    expect(listed.toSorted()).toEqual(rows.map(({ name }) => name));
  });

  test('keep only tables that are their own', () => {
    for (const { name, tables = [], kept = [] } of functionParts) {
      expect(
        kept.filter((table) => !tables.includes(table)),
        name,
      ).toEqual([]);
    }
  });

  test('have the two indexes that rows which are due at a time are found by', async () => {
    const parts = functionParts.flatMap(({ due = {} }) => Object.values(due).flat());
    for (const part of parts) {
      if (!('at' in part)) continue;
      const { table, at, orderedBy = at } = part;
      const rows = await sql<{ keys: string[] }>(
        `select array(select pg_get_indexdef(indexrelid, n, true) from generate_series(1, indnkeyatts) n) as keys
         from pg_index where indrelid = $1::regclass`,
        [table],
      );
      const written = (text: string): string => text.toLowerCase().replace(/[\s()]/g, '');
      const keys = rows.map((row) => row.keys.map(written).join());
      expect(keys, table).toContainEqual(
        expect.stringMatching(new RegExp(`^tenant_id,environment,${escaped(written(orderedBy))}`)),
      );
      expect(keys, table).toContain(written(`${at} at time zone 'UTC'::text`));
    }
  });
});

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Everything that installing could change. */
const STATE = `
  select format('%s %s %s %s', pg_get_functiondef(oid), pg_get_userbyid(proowner), proacl, proconfig) as line
  from pg_proc where pronamespace = 'public'::regnamespace
  union all select p::text from pg_policies p
  union all select format('%s %s', relname, relacl) from pg_class where relnamespace = 'public'::regnamespace
  union all select format('%s %s %s', attrelid::regclass, attname, attacl) from pg_attribute where attacl is not null
  union all select format('%s %s', nspname, nspacl) from pg_namespace`;
const readState = async (): Promise<string[]> => (await sql<{ line: string }>(STATE)).map(({ line }) => line).toSorted();

describe('installing', () => {
  const install = (features: readonly FunctionParts[]): Promise<void> =>
    installComposedFunctions(app.database.ownerUrl, features);

  const gadgets: FunctionParts = {
    name: 'gadgets',
    tables: ['gadget'],
    due: { 'oil-gadgets': [{ table: 'gadget', where: "kind = 'moving'", at: 'oil_at', clock: 'scope' }] },
  };

  beforeEach(() => install(functionParts));

  test('again changes nothing', async () => {
    const before = await readState();
    await install(functionParts);
    expect(await readState()).toEqual(before);
  });

  test('needs no more of a new feature than its own part', async () => {
    const { tenantId } = await app.newTenant();
    const owner = await sql<{ name: string }>(
      `select pg_get_userbyid(datdba) as name from pg_database where datname = current_database()`,
    );
    await sql(`
      create table gadget (tenant_id uuid, environment text, id uuid default uuidv7(), kind text, oil_at timestamptz, secret text,
        primary key (tenant_id, environment, id));
      create index gadget_oil_idx on gadget (tenant_id, environment, oil_at) where kind = 'moving';
      create index gadget_any_oil_idx on gadget ((oil_at at time zone 'UTC')) where kind = 'moving';
      alter table gadget owner to ${owner[0]?.name};
      call raise_tenant_wall('gadget')`);
    try {
      await install([...functionParts, gadgets]);
      await sql(
        `insert into gadget (tenant_id, environment, kind, oil_at)
         select $1, e, k, now() + a from unnest(array['LIVE', 'SANDBOX']) e, unnest(array['moving', 'fixed']) k,
           unnest(array[interval '-1 second', interval '1 day']) a where e = 'LIVE' or a > '0'`,
        [tenantId],
      );
      const due = (): Promise<unknown[]> => sql(`select environment from due_scopes() where sweep = 'oil-gadgets' order by 1`);
      expect(await due()).toEqual([{ environment: 'LIVE' }]);
      await sql(`insert into sandbox_clock (tenant_id, environment, ahead) values ($1, 'SANDBOX', '2 days')`, [tenantId]);
      expect(await due()).toEqual([{ environment: 'LIVE' }, { environment: 'SANDBOX' }]);
      const rights = `select has_column_privilege('svc_auth', 'gadget', 'oil_at', 'select') as due,
        has_column_privilege('svc_auth', 'gadget', 'secret', 'select') as secret, has_table_privilege('svc_eraser', 'gadget', 'delete') as erased`;
      expect(await sql(rights)).toEqual([{ due: true, secret: false, erased: true }]);

      await sql(`begin; select set_config('app.tenant_id', '${tenantId}', true), set_config('app.environment', 'SANDBOX', true);
        select * from erase_sandbox(); commit`);
      expect(await sql('select environment, count(*)::int as rows from gadget group by 1')).toEqual([
        { environment: 'LIVE', rows: 4 },
      ]);
    } finally {
      await install(functionParts);
      await sql('drop table gadget');
    }
  });

  test.each<[string, DuePart, string]>([
    ['that is no SQL', { table: 'lead', where: 'status =' }, 'syntax error'],
    ['of a column that is not there', { table: 'lead', at: 'oil_at', clock: 'database' }, 'column "oil_at" does not exist'],
    ['of a table that is not there', { table: 'gadget' }, 'relation "gadget" does not exist'],
    ['that svc_auth may not read', { select: 'select tenant_id, environment from member' }, 'permission denied for table member'],
  ])('of a part %s leaves everything as it was', async (_label, part, message) => {
    const before = await readState();
    const wrong: FunctionParts = { name: 'wrong', due: { 'do-wrong': [part] } };
    await expect(install([...functionParts, wrong])).rejects.toThrow(message);
    expect(await readState()).toEqual(before);
  });

  test('refuses features of which none has what an erasure counts', async () => {
    await expect(install([{ name: 'leads', tables: ['lead'] }])).rejects.toThrow(
      'the erasure of a SANDBOX counts the rows of event, which no feature has',
    );
  });
});
