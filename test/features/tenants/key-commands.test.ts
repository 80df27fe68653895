/** `cli key`: what operators do with keys. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
import { runCli } from '../../support/app/run-cli.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';

let app: TestApp;
let tenant: TestTenant;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
});
afterAll(() => app.close());

const create = (...words: string[]) =>
  runCli(app, 'key', 'create', '--tenant', tenant.tenantId, '--environment', 'live', ...words, '--json');

test('a key with an end works until then; the list says when, and when each was last used', async () => {
  const { code, stdout, stderr } = await create('--name', 'Import', '--expires-at', '2099-06-30T22:00:00+02:00');
  expect(code, stderr).toBe(0);
  const { keyId, apiKey } = JSON.parse(stdout) as { keyId: string; apiKey: string };
  expect((await apiClient(app, apiKey).get('/api/v1/users')).status).toBe(200);
  await app.keyUse.flush();
  const listed = await runCli(app, 'key', 'list', '--tenant', tenant.tenantId, '--json');
  expect(listed.code, listed.stderr).toBe(0);
  expect(listed.stdout).not.toContain(apiKey.slice(9, -4));
  const rows = JSON.parse(listed.stdout) as { keyId: string; expiresAt: string | null; lastUsedAt: string | null }[];
  expect(rows).toHaveLength(3);
  expect(rows.find((row) => row.keyId === keyId)).toMatchObject({
    name: 'Import',
    status: 'active',
    expiresAt: '2099-06-30T20:00:00.000Z',
    lastUsedAt: expect.stringMatching(/Z$/),
  });
  const others = rows.filter((row) => row.keyId !== keyId).map(({ expiresAt, lastUsedAt }) => [expiresAt, lastUsedAt]);
  expect(others).toEqual([
    [null, null],
    [null, null],
  ]);
});

test.each(['2020-01-01T00:00:00Z', 'tomorrow', '2099-01-01'])('an end at %s makes no key', async (end) => {
  const { code, stdout, stderr } = await create('--expires-at', end);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('expires-at: must be');
  const rows = await app.database.asSuperuser('select 1 from api_key where expires_at is not null and expires_at < now()');
  expect(rows).toEqual([]);
});

test('a key is made with everything, or with what a preset or scopes say, bound to addresses, and it is recorded', async () => {
  const made = async (...words: string[]) => {
    const { code, stdout, stderr } = await create(...words);
    expect(code, stderr).toBe(0);
    const { keyId } = JSON.parse(stdout) as { keyId: string };
    const [row] = await app.database.asSuperuser<{ scopes: string[]; allowed_ips: string[] | null; created_by: string }>(
      'select scopes, allowed_ips, created_by from api_key where id = $1',
      [keyId],
    );
    const entries = await app.database.asSuperuser(
      'select action, actor_kind, operation_id, details from audit_log where object_id = $1',
      [keyId],
    );
    expect(entries).toEqual([
      {
        action: 'api_key.created',
        actor_kind: 'operator',
        operation_id: 'key create',
        details: { scopes: row?.scopes, rateLimit: null, expiresAt: null, boundToAddresses: row?.allowed_ips !== null },
      },
    ]);
    return row;
  };
  expect(await made()).toEqual({ scopes: ['*'], allowed_ips: null, created_by: 'operator' });
  const reporting = await made('--preset', 'reporting', '--allowed-ips', '203.0.113.7,2001:db8::1/32');
  expect(reporting?.scopes).toContain('users:read');
  expect(reporting?.scopes).not.toContain('users:write');
  expect(reporting?.allowed_ips).toEqual(['203.0.113.7/32', '2001:db8::/32']);
  expect((await made('--scopes', 'payouts:approve,users:read'))?.scopes).toEqual(['payouts:approve', 'users:read']);
});

test.each([
  [['--preset', 'backend', '--scopes', 'users:read'], 'preset: must not'],
  [['--preset', 'everything'], 'preset: must be one of: backend, reporting, full'],
  [['--allowed-ips', '203.0.113.7/33'], 'allowed-ips: 203.0.113.7/33 is not'],
])('%j makes no key', async (words, fault) => {
  const keys = () => app.database.asSuperuser('select id from api_key order by id');
  const before = await keys();
  const { code, stdout, stderr } = await create(...words);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(fault);
  expect(await keys()).toEqual(before);
});
