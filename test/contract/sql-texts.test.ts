/** The statements as they are sent: the first wall in each of them, their names, and that the server takes them. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createRowPlanter } from '../support/database/planted-rows.ts';
import { connectInScope } from '../support/database/scoped-client.ts';
import { findOpenTables } from '../support/database/tenant-conditions.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { listTenantTables } from '../support/database/walls.ts';
import { findWideScans, type PlanNode, readIndexes } from '../support/database/wide-scans.ts';

const declared = vi.hoisted(() => [] as { name: string; text: string }[]);

vi.mock('../../src/db/statement.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../src/db/statement.ts')>();
  const prepared: typeof original.prepared = (name, text) => {
    declared.push({ name, text });
    return original.prepared(name, text);
  };
  const replanned: typeof original.replanned = (text) => {
    declared.push({ name: `replanned ${declared.length}`, text });
    return original.replanned(text);
  };
  return { ...original, prepared, replanned };
});

const root = path.join(import.meta.dirname, '../..');
/** Operators' commands read across tenants, as svc_admin under policies of its own. */
const OPERATORS = path.join('src', 'features', 'tenants', 'operator-queries.ts');
let database: TestDatabase;
let tables: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  tables = await listTenantTables(database);
  for (const file of globSync('src/**/*-queries.ts', { cwd: root })) await import(path.join(root, file));
  await import('../../src/http/idempotency.ts');
  await declareDerived();
});
afterAll(() => database.drop());

/** Statements that are made of what the features say of themselves. */
async function declareDerived(): Promise<void> {
  const { house } = await import('../../src/features.ts');
  const { exportHeadStatement } = await import('../../src/features/profile/personal-queries.ts');
  const exported = house.features.flatMap(({ personal }) => personal?.exported ?? []);
  exportHeadStatement(exported.filter((field) => 'json' in field));
  const sealing = await import('../../src/features/data-keys/reencrypt-queries.ts');
  const sealed = house.features.flatMap((feature) => feature.sealed ?? []);
  for (const one of sealed) {
    if (one.kind === 'rows') sealing.rowsStatements(one);
    if (one.kind === 'settings') sealing.settingsStatements(one);
    if (one.kind === 'keys') sealing.keysStatements(one);
  }
  sealing.scopeCounts(sealed);
}

test('statements that are derived are among them', () => {
  expect(declared.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['export_head', 'export_customers', 'data_keys_count', 'data_keys_lock_kyc_settings']),
  );
});

test('every statement binds each tenant table to the tenant and the environment', () => {
  expect(declared.length).toBeGreaterThan(400);
  const operators = readFileSync(path.join(root, OPERATORS), 'utf8');
  const ofRequests = declared.filter(({ name }) => !operators.includes(`'${name}'`));
  expect(declared.length - ofRequests.length).toBeLessThanOrEqual(2);
  const faults = ofRequests.flatMap(({ name, text }) => findOpenTables(text, tables).map((open) => `${name}: ${open}`));
  expect(faults).toEqual([]);
});

test('no file of a feature writes the condition by hand', () => {
  const byHand = globSync('src/{features,http}/**/*.ts', { cwd: root })
    .filter((file) => !/-(audits|feature)\.ts$/.test(file))
    .filter((file) => /tenant_id = (:tenantId|\$1|\w+\.tenant_id)/.test(readFileSync(path.join(root, file), 'utf8')));
  expect(byHand).toEqual([OPERATORS]);
});

test('the server takes every statement: its tables, columns and types', async () => {
  const refused: string[] = [];
  // `set`, `savepoint` and their kind cannot be prepared.
  const planned = declared.filter(({ text }) => !/^(set|savepoint|release|rollback)\b/.test(text));
  expect(declared.length - planned.length).toBe(7);
  for (const { name, text } of planned) {
    await database.asSuperuser(`prepare a_statement as ${text}`).then(
      () => database.asSuperuser('deallocate a_statement'),
      (error: Error) => refused.push(`${name}: ${error.message}`),
    );
  }
  expect(refused).toEqual([]);
});

test('statements that name their parameters are among them, as they are sent', () => {
  const facts = declared.find(({ name }) => name === 'events_purchase_facts');
  expect(facts?.text).toContain('$10');
  expect(declared.filter(({ text }) => /(?<!:):tenantId/.test(text))).toEqual([]);
});

test('the name of a prepared statement is its own', () => {
  const names = declared.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('the wall around a member changes no plan of a key', async () => {
  const walled = await database.asSuperuser<{ table: string }>(
    `select tablename as table from pg_policies where policyname = 'member_wall'`,
  );
  const planter = await createRowPlanter(database);
  const tenantId = '00000000-0000-7000-8000-000000000001';
  const many = `select '${tenantId}'::uuid as tenant_id, 'LIVE' as environment, 'x' || n as nr from generate_series(1, 5000) n`;
  for (const table of [...walled.map((row) => row.table), 'member', 'sales_day', 'sales_year', 'sales_pending']) {
    await planter.plant(table, many);
    await database.asSuperuser(`analyze ${table}`);
  }
  const names = walled.map(({ table }) => table);
  const touching = declared.filter(({ text }) => names.some((table) => new RegExp(`\\b${table}\\b`).test(text)));
  const client = new pg.Client({ connectionString: database.appUrl });
  await client.connect();
  await client.query("select set_config('app.tenant_id', $1, false), set_config('app.environment', 'LIVE', false)", [tenantId]);
  const plans = async (): Promise<Map<string, string>> => {
    const found = new Map<string, string>();
    for (const { name, text } of touching) {
      const { rows } = await client.query<Record<string, string>>(`explain (generic_plan, costs off) ${text}`).catch((error) => {
        if (error.code !== '42501') throw error; // a worker's
        return { rows: [] };
      });
      // What is walked, by which index, in which order; not the conditions, the scope's own values, the wall's look-up, and
      // whether the index has all columns.
      const shape = rows
        .flatMap((row) => Object.values(row))
        .filter((line) => /^\s*(->|\w+ (Join|Loop|Scan)|Index Cond)/.test(line))
        .filter((line) => !/InitPlan|-> {2}Result|commission_line_beneficiary_idx on/.test(line))
        .map((line) =>
          line
            .trim()
            .replaceAll(/\b([a-z]\w*?)_\d+\b/g, '$1')
            .replace('Index Only Scan', 'Index Scan'),
        );
      found.set(name, shape.join('\n'));
    }
    return found;
  };
  const after = await plans();
  for (const table of names) await database.asSuperuser(`drop policy member_wall on ${table}`);
  const before = await plans();
  await client.end();
  expect(touching.length).toBeGreaterThan(50);
  const changed = [...before].filter(([name, plan]) => after.get(name) !== plan);
  expect(changed.map(([name, plan]) => `${name}\n${plan}\n---\n${after.get(name)}`)).toEqual([]);
});

test('a database that is new has each statement find by a key what the key finds', async () => {
  const fresh = await createTestDatabase();
  const scope = { tenantId: '00000000-0000-7000-8000-000000000001', environment: 'LIVE' } as const;
  const clients = [await connectInScope(fresh, scope), await connectInScope({ appUrl: fresh.workerUrl }, scope)];
  const planOf = async (text: string): Promise<PlanNode | undefined> => {
    for (const client of clients) {
      const explained = client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`explain (generic_plan, format json) ${text}`);
      const { rows } = await explained.catch((error) => {
        if (error.code !== '42501') throw error; // another's
        return { rows: [] };
      });
      if (rows[0]) return rows[0]['QUERY PLAN'][0].Plan;
    }
    return undefined;
  };
  const indexes = await readIndexes(fresh);
  const faults: string[] = [];
  const unplanned: string[] = [];
  for (const { name, text } of declared) {
    if (/^(set|savepoint|release|rollback)\b/.test(text)) continue;
    const plan = await planOf(text);
    if (plan) faults.push(...findWideScans(plan, indexes).map((wide) => `${name}: ${wide}`));
    else unplanned.push(name);
  }
  for (const client of clients) await client.end();
  await fresh.drop();
  expect(unplanned).toEqual([]);
  expect(faults).toEqual([
    // Of the one export or change that is named, among those of all tenants that will expire.
    'exports_drop_object: export_run by export_run_any_expires_idx instead of export_run_pkey',
    'pending_changes_close: pending_change by pending_change_any_expires_idx instead of pending_change_pkey',
    'pending_changes_sweep: pending_change by pending_change_any_expires_idx instead of pending_change_pkey',
  ]);
});

describe('the reader of SQL sees', () => {
  const known = ['member', 'lead'];
  const scope = 'tenant_id = $1 and environment = $2';
  const ofM = 'm.tenant_id = $1 and m.environment = $2';
  const inserted = 'insert into lead (tenant_id, environment, email)';
  test.each([
    ['select id from member where id = $1', ['from member: tenant_id', 'from member: environment']],
    ['select id from member where tenant_id = $1 and id = $2', ['from member: environment']],
    [`select id from member where ${scope}`, []],
    [`select id from member where ${scope} or id = $3`, ['from member: tenant_id', 'from member: environment']],
    [`select id from member where not (${scope})`, ['from member: tenant_id', 'from member: environment']],
    [`select m.id from member m join lead l on l.id = m.id where ${ofM}`, ['from l: tenant_id', 'from l: environment']],
    [`select m.id from member m join lead l on l.tenant_id = m.tenant_id and l.environment = m.environment where ${ofM}`, []],
    ['select "m"."id" from "member" as "m" where "m"."tenant_id" = $1 and "m"."environment" = $2', []],
    [
      `select m.id from member m, lateral (select from lead l where l.tenant_id = m.tenant_id) l where ${ofM}`,
      ['from l: environment'],
    ],
    [
      `select (select l.id from lead l where l.id = m.id) from member m where ${ofM}`,
      ['from l: tenant_id', 'from l: environment'],
    ],
    [`with own as (select id from member where ${scope}) select from own`, []],
    [
      `with own as (select id from member) select from own where ${scope}`,
      ['from member: tenant_id', 'from member: environment'],
    ],
    ['update member m set name = $3 where m.id = $1', ['update m: tenant_id', 'update m: environment']],
    [
      `update member m set name = l.name from lead l where ${ofM} and l.id = m.id`,
      ['update l: tenant_id', 'update l: environment'],
    ],
    ['delete from lead where environment = $1', ['delete from lead: tenant_id']],
    [`select id from member where ${scope} union select id from lead`, ['from lead: tenant_id', 'from lead: environment']],
    [`${inserted} values ($1, $2, $3) on conflict (tenant_id, environment, email) do update set name = $4`, []],
    [`${inserted} values ($1, $2, $3) on conflict (email) do nothing`, ['insert into lead: on conflict (email)']],
    [`${inserted} select m.tenant_id, m.environment, m.email from member m where ${ofM}`, []],
    [`${inserted} select 'a', m.environment, m.email from member m where ${ofM}`, ['insert into lead: tenant_id']],
    ['insert into lead (email) values ($1)', ['insert into lead: tenant_id', 'insert into lead: environment']],
    ['select id from tenant', ['from tenant: id']],
    ['select id from tenant where id = $1', []],
    [`select t.id from tenant t join member m on m.tenant_id = t.id where ${ofM}`, []],
    ['select 1 as lead', []],
  ])('%s', (sql, faults) => {
    expect(findOpenTables(sql, known)).toEqual(faults);
  });
});
