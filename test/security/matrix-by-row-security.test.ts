/** Row-level security holds the access matrix alone: no condition on the tenant in the SQL, no foreign keys. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeAccessMatrix } from '../support/access-matrix.ts';
import { call } from '../support/http-call.ts';
import { matrixRows, sideOf, worldOf } from '../support/matrix-rows.ts';
import { MatrixRun } from '../support/matrix-run.ts';
import { plantWorld, type World } from '../support/matrix-world.ts';
import { startTestApp } from '../support/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { dropForeignKeys, findUnfilteredReads, listTenantTables, type SqlTap, tapSql } from '../support/walls.ts';

let world: World;
let database: TestDatabase;
let tap: SqlTap;

beforeAll(async () => {
  tap = tapSql({ rewrite: true });
  database = await createTestDatabase();
  await dropForeignKeys(database);
  world = await plantWorld(await startTestApp({}, database));
});
afterAll(async () => {
  await world.app.close();
  await database.drop();
  tap.restore();
});

describeAccessMatrix(() => world);

describe('the first wall was really away', () => {
  // What a key alone is refused asks the database nothing.
  const succeeding = Object.entries(matrixRows).filter(([, row]) => !row.open && row.status < 300);
  test.each(succeeding)('%s sent statements with their filter removed', async (operationId, row) => {
    const operation = world.app.composition.app.operations.find((candidate) => candidate.operationId === operationId);
    if (!operation) throw new Error(`no operation ${operationId}`);
    const ground = await worldOf(row, world);
    const before = tap.rewritten;
    const run = new MatrixRun(ground, operation, row, { name: 'the first that is let in', side: () => sideOf(row, ground) });
    await run.go();
    expect(tap.rewritten).toBeGreaterThan(before);
  });

  test('a list without its filter still shows own rows only, and others without row security', async () => {
    const [side] = world.sides;
    const list = () =>
      call(world.app.baseUrl, {
        method: 'GET',
        target: '/api/v1/users?limit=100',
        headers: { 'x-tenant-api-key': side?.key ?? '' },
      });
    const tenantsShown = async () =>
      new Set(((await list()).json as { data: { tenant_id: string }[] }).data.map((member) => member.tenant_id));
    expect(await tenantsShown()).toEqual(new Set([side?.tenantId]));
    await database.asSuperuser('alter table member disable row level security');
    await database.asSuperuser('alter table referral_code disable row level security');
    try {
      expect((await tenantsShown()).size).toBeGreaterThan(1);
    } finally {
      await database.asSuperuser('alter table member enable row level security');
      await database.asSuperuser('alter table referral_code enable row level security');
    }
  });
});

test('every statement that was sent names tenant and environment for each table it reads', async () => {
  const tables = await listTenantTables(database);
  const faults = [...new Set(tap.texts)].flatMap((sql) => findUnfilteredReads(sql, tables).map((phrase) => ({ phrase, sql })));
  expect(faults).toEqual([]);
});
