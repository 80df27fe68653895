/** API keys in the hands of the tenant: made, listed, revoked, rolled. Source: docs/specification/identity.md#api-keys. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Environment } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { listTenantTables } from '../../support/database/walls.ts';

const PATH = '/api/v1/admin/api-keys';
const LIMIT = 1_000_000;

let app: TestApp;
let tenant: TestTenant;
let live: ApiClient;
let sandbox: ApiClient;

beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_LIVE: `${LIMIT}` });
});
beforeEach(async () => {
  tenant = await app.newTenant();
  live = apiClient(app, tenant.liveKey);
  sandbox = apiClient(app, tenant.sandboxKey);
});
afterAll(() => app.close());

const revoke = async (id: string, key = tenant.liveKey): Promise<Response> =>
  app.http.delete(`${PATH}/${id}`).set('x-tenant-api-key', key);
const works = async (key: string): Promise<boolean> => (await apiClient(app, key).get('/api/v1/users')).status === 200;
const readKeys = async (client: ApiClient) => (await client.get(`${PATH}?limit=100`)).body.data as Record<string, unknown>[];

async function ownId(key: string): Promise<string> {
  const keys = await readKeys(apiClient(app, key));
  return String(keys.find(({ lastFour }) => lastFour === key.slice(-4))?.['id']);
}

async function create(fields: object = {}, client = live): Promise<Record<string, string>> {
  const answer = await client.post(PATH, fields);
  expect(answer.status, answer.text).toBe(201);
  return answer.body as Record<string, string>;
}

const audit = (environment: Environment = 'LIVE') =>
  app.database.asSuperuser<{ action: string; object_id: string; actor_kind: string; actor_id: string; details: object }>(
    `select action, object_id, actor_kind, actor_id, details from audit_log
     where tenant_id = $1 and environment = $2 and action like 'api_key.%' and actor_kind <> 'operator' order by id`,
    [tenant.tenantId, environment],
  );

/** Waits until the instances have forgotten what they knew of a key. */
async function refused(key: string): Promise<boolean> {
  for (let tries = 0; tries < 250; tries++) {
    if (!(await works(key))) return true;
    await sleep(20);
  }
  return false;
}

describe('creating', () => {
  test('gives a key of the same environment with what the preset says', async () => {
    const { apiKey = '', ...key } = await create({ name: 'Shop server', preset: 'full' }, sandbox);
    expect(apiKey).toMatch(/^svc_sandbox_[\w-]{43}[0-9A-Za-z]{6}$/);
    expect(key).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Shop server',
      lastFour: apiKey.slice(-4),
      scopes: ['*'],
      rateLimit: null,
      allowedIps: null,
      createdAt: expect.stringMatching(/Z$/),
      createdBy: { kind: 'api_key', id: await ownId(tenant.sandboxKey), name: null },
      root: { kind: 'api_key', id: await ownId(tenant.sandboxKey), name: null },
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
      disabledAt: null,
      replacesKeyId: null,
      status: 'active',
    });
    expect(await works(apiKey)).toBe(true);
    expect((await apiClient(app, apiKey).get('/api/v1/users')).headers['x-environment']).toBe('SANDBOX');
    expect((await readKeys(sandbox)).map(({ id }) => id)).toContain(key['id']);
    expect((await readKeys(live)).map(({ id }) => id)).not.toContain(key['id']);
    expect(await audit('SANDBOX')).toEqual([
      {
        action: 'api_key.created',
        object_id: key['id'],
        actor_kind: 'api_key',
        actor_id: await ownId(tenant.sandboxKey),
        details: { scopes: ['*'], rateLimit: null, expiresAt: null, boundToAddresses: false },
      },
    ]);
    expect(await audit('LIVE')).toEqual([]);
  });

  test('gives what was asked for, and no more can be done with it', async () => {
    const expiresAt = '2098-12-31T23:30:00-01:00';
    const key = await create({ scopes: ['users:read', 'users:read'], rateLimit: 7, expiresAt });
    expect(key).toMatchObject({ scopes: ['users:read'], rateLimit: 7, expiresAt: '2099-01-01T00:30:00.000Z', name: null });
    const client = apiClient(app, key['apiKey'] ?? '');
    const answer = await client.get('/api/v1/users');
    expect([answer.status, answer.headers['x-ratelimit-limit']]).toEqual([200, '7']);
    expectRefusal(await client.get('/api/v1/events'), 403, 'FORBIDDEN');
    expectRefusal(await client.get(PATH), 403, 'FORBIDDEN');
  });

  test('never gives more than the caller has', async () => {
    const scopes = ['admin:keys', 'users:read'];
    const { apiKey = '' } = await create({ scopes, rateLimit: 50 });
    const narrow = apiClient(app, apiKey);
    expect(await create({}, narrow)).toMatchObject({ scopes: ['users:read'], rateLimit: 50 });
    expect(await create({ scopes }, narrow)).toMatchObject({ scopes, rateLimit: 50 });
    expect(await create({ scopes: ['users:read'], rateLimit: 50 }, narrow)).toMatchObject({ rateLimit: 50 });
    const beyond = await narrow.post(PATH, { scopes: ['users:write', 'users:read', 'events:read'] });
    expectRefusal(beyond, 403, 'FORBIDDEN');
    expect(beyond.body.error).toContain('lacks the scopes users:write, events:read,');
    expectRefusal(await narrow.post(PATH, { scopes: ['*'] }), 403, 'FORBIDDEN');
    expectRefusal(await narrow.post(PATH, { rateLimit: 51 }), 400, 'VALIDATION_ERROR', ['rateLimit']);
    expectRefusal(await live.post(PATH, { rateLimit: LIMIT + 1 }), 400, 'VALIDATION_ERROR', ['rateLimit']);
    expect(await create({ rateLimit: LIMIT })).toMatchObject({ rateLimit: LIMIT });
  });

  test('refuses what makes no key, naming the field, and records nothing', async () => {
    const cases: [object, string][] = [
      [{ expiresAt: new Date(Date.now() - 60_000).toISOString() }, 'expiresAt'],
      [{ expiresAt: '9999-06-01T00:00:00Z' }, 'expiresAt'],
      [{ expiresAt: 'tomorrow' }, 'expiresAt'],
      [{ scopes: [] }, 'scopes'],
      [{ scopes: ['users:everything'] }, 'scopes[0]'],
      [{ name: ' ' }, 'name'],
      [{ name: 'x'.repeat(201) }, 'name'],
      [{ rateLimit: 0 }, 'rateLimit'],
      [{ rateLimit: 1.5 }, 'rateLimit'],
      [{ preset: 'everything' }, 'preset'],
      [{ preset: 'backend', scopes: ['users:read'] }, 'preset'],
      [{ allowedIps: [] }, 'allowedIps'],
      [{ allowedIps: ['10.0.0.0/33'] }, 'allowedIps[0]'],
      [{ allowedIps: ['10.0.0.0/8', '10.0.0'] }, 'allowedIps[1]'],
      [{ allowedIps: ['shop.example'] }, 'allowedIps[0]'],
      [{ allowedIps: Array.from({ length: 51 }, (_, n) => `10.0.0.${n}`) }, 'allowedIps'],
      [{ environment: 'SANDBOX' }, 'environment'],
      [{ apiKey: 'svc_live_chosen' }, 'apiKey'],
    ];
    for (const [body, field] of cases) expectRefusal(await live.post(PATH, body), 400, 'VALIDATION_ERROR', [field]);
    expect(await readKeys(live)).toHaveLength(1);
    expect(await audit()).toEqual([]);
  });

  test('a key with an end stops at it', async () => {
    const { apiKey = '', id } = await create({ expiresAt: new Date(Date.now() + 2_000).toISOString() });
    expect(await refused(apiKey)).toBe(true);
    expectRefusal(await apiClient(app, apiKey).get('/api/v1/users'), 401, 'INVALID_API_KEY');
    expect((await readKeys(live)).find((key) => key['id'] === id)).toMatchObject({ status: 'expired', revokedAt: null });
  });

  test('the key is shown once: not in the list, the log or the database, nor in a repeat', async () => {
    const header = { 'idempotency-key': randomUUID() };
    const first = await live.post(PATH, { name: 'Secret' }, header);
    const again = await live.post(PATH, { name: 'Secret' }, header);
    expect(await works(first.body.apiKey)).toBe(true);
    expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([
      201,
      { ...first.body, apiKey: null },
      'true',
    ]);
    const roll = () => live.post(`${PATH}/${first.body.id}/roll`, {}, header);
    const rolled = await roll();
    expect(rolled.status).toBe(201);
    expect((await roll()).body).toEqual({ ...rolled.body, apiKey: null });
    expect(await works(rolled.body.apiKey)).toBe(true);
    await revoke(first.body.id);
    for (const { apiKey } of [first.body, rolled.body] as { apiKey: string }[]) {
      const secret = apiKey.slice('svc_live_'.length, -4);
      expect((await live.get(`${PATH}?limit=100`)).text).not.toContain(secret);
      expect(app.logLines.length).toBeGreaterThan(3);
      expect(app.logLines.filter((line) => line.includes(secret))).toEqual([]);
      const spellings = [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64').slice(0, 40)];
      for (const table of await listTenantTables(app.database)) {
        for (const spelling of spellings) {
          const found = await app.database.asSuperuser(`select 1 from ${table} t where strpos(t::text, $1) > 0`, [spelling]);
          expect(found, `${table} has ${spelling}`).toEqual([]);
        }
      }
    }
  });
});

describe('listing', () => {
  test('pages through all keys, oldest first, with their states', async () => {
    const keys = [];
    for (const name of ['one', 'two', 'three']) keys.push(await create({ name }));
    const [one, two, three] = keys.map(({ id }) => id ?? '');
    await revoke(one ?? '');
    await app.tenants.stopKey(two ?? '', 'disable');
    const seen: unknown[] = [];
    let cursor: string | null = '';
    for (let pages = 0; cursor !== null; pages++) {
      expect(pages).toBeLessThan(5);
      const answer: Response = await live.get(`${PATH}?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      expect(answer.status).toBe(200);
      seen.push(...answer.body.data);
      expect(answer.body.hasMore).toBe(answer.body.nextCursor !== null);
      cursor = answer.body.nextCursor;
    }
    expect(seen).toMatchObject([
      { id: await ownId(tenant.liveKey), status: 'active' },
      { id: one, name: 'one', status: 'revoked', revokedAt: expect.any(String) },
      { id: two, name: 'two', status: 'disabled', disabledAt: expect.any(String) },
      { id: three, name: 'three', status: 'active' },
    ]);
  });
});

describe('revoking', () => {
  test('ends a key for good; again it changes nothing, and is recorded once', async () => {
    const { id = '', apiKey = '' } = await create();
    expect(await works(apiKey)).toBe(true);
    const first = await revoke(id);
    expect([first.status, first.body.status]).toEqual([200, 'revoked']);
    expect(await refused(apiKey)).toBe(true);
    const [again, other] = await Promise.all([revoke(id), revoke(id)]);
    expect([again?.status, again?.text, other?.text]).toEqual([200, first.text, first.text]);
    expect((await audit()).map(({ action, object_id }) => [action, object_id])).toEqual([
      ['api_key.created', id],
      ['api_key.revoked', id],
    ]);
  });

  test('twice at once is recorded once', async () => {
    const { id = '' } = await create();
    const answers = await Promise.all(Array.from({ length: 8 }, () => revoke(id)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect((await audit()).filter(({ action }) => action === 'api_key.revoked')).toHaveLength(1);
  });

  test('of the calling key itself is refused', async () => {
    expectRefusal(await revoke(await ownId(tenant.liveKey)), 409, 'STATE_CONFLICT');
    expect(await works(tenant.liveKey)).toBe(true);
  });

  test('does not reach the other environment or another tenant', async () => {
    const other = await app.newTenant();
    const unknown = await revoke(randomUUID());
    expectRefusal(unknown, 404, 'NOT_FOUND');
    for (const key of [tenant.sandboxKey, other.liveKey]) {
      const answer = await revoke(await ownId(key));
      expect([answer.status, answer.text]).toEqual([404, unknown.text]);
      expect(await works(key)).toBe(true);
    }
    expectRefusal(await revoke('not-a-uuid'), 400, 'VALIDATION_ERROR', ['keyId']);
  });

  test('a disabled key can be revoked too', async () => {
    const { id = '' } = await create();
    await app.tenants.stopKey(id, 'disable');
    expect((await revoke(id)).body).toMatchObject({ status: 'revoked', disabledAt: expect.any(String) });
  });
});

describe('rolling', () => {
  const roll = (id: string, body: object = {}, client = live) => client.post(`${PATH}/${id}/roll`, body);

  test('a key rolls itself: the new one is like it, and both work until the overlap is over', async () => {
    const { id = '', apiKey = '' } = await create({ name: 'Shop', scopes: ['users:read', 'admin:keys'], rateLimit: 90 });
    const asked = Date.now();
    const rolled = await roll(id, { overlapSeconds: 3600 }, apiClient(app, apiKey));
    expect(rolled.status, rolled.text).toBe(201);
    expect(rolled.body).toMatchObject({
      name: 'Shop',
      scopes: ['users:read', 'admin:keys'],
      rateLimit: 90,
      replacesKeyId: id,
      expiresAt: null,
      status: 'active',
      lastFour: rolled.body.apiKey.slice(-4),
    });
    expect(rolled.body.apiKey).not.toBe(apiKey);
    expect([await works(apiKey), await works(rolled.body.apiKey)]).toEqual([true, true]);
    const ends = Date.parse(rolled.body.replacedKeyExpiresAt) - asked;
    expect(Math.abs(ends - 3_600_000)).toBeLessThan(60_000);
    const old = (await readKeys(live)).find((key) => key['id'] === id);
    expect(old).toMatchObject({ expiresAt: rolled.body.replacedKeyExpiresAt, status: 'active' });
    expect((await audit()).at(-1)).toEqual({
      action: 'api_key.rolled',
      object_id: id,
      actor_kind: 'api_key',
      actor_id: id,
      details: {
        newKeyId: rolled.body.id,
        scopes: ['users:read', 'admin:keys'],
        overlapSeconds: 3600,
        replacedKeyExpiresAt: old?.['expiresAt'],
      },
    });
  });

  test('without an overlap the old key ends at once, and cannot be rolled again', async () => {
    const { id = '', apiKey = '' } = await create();
    expect(await works(apiKey)).toBe(true);
    const rolled = await roll(id, { overlapSeconds: 0 });
    expect(rolled.status).toBe(201);
    expect(await refused(apiKey)).toBe(true);
    expectRefusal(await roll(id), 409, 'STATE_CONFLICT');
    expect(await works(rolled.body.apiKey)).toBe(true);
  });

  test('the overlap is a day by default, and never makes a key last longer', async () => {
    const dayAhead = (answer: Response) => (Date.parse(answer.body.replacedKeyExpiresAt) - Date.now()) / 86_400_000;
    const { id = '' } = await create();
    const byDefault = await app.http.post(`${PATH}/${id}/roll`).set('x-tenant-api-key', tenant.liveKey);
    expect(byDefault.status, byDefault.text).toBe(201);
    expect(dayAhead(byDefault)).toBeCloseTo(1, 2);
    const again = await roll(id, { overlapSeconds: 604_800 });
    expect(again.body.replacedKeyExpiresAt).toBe(byDefault.body.replacedKeyExpiresAt);
    expect(again.body.id).not.toBe(byDefault.body.id);
    expect(again.body.replacesKeyId).toBe(id);
  });

  test('the new key may have an end of its own', async () => {
    const { id = '' } = await create();
    const past = new Date(Date.now() - 1_000).toISOString();
    expectRefusal(await roll(id, { expiresAt: past, overlapSeconds: 0 }), 400, 'VALIDATION_ERROR', ['expiresAt']);
    expect((await readKeys(live)).find((key) => key['id'] === id)).toMatchObject({ status: 'active', expiresAt: null });
    expect((await roll(id, { expiresAt: '2098-01-01T00:00:00Z' })).body.expiresAt).toBe('2098-01-01T00:00:00.000Z');
  });

  test('gives nobody rights they have not: a key of more scopes is left alone', async () => {
    const { id = '', apiKey = '' } = await create({ scopes: ['users:read', 'users:write'] });
    const narrow = await create({ scopes: ['admin:keys', 'users:read'] });
    const client = apiClient(app, narrow['apiKey'] ?? '');
    expectRefusal(await roll(id, {}, client), 403, 'FORBIDDEN');
    expectRefusal(await roll(await ownId(tenant.liveKey), {}, client), 403, 'FORBIDDEN');
    expect(await works(apiKey)).toBe(true);
    expect((await readKeys(live)).filter((key) => key['replacesKeyId'] !== null || key['expiresAt'] !== null)).toEqual([]);
  });

  test.each(['revoke', 'disable'] as const)('after a %s there is nothing to roll', async (how) => {
    const { id = '' } = await create();
    await app.tenants.stopKey(id, how);
    expectRefusal(await roll(id), 409, 'STATE_CONFLICT');
  });

  test('at once with one Idempotency-Key makes one key', async () => {
    const { id = '' } = await create();
    const header = { 'idempotency-key': randomUUID() };
    const answers = await Promise.all(Array.from({ length: 6 }, () => live.post(`${PATH}/${id}/roll`, {}, header)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    const shown = answers.filter(({ body }) => body.apiKey !== null);
    expect(shown.map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined]);
    expect(await works(shown[0]?.body.apiKey)).toBe(true);
    expect((await readKeys(live)).filter((key) => key['replacesKeyId'] === id)).toHaveLength(1);
  });

  test('does not reach the other environment or another tenant, and refuses a bad overlap', async () => {
    const other = await app.newTenant();
    const unknown = await roll(randomUUID());
    expectRefusal(unknown, 404, 'NOT_FOUND');
    for (const key of [tenant.sandboxKey, other.liveKey]) {
      const answer = await roll(await ownId(key), { overlapSeconds: 0 });
      expect([answer.status, answer.text]).toEqual([404, unknown.text]);
      expect(await works(key)).toBe(true);
    }
    for (const overlapSeconds of [-1, 604_801, 0.5, '60']) {
      expectRefusal(await roll(await ownId(tenant.liveKey), { overlapSeconds }), 400, 'VALIDATION_ERROR', ['overlapSeconds']);
    }
  });
});

test('operators’ revocations are recorded as theirs', async () => {
  const { id = '' } = await create();
  await app.tenants.stopKey(id, 'disable');
  await app.tenants.stopKey(id, 'disable');
  await app.tenants.stopKey(id, 'revoke');
  const rows = await app.database.asSuperuser(
    "select action, actor_id from audit_log where tenant_id = $1 and actor_kind = 'operator' and object_id = $2 order by id",
    [tenant.tenantId, id],
  );
  expect(rows).toEqual([
    { action: 'api_key.disabled', actor_id: null },
    { action: 'api_key.revoked', actor_id: null },
  ]);
});
