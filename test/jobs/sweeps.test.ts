/** Scheduled sweeps on real rows: each handled once, whoever runs them, and no scope in the way of another. */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Environment, Scope } from '../../src/db/scope.ts';
import { expireIdempotencyKeys } from '../../src/http/expire-idempotency-keys.ts';
import type { Sweep } from '../../src/jobs/schedule.ts';
import { newTenantWithEmptyLog } from '../support/app/empty-log.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { createTestWorker, workUntil } from '../support/jobs/test-jobs.ts';

const SWEEP = 'expire-idempotency-keys';
let app: TestApp;
let live: Scope;
let sandbox: Scope;
let other: Scope;

beforeAll(async () => {
  app = await startTestApp();
  live = { tenantId: (await newTenantWithEmptyLog(app)).tenantId, environment: 'LIVE' };
  sandbox = { ...live, environment: 'SANDBOX' };
  other = { tenantId: (await newTenantWithEmptyLog(app)).tenantId, environment: 'LIVE' };
});
afterAll(() => app.close());
beforeEach(() => app.database.asSuperuser('delete from idempotency_key'));

async function addKeys({ tenantId, environment }: Scope, count: number, expiresIn: string): Promise<void> {
  await app.database.asSuperuser(
    `insert into idempotency_key (tenant_id, environment, operation, key, fingerprint, status, expires_at)
     select $1, $2, 'op', $3 || n, '', 200, now() + $3::interval from generate_series(1, $4) n`,
    [tenantId, environment, expiresIn, count],
  );
}

interface Count {
  tenant_id: string;
  environment: Environment;
  keys: number;
}
const countKeys = (): Promise<Count[]> =>
  app.database.asSuperuser<Count>(
    'select tenant_id, environment, count(*)::int as keys from idempotency_key group by 1, 2 order by 1, 2',
  );
const nothingIsDue = async (): Promise<boolean> =>
  (await app.database.asSuperuser('select from idempotency_key where expires_at <= now()')).length === 0;

describe('expire-idempotency-keys', () => {
  test('deletes what has expired in every scope, and nothing else', async () => {
    for (const scope of [live, sandbox, other]) await addKeys(scope, 3, '-1 second');
    await addKeys(live, 2, '1 hour');
    const worker = createTestWorker(app.database, [], { sweeps: [expireIdempotencyKeys] });
    await workUntil(worker, nothingIsDue);
    expect(await countKeys()).toEqual([{ tenant_id: live.tenantId, environment: 'LIVE', keys: 2 }]);
    const lines = worker.logLines.filter(({ msg }) => msg === 'sweep');
    expect(lines.map(({ sweep, rows }) => [sweep, rows])).toEqual([SWEEP, SWEEP, SWEEP].map((name) => [name, 3]));
    expect(lines).toContainEqual(expect.objectContaining({ ...sandbox, ms: expect.any(Number) }));
  });

  test('lets the small scopes have their turn between the batches of a large one', async () => {
    await addKeys(live, 2_500, '-1 second');
    for (const scope of [sandbox, other]) await addKeys(scope, 1, '-1 second');
    const worker = createTestWorker(app.database, [], { sweeps: [expireIdempotencyKeys] });
    await workUntil(worker, nothingIsDue);
    const rows = worker.logLines.filter(({ msg }) => msg === 'sweep').map((line) => Number(line['rows']));
    // The first batch of a scope is small: nobody knows yet what its rows cost.
    expect(rows.slice(0, 3).toSorted((a, b) => a - b)).toEqual([1, 1, 200]);
    expect(rows.reduce((sum, one) => sum + one)).toBe(2_502);
  });

  test('handles each row once when several workers run it at the same time', async () => {
    await addKeys(live, 4_200, '-1 second');
    await addKeys(other, 30, '-1 second');
    const workers = Array.from({ length: 3 }, () => createTestWorker(app.database, [], { sweeps: [expireIdempotencyKeys] }));
    await Promise.all(workers.map((worker) => workUntil(worker, nothingIsDue)));
    const lines = workers.flatMap((worker) => worker.logLines);
    expect(lines.filter(({ msg }) => msg !== 'sweep')).toEqual([]);
    expect(lines.reduce((sum, line) => sum + Number(line['rows']), 0)).toBe(4_230);
  });

  test('leaves a key to the request that is taking it over', async () => {
    await addKeys(live, 3, '-1 second');
    const request = new pg.Client({
      connectionString: app.database.ownerUrl.replace(
        /\/\/[^@]+@/,
        new URL(app.database.appUrl).href.match(/\/\/[^@]+@/)?.[0] ?? '',
      ),
    });
    await request.connect();
    await request.query(
      `begin; select set_config('app.tenant_id', '${live.tenantId}', true), set_config('app.environment', 'LIVE', true);
       update idempotency_key set expires_at = now() + interval '1 day' where key = '-1 second1'`,
    );
    expect(await app.runSweep(SWEEP, live)).toBe(2);
    await request.query('commit');
    await request.end();
    expect(await app.runSweep(SWEEP, live)).toBe(0);
    expect(await countKeys()).toMatchObject([{ keys: 1 }]);
  });

  test('touches one scope when it is run for one, and every due one otherwise', async () => {
    await addKeys(live, 1_001, '-1 second');
    await addKeys(sandbox, 1, '-1 second');
    expect(await app.runSweep(SWEEP, live)).toBe(1_001);
    expect(await countKeys()).toMatchObject([{ environment: 'SANDBOX', keys: 1 }]);
    await addKeys(other, 2, '-1 second');
    expect(await app.runSweep(SWEEP)).toBe(3);
    expect(await countKeys()).toEqual([]);
  });
});

test('a scope that fails is logged once and does not stop the others', async () => {
  await addKeys(live, 1, '-1 second');
  await addKeys(other, 1_001, '-1 second');
  let failures = 0;
  const failing: Sweep = {
    ...expireIdempotencyKeys,
    async run(db, scope, limit) {
      if (scope.tenantId !== live.tenantId) return expireIdempotencyKeys.run(db, scope, limit);
      failures += 1;
      throw new Error('this one is broken');
    },
  };
  const worker = createTestWorker(app.database, [], { sweeps: [failing] });
  await workUntil(worker, async () => (await countKeys()).length === 1 && failures > 1);
  expect(await countKeys()).toMatchObject([{ tenant_id: live.tenantId, keys: 1 }]);
  const errors = worker.logLines.filter(({ level }) => level === 'error');
  expect(errors).toMatchObject([{ msg: 'sweep failed', sweep: SWEEP, ...live, err: { message: 'this one is broken' } }]);
});

describe('due_scopes', () => {
  test('names each scope with something due once, and says nothing when nothing is', async () => {
    await addKeys(live, 50, '-1 second');
    await addKeys(other, 50, '1 hour');
    const due = 'select sweep, tenant_id, environment from due_scopes()';
    expect(await app.database.asSuperuser(due)).toEqual([{ sweep: SWEEP, tenant_id: live.tenantId, environment: 'LIVE' }]);
    await app.database.asSuperuser('delete from idempotency_key where expires_at <= now()');
    expect(await app.database.asSuperuser(due)).toEqual([]);
  });

  test('finds out by an index, whatever is stored', async () => {
    await app.database.asSuperuser(
      `with made as (insert into tenant (name, default_currency, reporting_time_zone)
         select 'T', 'USD', 'UTC' from generate_series(1, 300) returning id)
       insert into idempotency_key (tenant_id, environment, operation, key, fingerprint, expires_at)
       select id, 'LIVE', 'op', n::text, '', now() + interval '1 hour' from made, generate_series(1, 30) n`,
    );
    // As autovacuum would sooner or later: the plan must not hang on when.
    await app.database.asSuperuser('analyze');
    const buffers = async (): Promise<number> => {
      const client = new pg.Client({ connectionString: app.database.workerUrl });
      await client.connect();
      const read = 'explain (analyze, buffers, format json) select * from due_scopes()';
      await client.query(read); // the first call reads the catalog
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number } }] }>(read);
      await client.end();
      return rows[0]?.['QUERY PLAN'][0].Plan['Shared Hit Blocks'] ?? Number.NaN;
    };
    // Nothing is asked of a tenant that has nothing due.
    expect(await buffers()).toBeLessThan(100);
    // One tenant with many that are due: those that are read in their order, then a probe for each scope.
    await addKeys(live, 30_000, '-1 second');
    expect(await buffers()).toBeLessThan(1_000 + 6 * 302);
  });
});
