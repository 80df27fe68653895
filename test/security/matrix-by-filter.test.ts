/** The conditions in the SQL hold the access matrix alone: no row-level security, no foreign keys. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeAccessMatrix } from '../support/access-matrix.ts';
import { plantWorld, type World } from '../support/matrix-world.ts';
import { startTestApp } from '../support/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { dropForeignKeys, dropRowSecurity } from '../support/walls.ts';

let world: World;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await dropRowSecurity(database);
  await dropForeignKeys(database);
  world = await plantWorld(await startTestApp({}, database));
});
afterAll(async () => {
  await world.app.close();
  await database.drop();
});

test('the second wall was really away: the service sees every tenant', async () => {
  const rows = await world.app.composition.frames.unscoped<{ tenants: bigint }>({
    text: 'select count(distinct tenant_id) as tenants from member',
    values: [],
  });
  expect(rows[0]?.tenants).toBe(2n);
});

describeAccessMatrix(() => world);
