/** Another site in the same browser: what it sends by forms, frames and scripts does nothing and shows nothing. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ShopWorld } from '../support/pages/shop-world.ts';
import { startBrowser } from './support/chromium.ts';
import { openAs } from './support/watched-page.ts';
import { openWorld, pageAt } from './support/world.ts';

let browser: Browser;
let world: ShopWorld;
let server: Server;
let evil: string;
let body = '';
beforeAll(async () => {
  [browser, world] = await Promise.all([startBrowser(), openWorld()]);
  server = createServer((_request, answer) => {
    answer.setHeader('content-type', 'text/html').end(`<!doctype html><title>Elsewhere</title><body>${body}</body>`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Another site: an address in figures is none of localhost.
  evil = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  await browser.close();
  server.close();
});

const LOOK = { theme: 'light', width: 1440 } as const;

test('a form of another site comes without the session, and is refused', async () => {
  const { context, page } = await openAs(browser, LOOK, world.people.owner.cookie);
  const target = pageAt(world, world.tenant, '');
  await page.goto(target);
  expect(await page.title()).not.toMatch(/sign in/i);
  body = `<form method="post" action="${world.origin}/dashboard/sign-out"><input name="_token" value="x"><button>Win</button></form>`;
  await page.goto(evil);
  const [answer] = await Promise.all([page.waitForNavigation(), page.click('button')]);
  expect(answer?.status()).toBe(403);
  await page.goto(target);
  expect(page.url()).toBe(target);
  await context.close();
});

test('no frame of another site shows a page', async () => {
  const { context, page } = await openAs(browser, LOOK, world.people.owner.cookie);
  body = `<iframe src="${pageAt(world, world.tenant, '')}" width="800" height="600"></iframe>`;
  await page.goto(evil);
  await page.waitForTimeout(500);
  const shown = await Promise.all(
    page
      .frames()
      .slice(1)
      .map((frame) => frame.evaluate<string>('document.body?.innerText ?? ""')),
  );
  expect(shown.join('')).not.toContain(world.people.owner.name);
  await context.close();
});

test('no script of another site reads a page', async () => {
  const { context, page } = await openAs(browser, LOOK, world.people.owner.cookie);
  body = '';
  await page.goto(evil);
  const read = await page.evaluate<string>(
    `fetch(${JSON.stringify(pageAt(world, world.tenant, ''))}, { credentials: 'include' }).then((answer) => answer.text(), (error) => 'refused: ' + error.name)`,
  );
  expect(read).toBe('refused: TypeError');
  await context.close();
});

test('a link of another site leads in: it is the reader’s own', async () => {
  const { context, page } = await openAs(browser, LOOK, world.people.owner.cookie);
  body = `<a href="${pageAt(world, world.tenant, '')}">In</a>`;
  await page.goto(evil);
  await Promise.all([page.waitForNavigation(), page.click('a')]);
  expect(page.url()).toBe(pageAt(world, world.tenant, ''));
  await context.close();
});
