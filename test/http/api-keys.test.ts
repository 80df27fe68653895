/**
 * A revoked or disabled key stops on every instance within a second, and looks like one that never was
 * (docs/specification/tenancy.md#key-cache, docs/specification/reliability.md#a-3).
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spellApiKey } from '../../src/http/api-key-form.ts';
import { apiClient } from '../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';

const secrets = {
  API_KEY_PEPPER: randomBytes(32).toString('base64'),
  DATA_KEYS: `test:${randomBytes(32).toString('base64')}`,
};

let here: TestApp;
let there: TestApp;

beforeAll(async () => {
  here = await startTestApp(secrets);
  there = await startTestApp(secrets, here.database);
});
afterAll(async () => {
  await there.close();
  await here.close();
});

test.each(['revoke', 'disable'] as const)('%s here, and there the last success is within a second', async (how) => {
  const { tenantId } = await here.newTenant();
  const { apiKey, keyId } = await here.tenants.createKey({ tenantId, environment: 'LIVE' });
  const client = apiClient(there, apiKey);
  expect((await client.get('/api/v1/users')).status).toBe(200); // now it is remembered there
  const stopped = performance.now();
  await here.tenants.stopKey(keyId, how);
  const acknowledged = performance.now();
  let lastSuccess = stopped;
  let refused = false;
  while (!refused && performance.now() - acknowledged < 5_000) {
    const sent = performance.now();
    const { status } = await client.get('/api/v1/users');
    if (status === 200) lastSuccess = sent;
    else refused = true;
    await sleep(20);
  }
  expect(refused).toBe(true);
  expect(lastSuccess - acknowledged).toBeLessThanOrEqual(1_000);
  for (let i = 0; i < 3; i++) {
    expect((await client.get('/api/v1/users')).status).toBe(401);
    await sleep(30);
  }
});

test('unknown, revoked, disabled and expired keys have one answer', async () => {
  const { tenantId } = await here.newTenant();
  const { tenants } = here;
  const keys = await Promise.all([1, 2, 3].map(() => tenants.createKey({ tenantId, environment: 'LIVE' })));
  const [revoked, disabled, expired] = keys;
  await tenants.stopKey(revoked?.keyId ?? '', 'revoke');
  await tenants.stopKey(disabled?.keyId ?? '', 'disable');
  await here.database.asSuperuser("update api_key set expires_at = now() - interval '1 minute' where id = $1", [expired?.keyId]);
  const unknown = spellApiKey('LIVE', randomBytes(32));
  const answers = await Promise.all(
    [unknown, ...keys.map((key) => key.apiKey)].map((key) => apiClient(here, key).get('/api/v1/users')),
  );
  expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1);
  expect(answers[0]?.body).toEqual({ error: expect.any(String), code: 'INVALID_API_KEY' });
  expect(answers[0]?.headers['x-environment']).toBe('LIVE');
});

test('stopping twice is no error, and an unknown key is NOT_FOUND', async () => {
  const { tenantId } = await here.newTenant();
  const { tenants } = here;
  const { keyId, apiKey } = await tenants.createKey({ tenantId, environment: 'SANDBOX' });
  await tenants.stopKey(keyId, 'revoke');
  await tenants.stopKey(keyId, 'revoke');
  await tenants.stopKey(keyId, 'disable');
  expect((await apiClient(here, apiKey).get('/api/v1/users')).status).toBe(401);
  await expect(tenants.stopKey('00000000-0000-4000-8000-000000000000', 'revoke')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(tenants.stopKey('nonsense', 'revoke')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('only the keyed hash and the last four characters of a key are stored', async () => {
  const { tenantId, liveKey } = await here.newTenant();
  const rows = await here.database.asSuperuser<{ row: string }>(
    "select to_jsonb(k)::text as row from api_key k where tenant_id = $1 and environment = 'LIVE'",
    [tenantId],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]?.row).not.toContain(liveKey.slice(9, 30));
  expect(JSON.parse(rows[0]?.row ?? '{}').last_four).toBe(liveKey.slice(-4));
});
