/** `cli tenant disable`, `tenant enable` and `key enable`: what they stop, what they leave, and that they are recorded. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
import { runCli } from '../../support/app/run-cli.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';

/** A key is looked up anew after this time on every instance: docs/specification/tenancy.md#key-cache. */
const KEY_CACHE_MS = 1_000;

let app: TestApp;
let tenant: TestTenant;
let other: TestTenant;

beforeAll(async () => {
  app = await startTestApp();
  [tenant, other] = [await app.newTenant(), await app.newTenant()];
});
afterAll(() => app.close());

const statusOf = async (key: string): Promise<number> => (await apiClient(app, key).get('/api/v1/users')).status;
const actionsOn = (id: string): Promise<{ action: string; actor_kind: string; operation_id: string }[]> =>
  app.database.asSuperuser(
    `select action, actor_kind, operation_id from audit_log where object_id = $1 and action ~ '(en|dis)abled' order by id`,
    [id],
  );

async function cli(...words: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await runCli(app, ...words, '--json');
  expect(code, stderr).toBe(0);
  if (words[1] === 'disable') await sleep(KEY_CACHE_MS);
  return JSON.parse(stdout);
}

test('a disabled tenant has no key that works and no link that leads anywhere, until it is enabled again', async () => {
  const client = apiClient(app, tenant.liveKey);
  const member = await client.post('/api/v1/users', { email: 'ada@example.com', name: 'Ada' });
  await client.patch('/api/v1/admin/settings', { referrals: { allowedDestinationHosts: ['shop.example'] } });
  const link = await client.post('/api/v1/referrals/links', {
    user_id: member.body.id as string,
    destination_url: 'https://shop.example/',
  });
  expect(link.status, JSON.stringify(link.body)).toBe(201);
  const follow = async (): Promise<number> => (await app.http.get(`/r/${String(link.body.slug)}`).redirects(0)).status;
  expect(await follow()).toBe(302);

  expect(await cli('tenant', 'disable', tenant.tenantId)).toEqual({ tenantId: tenant.tenantId, disabled: true });
  const refused = await client.get('/api/v1/users');
  expect([refused.status, refused.body.code]).toEqual([401, 'INVALID_API_KEY']);
  expect([await statusOf(tenant.sandboxKey), await statusOf(other.liveKey), await follow()]).toEqual([401, 200, 404]);
  const listed = (await cli('tenant', 'list')) as { tenantId: string; disabledAt: string | null }[];
  expect(listed.map(({ tenantId, disabledAt }) => [tenantId, disabledAt !== null])).toEqual(
    expect.arrayContaining([
      [tenant.tenantId, true],
      [other.tenantId, false],
    ]),
  );
  // A key that is made meanwhile waits as the others do.
  const made = (await cli('key', 'create', '--tenant', tenant.tenantId, '--environment', 'live')) as { apiKey: string };
  expect(await statusOf(made.apiKey)).toBe(401);
  await cli('tenant', 'disable', tenant.tenantId);

  await cli('tenant', 'enable', tenant.tenantId);
  expect([
    await statusOf(tenant.liveKey),
    await statusOf(tenant.sandboxKey),
    await statusOf(made.apiKey),
    await follow(),
  ]).toEqual([200, 200, 200, 302]);
  expect(await actionsOn(tenant.tenantId)).toEqual([
    { action: 'tenant.disabled', actor_kind: 'operator', operation_id: 'tenant disable' },
    { action: 'tenant.enabled', actor_kind: 'operator', operation_id: 'tenant enable' },
  ]);
  expect(
    await app.database.asSuperuser('select from tenant where updated_at <> created_at and id = $1', [tenant.tenantId]),
  ).toEqual([]);
});

test('an operator enables a key that was disabled, by whomever, and none that was revoked', async () => {
  const client = apiClient(app, other.liveKey);
  const key = await client.post('/api/v1/admin/api-keys', { preset: 'full' });
  const { id, apiKey } = key.body as { id: string; apiKey: string };
  await cli('key', 'disable', id);
  expect(await statusOf(apiKey)).toBe(401);
  expect((await client.patch(`/api/v1/admin/api-keys/${id}`, { disabled: false })).status).toBe(409);
  expect(await cli('key', 'enable', id)).toEqual({ keyId: id, status: 'enabled' });
  expect(await statusOf(apiKey)).toBe(200);
  await cli('key', 'enable', id);
  expect((await client.patch(`/api/v1/admin/api-keys/${id}`, { disabled: true })).status).toBe(200);
  await cli('key', 'enable', id);
  expect(await statusOf(apiKey)).toBe(200);
  expect((await actionsOn(id)).filter(({ actor_kind }) => actor_kind === 'operator')).toEqual([
    { action: 'api_key.disabled', actor_kind: 'operator', operation_id: 'key disable' },
    { action: 'api_key.enabled', actor_kind: 'operator', operation_id: 'key enable' },
    { action: 'api_key.enabled', actor_kind: 'operator', operation_id: 'key enable' },
  ]);
  await cli('key', 'revoke', id);
  const again = await runCli(app, 'key', 'enable', id);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('revoked')]);
});

test.each(['tenant disable', 'tenant enable', 'key enable'])('%s of what is not there says so', async (words) => {
  for (const id of ['019a0000-0000-7000-8000-000000000000', 'nonsense']) {
    const { code, stderr } = await runCli(app, ...words.split(' '), id);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^No such (tenant|key)\n$/)]);
  }
});
