/** The palette and the keys in a real Chromium. Source: docs/specification/pages.md#palette. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ShopWorld } from '../support/pages/shop-world.ts';
import { startBrowser } from './support/chromium.ts';
import { accessibilityFaults } from './support/examine.ts';
import { openAs, type WatchedContext } from './support/watched-page.ts';
import { openWorld, pageAt } from './support/world.ts';

let browser: Browser;
let world: ShopWorld;
beforeAll(async () => {
  [browser, world] = await Promise.all([startBrowser(), openWorld()]);
});
afterAll(() => browser.close());

const LOOK = { theme: 'light', width: 1440 } as const;

async function opened(path = ''): Promise<WatchedContext & { page: Page }> {
  const watched = await openAs(browser, LOOK, world.people.owner.cookie);
  await watched.page.goto(pageAt(world, world.tenant, path));
  return watched;
}

const focused = (page: Page): Promise<string | null> => page.evaluate('document.activeElement.getAttribute("role")');

test('Ctrl K opens one input, arrows choose, Escape closes, and the focus is where it was', async () => {
  const { context, page, faults } = await opened();
  await page.focus('a.search');
  await page.keyboard.press('Control+k');
  expect(await focused(page)).toBe('combobox');
  const input = page.locator('dialog.palette input');
  expect(await input.getAttribute('aria-expanded')).toBe('true');
  expect(await input.getAttribute('aria-activedescendant')).toBe('palette-0');
  await page.keyboard.press('ArrowDown');
  expect(await input.getAttribute('aria-activedescendant')).toBe('palette-1');
  expect(await page.getAttribute('#palette-1', 'aria-selected')).toBe('true');
  expect(await page.getAttribute('#palette-0', 'aria-selected')).toBe('false');
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  // A dialog tells that it was closed in a task of its own.
  await page.locator('dialog.palette').waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.className')).toBe('search');
  expect(await faults()).toEqual([]);
  await context.close();
});

test.each([
  ['an id', () => world.story.members.ada.id, () => `/members/${world.story.members.ada.id}`],
  ['an email', () => 'ada@north.example', () => `/members/${world.story.members.ada.id}`],
  ['the number of an order', () => world.story.sale.external, () => `/sales/${world.story.sale.id}`],
])('%s that is pasted opens its page with Enter, before the answer is there', async (_what, text, path) => {
  const { context, page, faults } = await opened();
  await page.keyboard.press('/');
  await page.keyboard.insertText(text());
  await page.keyboard.press('Enter');
  await page.waitForURL(pageAt(world, world.tenant, path()));
  expect(await faults()).toEqual([]);
  // What is remembered is the address, which has no name and no email.
  const kept = String(await page.evaluate('localStorage.getItem("mcr-recent")'));
  expect(kept).toContain(path());
  expect(kept).not.toMatch(/ada|north/i);
  await context.close();
});

test('a page is found by its name, a record by the beginning of one, and both by clicking', async () => {
  const { context, page } = await opened();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Ben');
  await page.locator('[role="option"]', { hasText: 'Ben Branch' }).click();
  await page.waitForURL(pageAt(world, world.tenant, `/members/${world.story.members.ben.id}`));
  await page.keyboard.press('Control+k');
  await page.keyboard.type('audit');
  await page.keyboard.press('Enter');
  await page.waitForURL(pageAt(world, world.tenant, '/audit'));
  await page.keyboard.press('Control+k');
  await page.locator('[role="option"]', { hasText: 'Recent' }).first().waitFor();
  await context.close();
});

test('what one types last is what is shown, however late the answers are', async () => {
  const { context, page } = await opened();
  let waits = 600;
  await page.route('**/search?as=json*', async (route) => {
    const late = waits;
    waits = 0;
    await new Promise((resolve) => setTimeout(resolve, late));
    await route.continue().catch(() => undefined);
  });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Cleo');
  await page.waitForTimeout(250);
  await page.locator('dialog.palette input').fill('Dan');
  await page.locator('[role="option"]', { hasText: 'Dan Leaf' }).waitFor();
  await page.waitForTimeout(700);
  expect(await page.locator('[role="option"]', { hasText: 'Cleo' }).count()).toBe(0);
  await context.close();
});

test('keys go to pages and through rows, and all are told by ?', async () => {
  const { context, page } = await opened();
  await page.keyboard.press('g');
  await page.keyboard.press('m');
  await page.waitForURL(pageAt(world, world.tenant, '/members'));
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  const first = await page.getAttribute('main .table tbody tr a', 'href');
  expect(await page.evaluate('document.activeElement.getAttribute("href")')).toBe(first);
  await page.keyboard.press('?');
  expect(await page.locator('#keys dt').count()).toBeGreaterThan(4);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${world.origin}${first}`);
  await context.close();
});

test('keys of one sign can be switched off, and stay off; Ctrl K does not', async () => {
  const { context, page } = await opened();
  await page.keyboard.press('?');
  await page.locator('#keys input[type="checkbox"]').uncheck();
  await page.keyboard.press('Escape');
  for (const key of ['?', '/', 'g', 'm', 'j']) await page.keyboard.press(key);
  expect(await page.locator('dialog:modal').count()).toBe(0);
  await page.reload();
  await page.keyboard.press('/');
  expect(await page.locator('dialog.palette').count()).toBe(0);
  await page.keyboard.press('Control+k');
  expect(await page.locator('dialog.palette').count()).toBe(1);
  await page.keyboard.press('Escape');
  await page.click('details.account summary');
  await page.click('[data-keys-help]');
  await page.locator('#keys input[type="checkbox"]').check();
  await context.close();
});

test('keys do nothing while one types', async () => {
  const { context, page } = await opened('/members');
  await page.fill('main input[name="q"]', '');
  await page.focus('main input[name="q"]');
  await page.keyboard.type('g m / ? j');
  expect(await page.locator('dialog:modal').count()).toBe(0);
  expect(await page.inputValue('main input[name="q"]')).toBe('g m / ? j');
  await context.close();
});

test('without script the palette is a page', async () => {
  const { context, page } = await openAs(browser, LOOK, world.people.owner.cookie, { javaScriptEnabled: false });
  await page.goto(pageAt(world, world.tenant, ''));
  await page.click('a.search');
  await page.fill('#filter-q', 'ada@north.example');
  await page.click('main button[type="submit"]');
  await page.click('main .table a');
  expect(page.url()).toBe(pageAt(world, world.tenant, `/members/${world.story.members.ada.id}`));
  await context.close();
});
