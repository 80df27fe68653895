/** Sign-in providers as pages, with a provider that answers over TLS. */
import type { RequestListener } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiClient } from '../../support/app/api-client.ts';
import type { TestTenant } from '../../support/app/test-app.ts';
import type { Browser } from '../../support/pages/browser.ts';
import { type PageApp, startPageApp } from '../../support/pages/page-app.ts';

const PATH = '/api/v1/admin/auth/providers';
const fresh = { hasFreshFactor: true, factorAt: new Date() };

let pages: PageApp;
let tenant: TestTenant;
let browser: Browser;
let home: string;
let usual: RequestListener;
beforeAll(async () => {
  pages = await startPageApp();
  usual = pages.app.issuer.server.handle;
});
beforeEach(async () => {
  tenant = await pages.app.newTenant();
  browser = pages.signedIn(tenant, 'developer', fresh);
  home = pages.home(tenant);
});
afterEach(() => {
  pages.app.issuer.server.handle = usual;
});
afterAll(() => pages.app.close());

const typed = (more: Record<string, string> = {}) => ({
  providerId: 'main',
  issuerUrl: pages.app.issuer.issuerUrl,
  allowedAudiences: 'shop-app\r\nshop <b>web</b>',
  ...more,
});

async function add(more: Record<string, string> = {}): Promise<string> {
  const sent = await browser.send(await browser.open(`${home}/providers/new`), 'create', typed(more));
  expect(sent.status, sent.text.slice(0, 2_000)).toBe(303);
  return sent.location ?? '';
}

test('none yet: the list says what will appear, and leads on', async () => {
  const { text, status } = await browser.open(`${home}/providers`);
  expect(status).toBe(200);
  expect(text).toContain('There are none yet in LIVE');
  expect(text).toContain(`href="${home}/providers/new"`);
});

test('one is added, listed, tested, changed and deleted', async () => {
  const path = await add();
  const page = await browser.open(path);
  expect(page.text).toContain('The provider is added');
  expect(page.text).not.toContain('<b>web</b>');
  expect((await browser.open(`${home}/providers`)).text).toContain(`href="${path}"`);

  const tested = await browser.send(page, 'test');
  expect(tested.status, tested.text.slice(0, 2_000)).toBe(200);
  expect(tested.text).toContain('It can be used');
  expect(tested.text).toContain('<code>k1</code>');

  const changed = await browser.send(await browser.open(path), 'change', { trustEmail: 'yes' });
  expect(changed.status, changed.text.slice(0, 2_000)).toBe(303);
  const { body } = await apiClient(pages.app, tenant.liveKey).get(PATH);
  expect((body as { data: object[] }).data).toMatchObject([{ trustEmail: true, autoCreateUsers: true }]);

  const same = await browser.send(await browser.open(path), 'change');
  expect(same.status).toBe(303);
  expect((await browser.open(path)).text).toContain('Nothing was other than before');

  expect((await browser.send(await browser.open(path), 'remove')).location).toBe(`${home}/providers`);
  expect((await browser.open(path)).status).toBe(404);
});

describe('a failure is told in words', () => {
  const answering =
    (body: object): RequestListener =>
    (_req, res) =>
      void res.setHeader('content-type', 'application/json').end(JSON.stringify(body));

  test('by the live test, with what to do', async () => {
    const path = await add();
    pages.app.issuer.server.handle = answering({ issuer: 'https://other.example', jwks_uri: `${pages.app.issuer.server.url}/j` });
    const tested = await browser.send(await browser.open(path), 'test');
    expect(tested.status).toBe(200);
    expect(tested.text).toContain('It cannot be used now');
    expect(tested.text).toContain('The issuer that the provider names is not exactly issuerUrl');
    expect(tested.text).toContain('with or without the slash');
  });

  test('beside the field of the form, and what was typed stays', async () => {
    pages.app.issuer.server.handle = (_req, res) => void res.writeHead(500).end();
    const sent = await browser.send(await browser.open(`${home}/providers/new`), 'create', typed({ providerId: 'typed-name' }));
    expect(sent.status, sent.text.slice(0, 2_000)).toBe(400);
    expect(sent.text).toContain('id="create-issuerUrl-fault"');
    expect(sent.text).toContain('value="typed-name"');
    expect(sent.text).not.toContain('The fault is ours');
  });

  test('an address that is none is told by the operation', async () => {
    const sent = await browser.send(await browser.open(`${home}/providers/new`), 'create', typed({ issuerUrl: 'http://x"y' }));
    expect(sent.status).toBe(400);
    expect(sent.text).toContain('id="create-issuerUrl-fault"');
  });
});

test('with dual control on a new one waits, and says so', async () => {
  await apiClient(pages.app, tenant.liveKey).patch('/api/v1/admin/settings', { payments: { dualControl: true } });
  const sent = await browser.send(await browser.open(`${home}/providers/new`), 'create', typed());
  expect(sent.status, sent.text.slice(0, 2_000)).toBe(303);
  expect((await browser.open(sent.location ?? '')).text).toContain('This waits for a second person');
  expect((await apiClient(pages.app, tenant.liveKey).get(PATH)).body).toMatchObject({ data: [] });
});

test('it is of its tenant and its environment, and of no role without the scope', async () => {
  const path = await add();
  const id = path.split('/').at(-1) ?? '';
  const elsewhere = await pages.app.newTenant();
  expect((await pages.signedIn(elsewhere, 'owner').open(`${pages.home(elsewhere)}/providers/${id}`)).status).toBe(404);
  expect((await browser.open(`${pages.home(tenant, 'SANDBOX')}/providers/${id}`)).status).toBe(404);
  expect((await pages.signedIn(elsewhere, 'owner').open(path)).status).toBe(404);
  for (const role of ['finance', 'reviewer', 'read-only'] as const) {
    const other = pages.signedIn(tenant, role, fresh);
    expect((await other.open(path)).status, role).toBe(403);
    expect((await other.open(`${home}/providers/new`)).status, role).toBe(403);
  }
});

test('what changes asks for a factor of now', async () => {
  const stale = pages.signedIn(tenant, 'developer', { hasFreshFactor: false });
  const sent = await stale.send(await stale.open(`${home}/providers/new`), 'create', typed());
  expect(sent.status).toBe(403);
  expect(sent.text).toContain('Confirm that it is you');
});
