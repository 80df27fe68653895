/**
 * Who does not get to see the frame: pages of other origins, pages around an allowed one, and whoever has an id or a
 * token of something else. Source: docs/specification/widget.md#handshake.
 */
import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiClient } from '../support/app/api-client.ts';
import { beginWidget, type GivenToken, ORIGIN, TOKENS } from '../support/widget/widget-session.ts';
import { startBrowser } from './support/chromium.ts';
import { type HostSite, hostPage, startHost, strictPolicy } from './support/widget-host.ts';
import { drawn, mountIn, openHost, type Shown, showWidget } from './support/widget-page.ts';
import { openWidgetShop, strangerOf, type WidgetShop } from './support/widget-shop.ts';

let browser: Browser;
let shop: WidgetShop;
let host: HostSite;
let other: HostSite;
beforeAll(async () => {
  [browser, shop, host, other] = await Promise.all([startBrowser(), openWidgetShop(), startHost(), startHost()]);
});
afterAll(async () => {
  await browser.close();
  host.close();
  other.close();
});

const begin = (userId?: string, fields?: object): Promise<GivenToken> => shop.begin([host.origin], userId, fields);

/** What the frame shows of anybody: figures, names, links. */
const MEMBERS_OWN = /€|\d[.,]\d\d|Schmidt|anna-|Okafor/;

const textOf = (frame: Frame): Promise<string> => frame.evaluate<string>('document.body?.innerText ?? ""').catch(() => '');
const allText = async (page: Page): Promise<string> => (await Promise.all(page.frames().map(textOf))).join('\n');
/** Waits until the browser has had time to refuse, and then as long as the module is patient. */
async function lose({ page, requests }: Shown, embedUrl: string): Promise<void> {
  await expect.poll(() => requests.some((request) => request.url() === embedUrl)).toBe(true);
  await page.waitForTimeout(500);
  await page.clock.fastForward(10_000);
}

const readsOf = ({ requests }: Shown): string[] =>
  requests
    .map((one) => new URL(one.url()).pathname)
    .filter((path) => /^\/widget\/(session|summary|links|earnings|team)/.test(path));

describe('the browser refuses the frame', () => {
  test.each(['strange', 'other'])('on an origin that is not in the list: %s', async (which) => {
    const given = await begin();
    const origin = which === 'strange' ? host.strange : other.origin;
    other.put('/', { body: hostPage(shop.service, '<div id="here"></div>'), policy: strictPolicy(shop.service) });
    const shown = await showWidget(browser, host, given, { origin, atOnce: true, clock: true });
    await lose(shown, given.embedUrl);
    await expect.poll(() => shown.errors()).toEqual(['timeout']);
    expect(await allText(shown.page)).not.toMatch(MEMBERS_OWN);
    expect(readsOf(shown)).toEqual([]);
    expect((await shown.faults()).join()).toContain('frame-ancestors');
    // Nobody asked for a token, so none was given.
    expect(await shown.page.evaluate('asked')).toBe(0);
    await shown.close();
  });

  test('in an allowed page that stands in one that is not', async () => {
    const given = await begin();
    host.put('/', { body: hostPage(shop.service, '<div id="here"></div>'), policy: strictPolicy(shop.service) });
    other.put('/around', { body: `<!doctype html><title>Around</title><iframe src="${host.origin}/"></iframe>` });
    const shown = await openHost(browser, shop.service, { clock: true });
    await shown.page.goto(`${other.origin}/around`);
    await expect.poll(() => shown.page.frames().length).toBe(2);
    const [, inner] = shown.page.frames();
    if (!inner) throw new Error('there is no allowed page');
    await mountIn(inner, given);
    await lose(shown, given.embedUrl);
    await expect.poll(() => inner.evaluate('heard')).toEqual(['timeout']);
    expect(await allText(shown.page)).not.toMatch(MEMBERS_OWN);
    expect(readsOf(shown)).toEqual([]);
    await shown.close();
  });

  test.each(['ended', 'unknown'])('of a session that is %s, wherever it is', async (which) => {
    const given = await begin();
    const embedUrl = `${shop.service}/widget/frame/${which === 'ended' ? given.sessionId : crypto.randomUUID()}`;
    await shop.client.delete(`${TOKENS}/${given.sessionId}`);
    const shown = await showWidget(browser, host, { ...given, embedUrl }, { atOnce: true, clock: true });
    await lose(shown, embedUrl);
    await expect.poll(() => shown.errors()).toEqual(['timeout']);
    expect(await shown.page.evaluate('asked')).toBe(0);
    await shown.close();
  });
});

test('a window of its own shows where the page belongs, and asks nothing', async () => {
  const { embedUrl } = await begin();
  const shown = await openHost(browser, shop.service);
  await shown.page.goto(embedUrl);
  await expect.poll(() => allText(shown.page)).toContain('This page belongs inside another one');
  expect(readsOf(shown)).toEqual([]);
  expect(await shown.faults()).toEqual([]);
  await shown.close();
});

test('a window that another page has opened takes no port from it', async () => {
  const { embedUrl, widgetToken } = await begin();
  host.put('/', { body: hostPage(shop.service, '') });
  const shown = await openHost(browser, shop.service);
  await shown.page.goto(host.origin);
  const [popup] = await Promise.all([
    shown.page.waitForEvent('popup'),
    shown.page.evaluate(`globalThis.opened = open(${JSON.stringify(embedUrl)}); undefined`),
  ]);
  await popup.waitForLoadState();
  await shown.page.evaluate(`opened.postMessage('mcr:port', '*', [new MessageChannel().port2])`);
  await popup.waitForTimeout(300);
  expect(await allText(popup)).toContain('This page belongs inside another one');
  expect(widgetToken).toMatch(/^mwt_/);
  await shown.close();
});

describe('a stolen session id opens nothing', () => {
  test('without a token', async () => {
    const shown = await showWidget(browser, host, await begin(), { tokens: [''], atOnce: true });
    const frame = await shown.frame();
    await expect.poll(() => textOf(frame)).toContain('This could not be loaded');
    expect(await shown.errors()).toEqual(['token']);
    expect(readsOf(shown)).toEqual([]);
    expect(await shown.faults()).toEqual([]);
    await shown.close();
  });

  const tokens: Record<string, (given: GivenToken) => Promise<{ token: string; code: string }>> = {
    "another session's of the same member": async () => ({ token: (await begin()).widgetToken, code: 'session' }),
    "another member's": async () => ({ token: (await begin(shop.neo.id)).widgetToken, code: 'session' }),
    "another tenant's": async () => {
      const { client, member } = await strangerOf(shop);
      return { token: (await beginWidget(client, member.id, { allowedOrigins: [host.origin] })).widgetToken, code: 'session' };
    },
    "another environment's": async () => {
      const live = apiClient(shop.app, shop.tenant.liveKey);
      const { id } = await live.newMember();
      return { token: (await beginWidget(live, id, { allowedOrigins: [ORIGIN] })).widgetToken, code: 'session' };
    },
    "an ended session's": async () => {
      const { widgetToken, sessionId } = await begin();
      await shop.client.delete(`${TOKENS}/${sessionId}`);
      return { token: widgetToken, code: 'session' };
    },
    'one that has expired': async () => {
      const { widgetToken, sessionId } = await begin();
      await shop.app.database.asSuperuser('update widget_token set expires_at = now() where session_id = $1', [sessionId]);
      return { token: widgetToken, code: 'session' };
    },
    'one that nobody gave': async () => ({ token: `mwt_${'A'.repeat(43)}`, code: 'session' }),
    "a tenant's key": async () => ({ token: shop.tenant.sandboxKey, code: 'session' }),
    'the id itself': async ({ sessionId }) => ({ token: sessionId, code: 'session' }),
  };

  test.each(Object.keys(tokens))('with a token that is %s', async (what) => {
    const given = await begin();
    const wrong = await tokens[what]?.(given);
    if (!wrong) throw new Error('no such token');
    const shown = await showWidget(browser, host, given, { tokens: [wrong.token], atOnce: true });
    await expect.poll(() => shown.errors()).toContain(wrong.code);
    await shown.page.waitForTimeout(300);
    expect(await allText(shown.page)).not.toMatch(MEMBERS_OWN);
    expect(readsOf(shown).filter((path) => path !== '/widget/session')).toEqual([]);
    await shown.close();
  });

  test('that comes once the frame is open: a later token of somebody else changes nothing', async () => {
    const given = await begin();
    const { widgetToken } = await begin(shop.neo.id);
    const shown = await showWidget(browser, host, given, { tokens: [given.widgetToken, widgetToken] });
    const frame = await shown.frame();
    const before = await textOf(frame);
    await shop.app.database.asSuperuser('update widget_token set expires_at = now() where session_id = $1', [given.sessionId]);
    await shown.page.waitForTimeout(1_000);
    await frame.locator('[role=tab]').nth(2).click();
    await expect.poll(() => shown.errors()).toContain('session');
    expect(before).toMatch(MEMBERS_OWN);
    await shown.page.waitForTimeout(300);
    expect(await allText(shown.page)).not.toMatch(/No earnings yet|Neo/);
    await shown.close();
  });
});

describe('each end of the handshake hears the other alone', () => {
  test('a frame beside it that says ready gets no port', async () => {
    const given = await begin();
    other.put('/liar', {
      body: `<!doctype html><title>Liar</title><script>
        globalThis.got = [];
        addEventListener('message', (event) => got.push(event.data));
        setInterval(() => parent.postMessage('mcr:ready', '*'), 20);</script>`,
    });
    host.put('/two', {
      body: hostPage(shop.service, `<div id="here"></div><iframe id="liar" src="${other.origin}/liar"></iframe>`),
    });
    const shown = await openHost(browser, shop.service);
    await shown.page.goto(`${host.origin}/two`);
    await mountIn(shown.page, given);
    const liar = shown.page.frames().find((frame) => frame.url().endsWith('/liar'));
    const frame = shown.page.frames().find((one) => one.url() === given.embedUrl);
    await drawn(frame ?? (await frameAt(shown.page, given.embedUrl)));
    await shown.page.waitForTimeout(200);
    expect(await liar?.evaluate('got')).toEqual([]);
    expect(await shown.page.evaluate('asked')).toBe(1);
    await shown.close();
  });

  test('two frames of one page have each their own token', async () => {
    const [mine, yours] = [await begin(), await begin(shop.neo.id)];
    const shown = await showWidget(browser, host, mine);
    await shown.page.evaluate(
      "document.querySelector('#here').id = 'there'; document.querySelector('main').append(Object.assign(document.createElement('div'), { id: 'here' })); undefined",
    );
    await mountIn(shown.page, yours);
    await drawn(await frameAt(shown.page, yours.embedUrl));
    expect(await textOf(await frameAt(shown.page, yours.embedUrl))).toContain('No earnings yet');
    expect(await textOf(await frameAt(shown.page, mine.embedUrl))).toMatch(MEMBERS_OWN);
    expect(await shown.errors()).toEqual([]);
    expect(await shown.page.evaluate('asked')).toBe(1);
    await shown.close();
  });

  test('a frame that was led elsewhere gets no port and no token', async () => {
    const given = await begin();
    const shown = await showWidget(browser, host, given);
    other.put('/liar', {
      body: `<!doctype html><title>Liar</title><script>
        globalThis.got = [];
        addEventListener('message', (event) => got.push(event.data, event.ports.length));
        parent.postMessage('mcr:ready', '*');</script>`,
    });
    await shown.page.evaluate(`document.querySelector('iframe').src = ${JSON.stringify(`${other.origin}/liar`)}`);
    const refused = await frameAt(shown.page, `${other.origin}/liar`).catch(() => undefined);
    expect(refused, "the page's own policy keeps the frame where it is").toBeUndefined();
    await shown.close();

    host.put('/open', { body: hostPage(shop.service, '<div id="here"></div>') });
    const open = await openHost(browser, shop.service);
    await open.page.goto(`${host.origin}/open`);
    await mountIn(open.page, given);
    await drawn(await open.frame());
    await open.page.evaluate(`document.querySelector('iframe').src = ${JSON.stringify(`${other.origin}/liar`)}`);
    const liar = await frameAt(open.page, `${other.origin}/liar`);
    await open.page.waitForTimeout(300);
    expect(await liar.evaluate('got')).toEqual([]);
    expect(await open.page.evaluate('asked')).toBe(1);
    await open.close();
  });

  test('a port from a window that is not around the frame is not taken, and the real one is', async () => {
    const given = await begin();
    host.put('/late', { body: hostPage(shop.service, '<iframe id="here" width="600" height="400"></iframe>') });
    other.put('/intruder', {
      body: `<!doctype html><title>Intruder</title><script>
        globalThis.sent = 0; globalThis.got = [];
        setInterval(() => { const { port1, port2 } = new MessageChannel(); port1.onmessage = ({ data }) => got.push(data);
          for (let at = 0; at < parent.frames.length; at += 1) if (parent.frames[at] !== window) { parent.frames[at].postMessage('mcr:port', '*', [port2]); sent += 1; return; } }, 20);</script>`,
    });
    const shown = await openHost(browser, shop.service);
    await shown.page.goto(`${host.origin}/late`);
    await shown.page.evaluate(`(() => {
      const frame = document.querySelector('#here'); frame.src = ${JSON.stringify(given.embedUrl)};
      const beside = document.createElement('iframe'); beside.src = ${JSON.stringify(`${other.origin}/intruder`)}; document.body.append(beside); })()`);
    const intruder = await frameAt(shown.page, `${other.origin}/intruder`);
    await expect.poll(() => intruder.evaluate<number>('sent')).toBeGreaterThan(10);
    expect(await intruder.evaluate('got')).toEqual([]);
    // The page around may still hand over its own.
    await shown.page.evaluate(`(() => { const { port1, port2 } = new MessageChannel();
      document.querySelector('#here').contentWindow.postMessage('mcr:port', ${JSON.stringify(shop.service)}, [port2]);
      port1.postMessage({ type: 'start', token: ${JSON.stringify(given.widgetToken)} }); })()`);
    await drawn(await frameAt(shown.page, given.embedUrl));
    expect(await intruder.evaluate('got')).toEqual([]);
    await shown.close();
  });
});

async function frameAt(page: Page, url: string): Promise<Frame> {
  const found = () => page.frames().find((frame) => frame.url() === url);
  await expect.poll(() => found() !== undefined, { timeout: 15_000 }).toBe(true);
  const frame = found();
  if (!frame) throw new Error(`no frame at ${url}`);
  await frame.waitForLoadState();
  return frame;
}
