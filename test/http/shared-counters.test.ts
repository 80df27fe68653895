import { randomBytes } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { apiClient } from '../support/app/api-client.ts';
import { startFakeRedis } from '../support/app/fake-redis.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';

const LIMIT = 50;

test('counts in Redis once it is there, and lets requests pass uncounted while it is not', async () => {
  const before = await startFakeRedis();
  await before.close();
  const app = await startTestApp({ REDIS_URL: `redis://127.0.0.1:${before.port}`, RATE_LIMIT_LIVE: `${LIMIT}` });
  const client = apiClient(app, (await app.newTenant()).liveKey);
  const remaining = async () => {
    const answer = await client.get('/api/v1/users');
    expect(answer.status).toBe(200);
    return Number(answer.headers['x-ratelimit-remaining']);
  };
  expect(await remaining()).toBe(LIMIT);

  const redis = await startFakeRedis(before.port);
  await vi.waitFor(async () => expect(await remaining()).toBeLessThan(LIMIT), { timeout: 15_000, interval: 100 });

  await redis.close();
  await vi.waitFor(async () => expect(await remaining()).toBe(LIMIT), { timeout: 15_000, interval: 100 });
  for (const line of app.logLines) expect(() => JSON.parse(line)).not.toThrow();
  await app.close();
});

test.each([
  ['follows links', 'redirect', '/r/zzzzzzzzzzzz'],
  ['sends bad keys', 'bad', '/api/v1/users'],
])('of who %s have no address in Redis, and one counter an address', async (_who, limiter, path) => {
  const redis = await startFakeRedis();
  const app = await startTestApp({ REDIS_URL: `redis://127.0.0.1:${redis.port}`, TRUST_PROXY_HOPS: '1' });
  const call = (address: string) => app.http.get(path).set('x-forwarded-for', address).set('x-tenant-api-key', 'nonsense');
  const keys = () => [...redis.received().matchAll(/rl:(\w+):(\S+)/g)].map(([, prefix, key]) => `${prefix}:${key}`);
  await vi.waitFor(
    async () => {
      await call('198.51.100.23');
      expect(keys()).not.toEqual([]);
    },
    { timeout: 15_000, interval: 100 },
  );
  await call('::ffff:198.51.100.23');
  expect(new Set(keys()).size).toBe(1);
  await call('2001:db8:77:1::5');
  expect(new Set(keys()).size).toBe(2);
  expect(keys().every((key) => key.startsWith(`${limiter}:`))).toBe(true);
  expect(redis.received()).not.toMatch(/198\.51\.100|2001:db8/i);
  await app.close();
  await redis.close();
});

test('several instances count together: requests of a key and a tenant, and guesses of an address', async () => {
  const redis = await startFakeRedis();
  const settings = {
    REDIS_URL: `redis://127.0.0.1:${redis.port}`,
    RATE_LIMIT_LIVE: '4',
    RATE_LIMIT_TENANT_LIVE: '6',
    RATE_LIMIT_BAD_KEYS: '3',
  };
  const one = await startTestApp(settings);
  const secrets = {
    API_KEY_PEPPER: one.config.secrets.apiKeyPepper.toString('base64'),
    DATA_KEYS: one.config.secrets.dataKeys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
  };
  const other = await startTestApp({ ...settings, ...secrets }, one.database);
  const ready = async (app: TestApp) => {
    const client = apiClient(app, (await app.newTenant()).liveKey);
    const counted = async () => Number((await client.get('/api/v1/users')).headers['x-ratelimit-remaining']);
    await vi.waitFor(async () => expect(await counted()).toBeLessThan(4), { timeout: 15_000, interval: 100 });
  };
  try {
    await ready(one);
    await ready(other);
    const { tenantId, liveKey } = await one.newTenant();
    const { apiKey: second } = await one.tenants.createKey({ tenantId, environment: 'LIVE' });
    const statuses: number[] = [];
    for (const [app, key] of [
      [one, liveKey],
      [other, liveKey],
      [one, liveKey],
      [other, liveKey],
      [one, liveKey], // past the key's
      [other, second],
      [one, second],
      [other, second], // past the tenant's
    ] as const) {
      statuses.push((await apiClient(app, key).get('/api/v1/users')).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429, 200, 200, 429]);
    const guess = async (app: TestApp) =>
      (await apiClient(app, `svc_live_${randomBytes(32).toString('base64url')}`).get('/api/v1/users')).status;
    expect([await guess(one), await guess(other), await guess(one), await guess(other), await guess(one)]).toEqual([
      401, 401, 401, 429, 429,
    ]);
  } finally {
    await other.close();
    await one.close();
    await redis.close();
  }
});
