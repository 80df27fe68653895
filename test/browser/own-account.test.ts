/** The own account in a real browser: a passkey is made with the browser's own dialog, and given once more for what asks for it. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plantPerson } from '../support/pages/plant-person.ts';
import type { ShopWorld } from '../support/pages/shop-world.ts';
import { startBrowser } from './support/chromium.ts';
import { accessibilityFaults } from './support/examine.ts';
import { openAs } from './support/watched-page.ts';
import { openWorld, pageAt } from './support/world.ts';

let browser: Browser;
let world: ShopWorld;
beforeAll(async () => {
  [browser, world] = await Promise.all([startBrowser(), openWorld()]);
});
afterAll(() => browser.close());

const SCREENS = new URL('../../.screens/', import.meta.url).pathname;

test('a passkey is added, then stands in for the factor that recovery codes ask for', async () => {
  const { app, tenant } = world;
  const person = await plantPerson(app.database.asSuperuser, tenant.tenantId, { role: 'admin', factor: false });
  const { context, page, faults } = await openAs(browser, { theme: 'light', width: 1440 }, person.cookie);
  try {
    const devices = await context.newCDPSession(page);
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
    const found: string[] = [];
    const look = async (): Promise<void> => {
      found.push(...(await accessibilityFaults(page)), ...(await faults()));
    };
    await page.goto(pageAt(world, tenant, '/account'));
    await page.getByText('You have none yet').waitFor();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel('What is it called?').fill('Laptop');
    await look();
    await page.screenshot({ path: `${SCREENS}account-passkey.png`, fullPage: true });
    await page.getByRole('button', { name: 'Go on with the browser' }).click();
    await page.getByText('The passkey is added').waitFor();
    await page.getByRole('rowheader', { name: 'Laptop' }).waitFor();

    await page.getByRole('link', { name: 'Make ten codes…' }).click();
    await page.getByRole('button', { name: 'Make ten codes' }).click();
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
    await look();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.locator('.codes').waitFor();
    await page.screenshot({ path: `${SCREENS}account-codes.png` });
    await look();
    const codes = (await page.locator('.codes code').textContent()) ?? '';
    expect(codes.split('\n')).toHaveLength(10);
    await page.getByRole('link', { name: 'I have stored them' }).click();
    await page.getByText('10 left').waitFor();

    await page.getByRole('button', { name: 'Set up an app' }).click();
    await page.locator('.qr svg').waitFor();
    await page.screenshot({ path: `${SCREENS}account-app.png`, fullPage: true });
    await look();
    expect(found).toEqual([]);
  } finally {
    await context.close();
  }
});
