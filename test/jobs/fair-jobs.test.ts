/** Jobs of several tenants in one queue: nobody waits for another's backlog. docs/specification/reliability.md#fair-background-work */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Scope } from '../../src/db/scope.ts';
import type { JobHandler, LeasedHandler } from '../../src/jobs/job.ts';
import { listReadyQueues } from '../../src/jobs/job-queries.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';
import {
  createTestWorker,
  eventually,
  installTestJobs,
  listEffects,
  noteIn,
  type TestWorker,
  workUntil,
} from '../support/jobs/test-jobs.ts';

let database: TestDatabase;
/** In the order of their ids, the big one first: the order of the ids must not help. */
let [big, small, third, fourth]: Scope[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  await installTestJobs(database);
  const made = await database.asSuperuser<{ id: string }>(
    `insert into tenant (name, default_currency, reporting_time_zone) select 'T', 'USD', 'UTC' from generate_series(1, 4) returning id`,
  );
  [big, small, third, fourth] = made
    .map(({ id }): Scope => ({ tenantId: id, environment: 'LIVE' }))
    .toSorted((a, b) => (a.tenantId < b.tenantId ? -1 : 1));
});
afterAll(() => database.drop());
beforeEach(() => database.asSuperuser('delete from pgboss.job; delete from effect'));

async function plant(name: string, scope: Scope | undefined, count: number, hoursAgo = 0): Promise<void> {
  await database.asSuperuser(
    `insert into pgboss.job (name, data, created_on, retry_limit, retry_delay, expire_seconds, heartbeat_seconds)
     select $1, $2::jsonb, now() - $4 * interval '1 hour', 3, 1, 900, case when $1 = 'note-leased' then 10 end from generate_series(1, $3) n`,
    [name, JSON.stringify(scope), count, hoursAgo],
  );
}

const noting: JobHandler = {
  name: 'note',
  kind: 'transactional',
  run: (db, { scope, id }) => noteIn(db, scope, id, 'done').then(() => undefined),
};

async function started(worker: TestWorker, check: () => Promise<void>): Promise<void> {
  await worker.start();
  try {
    await check();
  } finally {
    await worker.stop(100);
    await worker.close();
  }
}

/** Who is asked for a job that another has just taken gives its place back at once: so many in the end. */
const inUse = (worker: TestWorker, lane: 'all' | 'payouts', places: number) =>
  eventually(async () => worker.stats().places[lane].inUse === places);

/** A leased handler whose jobs run until they are told to end, and whose they are. */
function hanging(name = 'note-leased', lane?: 'payouts') {
  const running: string[] = [];
  const handler: LeasedHandler = {
    name,
    kind: 'leased',
    ...(lane && { lane }),
    run: (_frames, { scope }, signal) =>
      new Promise((resolve) => {
        running.push(scope.tenantId);
        signal.addEventListener('abort', () => resolve());
      }),
  };
  return { running, handler, of: (scope: Scope | undefined) => running.filter((one) => one === scope?.tenantId).length };
}

test('a job that came last is among the first, behind thousands of another tenant', async () => {
  await plant('note', big, 3_000, 1);
  await plant('note', small, 1);
  await workUntil(createTestWorker(database, [noting]), async () =>
    (await listEffects(database)).some(({ tenant_id }) => tenant_id === small?.tenantId),
  );
  const ahead = (await listEffects(database)).findIndex(({ tenant_id }) => tenant_id === small?.tenantId);
  // Two turns of ten at most.
  expect(ahead).toBeLessThanOrEqual(20);
});

test('the oldest of a tenant is taken first', async () => {
  await plant('note', big, 1);
  await plant('note', big, 1, 1);
  const [first] = await database.asSuperuser<{ id: string }>('select id from pgboss.job order by created_on limit 1');
  await workUntil(createTestWorker(database, [noting], { poolSize: 2 }), async () => (await listEffects(database)).length === 2);
  expect((await listEffects(database))[0]?.job_id).toBe(first?.id);
});

test('long jobs of one tenant take half of the places, and the last one is for who has none', async () => {
  const { running, handler, of } = hanging();
  await plant('note-leased', big, 9, 1);
  const worker = createTestWorker(database, [handler], { poolSize: 6 });
  await started(worker, async () => {
    await eventually(async () => running.length === 2);
    await inUse(worker, 'all', 2);
    expect(worker.stats().places.all.size).toBe(4);
    await plant('note-leased', small, 9);
    await eventually(async () => of(small) === 1);
    await plant('note-leased', third, 1);
    await eventually(async () => of(third) === 1);
    await plant('note-leased', fourth, 1);
    expect([of(big), of(small), of(third)]).toEqual([2, 1, 1]);
  });
});

test('long jobs of others do not delay what has a lane of its own', async () => {
  const others = hanging('note-leased');
  const payouts = hanging('note-once', 'payouts');
  for (const scope of [big, small, third, fourth]) await plant('note-leased', scope, 3, 1);
  const worker = createTestWorker(database, [others.handler, payouts.handler]);
  await started(worker, async () => {
    await eventually(async () => worker.stats().places.all.inUse === worker.stats().places.all.size);
    await plant('note-once', small, 1);
    await eventually(async () => payouts.running.length === 1);
  });
});

test.each([
  ['four connections', { poolSize: 4 }, 4],
  ['the default', { poolSize: 6 }, 8],
])('payouts of one tenant take half of the places: of %s', async (_, options, places) => {
  const { running, handler, of } = hanging('note-leased', 'payouts');
  await plant('note-leased', big, places + 1, 1);
  const worker = createTestWorker(database, [handler], options);
  await started(worker, async () => {
    await eventually(async () => of(big) === places / 2);
    await plant('note-leased', small, 1);
    await eventually(async () => of(small) === 1);
    expect(running).toHaveLength(places / 2 + 1);
    await inUse(worker, 'payouts', places / 2 + 1);
    expect(worker.stats().places.payouts.size).toBe(places);
    expect(running).toHaveLength(places / 2 + 1);
  });
});

test('asking whose jobs wait and taking one read few pages, however many wait', async () => {
  await plant('note', big, 20_000, 1);
  await plant('note', small, 3);
  await database.asSuperuser('analyze pgboss.job_common');
  const worker = createTestWorker(database, [noting]);
  await workUntil(worker, async () => (await listEffects(database)).length >= 20);
  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  const { text, values } = listReadyQueues({ names: ['note', 'note-once', 'note-leased'] }) as unknown as {
    text: string;
    values: unknown[];
  };
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>({
    text: `explain (analyze, buffers, format json) ${text}`,
    values,
  });
  await client.end();
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  expect((plan?.['Shared Hit Blocks'] ?? Number.NaN) + (plan?.['Shared Read Blocks'] ?? 0)).toBeLessThan(500);
});
