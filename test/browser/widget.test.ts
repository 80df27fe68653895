/**
 * The widget on a tenant's page: it needs one entry for its script and one for its frame, and each page of it can be read
 * by everybody. Source: docs/specification/widget.md#frame.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBrowser } from './support/chromium.ts';
import { accessibilityFaults, widthFaults } from './support/examine.ts';
import type { Look } from './support/watched-page.ts';
import { type HostSite, hostPage, json, startHost } from './support/widget-host.ts';
import { choose, drawn, heights, mountIn, NARROW, openHost, type Shown, type Shows, showWidget } from './support/widget-page.ts';
import { openWidgetShop, type WidgetShop } from './support/widget-shop.ts';

/** Is not kept in the repository: somebody looks at them. */
const SCREENS = path.resolve(import.meta.dirname, '../../.screens');
const PAGES = ['summary', 'links', 'earnings', 'team'] as const;

let browser: Browser;
let shop: WidgetShop;
let host: HostSite;
beforeAll(async () => {
  [browser, shop, host] = await Promise.all([startBrowser(), openWidgetShop(), startHost()]);
  await mkdir(SCREENS, { recursive: true });
});
afterAll(async () => {
  await browser.close();
  host.close();
});

const begin = (userId?: string, fields?: object) => shop.begin([host.origin], userId, fields);

async function picture(shown: Shown, name: string): Promise<void> {
  await settled(shown);
  const { page } = shown;
  const before = page.viewportSize() ?? { width: 720, height: 900 };
  // What of a frame is beyond the window is not painted.
  await page.setViewportSize({ ...before, height: (await heights(shown)).given + 120 });
  const taken = () => page.screenshot({ path: path.join(SCREENS, `widget-${name}.png`) });
  await taken().catch(taken);
  await page.setViewportSize(before);
}

/** The frame is as high as what is in it. */
async function settled(shown: Shown): Promise<void> {
  await expect
    .poll(async () => {
      const { given, wanted } = await heights(shown);
      return given - wanted;
    })
    .toBe(0);
}

async function faultsOf(shown: Shown): Promise<string[]> {
  const frame = await shown.frame();
  return [
    ...(await accessibilityFaults(frame)),
    ...(await widthFaults(frame)),
    ...(await widthFaults(shown.page)),
    ...(await shown.faults()),
  ];
}

const LOOKS: readonly Look[] = (['light', 'dark'] as const).flatMap((theme) => [NARROW, 720].map((width) => ({ theme, width })));

describe.each(LOOKS)('in $theme, $width wide', (look) => {
  const open = (userId?: string, shows: Shows = {}) =>
    begin(userId).then((given) => showWidget(browser, host, given, { look, ...shows }));

  test('every page is drawn under the policy of two entries, and nobody is kept out', async () => {
    const shown = await open();
    const frame = await shown.frame();
    const found: string[] = [];
    for (const [nr, name] of PAGES.entries()) {
      await choose(frame, nr);
      if (name === 'links') await frame.locator('[aria-controls]', { hasText: 'QR' }).first().click();
      if (name === 'links') await frame.locator('summary').click();
      if (name === 'earnings') await frame.locator('.lines .quiet').first().click();
      await drawn(frame);
      await picture(shown, `${name}-${look.theme}-${look.width}`);
      found.push(...(await faultsOf(shown)).map((fault) => `${name}: ${fault}`));
    }
    expect(found).toEqual([]);
    expect(await shown.errors()).toEqual([]);
    // None of the tabs is beyond the edge.
    expect(
      await frame.evaluate("(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.tabs'))"),
    ).toBe(0);
    await shown.close();
  });

  test('a member who has nothing yet is told what to do', async () => {
    const shown = await open(shop.neo.id);
    const frame = await shown.frame();
    const found: string[] = [];
    for (const [nr, name] of PAGES.entries()) {
      await choose(frame, nr);
      await picture(shown, `empty-${name}-${look.theme}-${look.width}`);
      found.push(...(await faultsOf(shown)).map((fault) => `${name}: ${fault}`));
    }
    expect(found).toEqual([]);
    await shown.close();
  });

  test('German fits', async () => {
    const shown = await open(undefined, { locale: 'de-AT' });
    const frame = await shown.frame();
    expect(await frame.evaluate('document.documentElement.lang')).toBe('de-AT');
    const found: string[] = [];
    for (const [nr, name] of PAGES.entries()) {
      await choose(frame, nr);
      await picture(shown, `de-${name}-${look.theme}-${look.width}`);
      found.push(...(await widthFaults(frame)), ...(await shown.faults()));
    }
    expect(found).toEqual([]);
    await shown.close();
  });
});

test('the element alone shows it: the page has no code of its own, and asks its own server', async () => {
  const given = await begin();
  const policy = `default-src 'none'; connect-src 'self'; script-src ${shop.service}; frame-src ${shop.service}`;
  const sent: string[] = [];
  host.put('/element', { body: hostPage(shop.service, '<mcr-referrals src="/referral-session"></mcr-referrals>'), policy });
  host.put('/referral-session', (body) => {
    sent.push(body);
    return json(given, 201);
  });
  const shown = await openHost(browser, shop.service);
  await shown.page.goto(`${host.origin}/element`);
  const frame = await shown.frame();
  await drawn(frame);
  expect(await frame.locator('[role=tab]').count()).toBe(4);
  expect(sent).toEqual(['{}']);
  expect(await shown.faults()).toEqual([]);
  await shown.close();
});

test('one entry less, and the browser says so: the policy is no other than it seems', async () => {
  const shown = await openHost(browser, shop.service);
  host.put('/', {
    body: hostPage(shop.service, '<div id="here"></div>'),
    policy: `default-src 'none'; script-src ${shop.service}`,
  });
  await shown.page.goto(host.origin);
  await mountIn(shown.page, await begin());
  await expect.poll(() => shown.faults()).toContainEqual(expect.stringMatching(/^policy: frame-src stopped/));
  await shown.close();
});

test('shows the pages of its session and no others', async () => {
  const one = await showWidget(browser, host, await begin(undefined, { scopes: ['earnings'] }));
  const frame = await one.frame();
  expect(await frame.locator('[role=tab]').count()).toBe(0);
  expect(await frame.locator('.lines').count()).toBe(1);
  expect(one.requests.map((request) => new URL(request.url()).pathname)).not.toContain('/widget/summary');
  expect(await one.faults()).toEqual([]);
  await one.close();
});
