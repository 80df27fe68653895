/** Commissions, one commission, and what can be done with it, through HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import type { TestTenant } from '../../support/app/test-app.ts';
import { arrive, follow, hrefOf, wordsOf } from '../../support/pages/follow.ts';
import { type PageApp, startPageApp } from '../../support/pages/page-app.ts';

let pages: PageApp;
let tenant: TestTenant;
let client: ApiClient;
let top: MemberBody;
let seller: MemberBody;
const fresh = { hasFreshFactor: true, factorAt: new Date() };

beforeAll(async () => {
  pages = await startPageApp();
  tenant = await pages.app.newTenant({ currency: 'USD', timeZone: 'Europe/Berlin' });
  client = apiClient(pages.app, tenant.sandboxKey);
  top = await client.newMember({ name: 'Ida <Moser>', membership_tier: 'DIRECTOR' });
  seller = await client.newMember({ name: 'Nadia Nagy', email: 'nadia@test.example', parent_id: top.id });
});
afterAll(() => pages.app.close());

const home = () => pages.home(tenant, 'SANDBOX');

async function sell(
  order: string,
): Promise<{ event_id: string; commissions: { id: string; user_id: string; amount_minor: number }[] }> {
  const body = client.purchaseBody({ external_event_id: order, amount_minor: 3753, attribution: { user_id: seller.id } });
  const sale = await client.post('/api/v1/events/purchase', body);
  expect(sale.status, sale.text).toBe(201);
  return sale.body;
}

test('the path from a member to a cent, its explanation, and its lines in the ledger', async () => {
  await sell('walk-1');
  const browser = pages.signedIn(tenant, 'read-only');
  const found = await browser.open(`${home()}/members?q=${encodeURIComponent('Ida <')}`);
  const member = await follow(browser, found, 'Ida <Moser>'.replace('<', '&lt;').replace('>', '&gt;'));
  const list = await follow(browser, member, 'All commissions');
  expect(wordsOf(list)).toContain('walk-1');
  const [line = ''] = /\/dashboard\/[^"]*\/commissions\/[0-9a-f-]{36}/.exec(list.text) ?? [];
  const commission = await browser.open(line);
  expect(commission.status, commission.text.slice(0, 2_000)).toBe(200);
  const words = wordsOf(commission);
  expect(words).toContain('US$1.88');
  expect(words).toContain('Same to the cent');
  expect(words).toMatch(/paid level 2: 5% of US\$37\.53 = 1\.8765, rounded US\$1\.88/);
  expect(words).toContain('Took level 1 of the plan.');
  expect(words).toContain('In the ledger');
  expect(words).toContain('Nadia Nagy');

  const explained = await follow(browser, commission, 'The sale, explained');
  expect(wordsOf(explained)).toContain('Same to the cent');
  const ledger = await follow(browser, commission, 'All postings of the member');
  expect(wordsOf(ledger)).toContain('US$1.88');
});

describe('the list', () => {
  test('finds by member, state, month, sale and level, newest first, and keeps the filters in its pages', async () => {
    const first = await sell('list-1');
    const second = await sell('list-2');
    const browser = pages.signedIn(tenant, 'owner');
    const all = await browser.open(`${home()}/commissions?userId=nadia%40test.example`);
    expect(all.status, all.text.slice(0, 2_000)).toBe(200);
    const words = wordsOf(all);
    expect(words.indexOf('list-2')).toBeLessThan(words.indexOf('list-1'));
    expect(words).toContain('By level');
    expect(words).not.toContain('Ida');

    const own = await browser.open(`${home()}/commissions?eventId=${first.event_id}&level=2`);
    expect(own.text).toContain(first.commissions.find(({ user_id }) => user_id === top.id)?.id);
    expect(own.text).not.toContain(second.commissions[0]?.id);

    const month = new Date().toISOString().slice(0, 7);
    const thisMonth = await browser.open(`${home()}/commissions?period=${month}&status=pending`);
    expect(wordsOf(thisMonth)).toContain('list-1');
    expect(hrefOf(thisMonth, /^US\$/)).toContain(`period=${month}`);
    const paid = await browser.open(`${home()}/commissions?status=paid`);
    expect(wordsOf(paid)).toContain('None matches these filters');
  });

  test('says why nobody is found, and shows what is no id as a fault of the request', async () => {
    const browser = pages.signedIn(tenant, 'owner');
    const nobody = await browser.open(`${home()}/commissions?userId=nobody%40test.example`);
    expect(nobody.status).toBe(200);
    expect(wordsOf(nobody)).toContain('No single member has this');
    const unknown = await browser.open(`${home()}/commissions?userId=0198c5a2-3d4e-7f60-8a1b-2c3d4e5f6071`);
    expect(unknown.status).toBe(200);
    expect((await browser.open(`${home()}/commissions?eventId=x`)).status).toBe(400);
  });

  test('is empty in the other environment, and says what comes', async () => {
    const live = await pages.signedIn(tenant, 'owner').open(`${pages.home(tenant)}/commissions`);
    expect(live.status).toBe(200);
    expect(wordsOf(live)).toContain('Commissions appear here as sales are recorded');
  });
});

describe('by hand', () => {
  test('held with a reason, released, and voided for good; each button names the amount, each deed its doer', async () => {
    const { commissions } = await sell('hand-1');
    const line = commissions.find(({ user_id }) => user_id === top.id);
    const browser = pages.signedIn(tenant, 'finance', fresh);
    const path = `${home()}/commissions/${line?.id}`;
    const before = await browser.open(path);
    expect(before.text).toContain('Hold US$1.88');
    expect(before.text).toContain('Void for good: US$1.88');
    expect(before.text).not.toContain('Release US$1.88');

    const without = await browser.send(before, 'hold', { reason: ' ' });
    expect(without.status).toBe(400);
    expect(wordsOf(without)).toContain('must say why');

    const held = await arrive(browser, await browser.send(before, 'hold', { reason: 'Looks <odd>' }));
    expect(wordsOf(held)).toContain('The commission is on hold');
    expect(wordsOf(held)).toContain('Looks <odd>');
    expect(held.text).toContain('Release US$1.88');
    // The form of before is of another state.
    const late = await browser.send(before, 'void', { reason: 'x' });
    expect(late.status).toBe(303);

    const voided = await browser.open(path);
    expect(wordsOf(voided)).toContain('reversed');
    expect(wordsOf(voided)).toContain('Voided');
    expect(voided.text).not.toContain('Void for good');
    const again = await browser.send(held, 'release', { reason: 'x' });
    expect(again.status).toBe(409);
  });

  test('a form sent twice acts once', async () => {
    const { commissions } = await sell('hand-2');
    const browser = pages.signedIn(tenant, 'finance', fresh);
    const form = await browser.open(`${home()}/commissions/${commissions[0]?.id}`);
    const [one, two] = [await browser.send(form, 'hold', { reason: 'x' }), await browser.send(form, 'hold', { reason: 'x' })];
    expect([one.status, two.status]).toEqual([303, 303]);
  });

  test('a role that reads sees no form, and is refused by POST', async () => {
    const { commissions } = await sell('hand-3');
    const path = `${home()}/commissions/${commissions[0]?.id}`;
    const reader = pages.signedIn(tenant, 'read-only');
    const seen = await reader.open(path);
    expect(seen.status).toBe(200);
    expect(seen.text).not.toContain('value="hold"');
    const form = await pages.signedIn(tenant, 'finance', fresh).open(path);
    const sent = await reader.send(form, 'hold', { reason: 'x' });
    expect(sent.status).toBe(403);
    expect((await client.get(`/api/v1/commissions/${commissions[0]?.id}`)).body.status).toBe('pending');
    for (const role of ['reviewer'] as const) {
      expect((await pages.signedIn(tenant, role).open(path)).status).toBe(403);
      expect((await pages.signedIn(tenant, role).open(`${home()}/commissions`)).status).toBe(403);
    }
  });

  test('of another tenant and of the other environment it is nothing', async () => {
    const { commissions } = await sell('hand-4');
    const path = `/commissions/${commissions[0]?.id}`;
    expect((await pages.signedIn(tenant, 'owner').open(pages.home(tenant) + path)).status).toBe(404);
    const other = await pages.app.newTenant({ currency: 'USD' });
    expect((await pages.signedIn(other, 'owner').open(pages.home(other, 'SANDBOX') + path)).status).toBe(404);
    expect((await pages.signedIn(other, 'owner').open(home() + path)).status).toBe(404);
  });
});
