/**
 * A plan by two people: one edits it, sees a sale quoted, and asks for its publication, which is not theirs to confirm;
 * another reads what is different and confirms; the next sale is paid by it. The seconds are printed, not asserted.
 */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
import { plantPerson } from '../../support/pages/plant-person.ts';
import { pageTenant, type ShopWorld } from '../../support/pages/shop-world.ts';
import { startBrowser } from '../support/chromium.ts';
import { beginJourney } from '../support/journey.ts';
import { openWorld, pageAt } from '../support/world.ts';

let browser: Browser;
let world: ShopWorld;
beforeAll(async () => {
  [browser, world] = await Promise.all([startBrowser(), openWorld()]);
});
afterAll(() => browser.close());

test('edited and quoted by one, whose own approval is refused, and published by a second', async () => {
  const { app } = world;
  const tenant = await pageTenant(app, await app.newTenant({ currency: 'USD', timeZone: 'Europe/Berlin' }));
  const client = apiClient(app, tenant.liveKey);
  const set = { payments: { dualControl: true }, commissions: { planPublishSecondPair: true } };
  expect((await client.patch('/api/v1/admin/settings', set)).status).toBe(200);
  const owner = (name: string) => plantPerson(app.database.asSuperuser, tenant.tenantId, { role: 'owner', name });
  const [editor, second] = [await owner('Edda Editor'), await owner('Sven Second')];
  const seller = await client.newMember({ name: 'Sella Seller' });
  const [plan] = (await client.get('/api/v1/commission-plans')).body.data as { id: string; name: string }[];
  const path = `/api/v1/commission-plans/${plan?.id}`;
  const versions = async () => (await client.get(path)).body.versions as { version: number }[];
  /** What the seller gets of a sale of 100.00. */
  const earned = async (): Promise<number | undefined> => {
    const sale = await client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: seller.id } }));
    expect(sale.status, sale.text).toBe(201);
    const { commissions } = sale.body as { commissions: { user_id: string; amount_minor: number }[] };
    return commissions.find(({ user_id }) => user_id === seller.id)?.amount_minor;
  };
  expect(await earned()).not.toBe(1_250);

  const one = await beginJourney(browser, pageAt(world, tenant, '/plans'), editor.cookie);
  await one.click(plan?.name ?? '');
  await one.click('Edit');
  await one.page.getByLabel('Credited to').fill(seller.email);
  await one.page.getByLabel('Pays').first().fill('12.5 %');
  await one.page.locator('#plan-side').getByText('12.5% of US$100.00 = US$12.50').waitFor();
  await one.page.getByText('The draft can be published.').waitFor();
  await one.click('Save the draft', 'button');
  await one.page.getByText('The draft is saved.').waitFor();
  await one.click('Publish…');
  await one.page.getByText(/Published now, it pays the first sale at or after .+ in Europe\/Berlin/).waitFor();
  await one.click('Publish version 2 in LIVE', 'button');
  await one.page.getByText('A publication of this plan waits for a second person').waitFor();
  await one.click('Waiting changes', 'link', one.page.getByRole('main'));
  await one.page.getByText('You asked for it: somebody else confirms it.').waitFor();
  expect(await one.page.getByRole('button', { name: 'Confirm' }).count()).toBe(0);
  expect(await one.page.getByText('Withdraw…').count()).toBe(1);
  expect(await versions()).toHaveLength(1);
  const [editing, clicks] = [one.seconds(), one.clicks()];
  expect(await one.end()).toEqual([]);

  const two = await beginJourney(browser, pageAt(world, tenant, '/pending-changes'), second.cookie);
  await two.page.getByText('What is different from version 1').waitFor();
  await two.click('Confirm', 'button');
  await two.page.getByText('Confirmed. The change is in effect.').waitFor();
  expect((await versions()).map(({ version }) => version)).toEqual([2, 1]);
  expect(await earned()).toBe(1_250);
  process.stdout.write(
    `plan: ${clicks + two.clicks()} clicks, ${editing.toFixed(1)} s to edit, quote and ask, ${two.seconds().toFixed(1)} s to confirm\n`,
  );
  expect(await two.end()).toEqual([]);
});
