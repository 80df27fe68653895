import { expect, test, vi } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { startFakeRedis } from '../../support/fake-redis.ts';
import { startTestApp } from '../../support/test-app.ts';

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

test('of who follows links have no address in Redis, and one counter an address', async () => {
  const redis = await startFakeRedis();
  const app = await startTestApp({ REDIS_URL: `redis://127.0.0.1:${redis.port}`, TRUST_PROXY_HOPS: '1' });
  const follow = (address: string) => app.http.get('/r/zzzzzzzzzzzz').set('x-forwarded-for', address);
  const keys = () => [...redis.received().matchAll(/rl:redirect:(\S+)/g)].map(([, key]) => key);
  await vi.waitFor(
    async () => {
      await follow('198.51.100.23');
      expect(keys()).not.toEqual([]);
    },
    { timeout: 15_000, interval: 100 },
  );
  await follow('::ffff:198.51.100.23');
  expect(new Set(keys()).size).toBe(1);
  await follow('2001:db8:77:1::5');
  expect(new Set(keys()).size).toBe(2);
  expect(redis.received()).not.toMatch(/198\.51\.100|2001:db8/i);
  await app.close();
  await redis.close();
});
