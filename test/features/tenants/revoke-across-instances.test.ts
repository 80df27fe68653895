/**
 * A-3 (docs/specification/reliability.md#a-3): a key that is revoked through one instance stops on all, while
 * requests go on and none is told.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../../support/app/http-call.ts';
import { type ApiProcess, startApiProcess } from '../../support/app/model-process.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';

/** Of each instance. */
const REQUESTS_A_SECOND = 50;
/** How long a revoked key may go on working: docs/specification/tenancy.md#key-cache. */
const BOUND_MS = 1_000;

let app: TestApp;
let instances: ApiProcess[];

beforeAll(async () => {
  app = await startTestApp();
  instances = await Promise.all([startApiProcess(app), startApiProcess(app)]);
});
afterAll(async () => {
  await Promise.all((instances ?? []).map((instance) => instance.stop()));
  await app.close();
});

interface Seen {
  sentAt: number;
  status: number;
}

/** Calls at a steady pace, whether or not the answers have come. */
function callSteadily(baseUrl: string, key: string): { seen: Seen[]; stop(): Promise<void> } {
  const seen: Seen[] = [];
  const running: Promise<void>[] = [];
  const timer = setInterval(() => {
    const sentAt = performance.now();
    const answer = call(baseUrl, { method: 'GET', target: '/api/v1/users?limit=1', headers: { 'x-tenant-api-key': key } });
    running.push(answer.then(({ status }) => void seen.push({ sentAt, status })));
  }, 1_000 / REQUESTS_A_SECOND);
  return {
    seen,
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
    },
  };
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition() && tries < 1_000; tries++) await sleep(10);
  expect(condition()).toBe(true);
}

test('no instance takes the key a second after the revocation was answered, nor ever again', async () => {
  const { liveKey } = await app.newTenant();
  const headers = { 'x-tenant-api-key': liveKey };
  const [first, second] = instances;
  const admin = (method: string, path: string, body?: object) =>
    call(first?.baseUrl ?? '', { method, target: `/api/v1/admin/api-keys${path}`, headers, body });
  const created = (await admin('POST', '', { scopes: ['users:read'] })).json as { id: string; apiKey: string };
  const streams = [first, second].map((instance) => callSteadily(instance?.baseUrl ?? '', created.apiKey));
  await until(() => streams.every(({ seen }) => seen.filter(({ status }) => status === 200).length >= REQUESTS_A_SECOND));

  const revoked = await admin('DELETE', `/${created.id}`);
  const answeredAt = performance.now();
  expect(revoked.status).toBe(200);
  await until(() => streams.every(({ seen }) => seen.filter(({ status }) => status !== 200).length >= 2 * REQUESTS_A_SECOND));
  await Promise.all(streams.map((stream) => stream.stop()));

  for (const { seen } of streams) {
    const inOrder = seen.toSorted((a, b) => a.sentAt - b.sentAt);
    const lastSuccess = inOrder.findLast(({ status }) => status === 200);
    expect((lastSuccess?.sentAt ?? 0) - answeredAt).toBeLessThanOrEqual(BOUND_MS);
    // Behind the bound nothing but refusals; the failures themselves are limited by address after a while.
    const after = inOrder.filter(({ sentAt }) => sentAt > answeredAt + BOUND_MS);
    expect(after.length).toBeGreaterThan(0);
    expect(after.filter(({ status }) => status !== 401 && status !== 429)).toEqual([]);
  }
});
