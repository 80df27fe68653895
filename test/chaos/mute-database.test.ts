/**
 * Connections to the database that go mute without being closed, as after a failover or behind a firewall that has
 * dropped their state: every process works again within ten seconds, nothing acknowledged is lost or doubled, and a
 * signal still ends it (docs/specification/reliability.md#f-7).
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openLoad } from '../support/app/model-load.ts';
import { type ApiProcess, type ServiceProcess, startApiProcess, startServiceProcess } from '../support/app/model-process.ts';
import { startTestApp, type TestApp, type TestTenant } from '../support/app/test-app.ts';
import { startTcpProxy, type TcpProxy } from '../support/faults/tcp-proxy.ts';
import { eventually } from '../support/jobs/test-jobs.ts';

const RECOVERY_MS = 10_000;
const AWAY = 'the database went away';
const BACK = 'the database answers again';

let app: TestApp;
let tenant: TestTenant;
let proxy: TcpProxy;
const running: ServiceProcess[] = [];

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
});
afterAll(() => app.close());
beforeEach(async () => {
  proxy = await startTcpProxy(Number(new URL(app.database.appUrl).port));
});
afterEach(async () => {
  for (const { child } of running.splice(0)) child.kill('SIGKILL');
  await proxy.close();
});

function through(url: string): string {
  const changed = new URL(url);
  changed.host = `127.0.0.1:${proxy.port}`;
  return changed.href;
}

const settings = () => ({
  DATABASE_URL: through(app.database.appUrl),
  DATABASE_WORKER_URL: through(app.database.workerUrl),
  DATABASE_ACQUIRE_TIMEOUT_MS: '2000',
  DATABASE_POOL_SIZE: '5',
  SHUTDOWN_TIMEOUT_MS: '4000',
  NODE_DISABLE_COMPILE_CACHE: '1', // else the first process to end writes it, for seconds
});

async function startApi(env: Record<string, string> = {}): Promise<ApiProcess> {
  const api = await startApiProcess(app, { ...settings(), ...env });
  running.push(api);
  return api;
}

/** Clients that add members, each again with its key until it is acknowledged; one of them has four requests a second. */
function startWriting(api: ApiProcess, clients: number) {
  const load = openLoad();
  const acknowledged: { email: string; at: number }[] = [];
  const statuses = new Map<number, number>();
  const stopping = new AbortController();
  async function write(): Promise<void> {
    while (!stopping.signal.aborted) {
      const email = `${randomUUID()}@shop.example`;
      for (let done = false; !done && !stopping.signal.aborted; ) {
        const answer = await load
          .send({
            baseUrl: api.baseUrl,
            key: tenant.liveKey,
            path: '/api/v1/users',
            body: { email },
            headers: { 'idempotency-key': email },
          })
          .catch(() => ({ status: 0 }));
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        done = answer.status === 201;
        if (done) acknowledged.push({ email, at: performance.now() });
        else await sleep(100);
      }
      await sleep(250);
    }
  }
  const writers = Array.from({ length: clients }, write);
  return {
    acknowledged,
    statuses,
    async stop() {
      stopping.abort();
      await Promise.all(writers);
      load.close();
    },
  };
}

async function status(api: ApiProcess, path: string): Promise<{ status: number; ms: number }> {
  const started = performance.now();
  const answer = await fetch(api.baseUrl + path);
  await answer.arrayBuffer();
  return { status: answer.status, ms: performance.now() - started };
}

const count = (service: ServiceProcess, message: string): number =>
  service.logLines.filter((line) => line.includes(`"msg":"${message}`)).length;

async function expectWrittenOnce(acknowledged: { email: string }[]): Promise<void> {
  const rows = await app.database.asSuperuser<{ email: string; n: number }>(
    'select email, count(*)::int as n from member where tenant_id = $1 group by email',
    [tenant.tenantId],
  );
  const stored = new Map(rows.map(({ email, n }) => [email, n]));
  expect(acknowledged.filter(({ email }) => stored.get(email) !== 1)).toEqual([]);
  expect(rows.filter(({ n }) => n !== 1)).toEqual([]);
}

/** How long after the fault, or its end, the last gap without an acknowledged write ended. */
function recoveryOf(acknowledged: { at: number }[], faultAt: number): number {
  return (acknowledged.find(({ at }) => at > faultAt)?.at ?? Number.POSITIVE_INFINITY) - faultAt;
}

describe('the API', () => {
  test('answers again within ten seconds when its connections go mute and new ones work', async () => {
    const api = await startApi();
    const writing = startWriting(api, 8);
    await eventually(async () => writing.acknowledged.length > 20);
    const faultAt = performance.now();
    proxy.mute();
    await sleep(1_000);
    const early = await Promise.all([status(api, '/readyz'), status(api, '/healthz')]);
    expect(early[0].status).toBe(503);
    expect(early[0].ms).toBeLessThan(2_000);
    expect(early[1].status).toBe(200);
    await sleep(RECOVERY_MS + 1_000);
    await writing.stop();
    expect(recoveryOf(writing.acknowledged, faultAt + 200)).toBeLessThan(RECOVERY_MS);
    expect((await status(api, '/readyz')).status).toBe(200);
    // 409: the first request of a key may still be running when its client asks again.
    expect([...writing.statuses.keys()].filter((one) => ![201, 409, 503].includes(one))).toEqual([]);
    await expectWrittenOnce(writing.acknowledged);
    await eventually(async () => count(api, BACK) === 1, 5_000);
    expect(count(api, AWAY)).toBe(1);
  });

  test('answers again within ten seconds of the moment when new connections work, which were mute too', async () => {
    const api = await startApi();
    const writing = startWriting(api, 8);
    await eventually(async () => writing.acknowledged.length > 20);
    proxy.mute('new');
    await sleep(12_000);
    const healedAt = performance.now();
    proxy.heal();
    await sleep(RECOVERY_MS + 1_000);
    await writing.stop();
    expect(recoveryOf(writing.acknowledged, healedAt)).toBeLessThan(RECOVERY_MS);
    await expectWrittenOnce(writing.acknowledged);
    await eventually(async () => count(api, BACK) === 1, 5_000);
    expect(count(api, AWAY)).toBe(1);
  });

  test('ends on SIGTERM while every connection is mute', async () => {
    const api = await startApi();
    const writing = startWriting(api, 8);
    await eventually(async () => writing.acknowledged.length > 5);
    proxy.mute('new');
    await sleep(500);
    const asked = performance.now();
    api.child.kill('SIGTERM');
    const { code } = await api.exited;
    expect(performance.now() - asked).toBeLessThan(4_000 + 5_000);
    expect(code).toBe(1);
    await writing.stop();
  });
});

test('a process that starts while the server has no connection to spare waits for one, and can be ended', async () => {
  const other = new pg.Client({ connectionString: app.database.ownerUrl });
  await other.connect();
  // There are more already.
  await app.database.asSuperuser(`alter database ${app.database.name} connection limit 1`);
  try {
    const [waiting, ended] = [1, 2].map(() => startServiceProcess(app, 'worker.ts', settings()));
    if (!waiting || !ended) throw new Error('no processes');
    running.push(waiting, ended);
    await Promise.all([waiting, ended].map((one) => one.logs('the database has no connection to spare')));
    ended.child.kill('SIGTERM');
    expect(await ended.exited).toEqual({ code: 0, signal: null });
    await sleep(3_000);
    expect(count(waiting, 'the database has no connection to spare')).toBe(1);
    await app.database.asSuperuser(`alter database ${app.database.name} connection limit -1`);
    await waiting.logs('background jobs are running');
  } finally {
    await other.end();
    await app.database.asSuperuser(`alter database ${app.database.name} connection limit -1`);
  }
});

describe('the worker', () => {
  test('seals and folds again within ten seconds when its connections go mute', async () => {
    const worker = startServiceProcess(app, 'worker.ts', settings());
    running.push(worker);
    await worker.logs('started');
    const unsealed = async (): Promise<number> => {
      const [row] = await app.database.asSuperuser<{ n: number }>('select count(*)::int as n from audit_unsealed');
      return row?.n ?? -1;
    };
    const unfolded = async (): Promise<number> => {
      const [row] = await app.database.asSuperuser<{ n: number }>('select count(*)::int as n from downline_pending');
      return row?.n ?? -1;
    };
    const post = async (path: string, body: object): Promise<string> => {
      const made = await app.http.post(path).set('x-tenant-api-key', tenant.liveKey).send(body);
      expect(made.status, made.text).toBe(201);
      return (made.body as { id: string }).id;
    };
    const sponsor = await post('/api/v1/users', { email: `${randomUUID()}@x.example` });
    const act = async (): Promise<void> => {
      await post('/api/v1/admin/api-keys', { name: 'mute', scopes: ['users:read'] });
      await post('/api/v1/users', { email: `${randomUUID()}@x.example`, parent_id: sponsor });
      expect(await unsealed()).toBe(1);
      expect(await unfolded()).toBeGreaterThan(0);
    };
    const isDone = async (): Promise<boolean> => (await unsealed()) === 0 && (await unfolded()) === 0;
    await eventually(isDone, 20_000);
    const faultAt = performance.now();
    proxy.mute();
    await act();
    await eventually(isDone, 30_000);
    expect(performance.now() - faultAt).toBeLessThan(RECOVERY_MS);
    await eventually(async () => count(worker, BACK) === 1, 5_000);
    expect(count(worker, AWAY)).toBe(1);
  });

  test('ends on SIGTERM while every connection is mute', async () => {
    const worker = startServiceProcess(app, 'worker.ts', settings());
    running.push(worker);
    await worker.logs('started');
    proxy.mute('new');
    await sleep(2_000);
    const asked = performance.now();
    worker.child.kill('SIGTERM');
    const { code } = await worker.exited;
    expect(performance.now() - asked).toBeLessThan(4_000 + 5_000);
    expect(code).toBe(1);
    expect(count(worker, 'ended by force')).toBe(1);
  });
});
