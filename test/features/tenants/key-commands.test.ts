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
