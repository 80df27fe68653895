/** C-1 (docs/specification/reliability.md#c-1): a thousand creations of one email make one member. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { countStatuses, type Load, openLoad } from '../../support/app/model-load.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';

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

test('1,000 x POST /users with one email, in mixed case and both forms of é: one 201, 999 x 409', async () => {
  const { tenantId, liveKey: key } = await app.newTenant();
  const composed = 'José.É@Shop.example'.normalize('NFC');
  const decomposed = composed.normalize('NFD');
  expect(decomposed).not.toBe(composed);
  const forms = [composed, decomposed, composed.toUpperCase(), decomposed.toLowerCase(), composed.toLowerCase()];
  const answers = await load.sendAllUntilTaken(
    Array.from({ length: 1_000 }, (_, index) => ({
      baseUrl: app.baseUrl,
      key,
      path: '/api/v1/users',
      body: { email: forms[index % forms.length] },
    })),
  );
  expect(countStatuses(answers)).toEqual({ 201: 1, 409: 999 });
  const refusals = new Set(answers.filter((answer) => answer.status === 409).map((answer) => answer.text));
  expect([...refusals].map((text) => JSON.parse(text).code)).toEqual(['EMAIL_EXISTS']);
  const rows = await app.database.asSuperuser<{ email_norm: string; codes: number }>(
    `select m.email_norm, (select count(*)::int from referral_code c where c.tenant_id = m.tenant_id) as codes
     from member m where m.tenant_id = $1`,
    [tenantId],
  );
  expect(rows).toEqual([{ email_norm: composed.toLowerCase(), codes: 1 }]);
  await expectCleanBooks(app);
});
