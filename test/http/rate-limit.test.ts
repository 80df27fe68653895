/** Rate limits: docs/specification/conventions.md#rate-limits. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/app/model-refusal.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';

const LIVE = 6;
const SANDBOX = 3;
const BAD_KEYS = 4;
const ADDRESS = 5;
const WINDOW_SECONDS = 60;

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({
    RATE_LIMIT_LIVE: `${LIVE}`,
    RATE_LIMIT_SANDBOX: `${SANDBOX}`,
    RATE_LIMIT_BAD_KEYS: `${BAD_KEYS}`,
    RATE_LIMIT_ADDRESS: `${ADDRESS}`,
    RATE_LIMIT_WINDOW_SECONDS: `${WINDOW_SECONDS}`,
    TRUST_PROXY_HOPS: '1', // so that a test can come from several addresses
  });
});
afterAll(() => app.close());

async function list(key: string | undefined, address = '192.0.2.1'): Promise<Response> {
  const call = app.http.get('/api/v1/users').set('x-forwarded-for', address);
  return key === undefined ? call : call.set('x-tenant-api-key', key);
}

const unknownKey = (prefix = 'svc_live_') => prefix + randomBytes(32).toString('base64url');

const limitOf = ({ headers }: Response) => Number(headers['x-ratelimit-limit']);
const remainingOf = ({ headers }: Response) => Number(headers['x-ratelimit-remaining']);

describe('of a key', () => {
  test('every answer says the limit, what remains and when it resets; past it 429', async () => {
    const { liveKey } = await app.newTenant();
    for (let used = 1; used <= LIVE; used++) {
      const answer = await list(liveKey);
      expect(answer.status).toBe(200);
      expect([limitOf(answer), remainingOf(answer)]).toEqual([LIVE, LIVE - used]);
      expect(answer.headers['x-ratelimit-reset']).toMatch(/^\d{10}$/); // Unix seconds
      const resetsIn = Number(answer.headers['x-ratelimit-reset']) - Date.now() / 1000;
      expect(resetsIn).toBeGreaterThan(-1);
      expect(resetsIn).toBeLessThanOrEqual(WINDOW_SECONDS + 1);
    }
    const refused = await list(liveKey);
    expectRefusal(refused, 429, 'RATE_LIMITED');
    expect(refused.headers['x-environment']).toBe('LIVE');
    expect([limitOf(refused), remainingOf(refused)]).toEqual([LIVE, 0]);
    const retryAfter = Number(refused.headers['retry-after']);
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(retryAfter).toBeLessThanOrEqual(WINDOW_SECONDS);
    expect(refused.body.error).toContain(`${retryAfter} second`);
  });

  test('is its own: other keys of the tenant and other tenants are not touched, other addresses are', async () => {
    const one = await app.newTenant();
    const { apiKey: second } = await app.tenants.createKey({ tenantId: one.tenantId, environment: 'LIVE' });
    for (let used = 0; used < LIVE; used++) await list(one.liveKey, `192.0.2.${used}`);
    expect((await list(one.liveKey, '198.51.100.7')).status).toBe(429);
    expect(remainingOf(await list(second))).toBe(LIVE - 1);
    expect((await list(one.sandboxKey)).status).toBe(200);
    expect((await list((await app.newTenant()).liveKey)).status).toBe(200);
  });

  test('a SANDBOX key has the SANDBOX limit, and a key may have one of its own', async () => {
    const { tenantId, sandboxKey } = await app.newTenant();
    expect(limitOf(await list(sandboxKey))).toBe(SANDBOX);
    const own = await app.tenants.createKey({ tenantId, environment: 'LIVE', rateLimit: 2 });
    const answers = [await list(own.apiKey), await list(own.apiKey), await list(own.apiKey)];
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 429]);
    expect(answers.map(limitOf)).toEqual([2, 2, 2]);
  });

  test('refused requests count too, whatever was wrong with them', async () => {
    const { sandboxKey } = await app.newTenant();
    const bad = () => app.http.get('/api/v1/users?limit=0').set('x-tenant-api-key', sandboxKey);
    expect([(await bad()).status, (await bad()).status, (await bad()).status, (await bad()).status]).toEqual([
      400, 400, 400, 429,
    ]);
  });
});

describe('of a tenant', () => {
  const KEYS = 4;
  const TENANT = KEYS * LIVE;

  async function withKeys(count: number) {
    const tenant = await app.newTenant();
    const keys = [tenant.liveKey];
    while (keys.length < count) keys.push((await app.tenants.createKey({ ...tenant, environment: 'LIVE' })).apiKey);
    return { ...tenant, keys };
  }

  test('is four times that of a key, for all of its keys together, and the answer says so', async () => {
    const { tenantId, sandboxKey, keys } = await withKeys(KEYS + 1);
    for (const key of keys.slice(0, KEYS)) {
      for (let used = 0; used < LIVE; used++) expect((await list(key)).status).toBe(200);
      const refused = await list(key);
      expectRefusal(refused, 429, 'RATE_LIMITED');
      expect(refused.body).toMatchObject({ error: expect.stringContaining('of this API key'), details: { limit: 'key' } });
    }
    const refused = await list(keys.at(-1));
    expectRefusal(refused, 429, 'RATE_LIMITED');
    expect(refused.body.details).toEqual({ limit: 'tenant' });
    expect(refused.body.error).toContain("of the tenant's keys of this environment together");
    expect(refused.body.error).toContain(`${refused.headers['retry-after']} second`);
    expect([limitOf(refused), remainingOf(refused)]).toEqual([TENANT, 0]);
    expect(refused.text).not.toContain(tenantId);
    expect((await list(sandboxKey)).status).toBe(200);
    expect((await list((await app.newTenant()).liveKey)).status).toBe(200);
  });

  test('is not used up by what the limit of a key has refused', async () => {
    const { keys } = await withKeys(2);
    for (let sent = 0; sent < TENANT + 1; sent++) await list(keys[0]);
    expect((await list(keys[1])).status).toBe(200);
  });

  test('is shown in place of that of the key where less is left of it', async () => {
    const { keys } = await withKeys(KEYS + 1);
    for (const key of keys.slice(0, KEYS)) for (let used = 0; used < LIVE - 1; used++) await list(key);
    // Of the tenant's KEYS are left, of this key's one less than all.
    const answer = await list(keys.at(-1));
    expect([limitOf(answer), remainingOf(answer)]).toEqual([TENANT, KEYS - 1]);
    expect(answer.headers['x-ratelimit-reset']).toMatch(/^\d{10}$/);
  });

  test('does not hold up a key that was given more', async () => {
    const { tenantId } = await app.newTenant();
    const { apiKey } = await app.tenants.createKey({ tenantId, environment: 'LIVE', rateLimit: TENANT + 2 });
    for (let used = 0; used < TENANT + 2; used++) expect((await list(apiKey)).status).toBe(200);
    expect((await list(apiKey)).body.details).toEqual({ limit: 'key' });
  });
});

describe('of an address, without a key', () => {
  const get = (path: string, address: string) => app.http.get(path).set('x-forwarded-for', address);

  test('counts the document, the page, the keys of tokens, uploads and calls that forgot the key together', async () => {
    const address = '198.51.100.50';
    const statuses = [];
    for (const path of [
      '/api/v1/openapi.json',
      '/docs',
      '/.well-known/jwks.json',
      '/uploads/nothing',
      '/api/v1/users',
      '/docs',
    ]) {
      statuses.push((await get(path, address)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 401, 401, 429]);
    for (const path of [
      '/api/v1/openapi.json',
      '/docs/start.js',
      '/.well-known/jwks.json',
      '/uploads/nothing',
      '/api/v1/users',
    ]) {
      const refused = await get(path, address);
      expectRefusal(refused, 429, 'RATE_LIMITED');
      expect(refused.body.details).toEqual({ limit: 'address' });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    }
    expect((await get('/docs', '198.51.100.51')).status).toBe(200);
  });

  test('leaves alone who has a key, who asks for the health, vendors and links', async () => {
    const address = '198.51.100.60';
    const { liveKey } = await app.newTenant();
    for (let used = 0; used <= ADDRESS; used++) await get('/docs', address);
    expect((await get('/docs', address)).status).toBe(429);
    expect((await list(liveKey, address)).status).toBe(200);
    for (const path of ['/healthz', '/readyz']) expect((await get(path, address)).status).toBe(200);
    expect((await get('/r/zzzzzzzzzzzz', address)).status).not.toBe(429);
    for (let sent = 0; sent <= ADDRESS; sent++) {
      const event = app.http.post('/api/v1/webhooks/payvendor').set('x-forwarded-for', address).send('{}');
      expect((await event).status).toBe(401);
    }
  });
});

describe('of bad keys', () => {
  test('counts failures by address, and says when to come back', async () => {
    const address = '203.0.113.1';
    for (let used = 0; used < BAD_KEYS; used++) {
      const answer = await list(used % 2 === 0 ? unknownKey() : 'nonsense', address);
      expectRefusal(answer, 401, 'INVALID_API_KEY');
    }
    const refused = await list(unknownKey('svc_sandbox_'), address);
    expectRefusal(refused, 429, 'RATE_LIMITED');
    expect(refused.headers['x-environment']).toBe('SANDBOX');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expectRefusal(await list(unknownKey(), '203.0.113.2'), 401, 'INVALID_API_KEY');
  });

  test('has one log line an address and window, which names no key', async () => {
    const address = '203.0.113.3';
    const alerts = () => app.logLines.filter((line) => line.includes('too many bad API keys') && line.includes(address));
    const keys = Array.from({ length: 3 * BAD_KEYS }, () => unknownKey());
    for (const key of keys.slice(0, BAD_KEYS)) await list(key, address);
    expect(alerts()).toEqual([]);
    await Promise.all(keys.slice(BAD_KEYS).map((key) => list(key, address)));
    expect(alerts().map((line) => JSON.parse(line))).toEqual([
      {
        level: 'warn',
        time: expect.any(String),
        address,
        limit: BAD_KEYS,
        windowSeconds: WINDOW_SECONDS,
        msg: 'too many bad API keys from one address',
      },
    ]);
    expect(app.logLines.filter((line) => keys.some((key) => line.includes(key.slice(9))))).toEqual([]);
  });

  test('never blocks a good key of the same address, and good requests do not count', async () => {
    const address = '203.0.113.9';
    const { liveKey } = await app.newTenant();
    for (let used = 0; used < BAD_KEYS; used++) expect((await list(liveKey, address)).status).toBe(200);
    for (let used = 0; used < BAD_KEYS; used++) expect((await list(unknownKey(), address)).status).toBe(401);
    expect((await list(unknownKey(), address)).status).toBe(429);
    expect((await list(liveKey, address)).status).toBe(200);
  });

  test('past it the database is not asked for a key that nobody has used here: a good one waits, too', async () => {
    const address = '203.0.113.20';
    const { liveKey, sandboxKey } = await app.newTenant();
    expect((await list(liveKey, '203.0.113.21')).status).toBe(200);
    for (let used = 0; used < BAD_KEYS; used++) expectRefusal(await list(unknownKey(), address), 401, 'INVALID_API_KEY');
    expectRefusal(await list(sandboxKey, address), 429, 'RATE_LIMITED');
    // From elsewhere it is looked up, and is known from then on.
    expect((await list(sandboxKey, '203.0.113.22')).status).toBe(200);
    for (const key of [liveKey, sandboxKey]) expect((await list(key, address)).status).toBe(200);
    await sleep(1_000); // longer than a key that was found is kept
    for (const key of [liveKey, sandboxKey]) expect((await list(key, address)).status).toBe(200);
  });

  test('a known key that is revoked is a bad one from then on', async () => {
    const address = '203.0.113.30';
    const { tenantId } = await app.newTenant();
    const { apiKey, keyId } = await app.tenants.createKey({ tenantId, environment: 'LIVE' });
    expect((await list(apiKey, address)).status).toBe(200);
    await app.tenants.stopKey(keyId, 'revoke');
    await sleep(1_000);
    for (let used = 0; used < BAD_KEYS; used++) expectRefusal(await list(apiKey, address), 401, 'INVALID_API_KEY');
    expectRefusal(await list(apiKey, address), 429, 'RATE_LIMITED');
  });

  test('no guess slips through beside the count, and good keys that come at once all pass', async () => {
    const address = '203.0.113.40';
    const tenants = await Promise.all(Array.from({ length: 2 * BAD_KEYS }, () => app.newTenant()));
    const good = await Promise.all(tenants.map(({ liveKey }) => list(liveKey, address)));
    expect(new Set(good.map(({ status }) => status))).toEqual(new Set([200]));
    const bad = await Promise.all(Array.from({ length: 5 * BAD_KEYS }, () => list(unknownKey(), address)));
    expect(bad.filter(({ status }) => status === 401)).toHaveLength(BAD_KEYS);
    expect(bad.filter(({ status }) => status === 429)).toHaveLength(4 * BAD_KEYS);
  });

  test('a missing key is a plain 401 UNAUTHORIZED', async () => {
    for (let used = 0; used < ADDRESS; used++) expectRefusal(await list(undefined, '203.0.113.77'), 401, 'UNAUTHORIZED');
    expect((await list(unknownKey(), '203.0.113.77')).status).toBe(401);
  });
});

test('both limits are over when they say so', async () => {
  const brief = await startTestApp(
    { RATE_LIMIT_LIVE: '1', RATE_LIMIT_BAD_KEYS: '1', RATE_LIMIT_WINDOW_SECONDS: '1' },
    app.database,
  );
  try {
    for (const key of [(await brief.newTenant()).liveKey, unknownKey()]) {
      const get = () => brief.http.get('/api/v1/users').set('x-tenant-api-key', key);
      const usual = (await get()).status;
      let refused = await get();
      // A busy machine may let the window pass between two calls.
      for (let attempt = 0; refused.status === usual && attempt < 10; attempt++) refused = await get();
      expect(refused.status).toBe(429);
      await sleep(Number(refused.headers['retry-after']) * 1000 + 50);
      expect((await get()).status).toBe(usual);
    }
  } finally {
    await brief.close();
  }
});
