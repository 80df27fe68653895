/** From a member to a cent, its reason and its postings; and a dispute, whose effect is shown before it is recorded. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
import type { ShopWorld } from '../../support/pages/shop-world.ts';
import { startBrowser } from '../support/chromium.ts';
import { beginJourney } from '../support/journey.ts';
import { openWorld, pageAt } from '../support/world.ts';

let browser: Browser;
let world: ShopWorld;
beforeAll(async () => {
  [browser, world] = await Promise.all([startBrowser(), openWorld()]);
});
afterAll(() => browser.close());

test('a member, a cent, why, and where it stands in the ledger', async () => {
  const { tenant, people, story } = world;
  const journey = await beginJourney(browser, pageAt(world, tenant, '/members'), people.owner.cookie);
  const { page } = journey;
  await journey.click('Cleo Limb');
  await page
    .getByRole('row')
    .filter({ hasText: '1.88' })
    .getByRole('link', { name: /the sale, explained/ })
    .first()
    .click();
  await page.getByText(story.sale.external).first().waitFor();
  await page.getByText('paid level 2: 5% of US$37.53').waitFor();
  await page.getByRole('heading', { name: 'In the ledger' }).waitFor();
  const postings = page.getByRole('table', { name: 'Postings' });
  await postings.getByText('member:pending').first().waitFor();
  await postings.getByText('1.88').first().waitFor();
  expect(await journey.end()).toEqual([]);
});

test('a dispute with its preview, which is what the deed then does', async () => {
  const { app, tenant, people, story } = world;
  const client = apiClient(app, tenant.liveKey);
  const body = client.purchaseBody({
    currency: 'USD',
    external_event_id: 'north-disputed',
    amount_minor: 10_000,
    attribution: { user_id: story.members.dan.id },
  });
  const sale = (await client.post('/api/v1/events/purchase', body)).body as { event_id: string };
  const journey = await beginJourney(browser, pageAt(world, tenant, `/sales/${sale.event_id}`), people.owner.cookie);
  const { page } = journey;
  await journey.click('Dispute…');
  await page.getByLabel('Id of the dispute').fill('case-77');
  await page.getByLabel('It is').selectOption('lost');
  await journey.click('Look', 'button');
  await page.getByRole('heading', { name: 'Dispute lost' }).waitFor();
  const shown = (await page.getByRole('main').textContent()) ?? '';
  expect((await client.get(`/api/v1/events?purchase_event_id=${sale.event_id}`)).body.data).toEqual([]);
  await page.getByRole('button', { name: /^Record as lost: US\$100.00/ }).click();
  await page.waitForURL((url) => !url.pathname.endsWith('/dispute'));
  const [recorded] = (await client.get(`/api/v1/events?purchase_event_id=${sale.event_id}`)).body.data as { event_id: string }[];
  const { commissions } = (await client.get(`/api/v1/events/${recorded?.event_id}`)).body as {
    commissions: { amount_minor: number }[];
  };
  expect(commissions.length).toBeGreaterThan(1);
  for (const { amount_minor: minor } of commissions) expect(shown).toContain((Math.abs(minor) / 100).toFixed(2));
  expect(await journey.end()).toEqual([]);
});

test('a role without rights sees neither page nor button, and is refused by address', async () => {
  const { tenant, people, story } = world;
  const sale = await beginJourney(browser, pageAt(world, tenant, `/sales/${story.sale.id}`), people['read-only'].cookie);
  await sale.page.getByRole('heading', { name: 'Who was paid for this sale, and why' }).waitFor();
  expect(await sale.page.getByRole('link', { name: 'Refund…' }).count()).toBe(0);
  expect(await sale.page.getByRole('link', { name: 'People' }).count()).toBe(0);
  for (const path of [`/sales/${story.sale.id}/refund`, '/people', '/keys/new']) {
    const answer = await sale.page.goto(pageAt(world, tenant, path));
    expect(answer?.status(), path).toBe(403);
  }
  await sale.end();
});
