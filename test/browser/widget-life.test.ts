/**
 * How long the frame lives: another token without a flicker, one that does not come, a session that ends while it is
 * looked at. Source: docs/specification/widget.md#handshake.
 */
import type { Browser, Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GivenToken, TOKENS } from '../support/widget/widget-session.ts';
import { startBrowser } from './support/chromium.ts';
import { type HostSite, hostPage, json, startHost } from './support/widget-host.ts';
import { choose, drawn, openHost, type Shown, type Shows, showWidget } from './support/widget-page.ts';
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

async function another({ sessionId }: GivenToken): Promise<string> {
  const { status, body, text } = await shop.client.post(`${TOKENS}/refresh`, { sessionId });
  if (status !== 200) throw new Error(`no other token: ${text}`);
  return body.widgetToken;
}

/** The tokens that were given until now end, and every instance knows it. */
async function expire({ sessionId }: GivenToken): Promise<void> {
  await shop.app.database.asSuperuser('update widget_token set expires_at = now() where session_id = $1', [sessionId]);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
}

async function endSession({ sessionId }: GivenToken): Promise<void> {
  await shop.client.delete(`${TOKENS}/${sessionId}`);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
}

const asked = ({ page }: Shown): Promise<number> => page.evaluate<number>('asked');

/** With the form of links open, something typed in it, and all changes of the document counted from then on. */
async function inTheMiddle(
  given: GivenToken,
  shows: Shows,
): Promise<{ shown: Shown; frame: Frame; same: () => Promise<unknown> }> {
  const shown = await showWidget(browser, host, given, { look: { theme: 'light', width: 320 }, ...shows });
  const frame = await shown.frame();
  await choose(frame, 1);
  await frame.locator('summary').click();
  await frame.locator('[name=slug]').fill('half-a-sl');
  // The page around becomes as high as the frame, and is scrolled.
  await expect.poll(() => shown.page.evaluate('document.documentElement.scrollHeight > innerHeight + 100')).toBe(true);
  await shown.page.evaluate('scrollTo(0, 90); undefined');
  await frame.evaluate(`(() => {
    globalThis.kept = [...document.querySelectorAll('main *')];
    globalThis.changes = 0;
    new MutationObserver((all) => { changes += all.length; })
      .observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  })()`);
  const scrolled = () => shown.page.evaluate('scrollY');
  const before = await scrolled();
  const same = async () => ({
    changes: await frame.evaluate('changes'),
    kept: await frame.evaluate('kept.every((one) => one.isConnected)'),
    focus: await frame.evaluate('document.activeElement.name'),
    typed: await frame.locator('[name=slug]').inputValue(),
    scrolled: (await scrolled()) === before,
  });
  return { shown, frame, same };
}

const NOTHING_CHANGED = { changes: 0, kept: true, focus: 'slug', typed: 'half-a-sl', scrolled: true };

describe('another token', () => {
  test('is asked for a minute before the end, and nobody sees it', async () => {
    const given = await begin();
    const second = await another(given);
    const { shown, same } = await inTheMiddle(given, { tokens: [given.widgetToken, second], clock: true });
    const { page } = shown;
    await page.clock.fastForward('13:30');
    await page.waitForTimeout(300);
    expect(await asked(shown)).toBe(1);
    const answered = page.waitForResponse((answer) => new URL(answer.url()).pathname === '/widget/session');
    await page.clock.fastForward('00:45');
    await answered;
    await page.waitForTimeout(200);
    expect(await asked(shown)).toBe(2);
    expect(await same()).toEqual(NOTHING_CHANGED);
    // The next one is asked for before the end of this one, by the server's clock.
    await page.clock.fastForward('12:00');
    await page.waitForTimeout(300);
    expect(await asked(shown)).toBe(2);
    expect(await shown.errors()).toEqual([]);
    expect(await shown.faults()).toEqual([]);
    const used = await shown.requests.at(-1)?.headerValue('authorization');
    expect(used).toBe(`Bearer ${second}`);
    await shown.close();
  });

  test('is asked for when the server refuses the present one, and what was asked is answered', async () => {
    const given = await begin();
    const { shown, frame, same } = await inTheMiddle(given, {});
    await expire(given);
    await shown.page.evaluate(`tokens.push(${JSON.stringify(await another(given))}); undefined`);
    expect(await same()).toEqual(NOTHING_CHANGED);
    await frame.locator('[type=submit]').click();
    await expect.poll(() => frame.locator('.row strong', { hasText: 'half-a-sl' }).count()).toBe(1);
    expect(await asked(shown)).toBe(2);
    expect(await shown.errors()).toEqual([]);
    expect(await shown.faults()).toEqual([]);
    await shown.close();
  });

  test('of many reads at once is asked for once', async () => {
    const given = await begin();
    const shown = await showWidget(browser, host, given);
    const frame = await shown.frame();
    await expire(given);
    await shown.page.evaluate(`tokens.push(${JSON.stringify(await another(given))}); undefined`);
    await frame.evaluate("document.querySelectorAll('[role=tab]').forEach((tab) => tab.click()); undefined");
    await drawn(frame);
    expect(await frame.locator('.empty[role=alert]').count()).toBe(0);
    expect(await frame.locator('.card').count()).toBeGreaterThan(5);
    expect(await asked(shown)).toBe(2);
    await shown.close();
  });

  test('that does not come is asked for again while the present one is good; what stands there stays', async () => {
    const given = await begin();
    const second = await another(given);
    const { shown, same } = await inTheMiddle(given, { tokens: [given.widgetToken, '', second], clock: true });
    await shown.page.clock.fastForward('14:05');
    await expect.poll(() => shown.errors()).toEqual(['token']);
    expect(await asked(shown)).toBe(2);
    expect(await same()).toEqual(NOTHING_CHANGED);
    await shown.page.clock.fastForward('00:16');
    await expect.poll(() => asked(shown)).toBe(3);
    await shown.page.waitForTimeout(300);
    expect(await same()).toEqual(NOTHING_CHANGED);
    expect(await shown.errors()).toEqual(['token']);
    await shown.close();
  });

  test('that comes at the second attempt opens the frame that could not begin', async () => {
    const given = await begin();
    const shown = await showWidget(browser, host, given, { tokens: ['', given.widgetToken], atOnce: true });
    const frame = await shown.frame();
    await frame.locator('.button', { hasText: 'Try again' }).click();
    await frame.waitForSelector('.figures');
    expect(await shown.errors()).toEqual(['token']);
    expect(await shown.faults()).toEqual([]);
    await shown.close();
  });
});

describe('a session that ends while it is looked at', () => {
  test('is told to the page around and, calmly, to the member', async () => {
    const given = await begin();
    const shown = await showWidget(browser, host, given, { tokens: [given.widgetToken, ''] });
    const frame = await shown.frame();
    await endSession(given);
    await frame.locator('[role=tab]').nth(2).click();
    await expect.poll(() => frame.evaluate<string>('document.body.innerText')).toContain('This view has ended');
    expect(await shown.errors()).toEqual(['token', 'session']);
    expect(await frame.locator('.card').count()).toBe(0);
    expect(await frame.evaluate<string>('document.body.innerText')).not.toMatch(/€/);
    expect(await shown.faults()).toEqual([]);
    await shown.close();
  });

  test('begins anew by the element, once', async () => {
    const sent: string[] = [];
    const sessions: GivenToken[] = [];
    host.put('/element', { body: hostPage(shop.service, '<mcr-referrals src="/session"></mcr-referrals>') });
    host.put('/session', async (body) => {
      sent.push(body);
      const { sessionId } = JSON.parse(body) as { sessionId?: string };
      if (sessionId !== undefined) {
        const answer = await shop.client.post(`${TOKENS}/refresh`, { sessionId });
        return json(answer.body, answer.status);
      }
      sessions.push(await begin());
      return json(sessions.at(-1), 201);
    });
    const shown = await openHost(browser, shop.service);
    await shown.page.goto(`${host.origin}/element`);
    await shown.page.evaluate(
      "globalThis.heard = []; document.querySelector('mcr-referrals').addEventListener('mcr-error', (event) => heard.push(event.detail.code)); undefined",
    );
    await drawn(await shown.frame());
    const [first] = sessions;
    if (!first) throw new Error('no session began');
    await endSession(first);
    await (await shown.frame()).locator('[role=tab]').nth(2).click();
    await expect.poll(() => sessions.length).toBe(2);
    await expect.poll(async () => (await shown.frame()).url()).toBe(sessions[1]?.embedUrl);
    await drawn(await shown.frame());
    expect(await shown.page.locator('iframe').count()).toBe(1);
    const [, second] = sessions;
    if (!second) throw new Error('no session began anew');
    await endSession(second);
    const heard = await shown.errors();
    await (await shown.frame()).locator('[role=tab]').nth(2).click();
    await expect.poll(async () => (await shown.errors()).slice(heard.length)).toContain('session');
    expect(sessions).toHaveLength(2);
    expect(sent.filter((body) => body === '{}')).toHaveLength(2);
    expect(await (await shown.frame()).evaluate<string>('document.body.innerText')).toContain('This view has ended');
    await shown.close();
  });
});

describe('the end', () => {
  test('by destroy leaves nothing: no frame, no question, no late complaint', async () => {
    const shown = await showWidget(browser, host, await begin(), { clock: true });
    const left = await shown.page.evaluate<number>(
      "widget.destroy(); widget.destroy(); document.querySelector('#here').childNodes.length",
    );
    expect(left).toBe(0);
    await shown.page.clock.fastForward('20:00');
    expect(await asked(shown)).toBe(1);
    expect(await shown.errors()).toEqual([]);
    expect(await shown.faults()).toEqual([]);
    await shown.close();
  });

  test('by destroy before it began: the same', async () => {
    const { embedUrl } = await begin();
    host.put('/', { body: hostPage(shop.service, '<div id="here"></div>') });
    const shown = await openHost(browser, shop.service, { clock: true });
    await shown.page.goto(host.origin);
    await shown.page.evaluate(`(async () => {
      const { mount } = await import('${shop.service}/widget/embed.js');
      Object.assign(globalThis, { heard: [], asked: 0 });
      const getToken = () => { asked += 1; return ''; };
      const options = { element: document.querySelector('#here'), embedUrl: '${embedUrl}', getToken };
      mount({ ...options, onError: ({ code }) => heard.push(code) }).destroy();
    })()`);
    await shown.page.clock.fastForward('00:30');
    expect(await shown.page.evaluate("document.querySelector('#here').childNodes.length")).toBe(0);
    expect(await asked(shown)).toBe(0);
    expect(await shown.errors()).toEqual([]);
    await shown.close();
  });

  test('of an element that was taken out, and its return', async () => {
    host.put('/element', { body: hostPage(shop.service, '<mcr-referrals src="/session"></mcr-referrals>') });
    host.put('/session', async () => json(await begin(), 201));
    const shown = await openHost(browser, shop.service);
    await shown.page.goto(`${host.origin}/element`);
    await drawn(await shown.frame());
    await shown.page.evaluate("globalThis.one = document.querySelector('mcr-referrals'); one.remove(); undefined");
    expect(await shown.page.evaluate('one.childNodes.length')).toBe(0);
    await shown.page.evaluate("document.querySelector('main').append(one); undefined");
    await drawn(await shown.frame());
    expect(await shown.page.locator('iframe').count()).toBe(1);
    expect(await shown.faults()).toEqual([]);
    await shown.close();
  });
});
