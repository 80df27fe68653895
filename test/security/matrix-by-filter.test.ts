/** The conditions in the SQL hold the access matrix alone: no row-level security, no foreign keys. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp } from '../support/app/test-app.ts';
import { findOpenTables } from '../support/database/tenant-conditions.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { dropForeignKeys, dropRowSecurity, listTenantTables, type SqlTap, tapSql } from '../support/database/walls.ts';
import { describeAccessMatrix } from '../support/matrix/access-matrix.ts';
import { plantWorld, type World } from '../support/matrix/matrix-world.ts';

const ACROSS_TENANTS = 'select count(distinct tenant_id) as tenants from member';

let world: World;
let database: TestDatabase;
let tap: SqlTap;

beforeAll(async () => {
  tap = tapSql();
  database = await createTestDatabase();
  await dropRowSecurity(database);
  await dropForeignKeys(database);
  world = await plantWorld(await startTestApp({}, database));
});
afterAll(async () => {
  await world.app.close();
  await database.drop();
  tap.restore();
});

test('the second wall was really away: the service sees every tenant', async () => {
  const rows = await world.app.composition.frames.unscoped<{ tenants: bigint }>({
    text: ACROSS_TENANTS,
    values: [],
  });
  expect(rows[0]?.tenants).toBe(2n);
});

describeAccessMatrix(() => world);

test('every statement that was sent binds each tenant table to tenant and environment', async () => {
  const tables = await listTenantTables(database);
  const texts = [...new Set(tap.texts)].filter((text) => text !== ACROSS_TENANTS);
  expect(texts.length).toBeGreaterThan(200);
  expect(texts.flatMap((sql) => findOpenTables(sql, tables).map((phrase) => ({ phrase, sql })))).toEqual([]);
});
