/** When keys were last used: written in the background, seldom, and never backward. */

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createKeyUse } from '../../../src/features/tenants/key-use.ts';
import type { Caller } from '../../../src/http/operation.ts';
import { apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { type KeyCaller, testCaller } from '../../support/app/test-caller.ts';

let app: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
});
afterAll(() => app.close());

const use = async (key: string) => expect((await apiClient(app, key).get('/api/v1/users')).status).toBe(200);

/** By environment; versions count the writes to the row. */
async function uses(): Promise<Record<string, { at: Date | null; version: string }>> {
  const rows = await app.database.asSuperuser<{ environment: string; at: Date | null; version: string }>(
    'select environment, last_used_at as at, xmin::text as version from api_key where tenant_id = $1',
    [tenant.tenantId],
  );
  return Object.fromEntries(rows.map(({ environment, ...row }) => [environment, row]));
}

test('requests write nothing; the flush writes each key once, and nothing when there was no use', async () => {
  const fresh = await uses();
  for (let i = 0; i < 3; i++) await use(tenant.liveKey);
  expect(await uses()).toEqual(fresh);
  await app.keyUse.flush();
  const { LIVE: live, SANDBOX: sandbox } = await uses();
  expect(sandbox).toEqual(fresh['SANDBOX']);
  expect(Math.abs((live?.at?.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
  await app.keyUse.flush();
  expect((await uses())['LIVE']).toEqual(live);
});

test('both environments of several tenants, and what a list says of it', async () => {
  const other = await app.newTenant();
  const { keyId } = await app.tenants.createKey({ tenantId: tenant.tenantId, environment: 'LIVE' });
  for (const key of [tenant.liveKey, tenant.sandboxKey, other.liveKey]) await use(key);
  await app.keyUse.flush();
  const { body } = await apiClient(app, tenant.liveKey).get('/api/v1/admin/api-keys');
  const seen = (body.data as { id: string; lastUsedAt: string | null }[]).map(({ id, lastUsedAt }) => [id === keyId, lastUsedAt]);
  expect(seen).toEqual([
    [false, expect.stringMatching(/Z$/)],
    [true, null],
  ]);
  expect((await uses())['SANDBOX']?.at).toBeInstanceOf(Date);
  const rows = await app.database.asSuperuser<{ used: string }>(
    "select string_agg(environment, ',') as used from api_key where tenant_id = $1 and last_used_at is not null",
    [other.tenantId],
  );
  expect(rows).toEqual([{ used: 'LIVE' }]);
});

test('a refused key is not used', async () => {
  const { apiKey, keyId } = await app.tenants.createKey({ tenantId: tenant.tenantId, environment: 'LIVE' });
  await app.tenants.stopKey(keyId, 'revoke');
  expect((await apiClient(app, apiKey).get('/api/v1/users')).status).toBe(401);
  await app.keyUse.flush();
  expect(await app.database.asSuperuser('select last_used_at from api_key where id = $1', [keyId])).toEqual([
    { last_used_at: null },
  ]);
});

async function callerOf(environment: Caller['environment']): Promise<KeyCaller> {
  const [row] = await app.database.asSuperuser<{ id: string }>(
    'select id from api_key where tenant_id = $1 and environment = $2',
    [tenant.tenantId, environment],
  );
  return testCaller({ tenantId: tenant.tenantId, environment }, row?.id);
}

test('another instance that flushes an earlier use later does not set the time back', async () => {
  const { frames, logger } = app.composition;
  const [early, late] = [createKeyUse({ frames, logger }), createKeyUse({ frames, logger })];
  const caller = await callerOf('LIVE');
  early.note(caller);
  await app.database.asSuperuser('select pg_sleep(0.2)');
  late.note(caller);
  await late.flush();
  const { LIVE: written } = await uses();
  await early.flush();
  expect((await uses())['LIVE']).toEqual(written);
});

test('what could not be written is written later; a close that cannot write ends all the same, with a log line', async () => {
  const lines: unknown[][] = [];
  const logger = { ...app.composition.logger, warn: (...line: unknown[]) => lines.push(line) } as never;
  const { frames } = app.composition;
  let away = true;
  const keyUse = createKeyUse({
    logger,
    frames: { ...frames, write: (...args) => (away ? Promise.reject(new Error('away')) : frames.write(...args)) },
  });
  keyUse.note(await callerOf('LIVE'));
  keyUse.note(await callerOf('SANDBOX'));
  await expect(keyUse.flush()).rejects.toThrow('away');
  await keyUse.close();
  expect(lines).toEqual([[{ err: new Error('away') }, 'the last uses of API keys were not recorded']]);
  away = false;
  await keyUse.flush();
  expect(Object.values(await uses()).map(({ at }) => at === null)).toEqual([false, false]);
});

test('an instance that ends writes what it has noted', async () => {
  const instance = await startTestApp({ API_KEY_PEPPER: app.config.secrets.apiKeyPepper.toString('base64') }, app.database);
  expect((await apiClient(instance, tenant.sandboxKey).get('/api/v1/users')).status).toBe(200);
  expect((await uses())['SANDBOX']?.at).toBeNull();
  await instance.close();
  expect((await uses())['SANDBOX']?.at).toBeInstanceOf(Date);
});
