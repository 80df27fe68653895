/**
 * C-5 (docs/specification/reliability.md#c-5): the same Idempotency-Key in LIVE and SANDBOX and in two
 * tenants: one effect each.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { countStatuses, type Load, openLoad } from '../../support/app/model-load.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';

vi.setConfig({ testTimeout: 300_000 }); // a busy machine takes its time

let app: TestApp;
let load: Load;

beforeAll(async () => {
  app = await startTestApp({ DATABASE_POOL_SIZE: '20' });
  load = openLoad();
});
afterAll(async () => {
  load.close();
  await app.close();
});

test('250 x four scopes with one key: four members, and each scope hears only its own', async () => {
  const one = await app.newTenant();
  const two = await app.newTenant();
  const keys = [one.liveKey, one.sandboxKey, two.liveKey, two.sandboxKey];
  const answers = await load.sendAll(
    Array.from({ length: 1_000 }, (_, index) => ({
      baseUrl: app.baseUrl,
      key: keys[index % 4] ?? '',
      path: '/api/v1/users',
      // A body of its own in each scope: were keys shared, three of four would be refused.
      body: { email: `scope-${index % 4}@shop.example` },
      headers: { 'idempotency-key': 'common' },
    })),
  );
  expect(countStatuses(answers)).toEqual({ 201: 1_000 });
  const ids = keys.map((_, scope) => {
    const texts = new Set(answers.filter((__, index) => index % 4 === scope).map((answer) => answer.text));
    expect(texts.size).toBe(1);
    const body = JSON.parse([...texts][0] ?? '{}');
    expect([body.email, body.tenant_id]).toEqual([`scope-${scope}@shop.example`, (scope < 2 ? one : two).tenantId]);
    return body.id as string;
  });
  expect(new Set(ids).size).toBe(4);
  const rows = await app.database.asSuperuser<{ count: number }>('select count(*)::int as count from member');
  expect(rows).toEqual([{ count: 4 }]);
});
