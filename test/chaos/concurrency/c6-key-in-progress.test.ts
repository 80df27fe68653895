/**
 * C-6 (docs/specification/reliability.md#c-6): a repeat while the first is still running is told to come back,
 * and then gets its answer.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Load, openLoad } from '../../support/app/model-load.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';

const HOLD_MS = 5_000;
const WAIT_MS = 500;

let app: TestApp;
let load: Load;

beforeAll(async () => {
  app = await startTestApp({
    DATABASE_POOL_SIZE: '20',
    FAULT_POINTS: `idempotency:claimed=hold:${HOLD_MS}`,
    IDEMPOTENCY_WAIT_MS: `${WAIT_MS}`,
  });
  load = openLoad();
});
afterAll(async () => {
  load.close();
  await app.close();
});

test('held for 5 s: repeats get 409 with Retry-After after the wait, then the stored answer', async () => {
  const { tenantId, liveKey: key } = await app.newTenant();
  const call = (email: string) =>
    load.send({ baseUrl: app.baseUrl, key, path: '/api/v1/users', body: { email }, headers: { 'idempotency-key': 'slow' } });
  const first = call('slow@shop.example');
  await sleep(300);

  const started = performance.now();
  const repeats = await Promise.all([call('slow@shop.example'), call('slow@shop.example'), call('other@shop.example')]);
  const waited = performance.now() - started;
  for (const repeat of repeats) {
    expect(repeat.status).toBe(409);
    expect(JSON.parse(repeat.text)).toMatchObject({ code: 'IDEMPOTENCY_IN_PROGRESS' });
    expect(repeat.headers['retry-after']).toMatch(/^[1-9]\d*$/);
  }
  expect(waited).toBeGreaterThanOrEqual(WAIT_MS - 50);
  expect(waited).toBeLessThan(HOLD_MS - 1_000);

  // Nobody else waits for it.
  const bystander = await load.send({ baseUrl: app.baseUrl, key, path: '/api/v1/users', body: { email: 'by@shop.example' } });
  expect(bystander.status).toBe(201);

  const answer = await first;
  expect([answer.status, answer.headers['idempotent-replayed']]).toEqual([201, undefined]);
  const replay = await call('slow@shop.example');
  expect([replay.status, replay.text, replay.headers['idempotent-replayed']]).toEqual([201, answer.text, 'true']);
  expect((await call('other@shop.example')).status).toBe(422);
  const rows = await app.database.asSuperuser<{ email: string }>('select email from member where tenant_id = $1 order by email', [
    tenantId,
  ]);
  expect(rows.map((row) => row.email)).toEqual(['by@shop.example', 'slow@shop.example']);
});
