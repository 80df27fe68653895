/**
 * C-4 (docs/specification/reliability.md#c-4): one Idempotency-Key and two bodies interleaved: one effect, the
 * other body always 422.
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

test('500 x two bodies: the winner 201 throughout, the other 422 IDEMPOTENCY_KEY_REUSED', async () => {
  const { tenantId, liveKey: key } = await app.newTenant();
  const emails = ['first@shop.example', 'second@shop.example'];
  const answers = await load.sendAll(
    Array.from({ length: 1_000 }, (_, index) => ({
      baseUrl: app.baseUrl,
      key,
      path: '/api/v1/users',
      body: { email: emails[index % 2] },
      headers: { 'idempotency-key': 'shared' },
    })),
  );
  const rows = await app.database.asSuperuser<{ email: string }>('select email from member where tenant_id = $1', [tenantId]);
  expect(rows).toHaveLength(1);
  const winner = emails.indexOf(rows[0]?.email ?? '');
  const won = answers.filter((_, index) => index % 2 === winner);
  const lost = answers.filter((_, index) => index % 2 !== winner);
  expect(countStatuses(won)).toEqual({ 201: 500 });
  expect(countStatuses(lost)).toEqual({ 422: 500 });
  expect(new Set(won.map((answer) => answer.text)).size).toBe(1);
  expect(new Set(lost.map((answer) => JSON.parse(answer.text).code))).toEqual(new Set(['IDEMPOTENCY_KEY_REUSED']));
});
