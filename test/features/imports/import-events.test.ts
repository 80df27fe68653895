/** Leads and purchases by CSV: as their operations take them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { importCsv } from './csv-imports.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const count = async (table: string, tenantId: string) =>
  (await app.database.asSuperuser<{ n: number }>(`select count(*)::int as n from ${table} where tenant_id = $1`, [tenantId]))[0]
    ?.n;

test('leads are captured, and one that is captured twice is one lead', async () => {
  const { tenantId, liveKey } = await app.newTenant();
  const member = await apiClient(app, liveKey).newMember();
  const file = [
    'email,name,referral_code,source,utm_source',
    `Lee@lead.example,Lee,${member.referral_code},fair,spring`,
    'lee@lead.example,Later,,,',
    'nobody,,,,',
    `kim@lead.example,,UNKNOWN,,`,
  ].join('\n');
  const validated = await importCsv(app, liveKey, file, { kind: 'leads', mode: 'validate' });
  expect(validated).toMatchObject({ status: 'completed', appliedCount: 3, failedCount: 1 });
  expect(await count('lead', tenantId)).toBe(0);
  const run = await importCsv(app, liveKey, file, { kind: 'leads' });
  expect(run).toMatchObject({ status: 'completed', appliedCount: 3, failedCount: 1 });
  expect(run.errors).toEqual(validated.errors);
  const leads = await app.database.asSuperuser(
    'select email, name, referrer_user_id, source, utm_source from lead where tenant_id = $1 order by email',
    [tenantId],
  );
  expect(leads).toEqual([
    { email: 'kim@lead.example', name: null, referrer_user_id: null, source: null, utm_source: null },
    { email: 'lee@lead.example', name: 'Lee', referrer_user_id: member.id, source: 'fair', utm_source: 'spring' },
  ]);
});

test('purchases are recorded and paid once, and each refusal is told by its row', async () => {
  const { tenantId, liveKey } = await app.newTenant();
  const client = apiClient(app, liveKey);
  const root = await client.newMember();
  const member = await client.newMember({ parent_id: root.id });
  await client.post(
    '/api/v1/events/purchase',
    client.purchaseBody({ external_event_id: 'known', amount_minor: 500, customer: { external_id: 'customer-1' } }),
  );
  const file = [
    'external_event_id,amount_minor,currency,customer_external_id,customer_email,attribution_user_id,attribution_referral_code,occurred_at',
    `o-1,10000,USD,c-1,kim@shop.example,${member.id},,2026-11-01T10:00:00Z`,
    `o-2,2500,USD,c-2,,,${member.referral_code},`,
    'o-3,25.5,USD,c-3,,,,',
    'o-4,100,qqq,c-4,not an email,,,',
    `o-5,100,USD,c-5,,${crypto.randomUUID()},,`,
    `o-1,10000,USD,c-1,kim@shop.example,${member.id},,2026-11-01T10:00:00Z`,
    `o-1,9999,USD,c-1,kim@shop.example,${member.id},,2026-11-01T10:00:00Z`,
    'known,400,USD,customer-1,,,,',
    ',100,USD,c-6,,,,',
    'o-7,100,USD,,,,,',
  ].join('\n');
  const codes = (run: Awaited<ReturnType<typeof importCsv>>) =>
    run.errors.map(({ rowNumber, faults }) => [rowNumber, ...faults.map(({ field, code = 'invalid' }) => `${field} ${code}`)]);
  const expected = [
    [4, 'amount_minor invalid'],
    [5, 'currency invalid', 'customer_email invalid'],
    [6, 'attribution_user_id invalid'],
    [8, 'external_event_id EVENT_ID_REUSED'],
    [9, 'amount_minor EVENT_ID_REUSED'],
    [10, 'external_event_id invalid'],
    [11, 'customer_external_id invalid'],
  ];
  const validated = await importCsv(app, liveKey, file, { kind: 'purchases', mode: 'validate' });
  expect(codes(validated)).toEqual(expected);
  expect(await count('event', tenantId)).toBe(1);
  const run = await importCsv(app, liveKey, file, { kind: 'purchases' });
  expect(codes(run)).toEqual(expected);
  expect(run).toMatchObject({ status: 'completed', appliedCount: 3, failedCount: 7 });
  expect(await count('event', tenantId)).toBe(3);
  const again = await importCsv(app, liveKey, file, { kind: 'purchases' });
  expect(again).toMatchObject({ appliedCount: 3, failedCount: 7 });
  expect(await count('event', tenantId)).toBe(3);
  const lines = await app.database.asSuperuser<{ n: number }>(
    'select count(*)::int as n from commission_line where tenant_id = $1',
    [tenantId],
  );
  // The first is of a day before there was a plan.
  expect(lines[0]?.n).toBe(2);
  await expectSoundBooks(app);
});
