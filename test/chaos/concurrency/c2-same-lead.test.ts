/** C-2 (docs/specification/reliability.md#c-2): a thousand captures of one email make one lead with the first attribution. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
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

test('1,000 x POST /leads/capture with one email: one 201, 999 x 200, one lead, one referrer for all', async () => {
  const { tenantId, liveKey: key } = await app.newTenant();
  const client = apiClient(app, key);
  const sponsors = [await client.newMember(), await client.newMember(), await client.newMember()];
  const answers = await load.sendAllUntilTaken(
    Array.from({ length: 1_000 }, (_, index) => ({
      baseUrl: app.baseUrl,
      key,
      path: '/api/v1/leads/capture',
      body: {
        email: index % 2 === 0 ? 'Prospect@Shop.example' : 'prospect@shop.EXAMPLE',
        referral_code: sponsors[index % 3]?.referral_code,
        name: `Visitor ${index}`,
      },
    })),
  );
  expect(countStatuses(answers)).toEqual({ 201: 1, 200: 999 });
  const first = JSON.parse(answers.find((answer) => answer.status === 201)?.text ?? '{}');
  expect(sponsors.map((member) => member.id)).toContain(first.referrer_user_id);
  // Nothing was blank after the first capture, so every answer is the first one's lead.
  expect([...new Set(answers.map((answer) => answer.text))]).toEqual([JSON.stringify(first)]);
  expect(await app.database.asSuperuser('select id from lead where tenant_id = $1', [tenantId])).toEqual([{ id: first.id }]);
});

test('captures that each know something fill one lead together, and lose nothing', async () => {
  const { liveKey: key } = await app.newTenant();
  const client = apiClient(app, key);
  const sponsor = await client.newMember();
  const parts = [
    { name: 'Ann' },
    { phone: '+49 30 1234' },
    { referral_code: sponsor.referral_code },
    { source: 'fair' },
    { utm_source: 'news', utm_medium: 'mail', utm_campaign: 'spring' },
    { click_id: 'c-1' },
  ];
  const answers = await load.sendAll(
    Array.from({ length: 120 }, (_, index) => ({
      baseUrl: app.baseUrl,
      key,
      path: '/api/v1/leads/capture',
      body: { email: 'ann@shop.example', ...parts[index % parts.length] },
    })),
  );
  expect(countStatuses(answers)).toEqual({ 201: 1, 200: 119 });
  const last = await client.post('/api/v1/leads/capture', { email: 'ann@shop.example' });
  expect(last.body).toMatchObject({
    name: 'Ann',
    phone: '+49 30 1234',
    referrer_user_id: sponsor.id,
    source: 'fair',
    utm_source: 'news',
    utm_medium: 'mail',
    utm_campaign: 'spring',
    click_id: 'c-1',
  });
});
