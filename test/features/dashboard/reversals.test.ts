/** Refunds and disputes: the preview of each reversed cent, and the deed, through HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import type { TestTenant } from '../../support/app/test-app.ts';
import type { Browser, Opened } from '../../support/pages/browser.ts';
import { arrive, follow, wordsOf } from '../../support/pages/follow.ts';
import { type PageApp, startPageApp } from '../../support/pages/page-app.ts';

let pages: PageApp;
let tenant: TestTenant;
let client: ApiClient;
let seller: MemberBody;
const fresh = { hasFreshFactor: true, factorAt: new Date() };

beforeAll(async () => {
  pages = await startPageApp();
  tenant = await pages.app.newTenant({ currency: 'USD', timeZone: 'Europe/Berlin' });
  client = apiClient(pages.app, tenant.sandboxKey);
  const top = await client.newMember({ name: 'Ida Moser', membership_tier: 'DIRECTOR' });
  seller = await client.newMember({ name: 'Nadia Nagy', parent_id: top.id });
});
afterAll(() => pages.app.close());

const home = () => pages.home(tenant, 'SANDBOX');

async function sell(order: string): Promise<string> {
  const body = client.purchaseBody({ external_event_id: order, amount_minor: 3753, attribution: { user_id: seller.id } });
  const sale = await client.post('/api/v1/events/purchase', body);
  expect(sale.status, sale.text).toBe(201);
  return sale.body.event_id;
}

async function linesOf(eventId: string): Promise<{ amount_minor: number; kind: string }[]> {
  const { body } = await client.get(`/api/v1/events?purchase_event_id=${eventId}`);
  return body.data.flatMap((event: { commissions: [] }) => event.commissions);
}

async function opened(browser: Browser, path: string): Promise<Opened> {
  const page = await browser.open(home() + path);
  expect(page.status, page.text.slice(0, 3_000)).toBe(200);
  return page;
}

describe('a refund', () => {
  test('from the sale to its preview, the deed, and the sale again', async () => {
    const id = await sell('back-1');
    const browser = pages.signedIn(tenant, 'admin', fresh);
    const sale = await opened(browser, `/sales/${id}`);
    const whole = await follow(browser, sale, 'Refund…');
    expect(whole.text).toContain('value="37.53"');
    const part = await opened(browser, `/sales/${id}/refund?amount=10.00`);
    const words = wordsOf(part);
    expect(words).toContain('Nothing is stored yet');
    // 3.75 × 10 / 37.53 and 1.88 × 10 / 37.53.
    expect(words).toContain('-US$1.00');
    expect(words).toContain('-US$0.50');
    expect(part.text).toContain('Refund US$10.00, take back US$1.50 of 2 members');
    expect(await linesOf(id)).toEqual([]);

    const done = await arrive(browser, await browser.send(part, 'refund', { reason: 'Came <back>' }));
    expect(done.status, done.text.slice(0, 2_000)).toBe(200);
    expect(wordsOf(done)).toContain('Recorded. Each line gave back what was shown.');
    expect(wordsOf(done)).toContain('Came <back>');
    expect((await linesOf(id)).map((line) => line.amount_minor).toSorted()).toEqual([-100, -50].toSorted());
    const again = await opened(browser, `/sales/${id}`);
    expect(wordsOf(again)).toContain('Taken back since US$10.00');
    const rest = await opened(browser, `/sales/${id}/refund`);
    expect(rest.text).toContain('value="27.53"');
    expect(rest.text).toContain('refund-back-1-2');
  });

  test('is refused when the sale has changed since it was shown, and nothing is recorded', async () => {
    const id = await sell('back-2');
    const browser = pages.signedIn(tenant, 'admin', fresh);
    const form = await opened(browser, `/sales/${id}/refund?amount=10`);
    const other = { external_event_id: 'elsewhere-2', purchase_external_event_id: 'back-2', amount_minor: 500 };
    expect((await client.post('/api/v1/events/refund', other)).status).toBe(201);
    const refused = await browser.send(form, 'refund');
    expect(refused.status).toBe(409);
    expect(wordsOf(refused)).toContain('The sale has changed since this was shown');
    expect(await linesOf(id)).toHaveLength(2);
    // What is drawn now is of now.
    const done = await browser.send(refused, 'refund');
    expect(done.status, wordsOf(done)).toBe(303);
    expect(await linesOf(id)).toHaveLength(4);
  });

  test('sent twice it acts once, one after the other and at the same time', async () => {
    const browser = pages.signedIn(tenant, 'admin', fresh);
    const one = await sell('back-3');
    const form = await opened(browser, `/sales/${one}/refund`);
    const answers = [await browser.send(form, 'refund'), await browser.send(form, 'refund')];
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(answers[0]?.location).toBe(answers[1]?.location);
    const two = await sell('back-4');
    const other = await opened(browser, `/sales/${two}/refund`);
    const both = await Promise.all([browser.send(other, 'refund'), browser.send(other, 'refund')]);
    expect(both.some(({ status }) => status === 303)).toBe(true);
    expect(await linesOf(two)).toHaveLength(2);
  });

  test.each([['40.00'], ['0'], ['-1'], ['ten'], ['1.005']])('of %s is a message beside the form', async (amount) => {
    const id = await sell(`back-odd-${amount}`);
    const page = await opened(pages.signedIn(tenant, 'admin', fresh), `/sales/${id}/refund?amount=${encodeURIComponent(amount)}`);
    expect(page.text).toContain('role="alert"');
    expect(page.text).not.toContain('value="refund"');
  });

  test('of an event that is no sale leads to the event', async () => {
    await sell('back-5');
    const body = { external_event_id: 'back-5-r', purchase_external_event_id: 'back-5', amount_minor: 100 };
    const refund = await client.post('/api/v1/events/refund', body);
    const page = await pages.signedIn(tenant, 'admin').open(`${home()}/sales/${refund.body.event_id}/refund`);
    expect(page.location).toBe(`${home()}/sales/${refund.body.event_id}`);
  });
});

test('a dispute to its end: opened holds, lost takes back, won gives again; each is shown before', async () => {
  const id = await sell('trouble-1');
  const browser = pages.signedIn(tenant, 'admin', fresh);
  const start = await follow(browser, await opened(browser, `/sales/${id}`), 'Dispute…');
  expect(wordsOf(start)).toContain('Disputes of this sale appear here');
  const at = (stage: string) => opened(browser, `/sales/${id}/dispute?dispute=dp%3C1%3E&stage=${stage}`);

  const open = await at('opened');
  expect(wordsOf(open)).toContain('pending → becomes held'.replace('→ ', '→ '));
  expect(open.text).toContain('Open the dispute about US$37.53');
  const held = await arrive(browser, await browser.send(open, 'dispute'));
  expect(wordsOf(held)).toContain('2 unpaid lines put on hold');

  const lost = await follow(browser, await opened(browser, `/sales/${id}/dispute`), 'lost…');
  expect(lost.text).toContain('Record as lost: US$37.53, take back US$5.63 of 2 members');
  await arrive(browser, await browser.send(lost, 'dispute'));
  expect((await linesOf(id)).reduce((sum, line) => sum + line.amount_minor, 0)).toBe(-563);

  const won = await follow(browser, await opened(browser, `/sales/${id}/dispute`), 'won…');
  expect(won.text).toContain('give back US$5.63 of 2 members');
  const end = await arrive(browser, await browser.send(won, 'dispute'));
  expect(wordsOf(end)).toContain('Dispute won');
  expect((await linesOf(id)).reduce((sum, line) => sum + line.amount_minor, 0)).toBe(0);

  const after = await at('opened');
  expect(after.text).toContain('role="alert"');
  expect(after.text).not.toContain('value="dispute"');
});

test('in LIVE too: what is refunded there is of LIVE alone', async () => {
  const live = apiClient(pages.app, tenant.liveKey);
  const member = await live.newMember({ name: 'Liv Live' });
  const body = live.purchaseBody({ external_event_id: 'live-1', amount_minor: 10_000, attribution: { user_id: member.id } });
  const { event_id: id } = (await live.post('/api/v1/events/purchase', body)).body;
  const browser = pages.signedIn(tenant, 'admin', fresh);
  const form = await browser.open(`${pages.home(tenant)}/sales/${id}/refund?amount=50`);
  expect(form.text).toContain('Refund US$50.00, take back US$5.00 of one member');
  expect((await arrive(browser, await browser.send(form, 'refund'))).status).toBe(200);
  expect((await browser.open(`${home()}/sales/${id}/refund`)).status).toBe(404);
  const other = await pages.app.newTenant({ currency: 'USD' });
  expect((await pages.signedIn(other, 'admin').open(`${pages.home(other)}/sales/${id}/refund`)).status).toBe(404);
});

test('a role that reads sees neither button nor page, and is refused by POST', async () => {
  const id = await sell('reader-1');
  const form = await opened(pages.signedIn(tenant, 'admin', fresh), `/sales/${id}/refund`);
  for (const role of ['read-only', 'finance'] as const) {
    const reader = pages.signedIn(tenant, role, fresh);
    const sale = await opened(reader, `/sales/${id}`);
    expect(sale.text).not.toContain('/refund"');
    expect(sale.text).not.toContain('/dispute"');
    expect((await reader.open(`${home()}/sales/${id}/refund`)).status).toBe(403);
    expect((await reader.open(`${home()}/sales/${id}/dispute?dispute=x&stage=lost`)).status).toBe(403);
    expect((await reader.send(form, 'refund')).status).toBe(403);
  }
  expect(await linesOf(id)).toEqual([]);
});
