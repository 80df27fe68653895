/**
 * Questions that somebody without a manual answers by clicking, with the clicks and the seconds that it took; the seconds
 * are printed and not asserted.
 */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ShopWorld } from '../../support/pages/shop-world.ts';
import { startBrowser } from '../support/chromium.ts';
import { beginJourney, type Journey } from '../support/journey.ts';
import { openWorld, pageAt } from '../support/world.ts';

let browser: Browser;
let world: ShopWorld;
beforeAll(async () => {
  [browser, world] = await Promise.all([startBrowser(), openWorld()]);
});
afterAll(() => browser.close());

async function ask(question: string, most: number, way: (journey: Journey) => Promise<void>): Promise<void> {
  const journey = await beginJourney(browser, pageAt(world, world.tenant, ''), world.people.owner.cookie);
  await way(journey);
  const clicks = journey.clicks();
  process.stdout.write(`fresh eyes: ${question}: ${clicks} clicks, ${journey.seconds().toFixed(1)} s\n`);
  expect(await journey.end()).toEqual([]);
  expect(clicks).toBeLessThanOrEqual(most);
}

async function search(journey: Journey, text: string): Promise<void> {
  await journey.click('Search or jump to');
  await journey.page.locator('input[role="combobox"]').fill(text);
  await journey.click(new RegExp(text), 'option');
}

test('who recruited Dan?', () =>
  ask('who recruited X', 2, async (journey) => {
    await search(journey, 'Dan Leaf');
    await journey.page.getByRole('heading', { name: 'Dan Leaf' }).waitFor();
    await journey.page.getByText('Cleo Limb').first().waitFor();
  }));

test('why did Cleo get 1.88?', () =>
  ask('why did Y get 1.88', 3, async (journey) => {
    await search(journey, 'Cleo Limb');
    const { page } = journey;
    await journey.click('the sale, explained', 'link', page.getByRole('row').filter({ hasText: '1.88' }));
    await page.getByText('paid level 2: 5% of US$37.53').waitFor();
    await page.getByText('Same to the cent').waitFor();
  }));

test('which key made this sale?', () =>
  ask('which key made this sale', 2, async (journey) => {
    await search(journey, world.story.sale.external);
    await journey.page.getByText(world.story.keyName).first().waitFor();
  }));

test('does the ledger balance?', () =>
  ask('does the ledger balance', 2, async (journey) => {
    await journey.click('Ledger');
    await journey.page.getByText('balances', { exact: true }).first().waitFor();
    await journey.click(/Verify/);
    await journey.page.getByRole('heading', { name: 'Everything is whole' }).waitFor();
  }));
