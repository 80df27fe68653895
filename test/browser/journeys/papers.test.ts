/** From the papers that a member sends in to the money: left out of a run, reviewed by keys, drafted, paid and settled. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
import { drawnPdf, drawnPng } from '../../support/kyc/drawn-documents.ts';
import { sendDocument } from '../../support/kyc/kyc-documents.ts';
import { plantPerson } from '../../support/pages/plant-person.ts';
import { pageTenant, type ShopWorld } from '../../support/pages/shop-world.ts';
import { earn, plantAccount, startPayouts } from '../../support/payments/payout-world.ts';
import { startBrowser } from '../support/chromium.ts';
import { beginJourney } from '../support/journey.ts';
import { openWorld, pageAt } from '../support/world.ts';

let browser: Browser;
let world: ShopWorld;
beforeAll(async () => {
  [browser, world] = await Promise.all([startBrowser(), openWorld()]);
});
afterAll(() => browser.close());

test('a member who sent in papers is approved by keys and paid', async () => {
  const { app } = world;
  const tenant = await pageTenant(app, await app.newTenant({ currency: 'USD' }));
  const scope = { tenantId: tenant.tenantId, environment: 'LIVE' } as const;
  const client = apiClient(app, tenant.liveKey);
  const [reviewer, finance] = [
    await plantPerson(app.database.asSuperuser, tenant.tenantId, { role: 'reviewer', name: 'Rita Reviewer' }),
    await plantPerson(app.database.asSuperuser, tenant.tenantId, { role: 'finance', name: 'Fia Finance' }),
  ];
  const member = await client.newMember({ name: 'Petra Paid' });
  await plantAccount(app, scope, member.id);
  await earn(app, scope, client, member, 10_000);
  expect((await client.post(`/api/v1/members/${member.id}/kyc/start`, {})).status).toBe(200);
  for (const documentType of ['government_id_front', 'government_id_back', 'selfie'] as const) {
    const paper =
      documentType === 'government_id_back'
        ? { content: await drawnPdf(['Card']), fileName: 'back.pdf', mimeType: 'application/pdf' as const }
        : { content: drawnPng({ shade: 0xd0 }), fileName: 'a.png', mimeType: 'image/png' as const };
    expect((await sendDocument(client, member.id, { ...paper, documentType })).status).toBe(201);
  }

  const before = await beginJourney(browser, pageAt(world, tenant, '/payouts'), finance.cookie);
  await before.click('New run…');
  await before.click('Show what would be drafted', 'button');
  await before.page.getByRole('cell', { name: 'Not verified' }).waitFor();
  expect(await before.end()).toEqual([]);

  const desk = await beginJourney(browser, pageAt(world, tenant, '/verification'), reviewer.cookie);
  await desk.click('Start reviewing');
  await desk.page.locator('[data-review]').waitFor();
  for (const key of ['a', '2', 'a', '3', 'a', 'Shift+A']) await desk.page.keyboard.press(key);
  await expect
    .poll(async () => (await client.get(`/api/v1/members/${member.id}/kyc`)).body.status, { timeout: 30_000 })
    .toBe('approved');
  expect(await desk.end()).toEqual([]);

  const paying = await beginJourney(browser, pageAt(world, tenant, '/payouts/runs/new'), finance.cookie);
  await paying.click('Show what would be drafted', 'button');
  await paying.click(/^Draft US\$100\.00 to 1 member$/, 'button');
  await paying.click('Approve…');
  await paying.click(/^Approve US\$100\.00 to 1 member$/, 'button');
  await paying.click(/^Pay US\$100\.00 to 1 member$/, 'button');
  await startPayouts(app, scope);
  await paying.click('Look again');
  await paying.page.getByLabel('Reference').fill('WIRE-1');
  await paying.click(/^Paid US\$100\.00$/, 'button');
  await paying.page.getByText('completed').first().waitFor();
  const [payout] = (await client.get(`/api/v1/payouts?userId=${member.id}`)).body.data;
  expect(payout).toMatchObject({ amountMinor: 10_000, status: 'paid', reference: 'WIRE-1' });
  expect(await paying.end()).toEqual([]);
});
