/** What becomes of a job: done once, repeated with back-off, a dead letter, and back again. */

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../src/db/scope.ts';
import type { JobHandler } from '../../src/jobs/job.ts';
import { examineBooks } from '../support/app/examine-books.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';
import {
  createTestWorker,
  eventually,
  installTestJobs,
  listEffects,
  listJobs,
  noteIn,
  type StoredJob,
  skipBackOff,
  type TestWorker,
  waitLongForRepeats,
  workUntil,
} from '../support/jobs/test-jobs.ts';

let app: TestApp;
let database: TestDatabase;
let scope: Scope;

beforeAll(async () => {
  database = await createTestDatabase();
  await installTestJobs(database);
  app = await startTestApp({}, database);
  scope = { tenantId: (await app.newTenant()).tenantId, environment: 'LIVE' };
});
afterAll(async () => {
  await app.close();
  await database.drop();
});
beforeEach(async () => {
  await database.asSuperuser('delete from pgboss.job');
  await database.asSuperuser('delete from effect');
});

const enqueue = (name: string): Promise<string> =>
  app.composition.frames.write(scope, (db) => app.composition.queue.enqueue(db, scope, name, {}));

const jobsNamed = async (name: string): Promise<StoredJob[]> => (await listJobs(database)).filter((job) => job.name === name);

const hasState = (name: string, state: string) => async (): Promise<boolean> =>
  (await jobsNamed(name)).every((job) => job.state === state);

const logged = (worker: TestWorker, msg: string): Record<string, unknown>[] =>
  worker.logLines.filter((line) => line['msg'] === msg);

const breaches = async (): Promise<unknown> => (await examineBooks(database.adminUrl)).find(({ id }) => id === 'I-13')?.breaches;

/** Notes what it did, then fails as often as it is told to. */
function noting(name: string, failures: number): JobHandler {
  let left = failures;
  return {
    name,
    kind: 'transactional',
    async run(db, job) {
      await noteIn(db, job.scope, job.id, `attempt ${job.attempt}`);
      left -= 1;
      if (left >= 0) refuse();
    },
  };
}

function refuse(): never {
  throw Object.assign(new Error('not today'), { code: 'X1', detail: 'Key (email)=(ann@shop.example) already exists.' });
}

describe('a transactional job that fails', () => {
  test('leaves nothing of the attempt, waits longer each time, and is done in the end', async () => {
    const id = await enqueue('note');
    expect(await jobsNamed('note')).toMatchObject([{ retry_delay: 1, retry_backoff: true }]);
    await waitLongForRepeats(database);
    const worker = createTestWorker(database, [noting('note', 2)]);
    await worker.start();
    const waits: number[] = [];
    for (const failures of [1, 2]) {
      await eventually(async () => logged(worker, 'job failed: to be repeated').length === failures);
      const [job] = await jobsNamed('note');
      expect(job).toMatchObject({ state: 'retry', retry_count: failures - 1, output: { message: 'not today', code: 'X1' } });
      expect(JSON.stringify(job)).not.toContain('ann@');
      expect(await listEffects(database)).toEqual([]);
      const [wait] = await database.asSuperuser<{ ms: number }>(
        'select extract(epoch from start_after - started_on)::float * 1000 as ms from pgboss.job where id = $1',
        [id],
      );
      waits.push(wait?.ms ?? 0);
      await skipBackOff(database);
    }
    await eventually(hasState('note', 'completed'));
    await worker.stop(10_000);
    await worker.close();
    expect(waits.map((ms) => Math.ceil(Math.log2(ms / 60_000)))).toEqual([1, 2]); // one to two times the delay, two to four times
    expect(await listEffects(database)).toMatchObject([{ job_id: id, what: 'attempt 3' }]);
    expect(JSON.stringify(worker.logLines)).not.toContain('ann@');
  });

  test('fails for good after its last repeat: a dead letter keeps name, scope and error, and can be retried once', async () => {
    const id = await enqueue('note-once');
    const worker = createTestWorker(database, [noting('note-once', 2)]);
    await worker.start();
    await eventually(async () => logged(worker, 'job failed: to be repeated').length === 1);
    await skipBackOff(database);
    await eventually(hasState('note-once', 'failed'));
    const [letter] = await jobsNamed('dead-letters');
    expect(letter).toMatchObject({
      state: 'created',
      source_name: 'note-once',
      source_id: id,
      data: { ...scope },
      output: { message: 'not today', code: 'X1' },
    });
    expect(letter?.keep_until.getFullYear()).toBeGreaterThanOrEqual(new Date().getFullYear() + 9);
    expect(logged(worker, 'job failed for good: a dead letter')).toMatchObject([
      { job: 'note-once', jobId: id, ...scope, attempt: 2 },
    ]);
    expect(await breaches()).toEqual([]);

    const { queue } = app.composition;
    // Locked until every one of them has seen it untouched.
    const lock = new pg.Client({ connectionString: database.workerUrl });
    await lock.connect();
    await lock.query(`begin; select from pgboss.job where name = 'dead-letters' for update`);
    const retries = Array.from({ length: 4 }, () => queue.retry(letter?.id ?? ''));
    const settled = Promise.allSettled(retries); // at once: some are refused as soon as the lock is free
    const isWaiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    await eventually(async () => (await database.asSuperuser(isWaiting)).length === retries.length);
    await lock.end();
    const [retried, ...others] = (await settled).filter((one) => one.status === 'fulfilled' && one.value !== undefined);
    expect([retried, others]).toMatchObject([{ value: { name: 'note-once' } }, []]);
    await eventually(async () => (await listEffects(database)).length === 1);
    await worker.stop(10_000);
    await worker.close();
    expect(await listEffects(database)).toMatchObject([{ tenant_id: scope.tenantId, what: 'attempt 1' }]);
    const newId = (await jobsNamed('note-once')).find((job) => job.id !== id)?.id;
    expect(await jobsNamed('dead-letters')).toMatchObject([
      { state: 'completed', output: { message: 'not today', retriedAs: newId } },
    ]);
    expect(await queue.retry(letter?.id ?? '')).toBeUndefined();
    expect(await queue.retry(id)).toBeUndefined();
    expect(await breaches()).toEqual([]);
  });

  test('by a constraint that is checked at commit only, counts as failed', async () => {
    await enqueue('note');
    await waitLongForRepeats(database);
    const worker = createTestWorker(database, [
      {
        name: 'note',
        kind: 'transactional',
        async run(db, job) {
          await noteIn(db, job.scope, job.id, 'unbalanced');
          await db.rows({
            text: `insert into journal_entry (tenant_id, environment, cause_type, cause_id, occurred_at) values ($1, $2, 'clearing', uuidv7(), now())`,
            values: [job.scope.tenantId, job.scope.environment],
          });
        },
      },
    ]);
    await workUntil(worker, hasState('note', 'retry'));
    expect(await listEffects(database)).toEqual([]);
    expect((await jobsNamed('note'))[0]?.output).toMatchObject({ message: expect.stringMatching(/journal .* does not balance/) });
  });

  test('by losing its transaction, counts as failed too and waits', async () => {
    await enqueue('note');
    await waitLongForRepeats(database);
    const terminate = (): Promise<unknown> =>
      database.asSuperuser(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'svc-worker' and state = 'idle in transaction'
           and datname = current_database()`,
      );
    const worker = createTestWorker(database, [
      {
        name: 'note',
        kind: 'transactional',
        async run(db, job) {
          await noteIn(db, job.scope, job.id, `attempt ${job.attempt}`);
          await terminate();
        },
      },
    ]);
    await workUntil(worker, hasState('note', 'retry'));
    expect(await listEffects(database)).toEqual([]);
    expect(await jobsNamed('note')).toMatchObject([{ retry_count: 0 }]);
    await skipBackOff(database);
    await workUntil(createTestWorker(database, [noting('note', 0)]), hasState('note', 'completed'));
    expect(await listEffects(database)).toMatchObject([{ what: 'attempt 2' }]);
  });

  test('with a payload that is no scope, never reaches its handler', async () => {
    await database.asSuperuser(
      `insert into pgboss.job (name, data, retry_limit, dead_letter) values ('note', '{"tenantId": "x"}', 0, 'dead-letters')`,
    );
    await workUntil(createTestWorker(database, [noting('note', 0)]), hasState('note', 'failed'));
    expect(await listEffects(database)).toEqual([]);
    expect(await jobsNamed('dead-letters')).toMatchObject([{ source_name: 'note', data: { tenantId: 'x' } }]);
  });

  test('cannot keep a statement that it sends behind its own failure', async () => {
    await enqueue('note');
    await waitLongForRepeats(database);
    let late: Promise<unknown> | undefined;
    const worker = createTestWorker(database, [
      {
        name: 'note',
        kind: 'transactional',
        run(db, job) {
          late = sleep(5).then(() => noteIn(db, job.scope, job.id, 'late'));
          late.catch(() => undefined);
          return Promise.reject(new Error('early'));
        },
      },
    ]);
    await workUntil(worker, hasState('note', 'retry'));
    await expect(late).rejects.toThrow('behind the last one of its attempt');
    expect(await listEffects(database)).toEqual([]);
  });
});

describe('several workers', () => {
  test('run each job once', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, (_, index) => enqueue(index % 2 ? 'note' : 'note-leased')));
    const leased: JobHandler = {
      name: 'note-leased',
      kind: 'leased',
      run: async (frames, job) =>
        void (await frames.write(job.scope, (db) => noteIn(db, job.scope, job.id, `attempt ${job.attempt}`))),
    };
    const workers = Array.from({ length: 3 }, () => createTestWorker(database, [noting('note', 0), leased]));
    await Promise.all(workers.map((worker) => workUntil(worker, async () => (await listEffects(database)).length >= ids.length)));
    const effects = await listEffects(database);
    expect(effects.map(({ job_id }) => job_id).toSorted()).toEqual(ids.toSorted());
    expect((await listJobs(database)).map(({ state }) => state)).toEqual(ids.map(() => 'completed'));
  });
});

describe('a leased job', () => {
  const leasedOnce = (run: Extract<JobHandler, { kind: 'leased' }>['run']): JobHandler => ({
    name: 'note-leased',
    kind: 'leased',
    run,
  });

  test('is given back when its worker is not heard of, and the old worker cannot end the new run', async () => {
    const id = await enqueue('note-leased');
    const runs: { attempt: number; signal: AbortSignal; finish: () => void }[] = [];
    const handler = leasedOnce((_frames, { attempt }, signal) => new Promise((finish) => runs.push({ attempt, signal, finish })));
    const [first, second] = [createTestWorker(database, [handler]), createTestWorker(database, [handler])];
    await first.start();
    await eventually(async () => runs.length === 1);
    await database.asSuperuser("update pgboss.job set heartbeat_on = now() - interval '11 seconds'");
    await second.start();
    await eventually(async () => (await jobsNamed('note-leased'))[0]?.state !== 'active');
    expect((await jobsNamed('note-leased'))[0]?.output).toMatchObject({ message: 'the worker was not heard of' });
    await skipBackOff(database);
    await eventually(async () => runs.length === 2);
    runs.find(({ attempt }) => attempt === 1)?.finish();
    await eventually(async () => [...first.logLines, ...second.logLines].some(({ msg }) => msg === 'job failed: to be repeated'));
    expect(await jobsNamed('note-leased')).toMatchObject([{ id, state: 'active', retry_count: 1 }]);
    runs.find(({ attempt }) => attempt === 2)?.finish();
    await eventually(hasState('note-leased', 'completed'));
    for (const worker of [first, second]) {
      expect(await worker.stop(10_000)).toBe(true);
      await worker.close();
    }
  });

  test('that is cut short at the end of its worker is recorded as failed, not left to its lease', async () => {
    await enqueue('note-leased');
    const worker = createTestWorker(database, [leasedOnce(() => new Promise(() => undefined))]);
    await worker.start();
    await eventually(async () => (await jobsNamed('note-leased'))[0]?.state === 'active');
    expect(await worker.stop(100)).toBe(false);
    await worker.close();
    expect(await jobsNamed('note-leased')).toMatchObject([
      { state: 'retry', output: { message: 'the worker was stopped before the job was done' } },
    ]);
  });

  test('that fails becomes a dead letter as well', async () => {
    await enqueue('note-leased');
    await database.asSuperuser('update pgboss.job set retry_limit = 0');
    await workUntil(createTestWorker(database, [leasedOnce(async () => refuse())]), hasState('note-leased', 'failed'));
    expect(await jobsNamed('dead-letters')).toMatchObject([{ source_name: 'note-leased', output: { message: 'not today' } }]);
  });
});

test('doctor finds a job past its lease and a failed one without a dead letter', async () => {
  await enqueue('note-leased');
  await enqueue('note');
  expect(await breaches()).toEqual([]);
  await database.asSuperuser(
    `update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now() - interval '2 minutes' where name = 'note-leased'`,
  );
  await database.asSuperuser(`update pgboss.job set state = 'failed', completed_on = now() where name = 'note'`);
  expect(await breaches()).toEqual([
    expect.objectContaining({ fault: 'active past its lease', tenant_id: scope.tenantId }),
    expect.objectContaining({ fault: 'failed without a dead letter' }),
  ]);
});

test('finished jobs are deleted after a week, unfinished ones never', async () => {
  await enqueue('note-leased');
  await enqueue('note');
  await database.asSuperuser(
    `update pgboss.job set state = 'completed', completed_on = now() - interval '8 days' where name = 'note'`,
  );
  await database.asSuperuser(`update pgboss.job set created_on = now() - interval '1 year' where name = 'note-leased'`);
  await database.asSuperuser('update pgboss.queue set monitor_on = null, maintain_on = null');
  const worker = createTestWorker(database, []);
  await workUntil(worker, async () => (await jobsNamed('note')).length === 0);
  expect(await jobsNamed('note-leased')).toMatchObject([{ state: 'created' }]);
  expect(worker.logLines).toEqual([]);
});

test('jobs and sweeps stand still unless they are started', async () => {
  await enqueue('note');
  await sleep(400);
  expect(await jobsNamed('note')).toMatchObject([{ state: 'created' }]);
  const connections = await database.asSuperuser(
    "select from pg_stat_activity where application_name = 'svc-worker' and datname = current_database()",
  );
  expect(connections).toEqual([]);
});
