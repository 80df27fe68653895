/**
 * Each role × each page × each thing that its forms do, against the scopes of the role: what it may not do it is neither
 * shown nor let do, with the right address, its own session and a token that is good.
 * Source: docs/specification/pages.md#roles.
 */
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Environment } from '../../src/db/scope.ts';
import { createFormTokens } from '../../src/features/dashboard/form-tokens.ts';
import { FORM } from '../../src/features/dashboard/page-context.ts';
import { PAGES } from '../../src/features/dashboard/pages.ts';
import { ROLES, type Role, rightsOf } from '../../src/features/staff/open/roles.ts';
import { house } from '../../src/features.ts';
import { allScopesOf } from '../../src/house/house.ts';
import type { Need } from '../../src/pages/define-page.ts';
import { addressesOfPages, type PageAddress } from '../support/pages/page-addresses.ts';
import { formsOf, makeShopWorld, requestPage, type ShopWorld } from '../support/pages/shop-world.ts';

const SCOPES = allScopesOf(house);

let world: ShopWorld;
let addresses: Record<Environment, PageAddress[]>;
beforeAll(async () => {
  world = await makeShopWorld();
  const { tenantId } = world.tenant;
  const find = (environment: Environment) => addressesOfPages(world.app.database.asSuperuser, { tenantId, environment }, PAGES);
  addresses = { LIVE: await find('LIVE'), SANDBOX: await find('SANDBOX') };
});

/** Told anew here, so that a mistake of the pages is not made twice. */
function holds(role: Role, environment: Environment, needs: readonly Need[]): boolean {
  const rights = rightsOf(role, environment, SCOPES);
  const has = (scope: string): boolean =>
    ['any', 'none'].includes(scope) || rights.includes(scope) || (rights.includes('*') && scope !== 'admin:staff');
  return needs.every((need) => {
    if (typeof need === 'string') return has(need);
    return has(need.scope) || (need.narrower !== undefined && has(need.narrower.scope));
  });
}

const pathOf = (path: string, environment: Environment): string =>
  `/dashboard/${world.tenant.slug}/${environment.toLowerCase()}${path}`;

async function sessionIdOf(cookie: string): Promise<string> {
  const hash = createHash('sha256').update(cookie).digest();
  const [row] = await world.app.database.asSuperuser<{ id: string }>('select id from staff_session where token_hash = $1', [
    hash,
  ]);
  return row?.id ?? '';
}

/** How much was ever written down of the tenant: what acts, adds. */
async function entries(): Promise<number> {
  const [row] = await world.app.database.asSuperuser<{ count: number }>(
    'select (select count(*) from audit_unsealed where tenant_id = $1)::int + (select count(*) from audit_block_entry where tenant_id = $1)::int as count',
    [world.tenant.tenantId],
  );
  return row?.count ?? 0;
}

describe.each(['LIVE', 'SANDBOX'] as const)('in %s', (environment) => {
  test.each(ROLES)('%s opens what its scopes allow, and nothing else', async (role) => {
    const { cookie } = world.people[role];
    const wrong: string[] = [];
    for (const { page, path } of addresses[environment]) {
      const { status } = await requestPage(world, { path: pathOf(path, environment), cookie });
      const may = holds(role, environment, page.needs);
      if (may ? ![200, 303].includes(status) : status !== 403)
        wrong.push(`${page.path}: ${status}, and it ${may ? 'may' : 'may not'}`);
    }
    expect(wrong).toEqual([]);
  });

  test.each(ROLES)('%s is led to what it may open, and nowhere else', async (role) => {
    const { cookie } = world.people[role];
    const opened = addresses[environment].filter(({ page }) => holds(role, environment, page.needs));
    const links = new Map<string, Set<string>>();
    for (const { path } of opened) {
      const { html } = await requestPage(world, { path: pathOf(path, environment), cookie });
      for (const [, href = ''] of html.matchAll(/\bhref="([^"?#]*)/g)) links.set(href, (links.get(href) ?? new Set()).add(path));
    }
    const led = PAGES.filter(
      ({ path, nav, environments = [environment] }) =>
        nav && environments.includes(environment) && links.has(pathOf(path, environment)),
    );
    const wanted = PAGES.filter(
      ({ nav, needs, environments = [environment] }) =>
        nav && environments.includes(environment) && holds(role, environment, needs),
    );
    expect(led.map(({ path }) => path)).toEqual(wanted.map(({ path }) => path));
    const astray = addresses[environment]
      .filter(({ page }) => !holds(role, environment, page.needs))
      .flatMap(({ path }) => [...(links.get(pathOf(path, environment)) ?? [])].map((from) => `${from} leads to ${path}`));
    expect(astray).toEqual([]);
  });

  test.each(ROLES)('%s is shown no form, and let do nothing, that its scopes do not allow', async (role) => {
    const { cookie } = world.people[role];
    const tokens = createFormTokens(world.app.config.secrets.apiKeyPepper);
    const sessionId = await sessionIdOf(cookie);
    const wrong: string[] = [];
    for (const { page, path } of addresses[environment]) {
      const own = pathOf(path, environment);
      const { html, status: shown } = await requestPage(world, { path: own, cookie });
      // Some pages only lead to another environment: a form there is led on as well.
      const refusals = shown === 303 ? [303, 403] : [403];
      // Opening may be written down itself, as reading all that is held on a member is.
      const before = await entries();
      const drawn = new Set(formsOf(html).map(({ fields }) => fields[FORM.action]));
      for (const [name, action] of Object.entries(page.actions ?? {})) {
        if (holds(role, environment, [...page.needs, ...action.needs])) continue;
        if (drawn.has(name)) wrong.push(`${page.path} shows ${name}`);
        const form = {
          [FORM.action]: name,
          [FORM.token]: tokens.make(sessionId, own, name),
          [FORM.idempotencyKey]: crypto.randomUUID(),
          [FORM.form]: '',
        };
        const { status } = await requestPage(world, { path: own, cookie, form });
        if (!refusals.includes(status)) wrong.push(`${page.path} ${name}: ${status}`);
      }
      if ((await entries()) !== before) wrong.push(`${page.path}: something was done`);
    }
    expect(wrong).toEqual([]);
  });
});

test('every action is somebody’s and, but for the owner’s, not everybody’s', () => {
  for (const page of PAGES) {
    for (const [name, { needs }] of Object.entries(page.actions ?? {})) {
      expect(
        ROLES.filter(
          (role) => holds(role, 'SANDBOX', [...page.needs, ...needs]) || holds(role, 'LIVE', [...page.needs, ...needs]),
        ),
        `${page.path} ${name}`,
      ).not.toEqual([]);
    }
  }
});

test('another tenant’s pages are not there for whoever is signed in here', async () => {
  const other = await world.app.newTenant();
  const [row] = await world.app.database.asSuperuser<{ slug: string }>('select slug from tenant where id = $1', [other.tenantId]);
  for (const { path } of addresses.LIVE) {
    const { status, html } = await requestPage(world, {
      path: `/dashboard/${row?.slug}/live${path}`,
      cookie: world.people.owner.cookie,
    });
    expect(status, path).toBe(404);
    expect(html).not.toContain(other.tenantId);
  }
});

test('whoever is not signed in is sent to sign in, and back afterwards', async () => {
  for (const { path } of addresses.LIVE) {
    const own = pathOf(path, 'LIVE');
    const { status, to, html } = await requestPage(world, { path: own });
    expect([status, to], path).toEqual([303, `/dashboard/sign-in?next=${encodeURIComponent(own)}`]);
    expect(html).toBe('');
  }
});
