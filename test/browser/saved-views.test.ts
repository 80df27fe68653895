/** Saved views above a list, in a real Chromium. Source: docs/specification/pages.md#saved-views. Pictures are in .screens/. */
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../support/app/api-client.ts';
import type { ShopWorld } from '../support/pages/shop-world.ts';
import { startBrowser } from './support/chromium.ts';
import { accessibilityFaults, widthFaults } from './support/examine.ts';
import { lookAt } from './support/look-at.ts';
import { LOOKS, openAs } from './support/watched-page.ts';
import { openWorld, pageAt } from './support/world.ts';

const SCREENS = path.resolve(import.meta.dirname, '../../.screens');

let browser: Browser;
let world: ShopWorld;
let client: ApiClient;
beforeAll(async () => {
  [browser, world] = await Promise.all([startBrowser(), openWorld()]);
  client = apiClient(world.app, world.tenant.liveKey);
  const share = (name: string, query: Record<string, string>) =>
    client.post('/api/v1/admin/saved-views', { name, page: '/sales', query, shared: true });
  await share('Refunds of the year', { kind: 'refund', from: '2026-01-01' });
  await share('Nobody was credited', { status: 'unattributed' });
  await share('A very long name that somebody gave to a view of all of the disputes of this year', { kind: 'chargeback' });
  await share('<b>مبيعات</b>', { order: 'north' });
  for (let nr = 1; nr <= 9; nr += 1) await share(`Week ${nr}`, { from: `2026-01-0${nr}` });
});
afterAll(() => browser.close());

test.each(LOOKS)('the views of a list and the form that saves one, in $theme, $width wide', async (look) => {
  const { cookie } = world.people.owner;
  const address = pageAt(world, world.tenant, '/sales?status=unattributed');
  expect(await lookAt(browser, { address, look, cookie, picture: 'saved-views' })).toEqual([]);
  const { context, page, faults } = await openAs(browser, look, cookie);
  await page.goto(address);
  expect(await page.locator('#saved-views a[aria-current="page"]').textContent()).toBe('Nobody was credited');
  await page.click('#saved-views summary');
  await page.click('text=Save these filters…');
  expect(await page.locator('dialog#save-view').isVisible()).toBe(true);
  await page.screenshot({ path: path.join(SCREENS, `saved-views-save-${look.theme}-${look.width}.png`) });
  expect([...(await accessibilityFaults(page)), ...(await widthFaults(page)), ...(await faults())]).toEqual([]);
  await context.close();
});

test('what is saved of the members is what was typed last, and the open view is deleted', async () => {
  const { context, page, faults } = await openAs(browser, { theme: 'light', width: 1440 }, world.people.admin.cookie);
  await page.goto(pageAt(world, world.tenant, '/members'));
  expect(await page.locator('text=Save these filters…').count()).toBe(0);
  await page.fill('#members-q', 'ben');
  await page.click('text=Save these filters…');
  await page.fill('#saveView-name', 'Called Ben');
  await page.click('dialog#save-view button[type="submit"]');
  await page.waitForURL(/members\?q=ben$/);
  expect(await page.locator('#saved-views a[aria-current="page"]').textContent()).toBe('Called Ben');
  await page.click('text=Delete this view…');
  await page.click('dialog#delete-view button[type="submit"]');
  await page.waitForSelector('text=The view is deleted.');
  expect(await page.locator('text=Called Ben').count()).toBe(0);
  expect(await faults()).toEqual([]);
  await context.close();
});
