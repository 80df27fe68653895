/** What is sent, to whom and how often (docs/specification/webhooks.md#attempts), against real receivers. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { sealEvents } from '../../../src/features/webhooks/log/seal-events.ts';
import { apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { eventually } from '../../support/jobs/test-jobs.ts';
import { type FakeReceiver, startFakeReceiver, verifies } from '../../support/webhooks/fake-receiver.ts';
import {
  forgetTold,
  listAttempts,
  listDeliveries,
  plantEndpoint,
  plantEvents,
  rotateSecret,
  silenceEndpoints,
} from '../../support/webhooks/plant-webhooks.ts';
import { createSendWorker, whileSending } from '../../support/webhooks/send-worker.ts';

let app: TestApp;
let scope: Scope;
let liveKey: string;
let receiver: FakeReceiver;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  receiver = await startFakeReceiver();
  const tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  liveKey = tenant.liveKey;
  await forgetTold(app, scope);
});
afterEach(async () => {
  receiver.close();
  await silenceEndpoints(app);
});

const countOf = async (status: string, of: Scope = scope): Promise<number> =>
  (await listDeliveries(app, of)).filter((one) => one.status === status).length;
const untilDelivered = (count: number, of: Scope = scope): Promise<void> =>
  eventually(async () => (await countOf('delivered', of)) === count);
const sequences = (): number[] =>
  receiver.received.map(({ body }) => (JSON.parse(body) as { sequence: number }).sequence).toSorted((a, b) => a - b);

interface Hour {
  from: string;
  delivered: number;
  failed: number;
}
interface EndpointState {
  enabled: boolean;
  disabled_reason: string | null;
  failing_since: Date | null;
  next_at: Date | null;
  leased_by: string | null;
}
async function endpointOf(id: string): Promise<EndpointState | undefined> {
  const [row] = await app.database.asSuperuser<EndpointState>('select * from webhook_endpoint where id = $1', [id]);
  return row;
}

describe('events', () => {
  test('arrive signed, with their numbers, once', async () => {
    const { id, secret } = await plantEndpoint(app, scope, { url: receiver.url, headers: { 'X-Shop': 'one' } });
    const ids = await plantEvents(app, scope, 3);
    receiver.reply = () => ({ status: 200, body: 'thank\0you' });
    await whileSending(createSendWorker(app, [receiver]), () => untilDelivered(3));
    expect(receiver.idsOf().toSorted()).toEqual(ids);
    expect(receiver.received.every((one) => verifies(one, secret))).toBe(true);
    expect(receiver.received[0]?.headers).toMatchObject({ 'content-type': 'application/json', 'x-shop': 'one' });
    expect(sequences()).toEqual([1, 2, 3]);
    expect(await listAttempts(app, scope)).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining({ number: 1, status: 200, fault: null, answer: 'thank\uFFFDyou' })),
    );
    expect(await endpointOf(id)).toMatchObject({ enabled: true, failing_since: null, next_at: null, leased_by: null });
  });

  test('go to those endpoints of their own scope that hear the type, however many workers there are', async () => {
    const other: Scope = { tenantId: (await app.newTenant()).tenantId, environment: 'LIVE' };
    const at = (path: string): string => receiver.url.replace('/hooks', path);
    await plantEndpoint(app, scope, { url: at('/all') });
    await plantEndpoint(app, scope, { url: at('/payouts'), eventTypes: ['payout.*'] });
    await plantEndpoint(app, { ...scope, environment: 'SANDBOX' }, { url: at('/sandbox') });
    await plantEndpoint(app, other, { url: at('/other') });
    const ids = await plantEvents(app, scope, 120);
    const paid = await plantEvents(app, scope, 30, { type: 'payout.paid' });
    await whileSending(createSendWorker(app, [receiver]), () =>
      whileSending(createSendWorker(app, [receiver]), () => untilDelivered(180)),
    );
    expect(receiver.idsOf('/all').toSorted()).toEqual([...ids, ...paid].toSorted());
    expect(receiver.idsOf('/payouts').toSorted()).toEqual(paid);
    expect(receiver.received).toHaveLength(180);
  });

  test('that come while a sender is at work are sent too, four at once and no more', async () => {
    await plantEndpoint(app, scope, { url: receiver.url });
    receiver.reply = () => ({ status: 200, afterMs: 15 });
    await whileSending(createSendWorker(app, [receiver]), async () => {
      for (let round = 0; round < 8; round++) await plantEvents(app, scope, 20);
      await untilDelivered(160);
    });
    expect(new Set(receiver.idsOf()).size).toBe(160);
    expect(receiver.received).toHaveLength(160);
    expect(receiver.mostAtOnce()).toBe(4);
    expect(new Set(receiver.received.map(({ port }) => port)).size).toBeLessThan(80);
  });

  test('whose person was erased are sent without the object', async () => {
    await plantEndpoint(app, scope, { url: receiver.url });
    const [id] = await plantEvents(app, scope, 1);
    await app.database.asSuperuser("update outgoing_event set data = null, left_out = '{data}' where id = $1", [id]);
    await whileSending(createSendWorker(app, [receiver]), () => untilDelivered(1));
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ id, data: null, leftOut: ['data'] });
  });

  test('whose person is erased while a sender has them in hand are sent without the object behind its next look', async () => {
    await plantEndpoint(app, scope, { url: receiver.url });
    await plantEvents(app, scope, 60);
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    receiver.reply = () => ({ status: 200, after: held });
    await whileSending(createSendWorker(app, [receiver]), async () => {
      await eventually(async () => receiver.received.length === 4);
      await app.database.asSuperuser("update outgoing_event set data = null, left_out = '{data}' where tenant_id = $1", [
        scope.tenantId,
      ]);
      answer();
      await untilDelivered(60);
    });
    const whole = receiver.received.map(({ body }) => (JSON.parse(body) as { data: unknown }).data !== null);
    expect(receiver.received).toHaveLength(60);
    expect(whole.lastIndexOf(true)).toBeLessThan(50);
    expect(JSON.parse(receiver.received.at(-1)?.body ?? '')).toMatchObject({ data: null, leftOut: ['data'] });
  });

  test('of 256 kB each arrive whole', async () => {
    await plantEndpoint(app, scope, { url: receiver.url });
    await plantEvents(app, scope, 12, { data: { text: 'ä'.repeat(127_000) } });
    await whileSending(createSendWorker(app, [receiver]), () => untilDelivered(12));
    expect(new Set(receiver.received.map(({ body }) => body.length > 127_000))).toEqual(new Set([true]));
    expect(sequences()).toHaveLength(12);
  });
});

test('attempts are counted by the hour in which they were made, and an endpoint shows the last 24 hours', async () => {
  const HOUR_MS = 3_600_000;
  const { id } = await plantEndpoint(app, scope, { url: receiver.url });
  await plantEndpoint(app, scope, { url: receiver.url.replace('/hooks', '/another'), eventTypes: ['lead.captured'] });
  const [arrives] = await plantEvents(app, scope, 2);
  // What fails is not tried again by itself, however long the test takes.
  receiver.reply = ({ id: eventId }) =>
    eventId === arrives ? { status: 204 } : { status: 500, headers: { 'retry-after': '3600' } };
  await whileSending(createSendWorker(app, [receiver]), () =>
    eventually(async () => (await listAttempts(app, scope)).length === 2),
  );
  const { body } = await apiClient(app, liveKey).get('/api/v1/webhook-endpoints?with=hours');
  const { [id]: hours = [], ...others } = Object.fromEntries(
    (body.data as { id: string; hours: Hour[] }[]).map((endpoint) => [endpoint.id, endpoint.hours]),
  );
  const counts = (all: readonly Hour[]) => all.map(({ delivered, failed }) => ({ delivered, failed }));
  const nothing = Array.from({ length: 24 }, () => ({ delivered: 0, failed: 0 }));
  expect(Object.values(others).map(counts)).toEqual([nothing]);
  const last = Math.floor(Date.parse(hours.at(-1)?.from ?? '') / HOUR_MS);
  expect(hours.map(({ from }) => Date.parse(from))).toEqual(Array.from({ length: 24 }, (_, n) => (last - 23 + n) * HOUR_MS));
  // An hour may have begun since.
  const made = await app.database.asSuperuser<{ at: Date; status: number }>(
    'select at, status from webhook_attempt where tenant_id = $1 order by status',
    [scope.tenantId],
  );
  const expected = [...nothing];
  for (const { at, status } of made) {
    const index = 23 - last + Math.floor(at.getTime() / HOUR_MS);
    const { delivered, failed } = expected[index] ?? { delivered: 0, failed: 0 };
    expected[index] = status === 204 ? { delivered: delivered + 1, failed } : { delivered, failed: failed + 1 };
  }
  expect(made.map(({ status }) => status)).toEqual([204, 500]);
  expect(counts(hours)).toEqual(expected);
});

describe('what is due', () => {
  test("is named with each tenant's first before anybody's second", async () => {
    const other: Scope = { tenantId: (await app.newTenant()).tenantId, environment: 'LIVE' };
    const due = async (of: Scope, at: string): Promise<void> => {
      const { id } = await plantEndpoint(app, of, { url: receiver.url });
      await app.database.asSuperuser('update webhook_endpoint set next_at = $2 where id = $1', [id, at]);
    };
    for (const year of ['2000', '2001', '2002']) await due(scope, `${year}-01-01`);
    await due(other, '2003-01-01');
    const named = await app.database.asSuperuser<{ tenant_id: string }>(
      'select tenant_id from webhooks_due(2) where endpoint_id is not null and environment = $1',
      ['LIVE'],
    );
    expect(named.map(({ tenant_id: id }) => id).toSorted()).toEqual([scope.tenantId, other.tenantId].toSorted());
    await app.database.asSuperuser('update webhook_endpoint set next_at = null where tenant_id = any ($1)', [
      [scope.tenantId, other.tenantId],
    ]);
  });

  test('is numbered in steps of so many deliveries, however many endpoints hear of it', async () => {
    for (let n = 0; n < 5; n++) await plantEndpoint(app, scope, { url: receiver.url });
    await plantEvents(app, scope, 1_000);
    const seal = () => app.composition.background.frames.write(scope, (db) => sealEvents(db, scope));
    expect([await seal(), await seal(), await seal()]).toEqual([800, 200, 0]);
    expect(await countOf('waiting')).toBe(5_000);
  });
});

describe('a secret', () => {
  test('that is replaced under load goes on verifying until its overlap ends (O-4)', async () => {
    const { id, secret: old } = await plantEndpoint(app, scope, { url: receiver.url });
    let fresh = '';
    await whileSending(createSendWorker(app, [receiver]), async () => {
      await plantEvents(app, scope, 100);
      await eventually(async () => receiver.received.length > 20);
      fresh = await rotateSecret(app, scope, id, 3_600);
      await plantEvents(app, scope, 100);
      await untilDelivered(200);
      await app.database.asSuperuser(
        "update webhook_endpoint set old_secret_until = now() - interval '1 second', updated_at = clock_timestamp() where id = $1",
        [id],
      );
      await eventually(async () => (await endpointOf(id))?.leased_by === null);
      await plantEvents(app, scope, 1);
      await untilDelivered(201);
    });
    const rotatedAt = receiver.received.findIndex((one) => verifies(one, fresh));
    expect(rotatedAt).toBeGreaterThan(0);
    const last = receiver.received.at(-1);
    if (!last) throw new Error('nothing came');
    expect([verifies(last, old), verifies(last, fresh)]).toEqual([false, true]);
    for (const one of receiver.received.slice(0, -1)) expect(verifies(one, old)).toBe(true);
    expect(receiver.received.filter((one) => verifies(one, fresh) && verifies(one, old)).length).toBeGreaterThan(99);
  });
});

describe('meanwhile', () => {
  /** One event is on its way, and its receiver takes its time. */
  async function whileOnItsWay(change: (endpointId: string) => Promise<unknown>, then: () => Promise<void>): Promise<string> {
    const { id } = await plantEndpoint(app, scope, { url: receiver.url });
    await plantEvents(app, scope, 1);
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    receiver.reply = () => ({ status: 200, after: held });
    await whileSending(createSendWorker(app, [receiver]), async () => {
      await eventually(async () => receiver.received.length === 1);
      await change(id);
      answer();
      await then();
    });
    return id;
  }

  test('an endpoint that is disabled gets nothing more, and what was sent is stored', async () => {
    const id = await whileOnItsWay(
      async (endpointId) => {
        await app.database.asSuperuser(
          "update webhook_endpoint set enabled = false, disabled_reason = 'by_hand', updated_at = clock_timestamp() where id = $1",
          [endpointId],
        );
        await plantEvents(app, scope, 1);
      },
      () => untilDelivered(1),
    );
    expect([receiver.received.length, await countOf('waiting')]).toEqual([1, 0]);
    expect(await endpointOf(id)).toMatchObject({ enabled: false, leased_by: null });
  });

  test('an endpoint that is deleted, whose waiting deliveries are cancelled, keeps its last attempt', async () => {
    await whileOnItsWay(
      async (endpointId) => {
        await app.database.asSuperuser(
          `update webhook_endpoint set enabled = false, deleted_at = now(), secret_sealed = null, updated_at = clock_timestamp() where id = $1`,
          [endpointId],
        );
        await app.database.asSuperuser(
          "update webhook_delivery set status = 'cancelled', next_at = null, settled_at = now() where endpoint_id = $1",
          [endpointId],
        );
      },
      () => untilDelivered(1),
    );
    expect(await listAttempts(app, scope)).toMatchObject([{ status: 200 }]);
  });

  test('a 410 of the address before, and a failure, say nothing of an endpoint that was changed', async () => {
    const { id } = await plantEndpoint(app, scope, { url: receiver.url.replace('/hooks', '/old') });
    await plantEvents(app, scope, 1);
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    receiver.reply = ({ path }) => (path === '/old' ? { status: 410, after: held } : { status: 200 });
    await whileSending(createSendWorker(app, [receiver]), async () => {
      await eventually(async () => receiver.received.length === 1);
      await app.database.asSuperuser('update webhook_endpoint set url = $2, updated_at = clock_timestamp() where id = $1', [
        id,
        receiver.url,
      ]);
      answer();
      await eventually(async () => (await listAttempts(app, scope)).length === 1);
      expect(await endpointOf(id)).toMatchObject({ enabled: true, failing_since: null });
    });
  });

  test('a lease that is lost stores nothing: the next sends it again, under the same id', async () => {
    const thief = '019acd5e-0000-7000-8000-00000000dead';
    const before = app.logLines.length;
    await whileOnItsWay(
      (endpointId) => app.database.asSuperuser('update webhook_endpoint set leased_by = $2 where id = $1', [endpointId, thief]),
      async () => {
        await eventually(async () => app.logLines.slice(before).some((line) => line.includes('webhooks sent')));
        expect(await listAttempts(app, scope)).toEqual([]);
        await app.database.asSuperuser(
          "update webhook_endpoint set leased_until = now() - interval '1 second' where leased_by = $1",
          [thief],
        );
        await untilDelivered(1);
      },
    );
    expect(new Set(receiver.idsOf()).size).toBe(1);
    expect(receiver.received).toHaveLength(2);
    expect(await listAttempts(app, scope)).toMatchObject([{ number: 1, status: 200 }]);
  });

  test('a delivery that is asked for anew stays so when the attempt on its way fails', async () => {
    const { id } = await plantEndpoint(app, scope, { url: receiver.url });
    await plantEvents(app, scope, 1);
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    // Not tried again by itself, however long the test takes to ask for it.
    const busy = { status: 503, headers: { 'retry-after': '3600' } };
    receiver.reply = (_, times) => (times === 1 ? busy : times === 2 ? { status: 500, after: held } : { status: 200 });
    await whileSending(createSendWorker(app, [receiver]), async () => {
      await eventually(async () => receiver.received.length === 1 && (await listAttempts(app, scope)).length === 1);
      await makeDue(id);
      await eventually(async () => receiver.received.length === 2);
      await app.database.asSuperuser('update webhook_delivery set tries = 0, next_at = now() where endpoint_id = $1', [id]);
      answer();
      await untilDelivered(1);
    });
    expect(await listDeliveries(app, scope)).toMatchObject([{ attempt_count: 3, tries: 1 }]);
  });
});

/** Sets back what waits. */
async function makeDue(endpointId: string): Promise<void> {
  await eventually(async () => (await endpointOf(endpointId))?.leased_by === null);
  await app.database.asSuperuser("update webhook_delivery set next_at = now() where endpoint_id = $1 and status = 'waiting'", [
    endpointId,
  ]);
  await app.database.asSuperuser('update webhook_endpoint set next_at = now() where id = $1', [endpointId]);
}
