/**
 * O-1 (docs/specification/reliability.md#o-1): receivers that fail (docs/specification/webhooks.md#attempts,
 * docs/specification/webhooks.md#disabling). O-5 (docs/specification/reliability.md#o-5): addresses that lead inwards
 * (docs/specification/identity.md#outgoing).
 */
import type { LookupAddress } from 'node:dns';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { eventually } from '../../support/jobs/test-jobs.ts';
import { type FakeReceiver, type Reply, startFakeReceiver } from '../../support/webhooks/fake-receiver.ts';
import {
  forgetTold,
  listAttempts,
  listDeliveries,
  type PlantedAttempt,
  plantEndpoint,
  plantEvents,
  silenceEndpoints,
} from '../../support/webhooks/plant-webhooks.ts';
import { createSendWorker, whileSending } from '../../support/webhooks/send-worker.ts';
import { sealAll } from '../../support/webhooks/told-events.ts';

let app: TestApp;
let scope: Scope;
let client: ApiClient;
let receiver: FakeReceiver;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  receiver = await startFakeReceiver();
  const { tenantId, sandboxKey } = await app.newTenant();
  scope = { tenantId, environment: 'SANDBOX' };
  client = apiClient(app, sandboxKey);
  await forgetTold(app, scope);
});
afterEach(async () => {
  receiver.close();
  await silenceEndpoints(app);
});

/** The SANDBOX's clock stands still from now on, save for being moved so. */
async function moveClock(seconds: number): Promise<void> {
  await app.database.asSuperuser(
    `insert into sandbox_clock (tenant_id, environment, frozen_at) values ($1, 'SANDBOX', now() + make_interval(secs => $2))
     on conflict (tenant_id, environment) do update set frozen_at = sandbox_clock.frozen_at + make_interval(secs => $2)`,
    [scope.tenantId, seconds],
  );
}

const untilAttempts = (count: number): Promise<void> =>
  eventually(async () => (await listAttempts(app, scope)).length === count && (await areAllFree()));
const areAllFree = async (): Promise<boolean> => (await countHeld()) === 0;
/** Endpoints of the tenant that a sender holds. */
async function countHeld(): Promise<number> {
  const held = await app.database.asSuperuser('select from webhook_endpoint where leased_by is not null and tenant_id = $1', [
    scope.tenantId,
  ]);
  return held.length;
}
/** What a worker would find to do in the scope. */
async function dueNow(): Promise<number> {
  const due = await app.database.asSuperuser('select from webhooks_due(100) where tenant_id = $1', [scope.tenantId]);
  return due.length;
}

async function endpointOf(id: string): Promise<Record<string, unknown> | undefined> {
  const [row] = await app.database.asSuperuser('select * from webhook_endpoint where id = $1', [id]);
  return row;
}

describe('a receiver that fails (O-1)', () => {
  const HOUR = 3_600;

  test('always is tried ten times in about 76 hours of the SANDBOX, and no more', async () => {
    await moveClock(0);
    await plantEndpoint(app, scope, { url: receiver.url });
    await plantEvents(app, scope, 1);
    receiver.reply = () => ({ status: 500 });
    const gaps: number[] = [];
    await whileSending(createSendWorker(app, [receiver]), async () => {
      for (let attempt = 1; attempt < 10; attempt++) {
        await untilAttempts(attempt);
        const [delivery] = await listDeliveries(app, scope);
        expect(delivery).toMatchObject({ status: 'waiting', tries: attempt, attempt_count: attempt });
        const gap = delivery?.due_in ?? 0;
        gaps.push(gap);
        await moveClock(gap - 0.5);
        expect(await dueNow()).toBe(0);
        await moveClock(0.5);
      }
      await untilAttempts(10);
      expect(await listDeliveries(app, scope)).toMatchObject([{ status: 'failed', tries: 10, due_in: null }]);
      await moveClock(100 * HOUR);
      expect(await dueNow()).toBe(0);
    });
    const wanted = [5, 300, 1_800, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
    for (const [index, gap] of gaps.entries()) {
      expect(gap).toBeGreaterThanOrEqual((wanted[index] ?? 0) * 0.8 - 0.001);
      expect(gap).toBeLessThanOrEqual((wanted[index] ?? 0) * 1.2 + 0.001);
    }
    expect(receiver.received).toHaveLength(10);
    expect(new Set(receiver.idsOf()).size).toBe(1);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  });

  const TROUBLES: Record<string, { reply: Reply; told: Partial<PlantedAttempt>; leastMs?: number }> = {
    '/500': { reply: { status: 500, body: 'sorry' }, told: { status: 500, fault: null, answer: 'sorry' } },
    '/301': { reply: { status: 301, headers: { location: '/elsewhere' } }, told: { status: 301, fault: 'redirect' } },
    '/308': { reply: { status: 308, headers: { location: '/elsewhere' } }, told: { status: 308, fault: 'redirect' } },
    '/304': { reply: { status: 304 }, told: { status: 304, fault: 'redirect' } },
    '/reset': { reply: 'reset', told: { status: null, fault: 'connection', answer: null } },
    '/cut': { reply: 'cut', told: { status: 200, fault: 'connection', answer: '{' } },
    '/silent': { reply: 'silent', told: { status: null, fault: 'timeout' }, leastMs: 14_900 },
    '/drip': { reply: 'drip', told: { status: null, fault: 'timeout' }, leastMs: 14_900 },
    '/drip-body': { reply: 'drip body', told: { status: 200, fault: 'timeout' }, leastMs: 14_900 },
    '/large-header': {
      reply: { status: 200, headers: { 'x-large': 'x'.repeat(20_000) } },
      told: { status: null, fault: 'too_large' },
    },
  };
  const ACCEPTED: Record<string, { reply: Reply; answer: string | null }> = {
    '/endless': { reply: 'endless', answer: 'x'.repeat(1_024) },
    '/binary': { reply: { status: 200, body: Buffer.from([0, 255, 65]) }, answer: '\uFFFD\uFFFDA' },
    '/cut-character': { reply: { status: 200, body: `${'x'.repeat(1_023)}ä` }, answer: 'x'.repeat(1_023) },
    '/compressed': { reply: { status: 200, headers: { 'content-encoding': 'gzip' }, body: 'x' }, answer: null },
    '/202': { reply: { status: 202 }, answer: '' },
  };

  test('in any way is told as it failed, and held for 15 seconds at most', async () => {
    const paths = new Map<string, string>();
    for (const path of [...Object.keys(TROUBLES), ...Object.keys(ACCEPTED)]) {
      paths.set((await plantEndpoint(app, scope, { url: receiver.url.replace('/hooks', path) })).id, path);
    }
    receiver.reply = ({ path }) => TROUBLES[path]?.reply ?? ACCEPTED[path]?.reply ?? 'reset';
    await moveClock(0);
    await plantEvents(app, scope, 1);
    await whileSending(createSendWorker(app, [receiver]), () => untilAttempts(paths.size));
    const attempts = await listAttempts(app, scope);
    for (const { id, endpoint_id: endpointId, status, tries } of await listDeliveries(app, scope)) {
      const path = paths.get(endpointId) ?? '';
      const attempt = attempts.find((one) => one.delivery_id === id);
      const trouble = TROUBLES[path];
      expect([path, status, tries]).toEqual([path, trouble ? 'waiting' : 'delivered', 1]);
      expect(attempt).toMatchObject(trouble?.told ?? { fault: null, answer: ACCEPTED[path]?.answer });
      expect(attempt?.ms).toBeGreaterThanOrEqual(trouble?.leastMs ?? 0);
      if (trouble?.leastMs !== undefined) expect(attempt?.ms).toBeLessThan(20_000);
    }
    expect(receiver.received.some(({ path }) => path === '/elsewhere')).toBe(false);
    // A reset of a connection that was new is not tried again at once.
    expect(receiver.idsOf('/reset')).toHaveLength(1);
  });

  test('is left alone for as long as it asks, whatever its answer is', async () => {
    await moveClock(0);
    await plantEndpoint(app, scope, { url: receiver.url });
    await plantEvents(app, scope, 2);
    receiver.reply = ({ id }) =>
      id === receiver.received[0]?.id
        ? { status: 429, headers: { 'retry-after': '7200' } }
        : { status: 500, headers: { 'retry-after': '900000' } };
    await whileSending(createSendWorker(app, [receiver]), () => untilAttempts(2));
    const waits = (await listDeliveries(app, scope)).map(({ due_in }) => due_in).toSorted((a, b) => (a ?? 0) - (b ?? 0));
    expect(waits).toEqual([7_200, 86_400]);
  });

  test('is tried again when its tenant moves the clock of the SANDBOX there, and not before', async () => {
    const move = async (by: object): Promise<void> => {
      const answer = await client.post('/api/v1/sandbox/clock', by);
      expect(answer.status, answer.text).toBe(200);
    };
    // So far ahead that the real time does not come there meanwhile.
    await move({ frozenAt: new Date(Date.now() + 86_400_000).toISOString() });
    await plantEndpoint(app, scope, { url: receiver.url });
    await plantEvents(app, scope, 1);
    receiver.reply = (_, times) => ({ status: times === 1 ? 500 : 204 });
    await whileSending(createSendWorker(app, [receiver]), async () => {
      await untilAttempts(1);
      await move({ advanceSeconds: 3 });
      expect(await dueNow()).toBe(0);
      await move({ advanceSeconds: 3 });
      await untilAttempts(2);
    });
    expect(await listDeliveries(app, scope)).toMatchObject([{ status: 'delivered', attempt_count: 2 }]);
  });

  test('and is well again is sent what has failed by a replay at once, and nothing else', async () => {
    await moveClock(0);
    const { id } = await plantEndpoint(app, scope, { url: receiver.url });
    const [arrived] = await plantEvents(app, scope, 1);
    await whileSending(createSendWorker(app, [receiver]), () => untilAttempts(1));
    receiver.reply = () => ({ status: 500 });
    const [failed] = await plantEvents(app, scope, 1);
    await whileSending(createSendWorker(app, [receiver]), () => untilAttempts(2));
    // Another was never tried, and is not to be while the replay is looked at.
    const [untried] = await plantEvents(app, scope, 1);
    await sealAll(app, scope);
    await app.database.asSuperuser("update webhook_delivery set next_at = next_at + interval '1 hour' where event_id = $1", [
      untried,
    ]);
    receiver.reply = () => ({ status: 204 });
    const day = {
      from: new Date(Date.now() - 86_400_000).toISOString(),
      to: new Date(Date.now() + 86_400_000).toISOString(),
    };
    const replayed = await client.post(`/api/v1/webhook-endpoints/${id}/replay`, { ...day, onlyFailed: true });
    expect([replayed.status, replayed.body]).toEqual([202, { count: 1 }]);
    await whileSending(createSendWorker(app, [receiver]), () => untilAttempts(3));
    expect(receiver.idsOf()).toEqual([arrived, failed, failed]);
    const statuses = new Map((await listDeliveries(app, scope)).map(({ event_id, status }) => [event_id, status]));
    expect([arrived, failed, untried].map((event) => statuses.get(event ?? ''))).toEqual(['delivered', 'delivered', 'waiting']);
  });

  /** An endpoint, and a way to let so many events arrive at it or fail, each at one attempt. */
  async function plantTried(): Promise<{ id: string; tryOnce: (events?: number) => Promise<void> }> {
    const { id } = await plantEndpoint(app, scope, { url: receiver.url });
    let attempts = 0;
    const tryOnce = async (events = 1): Promise<void> => {
      attempts += events;
      await plantEvents(app, scope, events);
      await untilAttempts(attempts);
      // What waits is not to be tried again while the clock moves on.
      await app.database.asSuperuser(
        "update webhook_delivery set next_at = next_at + interval '1 year' where tenant_id = $1 and status = 'waiting'",
        [scope.tenantId],
      );
      await app.database.asSuperuser('update webhook_endpoint set next_at = null where id = $1', [id]);
    };
    return { id, tryOnce };
  }

  test('for five days is disabled, and its tenant is told; one success in between begins anew', async () => {
    await moveClock(0);
    const { id, tryOnce } = await plantTried();
    let ok = false;
    receiver.reply = () => ({ status: ok ? 200 : 500 });
    const tryFor = async (hours: readonly number[]): Promise<void> => {
      for (const gap of hours) {
        await moveClock(gap * HOUR);
        await tryOnce();
      }
    };
    const ALMOST = [0, 30, 30, 30, 29];
    await whileSending(createSendWorker(app, [receiver]), async () => {
      await tryFor(ALMOST);
      expect(await endpointOf(id)).toMatchObject({ enabled: true });
      ok = true;
      await tryOnce();
      expect(await endpointOf(id)).toMatchObject({ enabled: true, failing_since: null });
      ok = false;
      await tryFor(ALMOST);
      expect(await endpointOf(id)).toMatchObject({ enabled: true });
      await tryFor([2]);
    });
    expect(await endpointOf(id)).toMatchObject({ enabled: false, disabled_reason: 'failing' });
    expect(await toldOfDisabling(id)).toEqual([{ reason: 'failing' }]);
  });

  test('for a day, and is sent nothing for a month, has not failed for five days', async () => {
    await moveClock(0);
    const { id, tryOnce } = await plantTried();
    receiver.reply = () => ({ status: 503 });
    await whileSending(createSendWorker(app, [receiver]), async () => {
      await tryOnce(10);
      const { failing_since: first } = (await endpointOf(id)) ?? {};
      await moveClock(30 * 24 * HOUR);
      await plantEvents(app, scope, 1);
      await untilAttempts(11);
      const { enabled, failing_since: since } = (await endpointOf(id)) ?? {};
      expect([enabled, Number(since) - Number(first)]).toEqual([true, 30 * 24 * HOUR * 1_000]);
      await moveClock(10);
      await untilAttempts(12);
      expect(await endpointOf(id)).toMatchObject({ enabled: true, failing_since: since });
    });
  });

  test('with 410 is disabled at once, and what waits for it goes on waiting', async () => {
    const { id } = await plantEndpoint(app, scope, { url: receiver.url, eventTypes: ['member.*'] });
    receiver.reply = () => ({ status: 410, afterMs: 30 });
    await plantEvents(app, scope, 60);
    await whileSending(createSendWorker(app, [receiver]), () =>
      eventually(async () => (await endpointOf(id))?.['enabled'] === false && (await areAllFree())),
    );
    expect(await endpointOf(id)).toMatchObject({ disabled_reason: 'gone', next_at: expect.any(Date) });
    const deliveries = await listDeliveries(app, scope);
    expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set(['waiting']));
    expect(receiver.received.length).toBeLessThan(60);
    expect(await toldOfDisabling(id)).toEqual([{ reason: 'gone' }]);
    receiver.reply = () => ({ status: 200 });
    await app.database.asSuperuser(
      'update webhook_endpoint set enabled = true, disabled_reason = null, disabled_at = null, next_at = now() where id = $1',
      [id],
    );
    await app.database.asSuperuser("update webhook_delivery set next_at = now() where endpoint_id = $1 and status = 'waiting'", [
      id,
    ]);
    await whileSending(createSendWorker(app, [receiver]), () =>
      eventually(async () => (await listDeliveries(app, scope)).every(({ status }) => status === 'delivered')),
    );
  });

  test('holds up no other: a thousand that wait for it, and one for another', async () => {
    await plantEndpoint(app, scope, { url: receiver.url.replace('/hooks', '/dead') });
    receiver.reply = ({ path }) => ({ status: path === '/dead' ? 503 : 200 });
    await plantEvents(app, scope, 1_000);
    const other: Scope = { tenantId: (await app.newTenant()).tenantId, environment: 'LIVE' };
    await plantEndpoint(app, other, { url: receiver.url });
    await whileSending(createSendWorker(app, [receiver]), async () => {
      await eventually(async () => receiver.idsOf('/dead').length > 10);
      await plantEvents(app, other, 50);
      await eventually(async () => receiver.idsOf('/hooks').length === 50);
    });
    expect(receiver.idsOf('/dead').length).toBeLessThan(1_000);
  });
});

describe('receivers that never answer', () => {
  /** The places of one tenant. */
  const PLACES = 32;

  test('as many as fill all places of their tenant hold up no other tenant', async () => {
    const silent = await startFakeReceiver();
    const { promise: end, resolve: answerAll } = Promise.withResolvers<void>();
    silent.reply = () => ({ status: 204, after: end });
    const counts = { LIVE: 50, SANDBOX: 14 } as const;
    for (const environment of ['LIVE', 'SANDBOX'] as const) {
      const own: Scope = { tenantId: scope.tenantId, environment };
      for (let n = 0; n < counts[environment]; n++) await plantEndpoint(app, own, { url: silent.url });
      await plantEvents(app, own, 1);
    }
    const other: Scope = { tenantId: (await app.newTenant()).tenantId, environment: 'LIVE' };
    await forgetTold(app, other);
    await plantEndpoint(app, other, { url: receiver.url });
    try {
      await whileSending(createSendWorker(app, [receiver, silent]), async () => {
        try {
          await eventually(async () => (await countHeld()) >= PLACES && silent.received.length >= PLACES);
          await plantEvents(app, other, 1);
          // Less than it takes until one of the others is given up.
          await eventually(async () => receiver.received.length === 1);
          expect(await countHeld()).toBeLessThanOrEqual(PLACES);
        } finally {
          answerAll();
        }
      });
    } finally {
      silent.close();
    }
  });
});

/** What the audit log says of it, where it was told as well. */
async function toldOfDisabling(id: string): Promise<unknown[]> {
  const told = await app.database.asSuperuser(
    "select actor from outgoing_event where tenant_id = $1 and type = 'webhook_endpoint.disabled' and object_id = $2",
    [scope.tenantId, id],
  );
  expect(told).toEqual([{ actor: 'system' }]);
  const entries = await app.database.asSuperuser<{ details: unknown }>(
    "select details from audit_log where tenant_id = $1 and action = 'webhook_endpoint.disabled' and object_id = $2",
    [scope.tenantId, id],
  );
  return entries.map(({ details }) => details);
}

describe('an address (O-5)', () => {
  /** Names that lead elsewhere at each look-up. */
  function names(...answers: string[]) {
    const asked: string[] = [];
    const resolve = (host: string, _options: unknown, done: (error: null, addresses: LookupAddress[]) => void): void => {
      const address = answers[Math.min(asked.length, answers.length - 1)] ?? '';
      asked.push(host);
      done(null, [{ address, family: address.includes(':') ? 6 : 4 }]);
    };
    return { asked, resolve };
  }

  test.each<[what: string, url: string, addresses: string[]]>([
    ['that is private', 'https://10.0.0.1/hooks', ['8.8.8.8']],
    ['of the loopback', 'https://127.0.0.1/hooks', ['8.8.8.8']],
    ['of the metadata service', 'https://169.254.169.254/latest', ['8.8.8.8']],
    ['of plain HTTP', 'http://hooks.test/hooks', ['8.8.8.8']],
    ['of another port', 'https://hooks.test:8443/hooks', ['8.8.8.8']],
    ['whose name leads inwards', 'https://hooks.test/hooks', ['127.0.0.1']],
    ['whose name leads inwards in IPv6', 'https://hooks.test/hooks', ['::1']],
  ])('%s is not connected to', async (_what, url, addresses) => {
    await moveClock(0);
    await plantEndpoint(app, scope, { url });
    await plantEvents(app, scope, 1);
    const { resolve } = names(...addresses);
    await whileSending(createSendWorker(app, [receiver], { resolve }), () => untilAttempts(1));
    expect(await listAttempts(app, scope)).toMatchObject([{ status: null, fault: 'blocked_address', answer: null }]);
    expect(receiver.received).toEqual([]);
  });

  test('whose name leads inwards only later is looked up again by the next attempt, and not connected to', async () => {
    await moveClock(0);
    await plantEndpoint(app, scope, { url: 'https://hooks.test/hooks' });
    await plantEvents(app, scope, 1);
    // Of an allowed network that answers nothing: the connection is refused or runs out of time.
    const rebinding = names('192.0.9.1', '127.0.0.1');
    await whileSending(createSendWorker(app, [receiver], { resolve: rebinding.resolve }), async () => {
      await untilAttempts(1);
      await moveClock(10);
      await untilAttempts(2);
    });
    expect(rebinding.asked).toEqual(['hooks.test', 'hooks.test']);
    expect((await listAttempts(app, scope))[1]).toMatchObject({ fault: 'blocked_address' });
    expect(receiver.received).toEqual([]);
  });
});
