/** Values that need a query: jobs by queue and state, dead letters. docs/metrics.md#gathered */
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Frames } from '../../src/db/frame.ts';
import { raw, unscopedStatement } from '../../src/db/query.ts';
import { limitStatements } from '../../src/jobs/open-jobs-queries.ts';
import { startGathering } from '../../src/metrics/gather.ts';
import type { Metrics } from '../../src/metrics/metrics.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';

let app: TestApp;
let metrics: Metrics;
let frozen = false;

beforeAll(async () => {
  app = await startTestApp({ METRICS_PORT: '0' }, 'own');
  if (!app.composition.metrics) throw new Error('the app has no metrics');
  metrics = app.composition.metrics;
});
afterAll(() => app.close());

const SOON = { timeout: 60_000 };
const logger = pino({ level: 'silent' });
const linesOf = async (name: string): Promise<string[]> =>
  (await metrics.render()).split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));

async function gatherOnce(): Promise<void> {
  const before = (await linesOf('svc_gather_last_success_timestamp_seconds')).join();
  const loop = startGathering(metrics, {
    frames: app.composition.background.frames,
    dataDir: app.config.DATA_DIR,
    isFrozen: async () => frozen,
    logger,
  });
  await expect.poll(async () => (await linesOf('svc_gather_last_success_timestamp_seconds')).join(), SOON).not.toBe(before);
  await loop.stop();
}

async function addJob(queue: string, columns: string, values: string): Promise<void> {
  await app.database.asSuperuser(`insert into pgboss.job_common (name, data, ${columns}) values ('${queue}', '{}', ${values})`);
}

test('before anything was gathered there are no jobs, not 0 of them', async () => {
  expect(await linesOf('svc_jobs')).toEqual([]);
  expect(await linesOf('svc_gather_last_success_timestamp_seconds')).toEqual([]);
});

test('jobs are told by queue and state with the age of the oldest, and dead letters by the queue they failed in', async () => {
  await addJob('check-ledger', 'start_after', `now() - interval '40 seconds'`);
  await addJob('check-ledger', 'start_after', `now() - interval '90 seconds'`);
  await addJob('check-ledger', 'start_after, state, retry_count', `now() + interval '5 minutes', 'retry', 1`);
  await addJob('check-audit-log', 'state, started_on', `'active', now() - interval '30 seconds'`);
  await addJob('check-audit-log', 'state, completed_on', `'completed', now()`);
  await addJob('dead-letters', 'source_name', `'check-ledger'`);
  await gatherOnce();
  const jobs = await linesOf('svc_jobs');
  expect(jobs).toContain('svc_jobs{queue="check-ledger",state="waiting"} 2');
  expect(jobs).toContain('svc_jobs{queue="check-ledger",state="scheduled"} 1');
  expect(jobs).toContain('svc_jobs{queue="check-ledger",state="active"} 0');
  expect(jobs).toContain('svc_jobs{queue="check-audit-log",state="active"} 1');
  expect(jobs.join()).not.toContain('dead-letters');
  const ages = await linesOf('svc_jobs_oldest_age_seconds');
  const ageOf = (of: string): number => Number(ages.find((line) => line.includes(of))?.split(' ')[1]);
  expect(ageOf('queue="check-ledger",state="waiting"')).toBeGreaterThanOrEqual(90);
  expect(ageOf('queue="check-ledger",state="waiting"')).toBeLessThan(150);
  expect(ageOf('queue="check-audit-log",state="active"')).toBeGreaterThanOrEqual(30);
  expect(ages.join()).not.toContain('scheduled');
  expect(await linesOf('svc_dead_letters')).toEqual(['svc_dead_letters{queue="check-ledger"} 1']);
});

test('the disk of DATA_DIR is told with what is left of it', async () => {
  const bytesOf = async (name: string): Promise<number> => Number((await linesOf(name))[0]?.split(' ')[1]);
  await expect.poll(() => bytesOf('svc_data_dir_free_bytes'), SOON).toBeGreaterThan(0);
  expect(await bytesOf('svc_data_dir_size_bytes')).toBeGreaterThanOrEqual(await bytesOf('svc_data_dir_free_bytes'));
});

test('whether payouts are frozen is told as it is now', async () => {
  expect(await linesOf('svc_payouts_frozen')).toEqual(['svc_payouts_frozen 0']);
  frozen = true;
  await gatherOnce();
  expect(await linesOf('svc_payouts_frozen')).toEqual(['svc_payouts_frozen 1']);
  frozen = false;
});

test('what is done is told as done the next time', async () => {
  await app.database.asSuperuser('delete from pgboss.job_common');
  await gatherOnce();
  expect(await linesOf('svc_jobs')).toContain('svc_jobs{queue="check-ledger",state="waiting"} 0');
  expect(await linesOf('svc_dead_letters')).toEqual([]);
});

test('a reading that fails is counted, and no scrape waits for one', async () => {
  const failures = async (): Promise<number> => Number((await linesOf('svc_gather_failures_total'))[0]?.split(' ')[1]);
  const before = await failures();
  const hanging = Promise.withResolvers<never>();
  const frames = { claim: () => hanging.promise } as unknown as Frames;
  const loop = startGathering(metrics, { frames, dataDir: undefined, isFrozen: async () => false, logger });
  expect(await metrics.render()).toContain('svc_build_info');
  hanging.reject(new Error('away'));
  await expect.poll(failures, SOON).toBe(before + 1);
  await loop.stop();
});

test('the limit of a reading ends a statement that takes longer', async () => {
  const { frames } = app.composition.background;
  const sleep = unscopedStatement<unknown>('test_sleep', () => raw('select pg_sleep(20)'));
  const slow = frames.claim(async (db) => {
    await db.rows(limitStatements({ milliseconds: '200' }));
    await db.rows(sleep());
  });
  await expect(slow).rejects.toMatchObject({ code: '57014' });
});
