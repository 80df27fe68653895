/**
 * What the frame makes of faults that pass, of a page around it that gives no token, and of one that never comes.
 * Source: docs/specification/widget.md#ends.
 */
import type { Browser, Frame } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GivenToken, TOKENS } from '../support/widget/widget-session.ts';
import { startBrowser } from './support/chromium.ts';
import { type HostSite, startHost } from './support/widget-host.ts';
import { choose, drawn, showWidget } from './support/widget-page.ts';
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

const begin = (): Promise<GivenToken> => shop.begin([host.origin]);
const textOf = (frame: Frame): Promise<string> => frame.evaluate<string>('document.body.innerText');

test('a token that is no text is told to the page around, and the next one opens the frame', async () => {
  const given = await begin();
  const tokens = [['no text'], given.widgetToken] as unknown as string[];
  const shown = await showWidget(browser, host, given, { tokens, atOnce: true });
  const frame = await shown.frame();
  await frame.locator('.button', { hasText: 'Try again' }).click();
  await frame.waitForSelector('.figures');
  expect(await shown.errors()).toEqual(['token']);
  expect(await shown.faults()).toEqual([]);
  await shown.close();
});

test('who asks again for a first token sees that it is asked for, and when none comes, that too', async () => {
  const given = await begin();
  const shown = await showWidget(browser, host, given, { tokens: [''], atOnce: true, clock: true });
  const frame = await shown.frame();
  const again = frame.locator('.button', { hasText: 'Try again' });
  await again.waitFor();
  // From now on the page around does not answer.
  await shown.page.evaluate('tokens[0] = { then() {} }; undefined');
  await again.click();
  await frame.waitForSelector('main[aria-busy] .skeleton');
  expect(await again.count()).toBe(0);
  await shown.page.clock.fastForward('00:16');
  await again.waitFor();
  expect(await frame.locator('main[aria-busy]').count()).toBe(0);
  expect(await shown.errors()).toEqual(['token', 'token']);
  await shown.close();
});

test('a service that is busy while a token is taken over is told as that, and not as the end', async () => {
  const given = await begin();
  const shown = await showWidget(browser, host, given);
  const frame = await shown.frame();
  await shop.app.database.asSuperuser('update widget_token set expires_at = now() where session_id = $1', [given.sessionId]);
  const { body } = await shop.client.post(`${TOKENS}/refresh`, { sessionId: given.sessionId });
  await shown.page.evaluate(`tokens.push(${JSON.stringify(body.widgetToken)}); undefined`);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await shown.page.route('**/widget/session', (route) => route.fulfill({ status: 503, body: '{}' }));
  await choose(frame, 2);
  expect(await textOf(frame)).toContain('There is a lot going on');
  expect(await textOf(frame)).not.toContain('This view has ended');
  await shown.page.unroute('**/widget/session');
  await frame.locator('.button', { hasText: 'Try again' }).click();
  await frame.waitForSelector('.rows');
  expect(await shown.errors()).toEqual([]);
  await shown.close();
});

test('without another token the figures go when the present one ends', async () => {
  const given = await begin();
  const shown = await showWidget(browser, host, given, { tokens: [given.widgetToken, ''], clock: true });
  const frame = await shown.frame();
  await shown.page.clock.fastForward('14:05');
  await expect.poll(() => shown.errors()).toEqual(['token']);
  expect(await textOf(frame)).toMatch(/€/);
  for (let times = 0; times < 8; times++) {
    await shown.page.clock.fastForward('00:16');
    await shown.page.waitForTimeout(150);
  }
  await expect.poll(() => textOf(frame)).toContain('This view has ended');
  expect(await textOf(frame)).not.toMatch(/€/);
  expect((await shown.errors()).at(-1)).toBe('session');
  await shown.close();
});

test('an ended view that is tried again says so again, and goes on once there is a token', async () => {
  const given = await begin();
  const shown = await showWidget(browser, host, given, { tokens: [given.widgetToken, '', '', given.widgetToken] });
  const frame = await shown.frame();
  await shown.page.route('**/widget/earnings', (route) => route.fulfill({ status: 401, body: '{}' }));
  await frame.locator('[role=tab]').nth(2).click();
  await expect.poll(() => textOf(frame)).toContain('This view has ended');
  await shown.page.unroute('**/widget/earnings');
  await frame.locator('.button', { hasText: 'Try again' }).click();
  await expect.poll(() => shown.page.evaluate('asked')).toBe(3);
  await expect.poll(() => textOf(frame)).toContain('This view has ended');
  await frame.locator('.button', { hasText: 'Try again' }).click();
  await frame.waitForSelector('.figures');
  await drawn(frame);
  await shown.close();
});

test('a page that cannot be loaded is loaded with the whole frame, when the member wants that', async () => {
  const given = await begin();
  const { body } = await shop.client.post(`${TOKENS}/refresh`, { sessionId: given.sessionId });
  const shown = await showWidget(browser, host, given, { tokens: [given.widgetToken, body.widgetToken] });
  await shown.page.route('**/team.js', (route) => route.abort());
  const frame = await shown.frame();
  await frame.locator('[role=tab]').nth(3).click();
  await expect.poll(() => textOf(frame)).toContain('The connection was interrupted');
  await shown.page.unroute('**/team.js');
  await frame.locator('.button', { hasText: 'Try again' }).click();
  await (await shown.frame()).waitForSelector('.figures');
  await choose(await shown.frame(), 3);
  await expect.poll(async () => textOf(await shown.frame())).toContain('Names are shortened here.');
  await shown.close();
});
