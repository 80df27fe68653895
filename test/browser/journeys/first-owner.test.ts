/** From the link on the first screen to a key that works: joining, a passkey, a key that is shown once. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { staffOf } from '../../support/app/test-people.ts';
import type { ShopWorld } from '../../support/pages/shop-world.ts';
import { startBrowser } from '../support/chromium.ts';
import { beginJourney } from '../support/journey.ts';
import { openWorld } from '../support/world.ts';

let browser: Browser;
let world: ShopWorld;
beforeAll(async () => {
  [browser, world] = await Promise.all([startBrowser(), openWorld()]);
});
afterAll(() => browser.close());

test('the welcome link, a passkey, a key that is shown once and works', async () => {
  const { app, origin } = world;
  const { tenantId } = await app.newTenant();
  const { url } = await staffOf(app).operator.invite(tenantId, { role: 'owner' });
  const link = origin + new URL(url).pathname;
  const journey = await beginJourney(browser, link);
  const { page } = journey;
  const devices = await page.context().newCDPSession(page);
  await devices.send('WebAuthn.enable');
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  // Looking at it uses nothing up.
  await page.reload();
  await page.getByLabel('Your name').fill('Olivia Owner');
  await page.getByLabel('Email').fill('olivia@first.example');
  await page.getByLabel('Password').fill('a lantern in the harbour 7');
  await journey.click('Begin', 'button');

  await page.getByText('You are in.').waitFor();
  await journey.click('Add a passkey', 'button');
  await page.getByLabel('What is it called?').fill('Laptop');
  await journey.click('Go on with the browser', 'button');
  await page.getByText('The passkey is added').waitFor();

  await journey.click('API keys');
  await journey.click('New key');
  await page.getByRole('textbox', { name: 'Name' }).fill('The first');
  await journey.click(/Make a key for LIVE/, 'button');
  // A second factor of now is asked for; the form is kept.
  if (await page.getByRole('button', { name: 'Use a passkey' }).isVisible()) await journey.click('Use a passkey', 'button');
  const code = page.locator('.secret code');
  await code.waitFor();
  const apiKey = (await code.textContent()) ?? '';
  expect(apiKey).toMatch(/^svc_live_/);
  const answer = await fetch(`${app.baseUrl}/api/v1/events?limit=1`, { headers: { 'x-tenant-api-key': apiKey } });
  expect(answer.status).toBe(200);

  await journey.click('I have stored it');
  expect(await page.content()).not.toContain(apiKey);
  expect(await journey.faults()).toEqual([]);
  // The browser keeps no copy of the answer that showed it, and sends no form again by itself.
  await expect(page.goBack()).rejects.toThrow('ERR_CACHE_MISS');
  await page.context().close();

  const again = await beginJourney(browser, link);
  await again.page.getByRole('heading', { name: 'This link cannot be used any more' }).waitFor();
  await again.end();
});
