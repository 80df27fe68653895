/**
 * Texts that would do something, in every field that a tenant or a member can set: every page is opened over them, and
 * nothing happens. Source: docs/specification/pages.md#escaping.
 */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PAGES } from '../../src/features/dashboard/pages.ts';
import { apiClient } from '../support/app/api-client.ts';
import { plantCanaries } from '../support/database/plant-canaries.ts';
import { addressesOfPages, type PageAddress } from '../support/pages/page-addresses.ts';
import { type PlantedPerson, plantPerson } from '../support/pages/plant-person.ts';
import { type PageTenant, pageTenant, type ShopWorld } from '../support/pages/shop-world.ts';
import { startBrowser } from './support/chromium.ts';
import { hostilityFaults, inlineFaults, widthFaults } from './support/examine.ts';
import { hostileCanaries, MARKUP, TURNING } from './support/hostile-words.ts';
import { isData } from './support/look-at.ts';
import { openAs } from './support/watched-page.ts';
import { openWorld, pageAt } from './support/world.ts';

let browser: Browser;
let world: ShopWorld;
let tenant: PageTenant;
let owner: PlantedPerson;
let addresses: PageAddress[];
let fields: string[];
beforeAll(async () => {
  [browser, world] = await Promise.all([startBrowser(), openWorld()]);
  const { app } = world;
  tenant = await pageTenant(app, await app.newTenant());
  const canaries = hostileCanaries((await app.http.get('/api/v1/openapi.json')).body);
  await plantCanaries(app, tenant, canaries);
  fields = canaries.hostileFields();
  await plantOfTenant();
  owner = await plantPerson(app.database.asSuperuser, tenant.tenantId, { role: 'owner', name: MARKUP.slice(0, 4).join('') });
  const scope = { tenantId: tenant.tenantId, environment: 'LIVE' } as const;
  addresses = await addressesOfPages(app.database.asSuperuser, scope, PAGES, 4);
});
afterAll(() => browser.close());

/** What the tenant itself names: its keys, its people, itself. */
async function plantOfTenant(): Promise<void> {
  const { app } = world;
  const client = apiClient(app, tenant.liveKey);
  for (const [nr, name] of [...MARKUP, TURNING].entries()) {
    const made = await client.post('/api/v1/admin/api-keys', { name: name.slice(0, 100), scopes: ['users:read'] });
    if (made.status !== 201) throw new Error(`no key ${nr}: ${made.text}`);
    await plantPerson(app.database.asSuperuser, tenant.tenantId, { role: 'read-only', name });
  }
  await app.database.asSuperuser('update tenant set name = $2 where id = $1', [
    tenant.tenantId,
    `${TURNING}${MARKUP[0]}${MARKUP[2]}`,
  ]);
}

test('most fields took such a text', () => {
  expect(fields.length).toBeGreaterThan(70);
});

const LOOK = { theme: 'light', width: 360 } as const;

describe.each(PAGES.map(({ path }) => ({ path })))('the page $path', ({ path }) => {
  test('shows them as text', async () => {
    const own = addresses.filter(({ page }) => page.path === path);
    const { context, page, faults } = await openAs(browser, LOOK, owner.cookie);
    const found: string[] = [];
    for (const address of own) {
      const answer = await page.goto(pageAt(world, tenant, address.path));
      const html = (await answer?.text()) ?? '';
      if (!answer?.ok()) found.push(`${address.path} answered ${answer?.status()}`);
      if (answer && isData(answer)) continue;
      // Whatever opens is opened: words may stand in what is hidden at first.
      await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true }); undefined");
      await page.waitForTimeout(50);
      found.push(...inlineFaults(html), ...(await hostilityFaults(page)), ...(await widthFaults(page)), ...(await faults()));
    }
    expect([...new Set(found)]).toEqual([]);
    await context.close();
  });

  test('shows what was looked for as text', async () => {
    const [address] = addresses.filter(({ page }) => page.path === path);
    if (!address) return;
    const { context, page, faults } = await openAs(browser, LOOK, owner.cookie);
    const found: string[] = [];
    for (const word of [MARKUP[0], MARKUP[4], TURNING]) {
      const names = ['q', 'email', 'name', 'status', 'from', 'userId', 'cursor', 'sort', 'said', 'next'];
      const query = new URLSearchParams(names.map((name): [string, string] => [name, word ?? '']));
      const answer = await page.goto(`${pageAt(world, tenant, address.path)}?${query.toString()}`);
      if ((answer?.status() ?? 500) >= 500) found.push(`answered ${answer?.status()}`);
      found.push(...(await hostilityFaults(page)), ...(await faults()));
    }
    expect([...new Set(found)]).toEqual([]);
    await context.close();
  });
});
