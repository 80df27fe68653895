/** The worker as a process: what starts it, what stops it, what kills it in the middle of a sweep. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildInfo } from '../../src/build-info.ts';
import { listMigrations } from '../../src/db/migrate.ts';
import type { Scope } from '../../src/db/scope.ts';
import { CHILD_ENV, noteChild } from '../support/app/child-process.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { eventually, installTestJobs, listEffects, listJobs, startWorkerProcess } from '../support/jobs/test-jobs.ts';

const root = path.resolve(import.meta.dirname, '../..');
let database: TestDatabase;
let app: TestApp;
let scope: Scope;
let directory: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  await installTestJobs(database);
  app = await startTestApp({}, database);
  scope = { tenantId: (await app.newTenant()).tenantId, environment: 'LIVE' };
  directory = await mkdtemp(path.join(os.tmpdir(), 'worker-'));
});
afterAll(async () => {
  await app.close();
  await database.drop();
  await rm(directory, { recursive: true });
});
beforeEach(async () => {
  await database.asSuperuser('delete from pgboss.job');
  await database.asSuperuser('delete from effect');
  await database.asSuperuser('delete from idempotency_key');
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** `node src/<program>` with the settings of the app; collects what it says. */
function start(
  program: string,
  env: Record<string, string> = {},
): { child: ChildProcess; said: () => string; ended: Promise<unknown> } {
  const { apiKeyPepper, dataKeys } = app.config.secrets;
  const child = spawn(process.execPath, [`src/${program}`], {
    cwd: root,
    env: {
      ...CHILD_ENV,
      NODE_ENV: 'test',
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: database.appUrl,
      DATABASE_WORKER_URL: database.workerUrl,
      API_KEY_PEPPER: apiKeyPepper.toString('base64'),
      DATA_KEYS: dataKeys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
      SWEEP_INTERVAL_MS: '100',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  noteChild(child);
  children.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { child, said: () => text, ended: once(child, 'close').then(([code, signal]) => signal ?? code) };
}

/** The lines by which a log tells what ran, and that its end was asked for. */
function expectStartAndEnd(said: string, role: string, drained: Record<string, string>): void {
  const lines = said
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const ends = lines.filter(({ msg }) => /^(started|stopping|stopped)/.test(String(msg)));
  const { version, node } = buildInfo({ GIT_COMMIT: undefined });
  const commit = expect.stringMatching(/^([0-9a-f]{40}|unknown)$/);
  expect(ends).toEqual([
    expect.objectContaining({ msg: 'started', level: 'info', role, version, commit, node, schema: listMigrations().at(-1) }),
    expect.objectContaining({ msg: 'stopping: SIGTERM', level: 'info', role }),
    expect.objectContaining({ msg: 'stopped', level: 'info', role, ms: expect.any(Number), ...drained }),
  ]);
}

const addExpiredKeys = (count: number): Promise<unknown> =>
  database.asSuperuser(
    `insert into idempotency_key (tenant_id, environment, operation, key, fingerprint, status, expires_at)
     select $1, 'LIVE', 'op', n::text, '', 200, now() - interval '1 second' from generate_series(1, $2) n`,
    [scope.tenantId, count],
  );
const countKeys = async (): Promise<number> =>
  (await database.asSuperuser<{ keys: number }>('select count(*)::int as keys from idempotency_key'))[0]?.keys ?? -1;
const workerConnections = (): Promise<{ usename: string }[]> =>
  database.asSuperuser(
    `select distinct usename from pg_stat_activity where application_name = 'svc-worker' and datname = current_database()`,
  );

describe('npm run worker', () => {
  test('sweeps as svc_worker, shows that it lives, listens nowhere, and ends with 0 on SIGTERM', async () => {
    await addExpiredKeys(3);
    const aliveFile = path.join(directory, 'alive');
    const worker = start('worker.ts', { WORKER_ALIVE_FILE: aliveFile });
    await eventually(async () => (await countKeys()) === 0, 60_000);
    expect(await workerConnections()).toEqual([{ usename: 'svc_worker' }]);
    // The file is touched once each loop has passed: a first sweep alone is not enough.
    const touchedAt = async (): Promise<number> => (await stat(aliveFile).catch(() => ({ mtimeMs: 0 }))).mtimeMs;
    await eventually(async () => (await touchedAt()) > 0, 60_000);
    const first = await touchedAt();
    await eventually(async () => (await touchedAt()) > first);
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
    expect(worker.said()).not.toContain('listening');
    expectStartAndEnd(worker.said(), 'worker', { jobs: 'finished' });
    expect(worker.said()).toContain('"sweep":"expire-idempotency-keys"');
    expect(await workerConnections()).toEqual([]);
  });

  const badUrl = (change: Partial<URL>): string => Object.assign(new URL(database.workerUrl), change).href;
  test.each([
    [
      'no database',
      () => ({ DATABASE_WORKER_URL: badUrl({ port: '1' }) }),
      /^cannot start: database: cannot reach svc_worker@.*ECONNREFUSED/,
    ],
    [
      'a wrong password',
      () => ({ DATABASE_WORKER_URL: badUrl({ password: 'x' }) }),
      /^cannot start: database: svc_worker@.* refused the login/,
    ],
    [
      'the owner as its role',
      () => ({ DATABASE_WORKER_URL: database.ownerUrl }),
      /^cannot start: the database role svc_owner owns/,
    ],
    ['an address that is none', () => ({ REDIS_URL: 'foo' }), /^cannot start: configuration: REDIS_URL: must be a redis/],
    [
      'documents on a disk that cannot be written',
      () => ({ DATA_DIR: '/proc/nowhere' }),
      /^cannot start: configuration: DATA_DIR: \/proc\/nowhere\/objects cannot be written/,
    ],
    ['a setting that makes no sense', () => ({ WORKER_POOL_SIZE: '1' }), /^cannot start: configuration: WORKER_POOL_SIZE/],
  ])('ends with one line and 1, given %s', async (_name, env, line) => {
    const worker = start('worker.ts', env());
    expect(await worker.ended).toBe(1);
    expect(worker.said().trimEnd().split('\n')).toEqual([expect.stringMatching(line)]);
  });

  test('goes on after the database was away', async () => {
    const worker = start('worker.ts');
    await eventually(async () => worker.said().includes('"msg":"started"'));
    await database.asSuperuser(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'svc-worker'`);
    await addExpiredKeys(3);
    await eventually(async () => (await countKeys()) === 0);
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
  });
});

describe('the API process', () => {
  test('does the jobs itself by default, as svc_worker, and ends with 0 on SIGTERM', async () => {
    const api = start('main.ts');
    await eventually(async () => api.said().includes('"listening"'));
    await addExpiredKeys(3);
    await eventually(async () => (await countKeys()) === 0, 60_000);
    expect(await workerConnections()).toEqual([{ usename: 'svc_worker' }]);
    api.child.kill('SIGTERM');
    expect(await api.ended).toBe(0);
    expectStartAndEnd(api.said(), 'api', { requests: 'finished', jobs: 'finished' });
  });

  test('does none with JOBS=off', async () => {
    await addExpiredKeys(3);
    const api = start('main.ts', { JOBS: 'off' });
    await eventually(async () => api.said().includes('"listening"'));
    await sleep(1_000);
    expect(await countKeys()).toBe(3);
    expect(await workerConnections()).toEqual([]);
    api.child.kill('SIGTERM');
    expect(await api.ended).toBe(0);
  });
});

describe('SIGTERM', () => {
  test('lets the running jobs finish, takes no other, and ends with 0', async () => {
    const enqueue = (name: string): Promise<string> =>
      app.composition.frames.write(scope, (db) => app.composition.queue.enqueue(db, scope, name, {}));
    const running = [await enqueue('note'), await enqueue('note-leased')];
    const worker = await startWorkerProcess(database, { HOLD_IN_HANDLER_MS: '3000', POOL_SIZE: '6' });
    await eventually(async () => (await listEffects(database)).length === 1 && (await heldJobs()) === 1);
    const waiting = [await enqueue('note'), await enqueue('note-leased')];
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
    const states = new Map((await listJobs(database)).map(({ id, state }) => [id, state]));
    expect(running.map((id) => states.get(id))).toEqual(['completed', 'completed']);
    expect(waiting.map((id) => states.get(id))).toEqual(['created', 'created']);
    expect(await listEffects(database)).toHaveLength(4);
  });

  /** Transactional jobs that a worker has taken. */
  async function heldJobs(): Promise<number> {
    const [row] = await database.asSuperuser<{ held: number }>(
      `select (select count(*) from pgboss.job_common where name = 'note')::int -
         (select count(*) from (select from pgboss.job_common where name = 'note' for update skip locked) free)::int as held`,
    );
    return row?.held ?? -1;
  }
});

test('sweeps by two processes, one killed in the middle of every batch: each row once, none left', async () => {
  await addExpiredKeys(20_000);
  await database.asSuperuser(`
    create table deleted_key (key text);
    create function note_deleted() returns trigger language plpgsql security definer as $$
      begin insert into deleted_key values (old.key); return null; end $$;
    create trigger note_deleted after delete on idempotency_key for each row execute function note_deleted();`);
  try {
    const steady = await startWorkerProcess(database, { FAULT_POINTS: 'sweep:handled=hold:150' });
    for (let kills = 0; kills < 5; kills++) {
      const doomed = await startWorkerProcess(database, { FAULT_POINTS: 'sweep:handled=kill' });
      children.push(doomed.child);
      await Promise.race([doomed.ended, sleep(3_000)]);
    }
    await eventually(async () => (await countKeys()) === 0, 60_000);
    steady.child.kill('SIGTERM');
    expect(await steady.ended).toBe(0);
    expect(
      await database.asSuperuser('select count(*)::int as deleted, count(distinct key)::int as keys from deleted_key'),
    ).toEqual([{ deleted: 20_000, keys: 20_000 }]);
  } finally {
    await database.asSuperuser(
      'drop trigger note_deleted on idempotency_key; drop function note_deleted; drop table deleted_key',
    );
  }
});
