/** Requests of a tenant in line: docs/specification/conventions.md#places. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { apiClient } from '../support/app/api-client.ts';
import { expectRefusal } from '../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../support/app/test-app.ts';

const HOLD_MS = 2_500;

let app: TestApp;
let flooding: TestTenant;
let quiet: TestTenant;

beforeAll(async () => {
  app = await startTestApp({
    TENANT_REQUESTS_AT_ONCE: '1',
    TENANT_REQUESTS_WAITING: '2',
    FAULT_POINTS: `idempotency:claimed=hold:${HOLD_MS}`,
  });
});
afterAll(() => app.close());

beforeEach(async () => {
  flooding = await app.newTenant();
  quiet = await app.newTenant();
  expect((await read(quiet.liveKey)).status).toBe(200);
});

const read = (key: string) => apiClient(app, key).get('/api/v1/users');
const slowly = (key: string) =>
  app.http
    .post('/api/v1/users')
    .set('x-tenant-api-key', key)
    .set('idempotency-key', randomUUID())
    .send({ email: `${randomUUID()}@example.com` })
    .then((answer) => answer);
const stats = () => app.composition.places.stats();

/** One that takes long, and one that has the place. */
async function occupy(key: string) {
  const one = slowly(key);
  await vi.waitFor(() => expect(stats().running).toBe(1));
  const other = slowly(key);
  await vi.waitFor(() => expect(stats().running).toBe(2));
  return Promise.all([one, other]);
}

test('another tenant is answered at once, and who is too many is told to come again', async () => {
  const occupied = occupy(flooding.liveKey);
  await vi.waitFor(() => expect(stats().running).toBe(2));
  const waiting = [read(flooding.liveKey).then((answer) => answer), read(flooding.liveKey).then((answer) => answer)];
  await vi.waitFor(() => expect(stats().waiting).toBe(2));
  const refused = await read(flooding.liveKey);
  expectRefusal(refused, 429, 'RATE_LIMITED');
  expect(refused.body.details).toEqual({ limit: 'concurrency' });
  expect(refused.headers['retry-after']).toBe('1');
  // It was counted as any other.
  expect(refused.headers['x-ratelimit-remaining']).toMatch(/^\d+$/);
  expect((await read(quiet.liveKey)).status).toBe(200);
  expect((await read(flooding.sandboxKey)).status).toBe(200);
  expect(stats()).toMatchObject({ running: 2, waiting: 2 });
  for (const answer of await occupied) expect(answer.status).toBe(201);
  for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(200);
  await vi.waitFor(() => expect(stats()).toMatchObject({ running: 0, waiting: 0 }));
});

test('a key that is revoked while it waits does nothing any more', async () => {
  const { keyId, apiKey } = await app.tenants.createKey({ ...flooding, environment: 'LIVE' });
  expect((await read(apiKey)).status).toBe(200);
  const occupied = occupy(flooding.liveKey);
  await vi.waitFor(() => expect(stats().running).toBe(2));
  const waiting = read(apiKey).then((answer) => answer);
  await vi.waitFor(() => expect(stats().waiting).toBe(1));
  await app.tenants.stopKey(keyId, 'revoke');
  await occupied;
  expectRefusal(await waiting, 401, 'INVALID_API_KEY');
  await vi.waitFor(() => expect(stats()).toMatchObject({ running: 0, waiting: 0 }));
});

test('who sends its body slowly holds up nobody, nor does who goes away', async () => {
  const body = JSON.stringify({ email: `${randomUUID()}@example.com` });
  const slow = Array.from({ length: 4 }, () => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    void writer.write(Buffer.from(body.slice(0, 5)));
    const abort = new AbortController();
    fetch(`${app.baseUrl}/api/v1/users`, {
      method: 'POST',
      headers: { 'x-tenant-api-key': flooding.liveKey, 'content-type': 'application/json' },
      body: readable,
      duplex: 'half',
      signal: abort.signal,
    }).then(resolve, reject);
    return { answer: promise, abort, finish: () => writer.write(Buffer.from(body.slice(5))).then(() => writer.close()) };
  });
  await sleep(200);
  expect(stats()).toMatchObject({ running: 0, waiting: 0 });
  expect((await read(flooding.liveKey)).status).toBe(200);
  for (const { answer, abort } of slow.slice(1)) {
    abort.abort();
    await expect(answer).rejects.toThrow();
  }
  await slow[0]?.finish();
  expect((await slow[0]?.answer)?.status).toBe(201);
  await vi.waitFor(() => expect(stats()).toMatchObject({ running: 0, waiting: 0 }));
});

test('whatever is refused leaves its place', async () => {
  const client = apiClient(app, flooding.liveKey);
  for (let sent = 0; sent < 4; sent++) {
    expect((await client.get('/api/v1/users?limit=0')).status).toBe(400);
    expect((await client.get(`/api/v1/users/${randomUUID()}/nothing`)).status).toBe(404);
    expect((await app.http.post('/api/v1/users').set('x-tenant-api-key', flooding.liveKey).send('{')).status).toBe(415);
    expect(
      (await app.http.get('/api/v1/users').set('x-tenant-api-key', flooding.liveKey).set('authorization', 'Bearer nonsense'))
        .status,
    ).toBe(401);
  }
  expect(stats()).toMatchObject({ running: 0, waiting: 0 });
});
