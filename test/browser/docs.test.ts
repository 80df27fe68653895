/** The documentation in a real browser: every page in both themes and widths, search by typing, and a request sent from it. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestTenant } from '../support/app/test-app.ts';
import { startBrowser } from './support/chromium.ts';
import { accessibilityFaults, widthFaults } from './support/examine.ts';
import { LOOKS, openContext, type WatchedContext } from './support/watched-page.ts';

let app: TestApp;
let tenant: TestTenant;
let browser: Browser;
let addresses: string[];

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  browser = await startBrowser();
  const { text } = await app.http.get('/docs');
  const named = [...text.matchAll(/<li><a href="(\/docs\/[^"#]+)"/g)].map(([, href = '']) => href);
  addresses = [...new Set(['/docs', ...named, '/docs/search?q=purchase', '/docs/no-such-page'])];
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

const open = async (look: (typeof LOOKS)[number], path: string): Promise<WatchedContext> => {
  const watched = await openContext(browser, look);
  await watched.page.goto(app.baseUrl + path);
  return watched;
};

describe.each(LOOKS)('$theme, $width wide', (look) => {
  test('no page has a fault that a reader, a screen reader or the policy would meet', async () => {
    const { context, page, faults } = await openContext(browser, look);
    expect(addresses.length).toBeGreaterThan(30);
    for (const address of addresses) {
      await page.goto(app.baseUrl + address);
      // Everything that can be opened is.
      await page.evaluate(`document.querySelectorAll('details').forEach((one) => { one.open = true; })`);
      expect(await widthFaults(page), address).toEqual([]);
      expect(await faults().then((found) => found.filter((fault) => !fault.includes('404'))), address).toEqual([]);
      if (look.theme === 'light' && look.width === 1440) expect(await accessibilityFaults(page), address).toEqual([]);
    }
    await context.close();
  });
});

test('axe finds nothing on a page of each kind in the dark either', async () => {
  const kinds = [
    '/docs',
    '/docs/api/leads',
    '/docs/errors',
    '/docs/guides/first-purchase',
    '/docs/search?q=lead',
    '/docs/changelog',
  ];
  for (const look of LOOKS.filter(({ theme, width }) => theme === 'dark' && width === 1440)) {
    for (const address of kinds) {
      const { context, page } = await open(look, address);
      expect(await accessibilityFaults(page), address).toEqual([]);
      await context.close();
    }
  }
});

const WIDE = { theme: 'light', width: 1440 } as const;

test('what is looked for is found by typing it', async () => {
  const { context, page } = await open(WIDE, '/docs');
  await page.getByRole('search').getByRole('searchbox').fill('capture a lead');
  await page.keyboard.press('Enter');
  await page.getByRole('main').getByRole('link', { name: 'Capture a lead' }).click();
  expect(new URL(page.url()).hash).toBe('#captureLead');
  await context.close();
});

test('a request is sent from the page, and the key is kept nowhere', async () => {
  const { context, page, faults } = await open(WIDE, '/docs/api/leads');
  const article = page.locator('#captureLead');
  await article.locator('details.try > summary').click();
  await article.getByLabel('Key', { exact: true }).fill(tenant.sandboxKey);
  await article.getByLabel('Body').fill('{"email": "typed@shop.example"}');
  await article.getByRole('button', { name: 'Send' }).click();
  await expect.poll(() => article.locator('output').textContent()).toContain('201');
  expect(await article.locator('output').textContent()).toContain('"email": "typed@shop.example"');
  expect(await faults()).toEqual([]);
  const kept = await page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
  expect(kept).toBe('[{},{},""]');
  await page.reload();
  expect(await article.getByLabel('Key', { exact: true }).inputValue()).toBe('');
  await context.close();
});

test('without scripts it can be read and searched', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${app.baseUrl}/docs/api/leads`);
  expect(await page.locator('article').count()).toBe(5);
  await page.locator('header input[type=search]').fill('refund');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/docs/search?q=refund');
  expect(await page.locator('main ol li').count()).toBeGreaterThan(3);
  await context.close();
});

test('Swagger UI still draws the operations', async () => {
  const { context, page } = await open(WIDE, '/docs/try');
  // It draws the first sections at once, and those below later.
  await expect.poll(() => page.locator('.opblock').count()).toBeGreaterThan(50);
  expect(await page.locator('.opblock').first().textContent()).toContain('/api/v1/users/status');
  // From a page that was opened by another name than the document has.
  await page.goto(`${app.baseUrl.replace('127.0.0.1', 'localhost')}/docs/try`);
  const list = page.locator('#operations-Users-listUsers');
  await list.locator('.opblock-summary').click();
  await list.getByRole('button', { name: 'Execute' }).click();
  await expect.poll(() => list.locator('.live-responses-table').textContent()).toContain('401');
  await context.close();
});
