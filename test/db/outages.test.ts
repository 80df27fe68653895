/** Connections that are lost, all in use, or not to be had (docs/specification/reliability.md#f-5, #f-8, #f-10). */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openPool } from '../../src/db/connect.ts';
import { createFrames, type Frames } from '../../src/db/frame.ts';
import type { Scope } from '../../src/db/scope.ts';
import type { Statement } from '../../src/db/statement.ts';
import { createLogger } from '../../src/http/request-log.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { startTcpProxy, type TcpProxy } from '../support/faults/tcp-proxy.ts';
import { eventually } from '../support/jobs/test-jobs.ts';

const scope: Scope = { tenantId: randomUUID(), environment: 'LIVE' };
const ACQUIRE_MS = 2_000;
/** Where it is not what is tested: a busy machine takes its time to connect. */
const PATIENT_MS = 10_000;
const sql = <Row = unknown>(text: string): Statement<Row> => ({ text, values: [] });
const one = sql<{ ok: number }>('select 1 as ok');

let database: TestDatabase;
let proxy: TcpProxy;
let pool: pg.Pool;
let frames: Frames;
let lines: Record<string, unknown>[];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  lines = [];
  proxy = await startTcpProxy(Number(new URL(database.appUrl).port));
});

function open(acquireTimeoutMs: number): void {
  const url = new URL(database.appUrl);
  url.host = `127.0.0.1:${proxy.port}`;
  const own = lines; // a pool of the test before may still log
  const logger = createLogger('info', { write: (line) => void own.push(JSON.parse(line) as Record<string, unknown>) });
  pool = openPool({ url: url.href, size: 5, acquireTimeoutMs, applicationName: 'outage-test', logger });
  frames = createFrames(pool);
}
afterEach(async () => {
  void pool.end();
  await proxy.close();
});

test('connections that are cut under load: 503 or done, two lines in the log, and all is well', async () => {
  open(PATIENT_MS);
  await Promise.all(Array.from({ length: 5 }, () => frames.unscoped(sql('select pg_sleep(0.1)'))));
  const running = Array.from({ length: 20 }, () => frames.write(scope, (db) => db.row(sql('select pg_sleep(0.2), 1 as ok'))));
  const settled = Promise.allSettled(running);
  await sleep(100);
  proxy.cut();
  expect((await settled).map(({ status }) => status)).toEqual(Array(20).fill('fulfilled')); // run again, for nothing was written
  const started = performance.now();
  await expect(frames.readOnce(scope, one)).resolves.toEqual([{ ok: 1 }]);
  expect(performance.now() - started).toBeLessThan(1_000);
  await eventually(async () => lines.length === 2);
  expect(lines.map(({ level }) => level)).toEqual(['warn', 'info']);
  expect(frames.stats()).toMatchObject({ reachable: true, destroyed: 0 });
});

test('a pool that is held turns callers away in time, and serves at once when it is free', async () => {
  open(ACQUIRE_MS);
  const free = Promise.withResolvers<void>();
  const held = Array.from({ length: 5 }, () =>
    frames.read(scope, async (db) => {
      await db.row(one);
      await free.promise;
    }),
  );
  await eventually(async () => frames.stats().inUse === 5);
  const started = performance.now();
  const callers = await Promise.allSettled(Array.from({ length: 50 }, () => frames.readOnce(scope, one)));
  expect(performance.now() - started).toBeLessThan(ACQUIRE_MS + 500);
  for (const caller of callers) {
    expect(caller).toMatchObject({ status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 } });
  }
  expect(frames.stats()).toMatchObject({ inUse: 5, waiting: 0, refused: 50, reachable: true });
  free.resolve();
  const released = performance.now();
  await Promise.all(held);
  await frames.readOnce(scope, one);
  expect(performance.now() - released).toBeLessThan(1_000);
  expect(lines).toEqual([]); // the database was never away
});

test('a server with no connection to spare is asked again, until there is one or the time is over', async () => {
  open(ACQUIRE_MS);
  const other = new pg.Client({ connectionString: database.workerUrl });
  await other.connect();
  // The superuser's connection counts too.
  await database.asSuperuser(`alter database ${database.name} connection limit 2`);
  try {
    const started = performance.now();
    await expect(frames.readOnce(scope, one)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 1,
      cause: { code: '53300' },
    });
    const ms = performance.now() - started;
    expect(ms).toBeGreaterThan(ACQUIRE_MS / 3);
    expect(ms).toBeLessThan(ACQUIRE_MS + 500);
    expect(frames.stats().reachable).toBe(false);
    const waiting = frames.readOnce(scope, one);
    await sleep(100);
    await other.end();
    await expect(waiting).resolves.toEqual([{ ok: 1 }]);
    await eventually(async () => lines.length === 2);
  } finally {
    await other.end().catch(() => undefined);
    await database.asSuperuser(`alter database ${database.name} connection limit -1`);
  }
});
