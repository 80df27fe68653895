import { expect, test, vi } from 'vitest';
import { apiClient } from '../support/app/api-client.ts';
import { startFakeRedis } from '../support/app/fake-redis.ts';
import { startTestApp } from '../support/app/test-app.ts';

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
