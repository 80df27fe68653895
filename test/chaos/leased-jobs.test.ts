/** Workers killed with -9 in leased jobs: each is taken over once its lease has run out, and none runs in two places. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Scope } from '../../src/db/scope.ts';
import type { JobHandler } from '../../src/jobs/job.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';
import {
  createTestWorker,
  eventually,
  installTestJobs,
  listEffects,
  listJobs,
  noteIn,
  startWorkerProcess,
  type WorkerProcess,
  workUntil,
} from '../support/jobs/test-jobs.ts';

let database: TestDatabase;
let app: TestApp;
let scope: Scope;

beforeAll(async () => {
  database = await createTestDatabase();
  await installTestJobs(database);
  app = await startTestApp({}, database);
  scope = { tenantId: (await app.newTenant()).tenantId, environment: 'SANDBOX' };
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
const effectsOf = async (id: string): Promise<string[]> =>
  (await listEffects(database)).filter(({ job_id }) => job_id === id).map(({ what }) => what);
const stateOf = async (id: string): Promise<string | undefined> => (await listJobs(database)).find((job) => job.id === id)?.state;

const leased: JobHandler = {
  name: 'note-leased',
  kind: 'leased',
  async run(frames, { id, scope, attempt }) {
    for (const part of ['first', 'second']) await frames.write(scope, (db) => noteIn(db, scope, id, `${part} of ${attempt}`));
  },
};

const POINTS = [
  { point: 'after the claim', env: { FAULT_POINTS: 'job:claimed=hold:90000' }, before: [], state: 'active' },
  { point: 'between two transactions', env: { HOLD_IN_HANDLER_MS: '90000' }, before: ['first of 1'], state: 'active' },
  {
    point: 'before it is recorded as done',
    env: { FAULT_POINTS: 'job:settled=hold:90000' },
    before: ['first of 1', 'second of 1'],
    state: 'active',
  },
  {
    point: 'after it is recorded',
    env: { FAULT_POINTS: 'job:committed=hold:90000' },
    before: ['first of 1', 'second of 1'],
    state: 'completed',
  },
];

test('killed at every point: taken over within 30 seconds, the finished one left alone', async () => {
  const doomed: (WorkerProcess & { id: string; point: string; before: string[]; state: string })[] = [];
  for (const { point, env, before, state } of POINTS) {
    const id = await enqueue('note-leased');
    // A pool of three gives one place: this process is busy with this job and takes no other.
    const worker = await startWorkerProcess(database, { ...env, POOL_SIZE: '3' });
    await eventually(async () => (await stateOf(id)) === state && (await effectsOf(id)).length === before.length);
    doomed.push({ ...worker, id, point, before, state });
  }
  const rescuer = createTestWorker(database, [leased]);
  await rescuer.start();
  await sleep(14_000);
  // Held, but heard of: they keep their leases for longer than one lasts.
  for (const { id, point, state, before } of doomed)
    expect([point, await stateOf(id), await effectsOf(id)]).toEqual([point, state, before]);
  for (const { child } of doomed) child.kill('SIGKILL');
  await Promise.all(doomed.map(({ ended }) => ended));
  const killedAt = Date.now();
  await eventually(async () => (await listJobs(database)).every(({ state }) => state === 'completed'), 60_000);
  await rescuer.stop(10_000);
  await rescuer.close();
  const effects = await listEffects(database);
  for (const { id, point, state, before } of doomed) {
    const again = state === 'active' ? ['first of 2', 'second of 2'] : [];
    expect([point, await effectsOf(id)]).toEqual([point, [...before, ...again]]);
    const begun = effects.find((effect) => effect.job_id === id && effect.what === 'first of 2');
    if (begun) console.log(`killed ${point}: begun again after ${((begun.at.getTime() - killedAt) / 1000).toFixed(1)} s`);
  }
});

test('a handler is told within a few seconds that its lease is lost', async () => {
  await enqueue('note-leased');
  let told: unknown;
  const handler: JobHandler = {
    name: 'note-leased',
    kind: 'leased',
    run: (_frames, _job, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          told = signal.reason;
          reject(signal.reason as Error);
        });
        void database.asSuperuser('update pgboss.job set retry_count = retry_count + 1');
      }),
  };
  await workUntil(createTestWorker(database, [handler]), async () => told !== undefined);
  expect(told).toMatchObject({ message: 'the lease was lost' });
});
