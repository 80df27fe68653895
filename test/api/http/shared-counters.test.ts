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
