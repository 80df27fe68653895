/**
 * Every page as its owner sees it, in both themes, on a telephone and on a screen: nothing for axe to find, nothing that
 * the policy stops, no sideways scroll, and a source that is valid. Their pictures are in .screens/.
 */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PAGES } from '../../src/features/dashboard/pages.ts';
import { addressesOfPages, type PageAddress } from '../support/pages/page-addresses.ts';
import type { ShopWorld } from '../support/pages/shop-world.ts';
import { startBrowser } from './support/chromium.ts';
import { lookAt, pictureName } from './support/look-at.ts';
import { LOOKS } from './support/watched-page.ts';
import { openWorld, pageAt } from './support/world.ts';

let browser: Browser;
let world: ShopWorld;
let addresses: Record<'live' | 'sandbox', PageAddress[]>;
beforeAll(async () => {
  [browser, world] = await Promise.all([startBrowser(), openWorld()]);
  const { tenantId } = world.tenant;
  const found = (environment: 'LIVE' | 'SANDBOX') =>
    addressesOfPages(world.app.database.asSuperuser, { tenantId, environment }, PAGES);
  addresses = { live: await found('LIVE'), sandbox: await found('SANDBOX') };
});
afterAll(() => browser.close());

const PATHS = PAGES.map(({ path }) => ({ path }));

describe.each(LOOKS)('in $theme, $width wide', (look) => {
  test.each(PATHS)('the page $path', async ({ path }) => {
    const [own] = addresses.live.filter(({ page }) => page.path === path);
    // The others are looked at below.
    if (!own) return expect(addresses.sandbox.map(({ page }) => page.path)).toContain(path);
    const { cookie } = world.people.owner;
    const address = pageAt(world, world.tenant, own.path);
    expect(await lookAt(browser, { address, look, cookie, picture: pictureName(path) })).toEqual([]);
  });

  test.each([
    { path: '/dashboard/sign-in', status: 200 },
    { path: '/dashboard/welcome/nobody-has-this', status: 404 },
  ])('$path for who is not signed in', async ({ path, status }) => {
    const address = world.origin + path;
    expect(await lookAt(browser, { address, look, status, picture: pictureName(path) })).toEqual([]);
  });

  test('a page that is not there, and one that is not for the role', async () => {
    const { owner, reviewer } = world.people;
    const missing = { address: pageAt(world, world.tenant, '/no-such-page'), status: 404, picture: 'not-found' };
    expect(await lookAt(browser, { ...missing, look, cookie: owner.cookie })).toEqual([]);
    const closed = addresses.live.find(({ page }) =>
      page.needs.some((need) => (typeof need === 'string' ? need : need.scope) === 'ledger:read'),
    );
    if (!closed) return;
    const refused = { address: pageAt(world, world.tenant, closed.path), status: 403, picture: 'not-for-role' };
    expect(await lookAt(browser, { ...refused, look, cookie: reviewer.cookie })).toEqual([]);
  });
});

/** What LIVE has not got: a page of its own, and a bar above every page. In light and wide they are looked at below. */
const OF_SANDBOX = [{ path: '/sandbox' }, { path: '' }];
const OTHER_LOOKS = LOOKS.filter(({ theme, width }) => theme === 'dark' || width === 360);

describe.each(OTHER_LOOKS)('of the sandbox in $theme, $width wide', (look) => {
  test.each(OF_SANDBOX)('the page $path', async ({ path }) => {
    const address = pageAt(world, world.tenant, path, 'sandbox');
    const { cookie } = world.people.owner;
    expect(await lookAt(browser, { address, look, cookie, picture: `sandbox-${pictureName(path)}` })).toEqual([]);
  });
});

test.each(PATHS)('the page $path of the sandbox, which is empty', async ({ path }) => {
  const [own] = addresses.sandbox.filter(({ page }) => page.path === path);
  if (!own) return;
  const address = pageAt(world, world.tenant, own.path, 'sandbox');
  const look = { theme: 'light', width: 1440 } as const;
  const { cookie } = world.people.owner;
  expect(await lookAt(browser, { address, look, cookie, picture: `sandbox-${pictureName(path)}` })).toEqual([]);
});
