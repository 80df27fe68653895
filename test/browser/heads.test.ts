/** The head of a long list stays in sight, and where the list is too wide for that it scrolls alone. Source: docs/specification/pages.md#tables. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PlantedPerson, plantPerson } from '../support/pages/plant-person.ts';
import { type PageTenant, pageTenant, type ShopWorld } from '../support/pages/shop-world.ts';
import { plantMembers } from '../support/tree/plant-tree.ts';
import { startBrowser } from './support/chromium.ts';
import { widthFaults } from './support/examine.ts';
import { openAs } from './support/watched-page.ts';
import { openWorld, pageAt } from './support/world.ts';

let browser: Browser;
let world: ShopWorld;
let tenant: PageTenant;
let owner: PlantedPerson;
beforeAll(async () => {
  [browser, world] = await Promise.all([startBrowser(), openWorld()]);
  tenant = await pageTenant(world.app, await world.app.newTenant());
  await plantMembers(world.app, tenant, { count: 60, sponsor: 'case when n > 1 then 1 end' });
  owner = await plantPerson(world.app.database.asSuperuser, tenant.tenantId, { role: 'owner' });
});
afterAll(() => browser.close());

/** How far from the top of the window it begins, and the bar with the search ends. */
const TOPS = `({
  head: Math.round(document.querySelector('.scroll thead th').getBoundingClientRect().top),
  bar: Math.round(document.querySelector('.top').getBoundingClientRect().bottom),
  scrolled: scrollY > 400,
  isWhole: document.querySelector('.scroll').classList.contains('is-whole'),
})`;

test('on a screen the head of the list of members is below the bar, however far down one is', async () => {
  const { context, page, faults } = await openAs(browser, { theme: 'light', width: 1440 }, owner.cookie);
  await page.goto(pageAt(world, tenant, '/members'));
  await page.waitForSelector('.scroll.is-whole');
  await page.evaluate('scrollTo(0, 900)');
  const before = await page.evaluate<{ head: number; bar: number }>(TOPS);
  expect(before).toEqual({ head: before.bar, bar: before.bar, scrolled: true, isWhole: true });
  // Drawn again as one types, the list has a new head.
  await page.getByRole('searchbox', { name: 'Search' }).fill('member');
  await page.waitForURL(/q=member/);
  await page.waitForSelector('.scroll.is-whole, #members .empty');
  expect(await faults()).toEqual([]);
  await context.close();
});

test.each([1440, 860, 360])('%i wide, nothing but a table scrolls sideways', async (width) => {
  const { context, page } = await openAs(browser, { theme: 'light', width }, owner.cookie);
  const wide: string[] = [];
  const [{ id }] = (await world.app.database.asSuperuser<{ id: string }>('select id from member where tenant_id = $1 limit 1', [
    tenant.tenantId,
  ])) as [{ id: string }];
  for (const path of [`/members/${id}`, '/members', '/commissions', '/audit', '/keys', '/team']) {
    await page.goto(pageAt(world, tenant, path));
    // What fits is known to the browser as soon as it has drawn the page.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    wide.push(...(await widthFaults(page)));
    const cut = await page.evaluate<number>(
      `[...document.querySelectorAll('.scroll.is-whole')].filter((box) => box.scrollWidth > box.clientWidth + 1).length`,
    );
    if (cut > 0) wide.push(`${path}: ${cut} tables are cut off`);
    const moved = await page.evaluate<number>(
      `[...document.querySelectorAll('.scroll > table')].filter((one) => {
        const head = one.querySelector('thead th').getBoundingClientRect();
        return head.height > 0 && Math.abs(head.top - one.getBoundingClientRect().top) > 1;
      }).length`,
    );
    if (moved > 0) wide.push(`${path}: ${moved} heads lie on the rows below them`);
  }
  expect(wide).toEqual([]);
  await context.close();
});
