/** A plan is edited in a real browser: the quote follows what is typed without a new page, and the draft is published. */
import { mkdir } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ShopWorld } from '../support/pages/shop-world.ts';
import { startBrowser } from './support/chromium.ts';
import { accessibilityFaults, sourceFaults, widthFaults } from './support/examine.ts';
import { openAs } from './support/watched-page.ts';
import { openWorld, pageAt } from './support/world.ts';

let browser: Browser;
let world: ShopWorld;
beforeAll(async () => {
  [browser, world] = await Promise.all([startBrowser(), openWorld()]);
  await mkdir(SCREENS, { recursive: true });
});
afterAll(() => browser.close());

const SCREENS = new URL('../../.screens/', import.meta.url).pathname;

async function clean(page: Page, picture: string): Promise<void> {
  await page.screenshot({ path: `${SCREENS}${picture}.png`, fullPage: true });
  // What stands below the bar that stays in sight is not out of reach: one scrolls.
  await page.evaluate('scrollTo(0, 0)');
  expect([...(await accessibilityFaults(page)), ...(await widthFaults(page))]).toEqual([]);
}

test.each([360, 1440])('%i wide', async (width) => {
  const { owner } = world.people;
  const { context, page, faults } = await openAs(browser, { theme: 'light', width }, owner.cookie);
  const at = (path: string): string => pageAt(world, world.tenant, path, 'sandbox');
  try {
    await page.goto(at('/plans/new'));
    await page.getByLabel('Name').fill(`Tried ${width}`);
    await page.getByRole('button', { name: 'Make the plan' }).click();
    await page.getByText('as a draft').waitFor();
    let loads = 0;
    page.on('framenavigated', () => {
      loads += 1;
    });

    await page.getByLabel('Currency', { exact: true }).fill('EUR');
    await page.getByLabel('Credited to').fill('dan@north.example');
    const side = page.locator('#plan-side');
    await side.getByText('10% of €100.00 = €10.00').waitFor();
    await page.getByLabel('Pays').first().fill('12.5 %');
    await side.getByText('12.5% of €100.00 = €12.50').waitFor();
    await page.getByLabel('Amount', { exact: true }).fill('200');
    await side.getByText('12.5% of €200.00 = €25.00').waitFor();
    await page.getByLabel('Days that a commission is held').fill('many');
    const field = page.getByLabel('Days that a commission is held');
    await page.getByText('must be a whole number').first().waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await clean(page, `plan-editor-wrong-${width}`);
    await field.fill('14');
    await side.getByText('The draft can be published.').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBeNull();
    await clean(page, `plan-editor-${width}`);
    expect(loads).toBe(0);

    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByLabel('Where, as JSON').waitFor();
    const rule = page.getByRole('group', { name: 'Rule 1' });
    await rule.getByLabel('Pays').fill('20 %');
    await rule.getByLabel('Levels').fill('1');
    await side.getByText('20% of €200.00 = €40.00').waitFor();
    await side.getByText('The draft can be published.').waitFor();
    await clean(page, `plan-editor-rule-${width}`);
    await page.getByRole('button', { name: 'JSON' }).click();
    expect(await page.getByLabel('The draft').inputValue()).toContain('"days": 14');
    await clean(page, `plan-editor-json-${width}`);
    await page.getByRole('button', { name: 'Form' }).click();
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await page.getByText('The draft is saved.').waitFor();
    await clean(page, `plan-${width}`);

    await page.getByRole('link', { name: 'Publish…' }).click();
    const answer = await page.reload();
    expect(await sourceFaults((await answer?.text()) ?? '')).toEqual([]);
    await clean(page, `plan-publish-${width}`);
    await page.getByRole('button', { name: 'Publish version 1' }).click();
    await page.getByText('Version 1 is published.').waitFor();
    expect(await faults()).toEqual([]);
  } finally {
    await context.close();
  }
});

test('who leaves with something unsaved is asked, and who saved is not', async () => {
  const { context, page } = await openAs(browser, { theme: 'dark', width: 1440 }, world.people.owner.cookie);
  const asked: string[] = [];
  page.on('dialog', (dialog) => asked.push(dialog.type()));
  try {
    await page.goto(pageAt(world, world.tenant, '/plans/new', 'sandbox'));
    await page.getByLabel('Name').fill('Left');
    await page.getByRole('button', { name: 'Make the plan' }).click();
    await page.getByLabel('Days that a commission is held').fill('5');
    await page.getByRole('link', { name: 'Commissions' }).click();
    await expect.poll(() => asked).toEqual(['beforeunload']);
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await page.getByText('The draft is saved.').waitFor();
    expect(asked).toEqual(['beforeunload']);
  } finally {
    await context.close();
  }
});

test.each(['fails', 'is refused'])('where the check %s, the side says that it is not up to date', async (how) => {
  const { context, page } = await openAs(browser, { theme: 'light', width: 1440 }, world.people.owner.cookie);
  try {
    await page.goto(pageAt(world, world.tenant, '/plans/new', 'sandbox'));
    await page.getByLabel('Name').fill(`Unchecked ${how}`);
    await page.getByRole('button', { name: 'Make the plan' }).click();
    const side = page.locator('#plan-side');
    await side.getByText('The draft can be published.').waitFor();
    let asked = 0;
    await page.route('**/edit', async (route) => {
      asked += 1;
      if (how === 'fails') await route.abort();
      else await route.fulfill({ status: 503, body: 'The draft can be published.' });
    });
    const field = page.getByLabel('Days that a commission is held');
    await field.fill('14');
    expect(await side.getAttribute('aria-busy')).toBe('true');
    await side.getByText('Not up to date: this could not be checked.').waitFor();
    expect(asked).toBe(1);
    expect(await side.getByText('The draft can be published.').count()).toBe(0);
    expect(await side.getAttribute('aria-busy')).toBeNull();
    await page.unroute('**/edit');
    await field.fill('15');
    await side.getByText('The draft can be published.').waitFor();
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await page.getByText('The draft is saved.').waitFor();
  } finally {
    await context.close();
  }
});
