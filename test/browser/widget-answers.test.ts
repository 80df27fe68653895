/**
 * What the frame makes of answers that the story of the shop does not have: amounts of several shares, held and converted
 * ones, places of links, refusals of the form, more than one currency. Source: docs/specification/widget.md#reads.
 */
import type { Browser, Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EarningShare, Earnings, Explanation, Links, Session, Summary } from '../../src/features/widget/browser/answers.ts';
import { startBrowser } from './support/chromium.ts';
import { type HostSite, hostPage, startHost } from './support/widget-host.ts';
import { choose, drawn, mountIn, openHost, type Shown, type Shows, showWidget } from './support/widget-page.ts';
import { openWidgetShop, type WidgetShop } from './support/widget-shop.ts';

let browser: Browser;
let shop: WidgetShop;
let host: HostSite;
beforeAll(async () => {
  [browser, shop, host] = await Promise.all([startBrowser(), openWidgetShop(), startHost()]);
});
afterAll(async () => {
  await browser.close();
  host.close();
});

const [LINKS, EARNINGS, TEAM] = [1, 2, 3];

const textOf = (frame: Frame): Promise<string> => frame.evaluate<string>('document.body.innerText');

async function open(shows: Shows = {}): Promise<{ shown: Shown; frame: Frame }> {
  const shown = await showWidget(browser, host, await shop.begin([host.origin]), shows);
  return { shown, frame: await shown.frame() };
}

/** Lets the service answer, and the test change what it said. */
async function change<Answer>({ page }: Shown, path: string, changed: (answer: Answer) => unknown): Promise<void> {
  await page.route(`**/widget/${path}`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: changed((await response.json()) as Answer) });
  });
}

/** Changes also the first answer. */
async function openChanged<Answer>(
  path: string,
  changed: (answer: Answer) => unknown,
  shows: Shows = {},
): Promise<{ shown: Shown; frame: Frame }> {
  const shown = await openHost(browser, shop.service, shows);
  await change(shown, path, changed);
  host.put('/', { body: hostPage(shop.service, '<div id="here"></div>') });
  await shown.page.goto(host.origin);
  await mountIn(shown.page, await shop.begin([host.origin]));
  const frame = await shown.frame();
  await drawn(frame);
  return { shown, frame };
}

async function refuse({ page }: Shown, path: string, status: number, body: object = {}): Promise<void> {
  await page.route(`**/widget/${path}`, (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status, json: body }) : route.fallback(),
  );
}

async function failedRequests({ page }: Shown): Promise<() => string[]> {
  const paths: string[] = [];
  page.on('requestfailed', (request) => paths.push(new URL(request.url()).pathname));
  return () => paths;
}

describe('why an amount', () => {
  async function why(changed: (answer: Explanation) => unknown, shows: Shows = {}): Promise<{ text: string; steps: number }> {
    const { shown, frame } = await open(shows);
    await change(shown, 'earnings/*', changed);
    await choose(frame, EARNINGS);
    await frame.locator('.lines .quiet').first().click();
    const box = await frame.waitForSelector('.why');
    const found = { text: await box.innerText(), steps: await frame.locator('.why ol li').count() };
    expect(await shown.faults()).toEqual([]);
    await shown.close();
    return found;
  }

  const share = (fields: Partial<EarningShare>): EarningShare => ({
    paidLevel: 1,
    rateBps: 500,
    flat: null,
    multiplierMilli: 1000,
    rounded: { amount: '5.00', currency: 'EUR' },
    ceilingLeaves: null,
    capsLeave: null,
    conversion: null,
    amount: { amount: '5.00', currency: 'EUR' },
    ...fields,
  });
  const paid = ({ line, ...answer }: Explanation, paidLevel: number, shares: EarningShare[]): Explanation => ({
    ...answer,
    base: { amount: '100.00', currency: 'EUR' },
    line: { ...line, paidLevel, amount: share({}).amount },
    shares,
    recomputed: true,
  });

  test('of two shares of the same amount is told by that of the line', async () => {
    const { text } = await why((answer) => paid(answer, 3, [share({ paidLevel: 2 }), share({ paidLevel: 3, rateBps: 700 })]));
    expect(text).toContain('7% of €100.00 for level 3');
    expect(text).not.toContain('5% of');
    expect(text).toContain('You get further shares of this sale.');
  });

  test.each([
    ['other steps', [share({ paidLevel: 1 })]],
    ['no steps', []],
  ])('that cannot be worked out again, with %s, is not told by steps, nor as what a hand wrote', async (_with, shares) => {
    const { text, steps } = await why((answer) => ({ ...paid(answer, 1, shares), recomputed: false }));
    expect(text).toContain('This amount cannot be shown step by step');
    expect(text).not.toMatch(/entered it by hand|Worked out again just now|was not paid/);
    expect(steps).toBe(0);
  });

  test.each([
    ['en', 'It is on hold: The customer disputes the payment.'],
    ['de', 'Er ist angehalten: Der Kunde beanstandet die Zahlung.'],
  ])('that is held has its reason as a sentence (%s)', async (locale, sentence) => {
    const held = { status: 'held', holdCause: 'dispute' };
    const { text } = await why((answer) => ({ ...answer, line: { ...answer.line, ...held } }), { locale });
    expect(text).toContain(sentence);
  });

  test('has a rate with the digits that count, however small it is', async () => {
    const rounded = { amount: '129200', currency: 'IDR' };
    const converted = share({ rounded, conversion: { numerator: 387_002, denominator: 100_000_000 } });
    const { text } = await why((answer) => paid(answer, 1, [converted]));
    expect(text).toContain('1 IDR = 0.0000387002 EUR');
  });
});

describe('the summary', () => {
  const openWith = (changed: (answer: Summary) => unknown) => openChanged<Summary>('summary', changed);

  test('heads what is missing for the payout after the one that is on its way', async () => {
    const { shown, frame } = await openWith(({ payouts, ...answer }) => ({
      ...answer,
      payouts: payouts.slice(0, 1).map((payout) => ({ ...payout, state: 'in_payout', missing: ['KYC_REQUIRED'] })),
    }));
    expect(await frame.locator('.payout :has(+ .asks)').innerText()).toMatch(/^What is missing:$|^Before your first payout/);
    await shown.close();
  });

  test('without any figure says what will stand there, and leads to the links', async () => {
    const none = { amount: '0.00', currency: 'EUR' };
    const { shown, frame } = await openWith((answer) => ({
      ...answer,
      balances: [{ currency: 'EUR', pending: none, cleared: none, processing: none, paid: none, owed: none }],
    }));
    expect(await textOf(frame)).toContain('No earnings yet');
    await frame.locator('.button', { hasText: 'Get your link' }).click();
    await drawn(frame);
    expect(await textOf(frame)).toContain('Your links');
    await shown.close();
  });
});

describe('the links', () => {
  test('below a host of many begin with none of them', async () => {
    const { shown, frame } = await open();
    await change<Links>(shown, 'links', (answer) => ({ ...answer, destinationHosts: ['*.shop.example'] }));
    await choose(frame, LINKS);
    await frame.locator('summary').click();
    expect(await frame.locator('[name=destinationUrl]').inputValue()).toBe('');
    expect(await textOf(frame)).toContain('A page of any site below shop.example');
    await shown.close();
  });

  test('have an ending that nobody gets refused as that', async () => {
    const { shown, frame } = await open();
    const details = { fields: [{ field: 'slug', message: 'is reserved' }] };
    await refuse(shown, 'links', 400, { error: 'The request is not valid', code: 'VALIDATION_ERROR', details });
    await choose(frame, LINKS);
    await frame.locator('summary').click();
    await frame.locator('[name=slug]').fill('admin');
    await frame.locator('[type=submit]').click();
    await expect.poll(() => textOf(frame)).toContain('This ending cannot be used. Choose another one.');
    expect(await frame.evaluate('document.activeElement.name')).toBe('slug');
    await shown.close();
  });

  test.each([
    [503, 'There is a lot going on just now'],
    [404, 'It is not there any more'],
  ])('that could not be switched off, by a %i, are told so, and not that they could not be loaded', async (status, reason) => {
    const { shown, frame } = await open();
    await refuse(shown, 'links/*', status, { error: 'No', code: status === 404 ? 'NOT_FOUND' : 'UNAVAILABLE' });
    await choose(frame, LINKS);
    await frame.locator('.toggle').first().click();
    await expect.poll(() => textOf(frame)).toContain('That did not work');
    const text = await textOf(frame);
    expect(text).toContain(reason);
    expect(text).not.toMatch(/could not be loaded|on our side/);
    expect(await frame.locator('.toggle').first().isEnabled()).toBe(true);
    await shown.close();
  });

  test.each([
    ['en', ['9,999 clicks', '10,000+ clicks']],
    ['de', ['9.999 Klicks', '10.000+ Klicks']],
  ])('have at most ten thousand clicks, or more (%s)', async (locale, told) => {
    const { shown, frame } = await open({ locale });
    await change<Links>(shown, 'links', ({ links, ...answer }) => ({
      ...answer,
      links: links.slice(0, 2).map((link, nr) => ({ ...link, clicks: 9_999 + nr })),
    }));
    await choose(frame, LINKS);
    const text = await textOf(frame);
    for (const one of told) expect(text).toContain(one);
    await shown.close();
  });
});

test('who has earned in several currencies chooses, and one month by its bar', async () => {
  const { shown, frame } = await open();
  const asked: string[] = [];
  await shown.page.route('**/widget/earnings*', async (route) => {
    const { search } = new URL(route.request().url());
    asked.push(search);
    const response = await route.fetch({ url: route.request().url().replace('currency=USD', 'currency=EUR') });
    const answer = (await response.json()) as Earnings;
    const currency = search.includes('USD') ? 'USD' : 'EUR';
    await route.fulfill({ response, json: { ...answer, currency, currencies: ['EUR', 'USD'] } });
  });
  await choose(frame, EARNINGS);
  await frame.getByLabel('Currency').selectOption('USD');
  await drawn(frame);
  expect(await frame.getByLabel('Currency').inputValue()).toBe('USD');
  await frame.locator('.chart .bar').last().click();
  await drawn(frame);
  expect(asked[0]).toBe('');
  expect(asked[1]).toBe('?currency=USD');
  expect(asked[2]).toMatch(/^\?currency=USD&month=\d{4}-\d{2}$/);
  expect(await frame.getByLabel('Month', { exact: true }).inputValue()).toBe(asked[2]?.slice(-7));
  await shown.close();
});

describe('the other pages', () => {
  test('are there soon after the first, and a connection that is lost then takes none of them away', async () => {
    const { shown, frame } = await open();
    const modules = (): string[] =>
      shown.requests.map((request) => /([\w-]+)\.js$/.exec(new URL(request.url()).pathname)?.[1] ?? '').filter(Boolean);
    expect(modules()).not.toContain('team');
    await expect.poll(modules, { timeout: 60_000 }).toEqual(expect.arrayContaining(['links', 'earnings', 'team', 'why']));
    await shown.page.waitForTimeout(300);
    await shown.page.route('**/widget/assets/**', (route) => route.abort());
    await choose(frame, TEAM);
    expect(await textOf(frame)).toContain('Names are shortened here.');
    await shown.close();
  });

  test('a reason whose module cannot be loaded is there after the whole frame was loaded again', async () => {
    const given = await shop.begin([host.origin]);
    const shown = await showWidget(browser, host, given, { tokens: [given.widgetToken] });
    const failed = await failedRequests(shown);
    await shown.page.route('**/why.js', (route) => route.abort());
    const frame = await shown.frame();
    await choose(frame, EARNINGS);
    await frame.locator('.lines .quiet').first().click();
    await expect.poll(() => textOf(frame)).toContain('The connection was interrupted');
    expect(failed()[0]).toMatch(/why\.js$/);
    await shown.page.unroute('**/why.js');
    await frame.locator('.button', { hasText: 'Try again' }).click();
    await expect.poll(() => shown.page.evaluate('asked')).toBe(2);
    await drawn(await shown.frame());
    await choose(await shown.frame(), EARNINGS);
    await (await shown.frame()).locator('.lines .quiet').first().click();
    await (await shown.frame()).waitForSelector('.why');
    await shown.close();
  });
});

test('a token that ends with the session is not asked for again and again', async () => {
  const expiresAt = new Date(Date.now() + 70_000).toISOString();
  const { shown } = await openChanged<Session>('session*', (answer) => ({ ...answer, expiresAt }), { clock: true });
  const asked = async (seconds: string): Promise<unknown> => {
    await shown.page.clock.fastForward(seconds);
    await shown.page.waitForTimeout(300);
    return shown.page.evaluate('asked');
  };
  expect([await asked('00:16'), await asked('00:16'), await asked('00:16')]).toEqual([2, 2, 2]);
  // The last time when it ends.
  expect(await asked('01:00')).toBe(3);
  expect(await shown.errors()).toEqual([]);
  await shown.close();
});
