/** The first wall, read off the SQL itself; and the names of prepared statements. */
import { globSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { findUnfilteredReads, listTenantTables, withoutTenantFilter } from '../support/walls.ts';

const declared = vi.hoisted(() => [] as { name: string; text: string }[]);

vi.mock('../../src/db/statement.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../src/db/statement.ts')>();
  const prepared: typeof original.prepared = (name, text) => {
    declared.push({ name, text });
    return original.prepared(name, text);
  };
  return { ...original, prepared };
});

const root = path.join(import.meta.dirname, '../..');
/** Operators' commands read across tenants, as svc_admin under policies of its own. */
const OPERATORS = path.join('src', 'features', 'tenants', 'operator-queries.ts');
let database: TestDatabase;
let tables: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  tables = await listTenantTables(database);
  for (const file of globSync('src/**/*-queries.ts', { cwd: root })) {
    if (file !== OPERATORS) await import(path.join(root, file));
  }
  await import('../../src/http/idempotency.ts');
});
afterAll(() => database.drop());

test('every statement that reads a tenant table names tenant and environment', () => {
  expect(declared.length).toBeGreaterThan(15);
  const faults = declared.flatMap(({ name, text }) => findUnfilteredReads(text, tables).map((read) => `${name}: ${read}`));
  expect(faults).toEqual([]);
});

test('the name of a prepared statement is its own', () => {
  const names = declared.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

describe('the reader of SQL sees', () => {
  const known = ['member', 'lead'];
  test.each([
    ['select id from member where id = $1', ['from member where']],
    ['select id from member where tenant_id = $1 and id = $2', ['from member where']],
    ['select id from member where tenant_id = $1 and environment = $2', []],
    ['select m.id from member m join lead l on l.id = m.id where m.tenant_id = $1 and m.environment = $2', ['join lead l']],
    ['select "m"."id" from "member" as "m" where "m"."tenant_id" = $1 and "m"."environment" = $2', []],
    ['update member m set name = $3 where m.id = $1', ['update member m']],
    ['delete from lead where environment = $1', ['from lead where']],
    ['select id from member where tenant_id = $1 and environment = $2 union select id from lead', ['from lead']],
    ['insert into member (tenant_id) values ($1) on conflict (tenant_id) do update set name = $2', []],
    ['select id from tenant', ['from tenant']],
    ['select id from tenant where id = $1', []],
  ])('%s', (sql, faults) => {
    expect(findUnfilteredReads(sql, known)).toEqual(faults);
  });
});

test('the filter is taken out of conditions and left in inserts', () => {
  expect(withoutTenantFilter('select 1 from member m where m.tenant_id = $1 and\n m.environment = $2 and m.id = $3')).toBe(
    'select 1 from member m where ($1::uuid is not null and $2::text is not null) and m.id = $3',
  );
  expect(withoutTenantFilter('where "m"."tenant_id" = $2 and "m"."environment" = $3')).toBe(
    'where ($2::uuid is not null and $3::text is not null)',
  );
  const insert = 'insert into lead (tenant_id, environment) values ($1, $2) on conflict (tenant_id, environment) do nothing';
  expect(withoutTenantFilter(insert)).toBe(insert);
});
