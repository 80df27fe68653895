/** One of the quick tests: each page once in a real Chromium, without axe. `npm run test:browser` looks longer. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PAGES } from '../../src/features/dashboard/pages.ts';
import { addressesOfPages } from '../support/pages/page-addresses.ts';
import type { ShopWorld } from '../support/pages/shop-world.ts';
import { startBrowser } from './support/chromium.ts';
import { lookAt } from './support/look-at.ts';
import { openWorld, pageAt } from './support/world.ts';

let browser: Browser;
let world: ShopWorld;
beforeAll(async () => {
  [browser, world] = await Promise.all([startBrowser(), openWorld()]);
});
afterAll(() => browser.close());

test('every page opens on a telephone, is valid, and has nothing that its policy stops', async () => {
  const scope = { tenantId: world.tenant.tenantId, environment: 'LIVE' } as const;
  const look = { theme: 'dark', width: 360 } as const;
  const { cookie } = world.people.owner;
  const found: string[] = [];
  for (const { path } of await addressesOfPages(world.app.database.asSuperuser, scope, PAGES)) {
    const faults = await lookAt(browser, { address: pageAt(world, world.tenant, path), look, cookie, quick: true });
    found.push(...faults.map((fault) => `${path}: ${fault}`));
  }
  expect(found).toEqual([]);
});
