/**
 * O-3 (docs/specification/reliability.md#o-3): senders of events killed with -9 again and again. O-2
 * (docs/specification/reliability.md#o-2): a receiver that was away with ten thousand events waiting.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../src/db/scope.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.ts';
import { eventually, startWorkerProcess } from '../support/jobs/test-jobs.ts';
import { type FakeReceiver, startFakeReceiver } from '../support/webhooks/fake-receiver.ts';
import { forgetTold, listAttempts, plantEndpoint, plantEvents } from '../support/webhooks/plant-webhooks.ts';
import { createSendWorker, whileSending } from '../support/webhooks/send-worker.ts';

const KILLS = Number(process.env['WEBHOOK_KILLS'] ?? 50);
/** Where a sender is killed, in turn; else at any time. */
const POINTS = ['webhook:leased', 'webhook:sent', 'webhook:stored', undefined, undefined];
const EVENTS_A_ROUND = 40;
/** Each kill starts a program, and may leave a lease that runs out by itself. */
const LONGEST_MS = 60_000 + KILLS * 10_000;

let database: TestDatabase;
let app: TestApp;
beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApp({}, database);
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

async function newScope(environment: Scope['environment']): Promise<Scope> {
  const { tenantId } = await app.newTenant();
  await forgetTold(app, { tenantId });
  return { tenantId, environment };
}
async function countDelivered({ tenantId, environment }: Scope): Promise<number> {
  const [row] = await database.asSuperuser<{ count: number }>(
    "select count(*)::int as count from webhook_delivery where tenant_id = $1 and environment = $2 and status = 'delivered'",
    [tenantId, environment],
  );
  return row?.count ?? 0;
}

test(`O-3: ${KILLS} kills of the sender: no event is lost, and each has one webhook-id`, { timeout: LONGEST_MS }, async () => {
  const scope = await newScope('LIVE');
  const receiver = await startFakeReceiver();
  receiver.reply = () => ({ status: 200, afterMs: 5 });
  const dataKey = app.config.secrets.dataKeys[0]?.key.toString('base64') ?? '';
  const env = { DATA_KEY: dataKey, RECEIVER_HOST: receiver.host, RECEIVER_CERT: receiver.cert };
  await plantEndpoint(app, scope, { url: receiver.url });
  const ids: string[] = [];
  const startSender = (point?: string) =>
    startWorkerProcess(
      database,
      point === undefined ? env : { ...env, FAULT_POINTS: `${point}=kill` },
      '../webhooks/send-process.ts',
    );
  const lostWith: number[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    ids.push(...(await plantEvents(app, scope, EVENTS_A_ROUND)));
    const before = receiver.received.length;
    const point = POINTS[kill % POINTS.length];
    const doomed = await startSender(point);
    if (point === undefined) {
      await eventually(async () => receiver.received.length > before);
      await sleep(Math.random() * 100);
      doomed.child.kill('SIGKILL');
    }
    expect(await doomed.ended).toBe('SIGKILL');
    lostWith.push(receiver.received.length - before);
    // As if its lease had run out.
    await database.asSuperuser(
      "update webhook_endpoint set leased_until = now() - interval '1 second' where leased_by is not null",
    );
  }
  await startSender();
  await eventually(async () => (await countDelivered(scope)) === ids.length);
  expect(new Set(receiver.idsOf())).toEqual(new Set(ids));
  const bodies = new Map<string, Set<string>>();
  for (const { id, body } of receiver.received) bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
  expect([...bodies.values()].filter((one) => one.size > 1)).toEqual([]);
  expect(await listAttempts(app, scope)).toHaveLength(ids.length);
  const sequences = [...bodies.values()].map(([body = '{}']) => (JSON.parse(body) as { sequence: number }).sequence);
  expect(sequences.toSorted((a, b) => a - b)).toEqual(ids.map((_, index) => index + 1));
  const twice = receiver.received.length - ids.length;
  console.log(`${KILLS} kills: ${ids.length} events, ${twice} sent once more, at most ${Math.max(...lostWith)} sent in a life`);
  expect(twice).toBeLessThanOrEqual(KILLS * 54);
  receiver.close();
});

/** Of a hundred events to another tenant's endpoint, the 99th by how long it takes from before it is written until it arrives. */
async function p99OfAnother(receiver: FakeReceiver): Promise<number> {
  const count = 100;
  const scope = await newScope('LIVE');
  await plantEndpoint(app, scope, { url: receiver.url.replace('/hooks', `/${scope.tenantId}`) });
  const begun = new Map<string, number>();
  for (let n = 0; n < count; n++) {
    const at = Date.now();
    const [id = ''] = await plantEvents(app, scope, 1);
    begun.set(id, at);
    await sleep(50);
  }
  const came = () => receiver.received.filter(({ path }) => path === `/${scope.tenantId}`);
  await eventually(async () => came().length >= count);
  const times = came().map(({ id, at }) => at - (begun.get(id) ?? 0));
  return times.toSorted((a, b) => a - b)[count - 2] ?? 0;
}

test('O-2: ten thousand events of an hour without a receiver arrive when it is back, hardly one twice, and hold up no other', {
  timeout: 400_000,
}, async () => {
  const scope = await newScope('SANDBOX');
  const receiver = await startFakeReceiver();
  await database.asSuperuser("insert into sandbox_clock (tenant_id, environment, ahead) values ($1, 'SANDBOX', '1 second')", [
    scope.tenantId,
  ]);
  await plantEndpoint(app, scope, { url: receiver.url });
  const alone = await whileSending(createSendWorker(app, [receiver]), () => p99OfAnother(receiver));
  receiver.received.length = 0;
  const ids = await plantEvents(app, scope, 10_000);
  receiver.reply = ({ path }) => ({ status: path === '/hooks' ? 503 : 204 });
  let beside = Number.POSITIVE_INFINITY;
  await whileSending(createSendWorker(app, [receiver]), async () => {
    await eventually(async () => receiver.received.length >= 100);
    receiver.reply = () => ({ status: 204 });
    // As autovacuum does within a minute.
    await database.asSuperuser('analyze webhook_delivery, webhook_attempt, outgoing_event, outgoing_sequence');
    await database.asSuperuser("update sandbox_clock set ahead = interval '1 hour' where tenant_id = $1", [scope.tenantId]);
    beside = await p99OfAnother(receiver);
    await eventually(async () => (await countDelivered(scope)) === ids.length, 300_000);
  });
  const attempts = await listAttempts(app, scope);
  const arrived = attempts.filter(({ status }) => status === 204).length;
  expect(arrived).toBe(ids.length);
  expect(receiver.idsOf('/hooks')).toHaveLength(attempts.length);
  expect(new Set(receiver.idsOf('/hooks'))).toEqual(new Set(ids));
  console.log(`the 99th of 100 events of another tenant takes ${beside} ms beside them, ${alone} ms alone`);
  expect(beside - alone).toBeLessThan(2_000);
  receiver.close();
});
