/** The helper for signatures in a real browser: it says what is so, and asks nobody. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signatureHeaders } from '../../src/features/webhooks/sending/sign-event.ts';
import type { ShopWorld } from '../support/pages/shop-world.ts';
import { newWebhookSecret } from '../support/webhooks/plant-webhooks.ts';
import { startBrowser } from './support/chromium.ts';
import { accessibilityFaults, widthFaults } from './support/examine.ts';
import { openAs } from './support/watched-page.ts';
import { openWorld, pageAt } from './support/world.ts';

let browser: Browser;
let world: ShopWorld;
beforeAll(async () => {
  [browser, world] = await Promise.all([startBrowser(), openWorld()]);
});
afterAll(() => browser.close());

test.each([360, 1440])('%i wide, a signature verifies, and with another secret it does not; nothing is sent', async (width) => {
  const { context, page, faults } = await openAs(browser, { theme: 'dark', width }, world.people.owner.cookie);
  const id = '019a5c3e-0000-7000-8000-000000000001';
  const body = JSON.stringify({ id, type: 'member.created', data: { name: '<b>Zoë</b>' } });
  const secret = newWebhookSecret();
  const headers = signatureHeaders({ id, body: Buffer.from(body), at: new Date() }, [secret]);
  try {
    await page.goto(pageAt(world, world.tenant, '/webhooks/signature'));
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    await page.getByLabel('Headers').fill(lines.join('\n'));
    await page.getByLabel('Body').fill(body);
    await page.getByLabel('Secret').fill(secret);
    const check = page.getByRole('button', { name: 'Check it' });
    await check.click();
    await page.getByText('The signature verifies').waitFor();
    await page.getByLabel('Secret').fill(newWebhookSecret());
    // Enter sends nothing either.
    await page.getByLabel('Secret').press('Enter');
    await check.click();
    await page.getByText('most likely the secret is another one').waitFor();
    expect(asked).toEqual([]);
    expect([...(await accessibilityFaults(page)), ...(await widthFaults(page)), ...(await faults())]).toEqual([]);
  } finally {
    await context.close();
  }
});
