/** Sales and their explanations, through HTTP. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
import type { TestTenant } from '../../support/app/test-app.ts';
import { type PageApp, startPageApp } from '../../support/pages/page-app.ts';
import { PeriodShop } from '../events/period-shop.ts';
import { noonOf, SettlingShop } from '../events/settling-shop.ts';

let pages: PageApp;
let tenant: TestTenant;
beforeAll(async () => {
  pages = await startPageApp();
  tenant = await pages.app.newTenant({ currency: 'USD', timeZone: 'Europe/Berlin' });
});
afterAll(() => pages.app.close());

test('a sale tells who was paid, by a sum in words, who made it, and what a refund took back', async () => {
  const client = apiClient(pages.app, tenant.sandboxKey);
  const top = await client.newMember({ name: 'Ida <Moser>' });
  const seller = await client.newMember({ name: 'Nadia Nagy', parent_id: top.id });
  const body = client.purchaseBody({ external_event_id: 'order-29', attribution: { user_id: seller.id } });
  const sale = await client.post('/api/v1/events/purchase', body);
  expect(sale.status, sale.text).toBe(201);
  const refund = { external_event_id: 'refund-29', purchase_external_event_id: 'order-29', amount_minor: 2500 };
  expect((await client.post('/api/v1/events/refund', refund)).status).toBe(201);
  const browser = pages.signedIn(tenant, 'owner');
  const home = pages.home(tenant, 'SANDBOX');

  const list = await browser.open(`${home}/sales?order=order-29`);
  expect(list.status, list.text).toBe(200);
  expect(list.text).toContain(`${home}/sales/${sale.body.event_id}`);

  const page = await browser.open(`${home}/sales/${sale.body.event_id}`);
  expect(page.status, page.text).toBe(200);
  expect(page.text).toContain('Same to the cent');
  expect(page.text).toContain('Nadia Nagy');
  expect(page.text).toContain('Ida &lt;Moser&gt;');
  expect(page.text).toMatch(/paid level 1: [\d.]+% of US\$100\.00 = US\$/);
  expect(page.text).toContain('API key');
  expect(page.text).toContain('refund-29');
  expect(page.text).toContain('The share US$25.00 of US$100.00');
  expect(page.text).not.toMatch(/\sstyle=/);

  const live = await browser.open(`${pages.home(tenant)}/sales/${sale.body.event_id}`);
  expect(live.status).toBe(404);
  const reviewer = await pages.signedIn(tenant, 'reviewer').open(`${home}/sales/${sale.body.event_id}`);
  expect(reviewer.status).toBe(403);
});

test('a period event lists its top-ups with their sales, and a top-up leads to its sale', async () => {
  const shop = await PeriodShop.open(pages.app, {}, tenant);
  const seller = await shop.client.newMember({ name: 'Otto Olsen' });
  const sale = await shop.sell(seller);
  const { eventId, lineIds } = await shop.topUp(seller, sale, 18_000);
  const browser = pages.signedIn(tenant, 'owner');
  const home = pages.home(tenant);

  const page = await browser.open(`${home}/sales/${eventId}`);
  expect(page.status, page.text).toBe(200);
  expect(page.text).toContain('What a member gets for a period, and why');
  expect(page.text).toContain('Otto Olsen');
  expect(page.text).toContain(`${home}/sales/${sale.event_id}`);
  expect(page.text).toContain('US$180.00');
  const list = await browser.open(`${home}/sales?kind=period`);
  expect(list.text).toContain(`${home}/sales/${eventId}`);

  const commission = await browser.open(`${home}/commissions/${lineIds[0]}`);
  expect(commission.status, commission.text).toBe(200);
  expect(commission.text).toContain('It tops a sale up');
  expect(commission.text).toContain('top-up of a sale');
  expect(commission.text).toContain(`${home}/sales/${sale.event_id}`);
});

test('a settled ladder says what was sold, which step that is, and what each sale was paid at first', async () => {
  const shop = await SettlingShop.open(pages.app);
  for (const [day, base] of [
    ['02', 300_000],
    ['03', 250_000],
  ] as const)
    await shop.sell(base, noonOf(`2026-03-${day}`));
  await shop.settle();
  await shop.sell(600_000, noonOf('2026-03-04'));
  await shop.settle();
  const [, event] = await shop.periods();
  const page = await pages.signedIn(shop.tenant, 'owner').open(`${pages.home(shop.tenant)}/sales/${event?.event_id}`);
  expect(page.status, page.text).toBe(200);
  expect(page.text).toContain('monthly, 2026-03-01 up to 2026-04-01');
  expect(page.text).toContain('step 3: 15%');
  for (const amount of ['US$11,500.00', 'US$720.00', 'US$900.00', 'US$90.00', 'US$60.00']) expect(page.text).toContain(amount);
});
