/** A file is sent by a real browser, followed to its end, and its refused rows are shown from the file itself. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runJobs } from '../support/jobs/run-jobs.ts';
import type { ShopWorld } from '../support/pages/shop-world.ts';
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

const SCREENS = new URL('../../.screens/', import.meta.url).pathname;
const HOSTILE = '<img src=x onerror=alert(1)>';
const CSV = `email,name\r\n\r\nida@import.example,"Ida, of\nthe north"\r\nno-email,"${HOSTILE} ""quoted"""\r\nlee@import.example,Lee\r\n,${'long'.repeat(80)}`;

test.each([360, 1440])('%i wide', async (width) => {
  const { owner } = world.people;
  const { context, page, faults } = await openAs(browser, { theme: 'light', width }, owner.cookie);
  try {
    const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) };
    await page.goto(pageAt(world, world.tenant, '/imports', 'sandbox'));
    await page.getByLabel('File').setInputFiles(file);
    await page.getByRole('button', { name: 'Send the file to SANDBOX' }).click();
    await page.locator('progress').waitFor();
    await runJobs(world.app, 'run-import');
    // Without a click: a script asks how far it has come.
    await page.getByText('looked at, rows refused').waitFor();
    await page.getByLabel('Show the rows…').setInputFiles(file);
    await page.getByText('2 rows are shown').waitFor();
    expect(await page.locator('[data-row]:visible').allTextContents()).toEqual([
      `no-email,"${HOSTILE} ""quoted"""`,
      `,${'long'.repeat(80)}`,
    ]);
    await page.screenshot({ path: `${SCREENS}import-refused-${width}.png`, fullPage: true });
    expect([...(await accessibilityFaults(page)), ...(await widthFaults(page)), ...(await faults())]).toEqual([]);
  } finally {
    await context.close();
  }
});
