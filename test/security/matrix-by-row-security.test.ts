/** Row-level security holds the access matrix alone: no condition on the tenant in the SQL, no foreign keys. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { call } from '../support/app/http-call.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { dropForeignKeys, type SqlTap, tapSql, WITHOUT_FILTER } from '../support/database/walls.ts';
import { describeAccessMatrix } from '../support/matrix/access-matrix.ts';
import { matrixRows, sideOf, worldOf } from '../support/matrix/matrix-rows.ts';
import { MatrixRun } from '../support/matrix/matrix-run.ts';
import { plantWorld, type World } from '../support/matrix/matrix-world.ts';

vi.mock('../../src/db/tenant-condition.ts', async (importOriginal) => {
  const { withoutTenantCondition } = await import('../support/database/walls.ts');
  return withoutTenantCondition(await importOriginal<typeof import('../../src/db/tenant-condition.ts')>());
});

let world: World;
let database: TestDatabase;
let tap: SqlTap;

beforeAll(async () => {
  tap = tapSql();
  database = await createTestDatabase();
  await dropForeignKeys(database);
  world = await plantWorld(await startTestApp({}, database));
});
afterAll(async () => {
  await world.app.close();
  await database.drop();
  tap.restore();
});

describeAccessMatrix(() => world, 'refused in turns');

describe('the first wall was really away', () => {
  const unfiltered = (): number => tap.texts.filter((text) => text.includes(WITHOUT_FILTER)).length;

  /** The same for every tenant: there is no row of anybody's in the answer (contract/statement-count.test.ts). */
  const ASKS_NOTHING = new Set(['listWebhookEventTypes']);
  // What a key alone is refused asks the database nothing.
  const succeeding = Object.entries(matrixRows).filter(([id, row]) => !row.open && row.status < 300 && !ASKS_NOTHING.has(id));
  test.each(succeeding)('%s sent statements with their filter removed', async (operationId, row) => {
    const operation = world.app.composition.app.operations.find((candidate) => candidate.operationId === operationId);
    if (!operation) throw new Error(`no operation ${operationId}`);
    const ground = await worldOf(row, world);
    const before = unfiltered();
    const run = new MatrixRun(ground, operation, row, { name: 'the first that is let in', side: () => sideOf(row, ground) });
    await run.go();
    expect(unfiltered()).toBeGreaterThan(before);
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
