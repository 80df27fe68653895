/**
 * The tree of a team in a browser: keys, what a screen reader is told, levels that come one by one and go again, finding,
 * and the same without script. Source: docs/specification/pages.md#tree.
 */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PlantedPerson, plantPerson } from '../support/pages/plant-person.ts';
import { type PageTenant, pageTenant, type ShopWorld } from '../support/pages/shop-world.ts';
import { countAnew, type Planted, plantMembers } from '../support/tree/plant-tree.ts';
import { startBrowser } from './support/chromium.ts';
import { accessibilityFaults, widthFaults } from './support/examine.ts';
import { type Look, openAs, openContext, type WatchedContext } from './support/watched-page.ts';
import { openWorld, pageAt } from './support/world.ts';

const TEAMS = 12;
const OF_TEAM = 60;
const SCREEN: Look = { theme: 'light', width: 1440 };
const TELEPHONE: Look = { theme: 'dark', width: 360 };

let browser: Browser;
let world: ShopWorld;
let tenant: PageTenant;
let owner: PlantedPerson;
/** A root, twelve below it, and sixty below each of these. */
let tree: Planted;
beforeAll(async () => {
  [browser, world] = await Promise.all([startBrowser(), openWorld()]);
  const { app } = world;
  tenant = await pageTenant(app, await app.newTenant());
  const sponsor = `case when n > ${TEAMS + 1} then n % ${TEAMS} + 2 when n > 1 then 1 end`;
  tree = await plantMembers(app, tenant, { count: 1 + TEAMS + TEAMS * OF_TEAM, sponsor, active: 'n % 7 > 2' });
  await countAnew(app, tenant);
  // Of this month, as if they were folded: the third of twelve teams has earned nothing.
  await app.database.asSuperuser(
    `insert into commission_rollup (tenant_id, environment, member_id, currency, grain, bucket, source, status, level, amount_minor, lines)
     select t.id, 'LIVE', m.id, t.default_currency, 'month', date_trunc('month', now() at time zone t.reporting_time_zone)::date,
            'sales', 'pending', 1, 7 * m.n ^ 4, 1
     from tenant t cross join unnest($2::uuid[]) with ordinality m(id, n) where t.id = $1 and m.n <> 4`,
    [tenant.tenantId, tree.ids.slice(0, TEAMS + 1)],
  );
  owner = await plantPerson(app.database.asSuperuser, tenant.tenantId, { role: 'owner' });
});
afterAll(() => browser.close());

interface Opened extends WatchedContext {
  row(n: number): Locator;
  rows: Locator;
  /** The levels that were asked for since it was last asked. */
  asked(): string[];
}

async function openTree(path = '/team', look = SCREEN): Promise<Opened> {
  const watched = await openAs(browser, look, owner.cookie);
  const { page } = watched;
  let asked: string[] = [];
  page.on('request', (request) => {
    if (request.headers()['hx-request'] === 'true') asked.push(new URL(request.url()).pathname.split('/').at(-1) ?? '');
  });
  await page.goto(pageAt(world, tenant, path));
  const row = (n: number): Locator => page.locator(`[id="m-${tree.id(n)}"]`);
  const taken = (): string[] => asked.splice(0);
  asked = [];
  return { ...watched, row, rows: page.locator('table[data-tree] tbody tr:visible'), asked: taken };
}

/** The id of what has the focus; the kind of its row where that is no member. */
const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(
    `(document.activeElement?.id || document.activeElement?.closest('tr')?.dataset.row || document.activeElement?.tagName || '')`,
  );
const isOpen = (row: Locator): Promise<string | null> => row.getAttribute('aria-expanded');

/** Machines are busy: what comes from the service is waited for longer than a poll would by itself. */
const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read, { timeout: 15_000 });

async function opened(row: Locator): Promise<void> {
  await soon(() => row.getAttribute('aria-busy')).toBeNull();
  await soon(() => isOpen(row)).toBe('true');
}

describe('keys', () => {
  test('move, open, close and lead to the member', async () => {
    const { page, row, rows, asked, faults, context } = await openTree();
    const id = (n: number): string => `m-${tree.id(n)}`;
    expect(await rows.count()).toBe(1 + TEAMS);
    await page.locator('table[data-tree] tr[tabindex="0"]').focus();
    expect(await focused(page)).toBe(id(1));
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toBe(id(2));
    await page.keyboard.press('ArrowRight');
    await opened(row(2));
    expect(asked()).toEqual([tree.id(2)]);
    expect(await rows.count()).toBe(1 + TEAMS + 52);
    expect(await focused(page)).toBe(id(2));
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toBe('filter');
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toBe(id(24));
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toBe(id(24));
    await page.keyboard.press('ArrowLeft');
    expect(await focused(page)).toBe(id(2));
    await page.keyboard.press('ArrowLeft');
    expect(await isOpen(row(2))).toBe('false');
    expect(await rows.count()).toBe(1 + TEAMS);
    await page.keyboard.press('ArrowRight');
    expect(await isOpen(row(2))).toBe('true');
    expect(asked()).toEqual([]);
    await page.keyboard.press('End');
    expect(await focused(page)).toBe(id(TEAMS + 1));
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toBe(id(TEAMS + 1));
    await page.keyboard.press('Home');
    expect(await focused(page)).toBe(id(1));
    await page.keyboard.press('ArrowUp');
    expect(await focused(page)).toBe(id(1));
    await page.keyboard.press('Enter');
    await page.waitForURL(pageAt(world, tenant, `/members/${tree.id(1)}`));
    expect(await faults()).toEqual([]);
    await context.close();
  });

  test('Tab stops at one row and at its links, and nowhere else in the table', async () => {
    const { page, row, context } = await openTree();
    await row(1).focus();
    await page.keyboard.press('ArrowDown');
    const seen: string[] = [];
    for (let nr = 0; nr < 5; nr += 1) {
      await page.keyboard.press('Tab');
      seen.push(await page.evaluate<string>(`document.activeElement.closest('table[data-tree] tr')?.id ?? ''`));
    }
    // The name, the direct recruits and the team.
    expect(seen).toEqual([`m-${tree.id(2)}`, `m-${tree.id(2)}`, `m-${tree.id(2)}`, '', '']);
    await context.close();
  });

  test('j and k of the whole page and the keys of the tree agree where one is', async () => {
    const { page, context } = await openTree();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toBe(`m-${tree.id(3)}`);
    await context.close();
  });
});

describe.each([SCREEN, TELEPHONE])('in $theme, $width wide', (look) => {
  test('nothing is wrong for axe, nothing scrolls sideways, and rows say where they stand', async () => {
    const { page, row, faults, context } = await openTree('/team?mark=share', look);
    await row(2).locator('.tree-turn').click();
    await opened(row(2));
    const tells = (n: number): Promise<(string | null)[]> =>
      Promise.all(['aria-level', 'aria-posinset', 'aria-setsize', 'aria-expanded'].map((name) => row(n).getAttribute(name)));
    expect(await page.locator('table[data-tree]').getAttribute('role')).toBe('treegrid');
    expect(await tells(1)).toEqual(['1', '1', '1', 'true']);
    expect(await tells(3)).toEqual(['2', '2', String(TEAMS), 'false']);
    expect(await tells(24)).toEqual(['3', '1', String(OF_TEAM), null]);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await widthFaults(page)).toEqual([]);
    expect(await faults()).toEqual([]);
    await page.screenshot({ path: `.screens/team-open-${look.theme}-${look.width}.png` });
    await context.close();
  });
});

describe.each([SCREEN, TELEPHONE])('marked, in $theme, $width wide', (look) => {
  test.each([
    ['inactive', '26 of 60 below inactive, 43%'],
    ['commissions', 'US$5.67 of commissions of'],
  ])('by %s, rows that a script has asked for say it in words', async (mark, words) => {
    const { page, row, faults, context } = await openTree(`/team?open=-&mark=${mark}`, look);
    expect(await row(3).count()).toBe(0);
    await row(1).locator('.tree-turn').click();
    await opened(row(1));
    expect(await row(3).textContent()).toContain(words);
    expect(await page.locator('select[name="mark"]').inputValue()).toBe(mark);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await widthFaults(page)).toEqual([]);
    expect(await faults()).toEqual([]);
    await page.screenshot({ path: `.screens/team-${mark}-${look.theme}-${look.width}.png` });
    await context.close();
  });
});

describe('levels', () => {
  test('a click on a row opens it, one on its name leads to the member', async () => {
    const { page, row, context } = await openTree();
    await row(3).locator('td').nth(1).click();
    await opened(row(3));
    await row(3).locator('.tree-who a').click();
    await page.waitForURL(pageAt(world, tenant, `/members/${tree.id(3)}`));
    await context.close();
  });

  test('the rest of a level comes behind it, and the focus goes to the first that is new', async () => {
    const { page, row, asked, context } = await openTree(`/team?open=${tree.id(1)}.${tree.id(2)}`);
    const more = page.locator('tr[data-row="more"]');
    expect(await more.innerText()).toContain('Show 50 more');
    await more.focus();
    await page.keyboard.press('Enter');
    await soon(() => more.count()).toBe(0);
    expect(asked()).toEqual([tree.id(2)]);
    expect(await page.locator('tr[data-level="3"][data-row="member"]').count()).toBe(OF_TEAM);
    expect(await focused(page)).toBe(`m-${tree.id(24 + 50 * TEAMS)}`);
    expect(await row(24 + 50 * TEAMS).getAttribute('aria-posinset')).toBe('51');
    await context.close();
  });

  test('typing filters one level and leaves the others; emptied it is whole again', async () => {
    const { page, row, rows, context } = await openTree(`/team?open=${tree.id(1)}.${tree.id(2)}.${tree.id(3)}`);
    const before = await rows.count();
    const input = row(2).locator('xpath=following-sibling::tr[1]').locator('input[type="search"]');
    // The only one below it whose address has these figures.
    const sought = 24 + 41 * TEAMS;
    await input.fill(`${sought}@`);
    await soon(() => rows.count()).toBe(before - 50);
    expect(await row(sought).isVisible()).toBe(true);
    expect(await page.locator('[data-tree-say]').innerText()).toBe('1 found');
    await input.fill('nobody at all');
    await soon(() => page.locator('tr[data-row="nobody"]').count()).toBe(1);
    await input.fill('');
    await soon(() => rows.count()).toBe(before);
    await context.close();
  });

  test('what is open is open again when the address is opened again', async () => {
    const { page, row, rows, context } = await openTree();
    await row(4).locator('.tree-turn').click();
    await opened(row(4));
    const before = await rows.count();
    await page.reload();
    expect(await rows.count()).toBe(before);
    expect(await isOpen(row(4))).toBe('true');
    await context.close();
  });

  test('beyond 500 rows the closed ones far away are taken out, and come again', async () => {
    const { page, row, asked, context } = await openTree();
    const all = page.locator('table[data-tree] tbody tr');
    for (let n = 2; n <= 10; n += 1) {
      await row(n).locator('.tree-turn').click();
      await opened(row(n));
      await row(n).locator('.tree-turn').click();
      expect(await isOpen(row(n))).toBe('false');
    }
    asked();
    expect(await all.count()).toBeGreaterThan(450);
    await row(11).locator('.tree-turn').click();
    await opened(row(11));
    await soon(() => all.count()).toBeLessThanOrEqual(500);
    expect(await row(24).count()).toBe(0);
    await row(2).locator('.tree-turn').click();
    await opened(row(2));
    await soon(() => row(24).count()).toBe(1);
    expect(asked()).toEqual([tree.id(11), tree.id(2)]);
    await context.close();
  });

  test('where the service does not answer the row is closed again and says so; once it answers it opens', async () => {
    const { page, row, context } = await openTree();
    await page.route(/\/team\//, (route) => route.abort());
    await row(2).locator('.tree-turn').click();
    await soon(() => page.locator('[data-tree-say]').innerText()).toBe('The service did not answer. Try again.');
    expect(await isOpen(row(2))).toBe('false');
    await page.unroute(/\/team\//);
    await row(2).locator('.tree-turn').click();
    await opened(row(2));
    await context.close();
  });

  test('a session that has ended leads to the sign-in', async () => {
    const { page, row, context } = await openTree();
    await context.clearCookies();
    await row(2).locator('.tree-turn').click();
    await page.waitForURL(/\/dashboard\/sign-in/);
    await context.close();
  });
});

test('finding opens the ancestors and goes to the row, which no bar covers', async () => {
  const { page, row, context, faults } = await openTree('/team', TELEPHONE);
  const sought = 24 + 57 * TEAMS;
  const prefix = tree.id(1).slice(0, 8);
  await page.locator('#tree-find').fill(`${sought}@${prefix}.example`);
  await page.keyboard.press('Enter');
  await page.waitForURL(/#m-/);
  await soon(() => focused(page)).toBe(`m-${tree.id(sought)}`);
  const place = (await row(sought).boundingBox()) ?? { y: -1, height: 0 };
  expect(place.y).toBeGreaterThan(60);
  expect(place.y + place.height).toBeLessThan(800);
  expect(await row(sought).innerText()).toContain('further down in this order');
  expect(await faults()).toEqual([]);
  await page.screenshot({ path: '.screens/team-found-dark-360.png' });
  // The rest of the level has it too: it is there once.
  await page.locator('tr[data-row="more"] a').click();
  await soon(() => page.locator('tr[data-row="more"]').count()).toBe(0);
  expect(await row(sought).count()).toBe(1);
  expect(await page.locator('tr[data-level="3"][data-row="member"]').count()).toBe(OF_TEAM);
  await context.close();
});

test.each([SCREEN, TELEPHONE])('the way between two members in $theme, $width wide', async (look) => {
  const query = new URLSearchParams({ of: tree.id(24), to: tree.id(25) });
  const { page, context, faults } = await openAs(browser, look, owner.cookie);
  await page.goto(pageAt(world, tenant, `/team/relationship?${query.toString()}`));
  expect(await page.locator('.way > li').count()).toBe(5);
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await widthFaults(page)).toEqual([]);
  expect(await faults()).toEqual([]);
  await page.screenshot({ path: `.screens/team-way-${look.theme}-${look.width}.png`, fullPage: true });
  await context.close();
});

test('without script links open and close the rows', async () => {
  const { context, page } = await openContext(browser, SCREEN, { javaScriptEnabled: false });
  const { context: signedIn } = await openAs(browser, SCREEN, owner.cookie);
  await context.addCookies(await signedIn.cookies());
  await signedIn.close();
  await page.goto(pageAt(world, tenant, '/team'));
  const table = page.locator('table[data-tree]');
  expect(await table.getAttribute('role')).toBeNull();
  await page.locator(`[id="m-${tree.id(2)}"] a.tree-turn`).click();
  await page.waitForURL(/open=/);
  expect(await table.locator('tbody tr[data-level="3"]').count()).toBe(52);
  await page.locator(`[id="m-${tree.id(2)}"] a.tree-turn`).click();
  expect(await table.locator('tbody tr[data-level="3"]').count()).toBe(0);
  await context.close();
});
