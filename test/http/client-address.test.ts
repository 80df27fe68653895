/** Whose address counts: that of the connection, or what the trusted proxies say; never what a client says of itself. */
import { afterEach, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';

const BAD_KEYS = 3;

let app: TestApp;
afterEach(() => app.close());

async function start(hops: string): Promise<void> {
  const settings = { RATE_LIMIT_BAD_KEYS: String(BAD_KEYS), RATE_LIMIT_WINDOW_SECONDS: '3600' };
  app = await startTestApp({ ...settings, TRUST_PROXY_HOPS: hops });
}

/** The statuses of bad keys, one with each of the headers. */
async function statusesOf(...forwarded: string[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const addresses of forwarded) {
    const answer = await app.http.get('/api/v1/users').set({ 'x-tenant-api-key': 'nonsense', 'x-forwarded-for': addresses });
    statuses.push(answer.status);
  }
  return statuses;
}

test('without a proxy X-Forwarded-For means nothing', async () => {
  await start('0');
  expect(await statusesOf('203.0.113.1', '203.0.113.2', '203.0.113.3, 127.0.0.1', '203.0.113.4')).toEqual([401, 401, 401, 429]);
});

test('behind one proxy the last address counts, which the proxy has written', async () => {
  await start('1');
  const forged = ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4'].map((address) => `${address}, 198.51.100.7`);
  expect(await statusesOf(...forged)).toEqual([401, 401, 401, 429]);
  expect(await statusesOf('198.51.100.7, 198.51.100.8')).toEqual([401]);
});
