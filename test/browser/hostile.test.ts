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
import { type HostileWork, plantDeliveries, plantHostileWork } from './support/hostile-work.ts';
import { isData } from './support/look-at.ts';
import { openAs, type WatchedContext } from './support/watched-page.ts';
import { openWorld, pageAt } from './support/world.ts';

let browser: Browser;
let world: ShopWorld;
let tenant: PageTenant;
let owner: PlantedPerson;
let addresses: PageAddress[];
let fields: string[];
let work: HostileWork;
beforeAll(async () => {
  [browser, world] = await Promise.all([startBrowser(), openWorld()]);
  const { app } = world;
  tenant = await pageTenant(app, await app.newTenant());
  const canaries = hostileCanaries((await app.http.get('/api/v1/openapi.json')).body);
  work = await plantHostileWork(app, tenant);
  await plantCanaries(app, tenant, canaries);
  await plantDeliveries(app, tenant);
  fields = canaries.hostileFields();
  await plantOfTenant();
  owner = await plantPerson(app.database.asSuperuser, tenant.tenantId, { role: 'owner', name: MARKUP.slice(0, 4).join('') });
  addresses = [...(await addressesIn('LIVE')), ...(await addressesIn('SANDBOX'))];
});
afterAll(() => browser.close());

/** In the SANDBOX of pages alone that LIVE has not got. */
function addressesIn(environment: 'LIVE' | 'SANDBOX'): Promise<PageAddress[]> {
  const pages = PAGES.filter(({ environments }) => environment === 'LIVE' || environments?.includes('LIVE') === false);
  return addressesOfPages(world.app.database.asSuperuser, { tenantId: tenant.tenantId, environment }, pages, 4);
}

const urlOf = ({ page, path }: PageAddress): string =>
  pageAt(world, tenant, path, page.environments?.includes('LIVE') === false ? 'sandbox' : 'live');

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

/** All that the words have done to a page, once whatever opens is open: they may stand in what is hidden at first. */
async function done({ page, faults }: WatchedContext, html: string): Promise<string[]> {
  await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true }); undefined");
  await page.waitForTimeout(50);
  const found = [...inlineFaults(html), ...(await hostilityFaults(page)), ...(await widthFaults(page)), ...(await faults())];
  // What covers others is out of the way again.
  await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = false }); undefined");
  return found;
}

describe.each(PAGES.map(({ path }) => ({ path })))('the page $path', ({ path }) => {
  test('shows them as text', async () => {
    const own = addresses.filter(({ page }) => page.path === path);
    expect(own.length, 'the page has an address').toBeGreaterThan(0);
    const watched = await openAs(browser, LOOK, owner.cookie);
    const found: string[] = [];
    for (const address of own) {
      const answer = await watched.page.goto(urlOf(address));
      const html = (await answer?.text()) ?? '';
      if (!answer?.ok()) found.push(`${address.path} answered ${answer?.status()}`);
      if (answer && isData(answer)) continue;
      found.push(...(await done(watched, html)));
    }
    expect([...new Set(found)]).toEqual([]);
    await watched.context.close();
  });

  test('shows what was looked for as text', async () => {
    const [address] = addresses.filter(({ page }) => page.path === path);
    if (!address) return;
    const { context, page, faults } = await openAs(browser, LOOK, owner.cookie);
    const found: string[] = [];
    for (const word of [MARKUP[0], MARKUP[4], TURNING]) {
      const names = ['q', 'email', 'name', 'status', 'from', 'userId', 'cursor', 'sort', 'said', 'next'];
      const query = new URLSearchParams(names.map((name): [string, string] => [name, word ?? '']));
      const answer = await page.goto(`${urlOf(address)}?${query.toString()}`);
      if ((answer?.status() ?? 500) >= 500) found.push(`answered ${answer?.status()}`);
      found.push(...(await hostilityFaults(page)), ...(await faults()));
    }
    expect([...new Set(found)]).toEqual([]);
    await context.close();
  });
});

describe('what a page shows by its address alone', () => {
  const desk = (show: string): string => `/verification/${work.pendingId}${show}`;
  test.each<[what: string, path: () => string, shows: string]>([
    ['members left out, with the reason of a hold', () => `/payouts/runs/${work.draftRunId}?reason=HELD`, MARKUP[10] ?? ''],
    ['members left out below the minimum', () => `/payouts/runs/${work.draftRunId}?reason=BELOW_MINIMUM`, 'Below the minimum'],
    ['what has failed, in the words of a provider', () => `/payouts/runs/${work.failedRunId}/watch`, MARKUP[9] ?? ''],
    ['a draft as it would be', () => '/payouts/runs/new?currency=USD', 'The draft as it would be'],
    ['the years of a member', () => `/payouts/tax?member=${work.paidMemberId}`, 'The payouts one by one'],
    ['a verification that waits', () => desk(''), MARKUP[6] ?? ''],
    ['its documents', () => desk(`?show=${work.documentIds.slice(0, 2).join('.')}`), MARKUP[6] ?? ''],
    ['a plan', () => `/plans/${work.planId}`, MARKUP[0] ?? ''],
    ['the editor of a plan', () => `/plans/${work.planId}/edit`, MARKUP[5] ?? ''],
    ['the publication of a plan', () => `/plans/${work.planId}/publish`, MARKUP[5] ?? ''],
  ])('%s', async (_what, path, shows) => {
    const watched = await openAs(browser, LOOK, owner.cookie);
    const answer = await watched.page.goto(pageAt(world, tenant, path()));
    expect(answer?.status()).toBe(200);
    // The words are there, so that it was worth looking.
    expect(await watched.page.evaluate<string>('document.body.textContent')).toContain(shows);
    expect(await done(watched, (await answer?.text()) ?? '')).toEqual([]);
    await watched.context.close();
  });

  test('the dialogs of a verification that waits', async () => {
    const watched = await openAs(browser, LOOK, owner.cookie);
    const { page } = watched;
    const answer = await page.goto(pageAt(world, tenant, desk('')));
    const html = (await answer?.text()) ?? '';
    const ids = await page.evaluate<string[]>("[...document.querySelectorAll('main dialog')].map(({ id }) => id)");
    expect(ids.length).toBeGreaterThan(3);
    const found: string[] = [];
    for (const id of ids) {
      await page.evaluate(`document.getElementById(${JSON.stringify(id)}).showModal()`);
      found.push(...(await done(watched, html)));
      await page.evaluate(`document.getElementById(${JSON.stringify(id)}).close()`);
    }
    expect([...new Set(found)]).toEqual([]);
    await watched.context.close();
  });

  test('the JSON of a plan, and its form again', async () => {
    const watched = await openAs(browser, LOOK, owner.cookie);
    const { page } = watched;
    await page.goto(pageAt(world, tenant, `/plans/${work.planId}/edit`));
    for (const tab of ['JSON', 'Form']) {
      await page.getByRole('button', { name: tab, exact: true }).click();
      await page.waitForLoadState();
      if (tab === 'JSON') expect(await page.getByLabel('The draft').inputValue()).toContain('data-hostile=');
      expect(await done(watched, await page.content())).toEqual([]);
    }
    await watched.context.close();
  });
});
