/**
 * Forms of other sites: each page with forms, as its owner, with one of the three walls tried at a time. Nothing is done.
 * Source: docs/specification/pages.md#forgery.
 */
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Environment } from '../../src/db/scope.ts';
import { createFormTokens, type FormTokens } from '../../src/features/dashboard/form-tokens.ts';
import { FORM } from '../../src/features/dashboard/page-context.ts';
import { PAGES } from '../../src/features/dashboard/pages.ts';
import { addressesOfPages, type PageAddress } from '../support/pages/page-addresses.ts';
import { plantSession } from '../support/pages/plant-person.ts';
import { makeShopWorld, type PageRequest, requestPage, type ShopWorld } from '../support/pages/shop-world.ts';

let world: ShopWorld;
let tokens: FormTokens;
let addresses: { environment: Environment; address: PageAddress }[];
let sessionId: string;
let otherSessionId: string;
beforeAll(async () => {
  world = await makeShopWorld();
  const sql = world.app.database.asSuperuser;
  tokens = createFormTokens(world.app.config.secrets.apiKeyPepper);
  const { tenantId } = world.tenant;
  addresses = [];
  for (const environment of ['LIVE', 'SANDBOX'] as const) {
    const found = await addressesOfPages(sql, { tenantId, environment }, PAGES);
    for (const address of found.filter(({ page }) => page.actions)) {
      const path = `/dashboard/${world.tenant.slug}/${environment.toLowerCase()}${address.path}`;
      const { status } = await requestPage(world, { path, cookie: world.people.owner.cookie });
      // Some pages only lead to the other environment, where their forms are.
      if (status === 200) addresses.push({ environment, address });
    }
  }
  const idOf = async (cookie: string): Promise<string> => {
    const hash = createHash('sha256').update(cookie).digest();
    return (await sql<{ id: string }>('select id from staff_session where token_hash = $1', [hash]))[0]?.id ?? '';
  };
  sessionId = await idOf(world.people.owner.cookie);
  otherSessionId = await idOf(await plantSession(sql, tenantId, world.people.owner.id));
});

interface Form {
  path: string;
  name: string;
  /** Another action of the same page. */
  another: string;
  token: string;
}

/** Each changes one thing of a request that would otherwise be let in. */
const FORGED: Record<string, (form: Form) => Partial<PageRequest> & { token?: string | undefined }> = {
  'no token': () => ({ token: undefined }),
  'an empty token': () => ({ token: '' }),
  'a token without its end': ({ token }) => ({ token: token.slice(0, -2) }),
  'a token of another session of the same person': ({ path, name }) => ({ token: tokens.make(otherSessionId, path, name) }),
  'a token of another form of the page': ({ path, another }) => ({ token: tokens.make(sessionId, path, another) }),
  'a token of the same form of another page': ({ path, name }) => ({ token: tokens.make(sessionId, `${path}x`, name) }),
  'a token of the other environment': ({ path, name }) => ({
    token: tokens.make(
      sessionId,
      path.includes('/live') ? path.replace('/live', '/sandbox') : path.replace('/sandbox', '/live'),
      name,
    ),
  }),
  'sent from another site': () => ({ headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' } }),
  'sent from another host of the site': () => ({ headers: { 'sec-fetch-site': 'same-site', origin: 'http://evil.localhost' } }),
  'typed into the address': () => ({ headers: { 'sec-fetch-site': 'none', origin: undefined } }),
  'of a site that an old browser names': () => ({ headers: { 'sec-fetch-site': undefined, origin: 'https://evil.example' } }),
  'of a frame without an origin': () => ({ headers: { 'sec-fetch-site': undefined, origin: 'null' } }),
  'without a word of where it comes from': () => ({ headers: { 'sec-fetch-site': undefined, origin: undefined } }),
  'of another port of this machine': () => ({ headers: { 'sec-fetch-site': undefined, origin: 'http://localhost:1' } }),
  'as plain text': () => ({ headers: { 'content-type': 'text/plain' } }),
  'as JSON': () => ({ headers: { 'content-type': 'application/json' } }),
  'as a form of parts': () => ({ headers: { 'content-type': 'multipart/form-data; boundary=x' } }),
};

async function entries(): Promise<number> {
  const [row] = await world.app.database.asSuperuser<{ count: number }>(
    'select (select count(*) from audit_unsealed where tenant_id = $1)::int + (select count(*) from audit_block_entry where tenant_id = $1)::int as count',
    [world.tenant.tenantId],
  );
  return row?.count ?? 0;
}

function* allForms(): Generator<Form> {
  for (const { environment, address } of addresses) {
    const path = `/dashboard/${world.tenant.slug}/${environment.toLowerCase()}${address.path}`;
    const names = Object.keys(address.page.actions ?? {});
    for (const name of names) {
      const another = names.find((one) => one !== name) ?? 'another';
      yield { path, name, another, token: tokens.make(sessionId, path, name) };
    }
  }
}

/** A form that is let in has its walls behind it, and is then refused for its Idempotency-Key, so that nothing is done. */
function requestOf(
  { path, name }: Form,
  { token: sent, ...changed }: Partial<PageRequest> & { token?: string | undefined },
): PageRequest {
  const form: Record<string, string> = { [FORM.action]: name, [FORM.idempotencyKey]: '!', [FORM.form]: '' };
  if (sent !== undefined) form[FORM.token] = sent;
  return { path, cookie: world.people.owner.cookie, form, ...changed };
}

test('a form of ours passes all walls', async () => {
  const found: string[] = [];
  for (const form of allForms()) {
    const { status, html } = await requestPage(world, requestOf(form, { token: form.token }));
    if (status !== 400 || !html.includes('not whole')) found.push(`${form.path} ${form.name}: ${status}`);
  }
  expect(found).toEqual([]);
});

describe('nothing is done by a form', () => {
  test.each(Object.keys(FORGED))('%s', async (kind) => {
    const before = await entries();
    const found: string[] = [];
    for (const form of allForms()) {
      const changed = FORGED[kind]?.(form) ?? {};
      const request = requestOf(form, { token: form.token, ...changed });
      const { status } = await requestPage(world, {
        ...request,
        form: { ...request.form, [FORM.idempotencyKey]: crypto.randomUUID() },
      });
      if (status !== 403) found.push(`${form.path} ${form.name}: ${status}`);
    }
    expect(found).toEqual([]);
    expect(await entries()).toBe(before);
  });

  test('that comes without the session', async () => {
    for (const form of allForms()) {
      const { status, to } = await requestPage(world, { ...requestOf(form, { token: form.token }), cookie: undefined });
      expect([status, to?.startsWith('/dashboard/sign-in')], form.path).toEqual([303, true]);
    }
  });

  test('whose fields stand in an address that is opened', async () => {
    const before = await entries();
    for (const form of allForms()) {
      const query = new URLSearchParams({
        [FORM.action]: form.name,
        [FORM.token]: form.token,
        [FORM.idempotencyKey]: crypto.randomUUID(),
      });
      const { status } = await requestPage(world, {
        path: `${form.path}?${query.toString()}`,
        cookie: world.people.owner.cookie,
      });
      expect(status, form.path).toBeLessThan(500);
    }
    expect(await entries()).toBe(before);
  });
});

test('signing out needs a form of ours as well', async () => {
  const cookie = await plantSession(world.app.database.asSuperuser, world.tenant.tenantId, world.people.admin.id);
  const foreign = { headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' } };
  const path = '/dashboard/sign-out';
  expect((await requestPage(world, { path, cookie, form: {}, ...foreign })).status).toBe(403);
  expect((await requestPage(world, { path, cookie, form: { [FORM.token]: 'x' } })).status).toBe(403);
  const { status } = await requestPage(world, { path: `/dashboard/${world.tenant.slug}/live`, cookie });
  expect(status).toBe(200);
});
