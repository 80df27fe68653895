/** Connections that go mute between the pool and the server, in quick figures (docs/specification/reliability.md#f-7). */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Probe } from '../../src/db/backend-probe.ts';
import { createProbe } from '../../src/db/backend-probe.ts';
import { openPool, type PoolOptions } from '../../src/db/connect.ts';
import { createFrames, type Frames } from '../../src/db/frame.ts';
import type { Scope } from '../../src/db/scope.ts';
import type { Statement } from '../../src/db/statement.ts';
import { createLogger } from '../../src/http/request-log.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { startTcpProxy, type TcpProxy } from '../support/faults/tcp-proxy.ts';
import { eventually } from '../support/jobs/test-jobs.ts';

const scope: Scope = { tenantId: randomUUID(), environment: 'LIVE' };
const QUICK = { tickMs: 20, probeEveryMs: 150, probeTimeoutMs: 1_000, graceMs: 100, stuckMs: 600 };
/** Two probes and what a busy machine adds. */
const SOON_MS = 6_000;

let database: TestDatabase;
let proxy: TcpProxy;
let url: string;
const pools: pg.Pool[] = [];
let lines: Record<string, unknown>[];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  proxy = await startTcpProxy(Number(new URL(database.appUrl).port));
  const through = new URL(database.appUrl);
  through.host = `127.0.0.1:${proxy.port}`;
  url = through.href;
  lines = [];
});
afterEach(async () => {
  for (const pool of pools.splice(0)) void pool.end();
  await proxy.close();
});

function open(options: Partial<PoolOptions> = {}): Frames & { pool: pg.Pool } {
  const own = lines; // a pool of the test before may still log
  const logger = createLogger('info', { write: (line) => void own.push(JSON.parse(line) as Record<string, unknown>) });
  const pool = openPool({
    url,
    size: 3,
    acquireTimeoutMs: 10_000,
    applicationName: 'mute-test',
    logger,
    watch: QUICK,
    ...options,
  });
  pools.push(pool);
  return { ...createFrames(pool), pool };
}

const sql = <Row = unknown>(text: string, values: unknown[] = []): Statement<Row> => ({ text, values });
const one = sql<{ ok: number }>('select 1 as ok');
const messages = (): unknown[] => lines.map(({ msg }) => msg);

/** Every connection of the pool, each known to work. */
async function warm(frames: Frames): Promise<void> {
  await Promise.all([1, 2, 3].map(() => frames.unscoped(sql('select pg_sleep(0.1)'))));
}

/** Forwards, and gives each connection another process's number (the message `K`), as poolers do. */
async function startPoolerLike(target: number): Promise<{ port: number; close(): void }> {
  const server = createServer((inner) => {
    const outer = connect(target, '127.0.0.1');
    inner.pipe(outer);
    outer.on('data', (chunk: Buffer) => {
      const at = chunk.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]));
      if (at >= 0) chunk.writeInt32BE(2 ** 29, at + 5);
      inner.write(chunk);
    });
    for (const end of [inner, outer])
      end
        .on('error', () => undefined)
        .on('close', () => {
          inner.destroy();
          outer.destroy();
        });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

async function msOf(running: Promise<unknown>): Promise<number> {
  const started = performance.now();
  await running.catch(() => undefined);
  return performance.now() - started;
}

describe('a pool whose connections go mute while new ones work', () => {
  test('gives up the one in use, closes the idle ones, and works', async () => {
    const frames = open();
    await warm(frames);
    expect(proxy.connections()).toBe(3);
    proxy.mute();
    const failed = frames.readOnce(scope, one);
    expect(await msOf(failed)).toBeLessThan(SOON_MS);
    await expect(failed).rejects.toThrow('Connection terminated');
    await expect(frames.readOnce(scope, one)).resolves.toEqual([{ ok: 1 }]);
    expect(frames.stats()).toMatchObject({ size: 3, inUse: 0, waiting: 0, destroyed: 3, reachable: true });
  });

  test('runs again what may be run again, and says that it does not know of what may not', async () => {
    const frames = open();
    await warm(frames);
    proxy.mute();
    const insert = (id: string) =>
      sql('insert into customer (tenant_id, environment, external_id) values ($1, $2, $3) on conflict do nothing', [
        scope.tenantId,
        scope.environment,
        id,
      ]);
    const [again, once] = [randomUUID(), randomUUID()];
    const written = await Promise.allSettled([
      frames.write(scope, (db) => db.lastRow(insert(again)), { repeatable: true }),
      frames.write(scope, (db) => db.lastRow(insert(once))),
    ]);
    expect(written[0].status).toBe('fulfilled');
    expect(written[1]).toMatchObject({ status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 } });
    const [row] = await database.asSuperuser<{ n: number }>('select count(*)::int as n from customer where external_id = $1', [
      again,
    ]);
    expect(row?.n).toBe(1);
    expect(frames.stats().retried).toBe(1);
  });

  test('has the server end the transaction that nobody hears, so that its locks are free', async () => {
    const frames = open();
    const key = Math.floor(Math.random() * 1e9);
    const lock = sql('select pg_advisory_xact_lock($1)', [key]);
    const lost = frames.write(scope, async (db) => {
      await db.row(lock);
      proxy.mute();
      return db.row(one);
    });
    await expect(lost).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    // The server ends it when it next looks at its signals.
    await eventually(async () => {
      const [row] = await database.asSuperuser<{ free: boolean }>('select pg_try_advisory_lock($1) as free', [key]);
      return row?.free === true;
    });
  });

  test('finds the others sooner once one is found, however late they were taken', async () => {
    const frames = open({ watch: { ...QUICK, probeEveryMs: 600 } });
    await warm(frames);
    proxy.mute();
    const first = msOf(frames.readOnce(scope, one));
    await sleep(1_100);
    const later = msOf(frames.readOnce(scope, one)); // before the first is given up, at 1,200
    expect(await first).toBeGreaterThan(1_000);
    expect(await later).toBeLessThan(1_000);
  });

  test('says once that the database went away, and once that it is back', async () => {
    const frames = open();
    await warm(frames);
    proxy.mute();
    await Promise.allSettled([1, 2, 3].map(() => frames.readOnce(scope, one)));
    await frames.readOnce(scope, one);
    await eventually(async () => lines.length >= 2);
    await sleep(200);
    expect(messages()).toEqual([expect.stringContaining('the database went away'), 'the database answers again']);
    expect(lines[0]).toMatchObject({
      level: 'warn',
      connections: 'mute-test',
      err: { message: expect.stringContaining('silent') },
    });
  });
});

describe('what is slow and not mute is left alone', () => {
  test.each([
    ['a long statement', async (frames: Frames) => frames.unscoped(sql('select pg_sleep(0.8)'))],
    [
      'a wait for a lock',
      async (frames: Frames) => {
        const key = Math.floor(Math.random() * 1e9);
        const held = database.asSuperuser('select pg_advisory_lock($1), pg_sleep(1), pg_advisory_unlock($1)', [key]);
        const waits = frames.write(scope, async (db) => {
          await db.row(sql("select set_config('lock_timeout', '10s', true)"));
          await db.row(sql('select pg_sleep(0.2)'));
          await db.row(sql('select pg_advisory_xact_lock($1)', [key]));
        });
        await Promise.all([held, waits]);
      },
    ],
    [
      'a frame that thinks between its statements',
      async (frames: Frames) =>
        frames.read(scope, async (db) => {
          await db.row(one);
          await sleep(600);
          await db.row(one);
        }),
    ],
    [
      'a large answer that comes slowly',
      async (frames: Frames) => frames.unscoped(sql("select repeat('x', 100000), pg_sleep(0.02) from generate_series(1, 50)")),
    ],
  ])('%s', async (_what, run) => {
    const frames = open({ statementMs: 60_000 });
    await run(frames);
    expect(frames.stats().destroyed).toBe(0);
    expect(messages()).toEqual([]);
  });

  test('nobody is asked while answers are quick', async () => {
    let asked = 0;
    const probe: Probe = {
      async ask() {
        asked += 1;
        return [];
      },
      end: async () => undefined,
    };
    const frames = open({ watch: { ...QUICK, probe } });
    const until = performance.now() + 600;
    while (performance.now() < until) await Promise.all([1, 2, 3].map(() => frames.readOnce(scope, one)));
    expect(asked).toBe(0);
  });

  test('nothing is cut because this process stood still', async () => {
    const frames = open();
    await warm(frames);
    const answer = frames.unscoped(sql('select pg_sleep(0.1)'));
    await sleep(30);
    const until = performance.now() + 800;
    while (performance.now() < until); // as a long garbage collection, or SIGSTOP
    await answer;
    expect(frames.stats().destroyed).toBe(0);
  });
});

describe('where the server cannot be asked', () => {
  const refuse = (): Promise<never> => Promise.reject(new Error('no answer'));
  const unknown: Probe = { ask: async (connections) => connections.map(() => 'unknown'), end: refuse };
  const away: Probe = { ask: refuse, end: refuse };

  test.each([
    ['a pooler hides its connections', unknown],
    ['new connections are mute too', away],
  ])('the time of a statement decides: %s', async (_what, probe) => {
    const frames = open({ statementMs: 600, watch: { ...QUICK, probe } });
    await warm(frames);
    proxy.mute();
    const ms = await msOf(frames.readOnce(scope, one));
    expect(ms).toBeGreaterThan(600);
    expect(ms).toBeLessThan(SOON_MS);
  });

  test('a frame that has given its statements more time keeps it, also longer than the role has', async () => {
    const frames = open({ statementMs: 300, watch: { ...QUICK, probe: unknown } });
    await expect(
      frames.write(scope, async (db) => {
        await db.row(sql("set local statement_timeout = '60s'"));
        return db.row(sql('select pg_sleep(1.2), 1 as ok'));
      }),
    ).resolves.toMatchObject({ ok: 1 });
    expect(await msOf(frames.unscoped(sql('select pg_sleep(1.2)')))).toBeLessThan(1_000);
  });
});

describe('the probe', () => {
  async function own(applicationName = 'mute-test') {
    const frames = open({ applicationName });
    const client = await frames.pool.connect();
    const processId = (client as unknown as { processID: number }).processID;
    return { client, processId, probe: createProbe({ url, applicationName }) };
  }

  test('tells a working connection, an idle one, one that does not exist and one that is younger or older', async () => {
    const { client, processId, probe } = await own();
    const running = client.query('select pg_sleep(1)');
    await sleep(100);
    expect(
      await probe.ask(
        [
          { processId, ageMs: 100 },
          { processId: 2 ** 30, ageMs: 100 },
          { processId, ageMs: 60_000 },
        ],
        2_000,
      ),
    ).toEqual(['works', 'mute', 'mute']);
    await running;
    expect(await probe.ask([{ processId, ageMs: 1_100 }], 2_000)).toEqual(['mute']);
    client.release();
  });

  test('knows nothing where the server is not told of by its own number, as behind a pooler', async () => {
    const { client, processId } = await own();
    const pooled = await startPoolerLike(proxy.port);
    try {
      const through = new URL(url);
      through.host = `127.0.0.1:${pooled.port}`;
      const probe = createProbe({ url: through.href, applicationName: 'mute-test' });
      expect(await probe.ask([{ processId, ageMs: 0 }], 2_000)).toEqual(['unknown']);
    } finally {
      pooled.close();
      client.release();
    }
  });

  test('gives up in time when nobody answers, and leaves nothing open', async () => {
    const probe = createProbe({ url, applicationName: 'mute-test' });
    proxy.mute('new');
    await expect(probe.ask([], 300)).rejects.toThrow();
    await eventually(async () => proxy.connections() === 0);
  });
});

test('a pool all of whose connections are kept while new ones can be made is told of as stuck', async () => {
  const frames = open();
  const never = Promise.withResolvers<void>();
  const kept = [1, 2, 3].map(() =>
    frames.read(scope, async (db) => {
      await db.row(one);
      await never.promise;
    }),
  );
  await eventually(async () => frames.stats().stuckMs > 0);
  never.resolve();
  await Promise.all(kept);
  await eventually(async () => frames.stats().stuckMs === 0);
});
