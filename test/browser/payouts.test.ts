/**
 * A run of two hundred members by clicks alone: one person drafts it and cannot approve it, another approves and pays it,
 * three payouts fail at the vendor and are tried again, and everybody is paid. The seconds are printed, not asserted.
 */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Scope } from '../../src/db/scope.ts';
import { type ApiClient, apiClient } from '../support/app/api-client.ts';
import { type PlantedPerson, plantPerson } from '../support/pages/plant-person.ts';
import { type PageTenant, pageTenant, type ShopWorld } from '../support/pages/shop-world.ts';
import { plantPaymentSettings } from '../support/payments/payment-settings.ts';
import { createPayoutVendorDouble } from '../support/payments/payout-vendor-double.ts';
import { checkAll, execute, payable, runJobs, runOf, startPayouts } from '../support/payments/payout-world.ts';
import { startBrowser } from './support/chromium.ts';
import { accessibilityFaults, widthFaults } from './support/examine.ts';
import { beginJourney, type Journey } from './support/journey.ts';
import { openWorld, pageAt } from './support/world.ts';

const MEMBERS = 200;
const FAILING = 3;
const EACH = 5_000;

let browser: Browser;
let world: ShopWorld;
let tenant: PageTenant;
let scope: Scope;
let client: ApiClient;
let drafter: PlantedPerson;
let payer: PlantedPerson;
beforeAll(async () => {
  [browser, world] = await Promise.all([startBrowser(), openWorld()]);
  const { app } = world;
  tenant = await pageTenant(app, await app.newTenant({ currency: 'USD', timeZone: 'Europe/Berlin' }));
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
  const person = (name: string) => plantPerson(app.database.asSuperuser, tenant.tenantId, { role: 'finance', name });
  [drafter, payer] = [await person('Dora Draft'), await person('Paul Pay')];
  await plantPaymentSettings(app, scope, { dualControl: true, dualControlBy: 'persons' });
  for (let nr = 0; nr < MEMBERS; nr += 10) {
    await Promise.all(
      Array.from({ length: 10 }, (_one, at) => payable(app, scope, client, EACH + nr + at, { provider: 'payvendor' })),
    );
  }
});
afterAll(() => browser.close());

/** What the page before this one would have to be told about. */
async function noFaults({ page, faults }: Journey): Promise<void> {
  expect([...(await accessibilityFaults(page)), ...(await widthFaults(page)), ...(await faults())]).toEqual([]);
}

test('two hundred members are paid by two people, three of them at the second attempt', async () => {
  const { app } = world;
  const vendor = createPayoutVendorDouble();

  const one = await beginJourney(browser, pageAt(world, tenant, '/payouts'), drafter.cookie);
  await noFaults(one);
  await one.click('New run…');
  await one.click('Show what would be drafted', 'button');
  await noFaults(one);
  await one.click(/^Draft US\$10,199\.00 to 200 members$/, 'button');
  await one.page.getByText('Equal to the last unit').waitFor();
  expect(await one.page.getByRole('table', { name: 'Who gets what' }).getByRole('row').count()).toBe(51);
  await noFaults(one);
  await one.click('Approve…');
  await one.page.getByText('You drafted this run, so somebody else approves it.').waitFor();
  expect(await one.page.getByRole('button', { name: /^Approve / }).count()).toBe(0);
  await noFaults(one);
  const address = one.page.url();
  const runId = /runs\/([0-9a-f-]{36})/.exec(address)?.[1] ?? '';
  expect((await runOf(client, runId)).status).toBe('draft');
  const drafting = one.seconds();
  await one.end();

  const two = await beginJourney(browser, address, payer.cookie);
  await two.page.getByText('Nothing has changed').waitFor();
  await two.click(/^Approve US\$10,199\.00 to 200 members$/, 'button');
  await noFaults(two);
  await two.click(/^Pay US\$10,199\.00 to 200 members$/, 'button');
  await two.page.getByText('What became of the payouts').waitFor();
  await noFaults(two);

  await send();
  const sent = [...vendor.payouts.values()].map(({ metadata }) => metadata['payout_id'] ?? '');
  expect(sent).toHaveLength(MEMBERS);
  for (const id of sent.slice(0, FAILING)) vendor.tell(id, 'failed', 'account_closed');
  for (const id of sent.slice(FAILING)) vendor.tell(id, 'paid');
  await hear();
  // The page hears of the end by itself.
  await two.page.getByText('3 payouts were not paid').waitFor();
  await two.page.getByRole('heading', { name: /The account was closed/ }).waitFor();
  await noFaults(two);

  vendor.outcome = 'paid';
  await two.click(/^Retry 3 failed: US\$/, 'button');
  await two.page.getByText('3 tried again.').waitFor();
  await send();
  await hear();
  await two.page.getByText('completed').first().waitFor();
  await noFaults(two);
  expect(await runOf(client, runId)).toMatchObject({ status: 'completed', byStatus: [{ status: 'paid', count: MEMBERS }] });
  process.stdout.write(
    `payouts: ${MEMBERS} members, ${one.clicks() + two.clicks()} clicks, ${drafting.toFixed(1)} s to draft, ${two.seconds().toFixed(1)} s to approve, pay and retry\n`,
  );
  expect(await two.end()).toEqual([]);

  /** As the worker does. */
  async function send(): Promise<void> {
    await startPayouts(app, scope);
    await runJobs(app, vendor);
  }
  async function hear(): Promise<void> {
    for (let round = 0; round < 10 && (await runOf(client, runId)).status === 'executing'; round += 1)
      await checkAll(app, scope, vendor);
  }
});

test('what is to be paid by hand appears by itself, and nothing that somebody types there goes', async () => {
  const { app } = world;
  const other = await pageTenant(app, await app.newTenant({ currency: 'USD', timeZone: 'Europe/Berlin' }));
  const own: Scope = { tenantId: other.tenantId, environment: 'LIVE' };
  const key = apiClient(app, other.liveKey);
  for (const amount of [6_000, 7_000]) await payable(app, own, key, amount);
  const run = await execute(key);
  const { cookie } = await plantPerson(app.database.asSuperuser, other.tenantId, { role: 'finance', name: 'Hanna Hand' });
  const three = await beginJourney(browser, pageAt(world, other, `/payouts/runs/${run.id}/watch`), cookie);
  const paid = three.page.getByRole('button', { name: /^Paid US\$/ });
  await three.page.getByText('looked at every two seconds').waitFor();
  expect(await paid.count()).toBe(0);
  const later = new Date(Date.now() + 3_600_000);
  const second = run.payouts[1]?.id;
  await app.database.asSuperuser('update payout set execute_at = $2 where id = $1', [second, later]);
  await startPayouts(app, own);
  await paid.first().waitFor();
  expect(await paid.count()).toBe(1);
  await noFaults(three);

  const reference = three.page.getByLabel('Reference');
  await reference.fill('SEPA 1');
  await reference.blur();
  await app.database.asSuperuser('update payout set execute_at = now() where id = $1', [second]);
  await startPayouts(app, own);
  await three.page.getByRole('link', { name: '2', exact: true }).waitFor();
  expect(await reference.inputValue()).toBe('SEPA 1');
  await reference.fill('');
  await reference.blur();
  await paid.nth(1).waitFor();
  expect(await three.end()).toEqual([]);
});
