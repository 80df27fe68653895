/** The search of the palette and its page, through HTTP. Source: docs/specification/pages.md#palette. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import type { TestTenant } from '../../support/app/test-app.ts';
import { type PageApp, startPageApp } from '../../support/pages/page-app.ts';

interface Answered {
  results: { title: string; kind: string; note: string; state: string; exact: boolean; href: string | null }[];
  deeds: { title: string; href: string }[];
}

let pages: PageApp;
let tenant: TestTenant;
let client: ApiClient;
let home: string;
let ada: MemberBody;
let saleId: string;
beforeAll(async () => {
  pages = await startPageApp();
  tenant = await pages.app.newTenant({ currency: 'EUR' });
  client = apiClient(pages.app, tenant.liveKey);
  home = pages.home(tenant);
  ada = await client.newMember({ name: 'Ada <b>Lovelace</b>', email: 'ada@search.example' });
  const order = { external_event_id: 'order-4711', currency: 'EUR', attribution: { user_id: ada.id } };
  const sale = await client.post('/api/v1/events/purchase', client.purchaseBody(order));
  saleId = (sale.body as { event_id: string }).event_id;
});
afterAll(() => pages.app.close());

async function found(q: string, role: Parameters<PageApp['signedIn']>[1] = 'owner', at = home): Promise<Answered> {
  const answer = await pages.signedIn(tenant, role).open(`${at}/search?${new URLSearchParams({ as: 'json', q })}`);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers.get('content-type')).toContain('application/json');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  return JSON.parse(answer.text) as Answered;
}

describe('as data', () => {
  test.each([
    ['an id', () => ada.id, () => `/members/${ada.id}`],
    ['an email in any case', () => 'ADA@search.example', () => `/members/${ada.id}`],
    ['the number of an order', () => 'order-4711', () => `/sales/${saleId}`],
    ['the id of a sale', () => saleId, () => `/sales/${saleId}`],
    ['a code', () => ada.referral_code, () => `/members/${ada.id}`],
  ])('%s leads to its page, and was named whole', async (_what, q, path) => {
    const { results } = await found(q());
    expect(results[0]).toMatchObject({ href: home + path(), exact: true });
  });

  test('a name is found by its beginning, and is not named whole', async () => {
    expect((await found('ada <b>')).results).toMatchObject([
      { title: 'Ada <b>Lovelace</b>', kind: 'Member', state: 'active', exact: false, href: `${home}/members/${ada.id}` },
    ]);
  });

  test('what is inactive is found, and says so', async () => {
    const gone = await client.newMember({ name: 'Iris Inactive', email: 'iris@search.example' });
    const changed = await client.patch(`/api/v1/members/${gone.id}`, { isActive: false });
    if (changed.status >= 300) await client.patch(`/api/v1/users/${gone.id}`, { is_active: false });
    expect((await found('iris@search.example')).results).toMatchObject([{ state: 'inactive' }]);
  });

  test('a role finds what it may list, and is led where it may go', async () => {
    expect((await found('order-4711', 'reviewer')).results).toEqual([]);
    expect((await found(ada.id, 'developer')).results).toEqual([]);
    const { deeds } = await found('', 'reviewer');
    expect(deeds.map(({ title }) => title)).not.toContain('Make an API key');
    expect((await found('', 'owner')).deeds).toContainEqual({ title: 'Make an API key', href: `${home}/keys/new` });
  });

  test('nothing of another environment or tenant is found', async () => {
    expect((await found(ada.id, 'owner', pages.home(tenant, 'SANDBOX'))).results).toEqual([]);
    const other = await pages.app.newTenant();
    const foreign = await pages
      .signedIn(other, 'owner')
      .open(`${pages.home(other)}/search?${new URLSearchParams({ as: 'json', q: ada.id })}`);
    expect((JSON.parse(foreign.text) as Answered).results).toEqual([]);
  });

  test('what is longer than any name is cut, and what means nothing finds nothing', async () => {
    for (const q of ['x'.repeat(5_000), '   ', '%', "'; drop table member; --", '\u202e'])
      expect((await found(q)).results).toEqual([]);
  });
});

describe('as a page, without script', () => {
  test('it lists what was found as text, with links', async () => {
    const opened = await pages.signedIn(tenant, 'owner').open(`${home}/search?q=ada`);
    expect(opened.status).toBe(200);
    expect(opened.text).toContain(`<a href="${home}/members/${ada.id}">Ada &lt;b&gt;Lovelace&lt;/b&gt;</a>`);
    expect(opened.text).toContain('/api/v1/admin/search?q=ada');
    expect(opened.text).not.toContain('<b>Lovelace');
  });

  test('it says that nothing was found, and why', async () => {
    const opened = await pages.signedIn(tenant, 'owner').open(`${home}/search?q=nobody-has-this`);
    expect(opened.text).toContain('None has, of those that your role may list');
  });

  test('every page leads to it', async () => {
    const opened = await pages.signedIn(tenant, 'read-only').open(home);
    expect(opened.text).toContain(`<a class="search" href="${home}/search" data-palette="${home}/search">`);
  });
});
