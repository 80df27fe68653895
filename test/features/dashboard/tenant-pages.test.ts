/** Keys, the ledger, people, waiting changes, the audit log and exports, through HTTP. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SCOPE_WORDS } from '../../../src/features/dashboard/keys/scope-words.ts';
import { house } from '../../../src/features.ts';
import { scopesOf } from '../../../src/house/house.ts';
import type { TestTenant } from '../../support/app/test-app.ts';
import { plantPerson } from '../../support/app/test-people.ts';
import { type PageApp, startPageApp } from '../../support/pages/page-app.ts';

let pages: PageApp;
let tenant: TestTenant;
beforeAll(async () => {
  pages = await startPageApp();
  tenant = await pages.app.newTenant({ currency: 'EUR', timeZone: 'Europe/Berlin' });
});
afterAll(() => pages.app.close());

const fresh = { hasFreshFactor: true, factorAt: new Date() };

test('the scopes in words are those that the features have', () => {
  expect(SCOPE_WORDS).toEqual(Object.fromEntries(Object.keys(SCOPE_WORDS).map((scope) => [scope, expect.any(String)])));
  expect(Object.keys(SCOPE_WORDS).toSorted()).toEqual(scopesOf(house).toSorted());
});

test.each([
  ['/ledger', 200],
  ['/ledger?verify=yes', 200],
  ['/keys', 200],
  ['/keys/new', 200],
  ['/people', 200],
  ['/pending-changes', 200],
  ['/audit', 200],
  ['/audit?from=2026-11-01&to=2026-11-30&actorKind=staff', 200],
  ['/exports', 200],
])('an owner opens %s', async (path, status) => {
  const opened = await pages.signedIn(tenant, 'owner', fresh).open(pages.home(tenant) + path);
  expect(opened.status, opened.text.slice(0, 3_000)).toBe(status);
});

test('a role without the scope neither sees nor opens them', async () => {
  const browser = pages.signedIn(tenant, 'reviewer');
  const home = await browser.open(pages.home(tenant));
  for (const path of ['/keys', '/ledger', '/people', '/exports']) {
    expect(home.text).not.toContain(`href="${pages.home(tenant)}${path}"`);
    expect((await browser.open(pages.home(tenant) + path)).status, path).toBe(403);
  }
});

test('a key is made, shown once, and works; sent again the form does not show it', async () => {
  // A key is of a person who is there.
  const { staffId } = await plantPerson(pages.app, tenant.tenantId, { role: 'owner' });
  const browser = pages.signedIn(tenant, 'owner', { ...fresh, staffId });
  const form = await browser.open(`${pages.home(tenant, 'SANDBOX')}/keys/new`);
  const typed = { name: 'Shop <b>server</b>', preset: 'chosen', scopes: ['events:read'] };
  const made = await browser.send(form, 'create', typed);
  expect(made.status, made.text.slice(0, 3_000)).toBe(200);
  expect(made.headers.get('cache-control')).toContain('no-store');
  const secret = /<pre tabindex="0"><code>([^<]{20,})<\/code>/.exec(made.text)?.[1] ?? '';
  const ask = (path: string): Promise<Response> =>
    fetch(new URL(path, pages.app.baseUrl), { headers: { 'x-tenant-api-key': secret } });
  expect((await ask('/api/v1/events?limit=1')).status).toBe(200);
  expect((await ask('/api/v1/members?limit=1')).status).toBe(403);

  const again = await browser.send(form, 'create', typed);
  expect(again.status).toBe(200);
  expect(again.text).not.toContain(secret);
  const list = await browser.open(`${pages.home(tenant, 'SANDBOX')}/keys`);
  expect(list.text).toContain('Shop &lt;b&gt;server&lt;/b&gt;');
  expect(list.text).not.toContain(secret);
});
