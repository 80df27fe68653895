/** A job lives and dies with the transaction that enqueues it, and works in the scope it was enqueued in. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../src/db/scope.ts';
import type { TransactionalHandler } from '../../src/jobs/job.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';
import {
  addEffect,
  createTestWorker,
  installTestJobs,
  listEffects,
  listJobs,
  noteIn,
  workUntil,
} from '../support/jobs/test-jobs.ts';

const ID = '01a1fa9c-0000-7000-8000-000000000001';
let app: TestApp;
let database: TestDatabase;
let scope: Scope;
let stranger: Scope;

beforeAll(async () => {
  database = await createTestDatabase();
  await installTestJobs(database);
  app = await startTestApp({}, database);
  scope = { tenantId: (await app.newTenant()).tenantId, environment: 'LIVE' };
  stranger = { tenantId: (await app.newTenant()).tenantId, environment: 'LIVE' };
});
afterAll(async () => {
  await app.close();
  await database.drop();
});
beforeEach(async () => {
  await database.asSuperuser('delete from pgboss.job');
  await database.asSuperuser('delete from effect');
});

const enqueue = (name: string, ids: Record<string, string> = {}, into = scope): Promise<string> =>
  app.composition.frames.write(into, (db) => app.composition.queue.enqueue(db, into, name, ids));

const areAllDone = async (): Promise<boolean> => (await listJobs(database)).every(({ state }) => state === 'completed');

/** Two places work side by side, in either order. */
const byEnvironment = (a: { environment?: unknown }, b: { environment?: unknown }): number =>
  String(a.environment).localeCompare(String(b.environment));

describe('enqueue', () => {
  test('is there once the business transaction has committed, with the row it wrote', async () => {
    const id = await app.composition.frames.write(scope, async (db) => {
      await noteIn(db, scope, ID, 'business');
      const made = await app.composition.queue.enqueue(db, scope, 'note', { eventId: ID });
      expect(await listJobs(database)).toEqual([]);
      return made;
    });
    expect(await listJobs(database)).toMatchObject([
      { id, name: 'note', state: 'created', data: { tenantId: scope.tenantId, environment: 'LIVE', eventId: ID } },
    ]);
    expect(await listEffects(database)).toHaveLength(1);
  });

  test('leaves nothing when the business transaction rolls back', async () => {
    const failing = app.composition.frames.write(scope, async (db) => {
      await noteIn(db, scope, ID, 'business');
      await app.composition.queue.enqueue(db, scope, 'note', { eventId: ID });
      throw new Error('business refused');
    });
    await expect(failing).rejects.toThrow('business refused');
    expect(await listJobs(database)).toEqual([]);
    expect(await listEffects(database)).toEqual([]);
  });

  test('takes ids only', async () => {
    await expect(enqueue('note', { email: 'ann@shop.example' })).rejects.toThrow('must be an id');
    await expect(enqueue('note', { tenantId: ID, environment: 'SANDBOX' })).resolves.toBeDefined();
    expect(await listJobs(database)).toMatchObject([{ data: { ...scope } }]);
  });

  test('refuses a queue that does not exist, and the business transaction with it', async () => {
    const failing = app.composition.frames.write(scope, async (db) => {
      await noteIn(db, scope, ID, 'business');
      await app.composition.queue.enqueue(db, scope, 'never-declared', {});
    });
    await expect(failing).rejects.toThrow('never-declared does not exist');
    expect(await listEffects(database)).toEqual([]);
  });

  test('is kept until it is done, however long that takes', async () => {
    await enqueue('note');
    const [job] = await listJobs(database);
    expect(job?.keep_until.getFullYear()).toBeGreaterThanOrEqual(new Date().getFullYear() + 9);
  });
});

describe('a transactional job', () => {
  const note: TransactionalHandler = {
    name: 'note',
    kind: 'transactional',
    async run(db, job) {
      const seen = await db.rows<{ tenant_id: string }>({ text: 'select distinct tenant_id from effect', values: [] });
      await db.rows(addEffect(job.scope, { jobId: job.id, what: `saw ${seen.map((row) => row.tenant_id).join(',')}` }));
    },
  };

  test("works in its own scope and does not see another tenant's rows", async () => {
    await app.composition.frames.write(scope, (db) => noteIn(db, scope, ID, 'mine'));
    await app.composition.frames.write(stranger, (db) => noteIn(db, stranger, ID, 'theirs'));
    const id = await enqueue('note');
    const sandboxId = await enqueue('note', {}, { ...scope, environment: 'SANDBOX' });
    const worker = createTestWorker(database, [note]);
    await workUntil(worker, areAllDone);
    const effects = (await listEffects(database)).filter(({ what }) => what.startsWith('saw')).toSorted(byEnvironment);
    expect(effects).toEqual([
      expect.objectContaining({ tenant_id: scope.tenantId, environment: 'LIVE', job_id: id, what: `saw ${scope.tenantId}` }),
      expect.objectContaining({ tenant_id: scope.tenantId, environment: 'SANDBOX', job_id: sandboxId, what: 'saw ' }),
    ]);
    expect(worker.logLines.filter(({ msg }) => msg === 'job done').toSorted(byEnvironment)).toEqual([
      expect.objectContaining({ job: 'note', jobId: id, ...scope, attempt: 1, ms: expect.any(Number) }),
      expect.objectContaining({ job: 'note', jobId: sandboxId, environment: 'SANDBOX' }),
    ]);
  });
});
