/**
 * C-3 (docs/specification/reliability.md#c-3): a thousand requests with one Idempotency-Key and one body have
 * one effect and one answer.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
import { countStatuses, type Load, openLoad } from '../../support/app/model-load.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { newUpline } from '../../support/money/model-upline.ts';

vi.setConfig({ testTimeout: 300_000 }); // a busy machine takes its time

let app: TestApp;
let load: Load;

beforeAll(async () => {
  app = await startTestApp({ DATABASE_POOL_SIZE: '20' });
  load = openLoad();
});
afterAll(async () => {
  load.close();
  await expectCleanBooks(app);
  await app.close();
});

async function send(key: string, path: string, body: object, count: number) {
  const one = { baseUrl: app.baseUrl, key, path, body, headers: { 'idempotency-key': 'the one' } };
  return load.sendAllUntilTaken(Array.from({ length: count }, () => one));
}

test('1,000 x POST /users: one member, 1,000 equal answers, 999 flagged as replays', async () => {
  const { tenantId, liveKey: key } = await app.newTenant();
  const answers = await send(key, '/api/v1/users', { email: 'one@shop.example', name: 'Óne' }, 1_000);
  expect(countStatuses(answers)).toEqual({ 201: 1_000 });
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  expect(answers.filter((answer) => answer.headers['idempotent-replayed'] === 'true')).toHaveLength(999);
  const { id } = JSON.parse(answers[0]?.text ?? '{}');
  expect(await app.database.asSuperuser('select id from member where tenant_id = $1', [tenantId])).toEqual([{ id }]);
});

test('200 x POST /events/purchase: one event, its lines once, the 201 for all', async () => {
  const { tenantId, liveKey: key } = await app.newTenant();
  const client = apiClient(app, key);
  const chain = await newUpline(client, 'D D D');
  const answers = await send(
    key,
    '/api/v1/events/purchase',
    client.purchaseBody({ attribution: { user_id: chain[0]?.id } }),
    200,
  );
  expect(countStatuses(answers)).toEqual({ 201: 200 });
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  expect(answers.filter((answer) => answer.headers['idempotent-replayed'] === 'true')).toHaveLength(199);
  expect(
    await app.database.asSuperuser('select count(*)::int as lines from commission_line where tenant_id = $1', [tenantId]),
  ).toEqual([{ lines: 3 }]);
});

test('100 x one purchase, each under a key of its own: one 201, 99 x 200, and each key replays what it got', async () => {
  const { tenantId, liveKey: key } = await app.newTenant();
  const client = apiClient(app, key);
  const body = client.purchaseBody();
  const calls = Array.from({ length: 100 }, (_, index) => ({
    baseUrl: app.baseUrl,
    key,
    path: '/api/v1/events/purchase',
    body,
    headers: { 'idempotency-key': `own-${index}` },
  }));
  const answers = await load.sendAll(calls);
  expect(countStatuses(answers)).toEqual({ 200: 99, 201: 1 });
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  expect(answers.filter((answer) => answer.headers['idempotent-replayed'] !== undefined)).toEqual([]);
  const replays = await load.sendAll(calls);
  expect(replays.map((answer) => answer.status)).toEqual(answers.map((answer) => answer.status));
  expect(replays.filter((answer) => answer.headers['idempotent-replayed'] === 'true')).toHaveLength(100);
  expect(await app.database.asSuperuser('select count(*)::int as events from event where tenant_id = $1', [tenantId])).toEqual([
    { events: 1 },
  ]);
});
