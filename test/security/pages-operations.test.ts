/**
 * What each page asks for and sends, as each role in each environment: nothing is asked that it does not declare, or beyond
 * the rights of the role; and nothing is sent with code or styles in it, or without the policy. Source: docs/specification/pages.md#operations, #roles.
 */
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Environment } from '../../src/db/scope.ts';
import { FORM } from '../../src/features/dashboard/page-context.ts';
import { PAGES } from '../../src/features/dashboard/pages.ts';
import { ROLES, type Role, rightsOf } from '../../src/features/staff/open/roles.ts';
import { house } from '../../src/features.ts';
import { allScopesOf } from '../../src/house/house.ts';
import type { InvokedBy } from '../../src/http/invoke.ts';
import type { Operation } from '../../src/http/operation.ts';
import type { Need, Page } from '../../src/pages/define-page.ts';
import { inlineFaults } from '../browser/support/examine.ts';
import { addressesOfPages, type PageAddress } from '../support/pages/page-addresses.ts';
import { formsOf, makeShopWorld, requestPage, type ShopWorld } from '../support/pages/shop-world.ts';

interface Asked {
  operation: Operation;
  by: InvokedBy;
}

const asked = vi.hoisted(() => [] as Asked[]);

vi.mock('../../src/http/invoke.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../src/http/invoke.ts')>();
  const createInvoke: typeof original.createInvoke = (parts) => {
    const invoke = original.createInvoke(parts);
    const noting = ((operation, said, by) => {
      asked.push({ operation: operation, by });
      return invoke(operation, said, by);
    }) as typeof invoke;
    noting.upload = (operation, said, by) => {
      asked.push({ operation: operation, by });
      return invoke.upload(operation, said, by);
    };
    return noting;
  };
  return { ...original, createInvoke };
});

const SCOPES = allScopesOf(house);
/** Source: docs/specification/pages.md#policy. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; worker-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The frame asks for the numbers of the navigation, whatever the page. */
const OF_THE_FRAME = 'getOverview';

let world: ShopWorld;
let addresses: Record<Environment, PageAddress[]>;
beforeAll(async () => {
  world = await makeShopWorld();
  const find = (environment: Environment) =>
    addressesOfPages(world.app.database.asSuperuser, { tenantId: world.tenant.tenantId, environment }, PAGES);
  addresses = { LIVE: await find('LIVE'), SANDBOX: await find('SANDBOX') };
});
beforeEach(() => void asked.splice(0));

const pathOf = (path: string, environment: Environment): string =>
  `/dashboard/${world.tenant.slug}/${environment.toLowerCase()}${path}`;

const namesOf = (needs: readonly Need[] = []): string[] =>
  needs.flatMap((need) => (typeof need === 'string' ? [] : [need.operationId]));

/** Told anew here, so that a mistake of the pages is not made twice. */
function holds(rights: readonly string[], scope: string): boolean {
  return ['any', 'none'].includes(scope) || rights.includes(scope) || (rights.includes('*') && scope !== 'admin:staff');
}

const mayCall = (rights: readonly string[], { scope, narrower }: Operation): boolean =>
  holds(rights, scope) || (narrower !== undefined && holds(rights, narrower.scope));

const mayOpen = (rights: readonly string[], { needs }: Page): boolean =>
  needs.every((need) => (typeof need === 'string' ? holds(rights, need) : mayCall(rights, need)));

function faultsOf(page: Page, allowed: ReadonlySet<string>, role: Role, environment: Environment): string[] {
  const rights = rightsOf(role, environment, SCOPES);
  return asked.splice(0).flatMap(({ operation, by: { caller } }) => {
    const { operationId, scope } = operation;
    const told = `${page.path || '/'} asks ${operationId}`;
    return [
      ...(allowed.has(operationId) || operationId === OF_THE_FRAME ? [] : [`${told}, which it does not declare`]),
      ...(mayCall(rights, operation) ? [] : [`${told}, which needs ${scope}`]),
      ...(caller.tenantId === world.tenant.tenantId && caller.environment === environment ? [] : [`${told} elsewhere`]),
      ...(caller.provenance.actor.id === world.people[role].id ? [] : [`${told} as somebody else`]),
      ...(caller.rights.every((right) => rights.includes(right)) && caller.key === undefined
        ? []
        : [`${told} with other rights`]),
    ];
  });
}

describe.each(['LIVE', 'SANDBOX'] as const)('in %s', (environment) => {
  // A page of a thing that the tenant has none of would be opened by nobody here.
  test('every page has an address', () => {
    const opened = addresses[environment].map(({ page }) => page.path);
    const wanted = PAGES.filter(({ environments = [environment] }) => environments.includes(environment));
    expect(opened).toEqual(wanted.map(({ path }) => path));
  });

  test.each(ROLES)('what pages ask for %s', async (role) => {
    const { cookie } = world.people[role];
    const found: string[] = [];
    for (const { page, path } of addresses[environment]) {
      const { status, html, headers } = await requestPage(world, { path: pathOf(path, environment), cookie });
      if (status >= 500) found.push(`${page.path} answers ${status}`);
      found.push(...inlineFaults(html).map((fault) => `${page.path}: ${fault}`));
      if (headers.get('content-security-policy') !== POLICY) found.push(`${page.path} has another policy`);
      const may = mayOpen(rightsOf(role, environment, SCOPES), page);
      const read = may ? [...namesOf(page.needs), ...namesOf(page.uses)] : [];
      const ofActions = may ? Object.values(page.actions ?? {}).flatMap(({ uses }) => namesOf(uses)) : [];
      found.push(...faultsOf(page, new Set([...read, ...ofActions]), role, environment));
    }
    expect(found).toEqual([]);
  });

  test('forms that are sent as they stand ask for what their action declares', async () => {
    const { cookie } = world.people.owner;
    const found: string[] = [];
    for (const { page, path } of addresses[environment]) {
      const own = pathOf(path, environment);
      const { html } = await requestPage(world, { path: own, cookie });
      asked.splice(0);
      for (const { fields, action: to } of formsOf(html)) {
        const action = page.actions?.[fields[FORM.action] ?? ''];
        if (!action || to.split('?')[0] !== own) continue;
        // An Idempotency-Key that is none: the form is refused before it acts, and its page is drawn again.
        await requestPage(world, { path: to, cookie, form: { ...fields, [FORM.idempotencyKey]: '!' } });
        const allowed = [page.needs, page.uses, action.needs, action.uses].flatMap((needs) => namesOf(needs));
        found.push(...faultsOf(page, new Set(allowed), 'owner', environment));
      }
    }
    expect(found).toEqual([]);
  });
});

test('what pages need are scopes that there are', () => {
  for (const page of PAGES) {
    const declared = [
      page.needs,
      page.uses ?? [],
      ...Object.values(page.actions ?? {}).flatMap(({ needs, uses = [] }) => [needs, uses]),
    ];
    for (const need of declared.flat()) {
      const scope = typeof need === 'string' ? need : need.scope;
      expect(['any', 'none', ...SCOPES], `${page.path} ${scope}`).toContain(scope);
    }
  }
});

test('every number beside the navigation is one that the overview has', async () => {
  const { getOverview } = await import('../../src/features/overview/overview-operations.ts');
  const names = Object.keys(getOverview.response.shape.waiting.shape);
  const used = PAGES.flatMap(({ nav }) => (nav?.waiting === undefined ? [] : [nav.waiting]));
  expect(used.length).toBeGreaterThan(0);
  expect(names).toEqual(expect.arrayContaining(used));
});

test('no two pages have one address or one key, and each page below another names one that there is', () => {
  const paths = PAGES.map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  const keys = PAGES.flatMap(({ nav }) => (nav?.key === undefined ? [] : [nav.key]));
  expect(new Set(keys).size, keys.join(' ')).toBe(keys.length);
  for (const { below } of PAGES) if (below !== undefined) expect(paths).toContain(below);
  // Express takes the first that fits: what is written out stands before what has a gap.
  const shadowed = PAGES.flatMap(({ path }, at) =>
    PAGES.slice(0, at)
      .filter((earlier) => new RegExp(`^${earlier.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path))
      .map((earlier) => `${path} behind ${earlier.path}`),
  );
  expect(shadowed).toEqual([]);
});
