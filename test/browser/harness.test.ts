/** The checks themselves: each finds what it is there for. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startBrowser } from './support/chromium.ts';
import { accessibilityFaults, inlineFaults, sourceFaults, widthFaults } from './support/examine.ts';
import { openContext } from './support/watched-page.ts';

let browser: Browser;
let server: Server;
let origin: string;
let html = '';
beforeAll(async () => {
  server = createServer((request, answer) => {
    if (request.url !== '/') {
      answer.writeHead(503).end();
      return;
    }
    answer.setHeader('content-security-policy', "default-src 'none'; connect-src 'self' http://127.0.0.1:1");
    answer.setHeader('content-type', 'text/html; charset=utf-8').end(html);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  browser = await startBrowser();
  origin = `http://localhost:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await browser.close();
  server.close();
});

const whole = (main: string) =>
  `<!doctype html><html lang="en"><head><title>A page</title></head><body><main><h1>A page</h1>${main}</main></body></html>`;

async function look(main: string) {
  html = whole(main);
  const { context, page, faults } = await openContext(browser, { theme: 'light', width: 360 });
  await page.goto(origin);
  return { page, faults, close: () => context.close() };
}

test('a sound page has no fault', async () => {
  const { page, faults, close } = await look('<p>All is well, and <a href="/more">there is more</a>.</p>');
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await widthFaults(page)).toEqual([]);
  expect(await sourceFaults(html)).toEqual([]);
  expect(await faults()).toEqual([]);
  await close();
});

test('what the policy stops is noted, and by what', async () => {
  const { faults, close } = await look('<script>alert(1)</script><p style="color:red">red</p>');
  const found = await faults();
  expect(found).toContainEqual(expect.stringMatching(/^policy: script-src-elem stopped inline/));
  expect(found).toContainEqual(expect.stringMatching(/^policy: style-src-attr stopped inline/));
  expect(await faults()).toEqual([]);
  await close();
});

test('dialogs, scripts that fail, answers with 500 and other origins are noted', async () => {
  const { page, faults, close } = await look('<p>nothing</p>');
  await page.evaluate(`alert('hello'); setTimeout(() => { throw new Error('lost') }); console.error('said');
    fetch('/gone').catch(() => 0); fetch('http://127.0.0.1:1/', { mode: 'no-cors' }).catch(() => 0); undefined`);
  await page.waitForTimeout(300);
  const found = (await faults()).join('\n');
  for (const told of [
    'dialog: hello',
    'script: lost',
    'console error: said',
    '503 of ',
    'asked another origin: http://127.0.0.1:1/',
  ])
    expect(found).toContain(told);
  await close();
});

test('a page that scrolls sideways is found, and one whose table scrolls in itself is not', async () => {
  const wide = '<svg width="900" height="10" aria-hidden="true"></svg>';
  const first = await look(wide);
  expect(await widthFaults(first.page)).toEqual([expect.stringContaining('<svg')]);
  await first.close();
});

test('axe finds an image without a text and a page without a heading', async () => {
  const { page, close } = await look('<img src="x">');
  expect(await accessibilityFaults(page)).toContainEqual(expect.stringMatching(/^axe image-alt/));
  await close();
});

test('the source is read for code, styles and broken nesting', async () => {
  expect(await sourceFaults(whole('<p><div>in a paragraph</div></p>'))).not.toEqual([]);
  for (const one of [
    '<p style="color:red">x</p>',
    '<a href=" javascript:alert(1)">x</a>',
    '<button onclick="x()">x</button>',
    "<button hx-on:click='x()'>x</button>",
    "<a hx-vals='js:x()'>x</a>",
    '<script>x()</script>',
    '<script src="/a.js">x()</script>',
    '<style>p{}</style>',
    '<form action="data:text/html,x"></form>',
  ])
    expect(inlineFaults(one), one).not.toEqual([]);
  const harmless =
    '<p title="style=x onclick=y">style="color:red" onclick=</p><script src="/a.js" type="module"></script><input on-it="1" name="style">';
  expect(inlineFaults(harmless)).toEqual([]);
});
