/**
 * How long a session opens pages, that it ends within a second, and what its cookie and each page's headers say.
 * Source: docs/specification/people.md#sessions.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { PAGES } from '../../src/features/dashboard/pages.ts';
import { createPasswords } from '../../src/features/staff/passwords.ts';
import { staff } from '../../src/features.ts';
import { addressesOfPages, type PageAddress } from '../support/pages/page-addresses.ts';
import { plantPerson, plantSession } from '../support/pages/plant-person.ts';
import { formsOf, makeShopWorld, type PageAnswer, requestPage, type ShopWorld } from '../support/pages/shop-world.ts';

let world: ShopWorld;
let home: string;
let addresses: PageAddress[];
beforeAll(async () => {
  world = await makeShopWorld();
  home = `/dashboard/${world.tenant.slug}/live`;
  const scope = { tenantId: world.tenant.tenantId, environment: 'LIVE' } as const;
  addresses = await addressesOfPages(world.app.database.asSuperuser, scope, PAGES);
});

const statusWith = async (cookie: string): Promise<number> => (await requestPage(world, { path: home, cookie })).status;

describe('a session', () => {
  const ago = (minutes: number): string => `now() - interval '${minutes} minutes'`;

  test.each([
    ['idle for 59 minutes', { createdAt: ago(59), seenAt: ago(59) }, 200],
    ['idle for 61 minutes', { createdAt: ago(61), seenAt: ago(61) }, 303],
    ['of 11 hours 59 minutes, in use', { createdAt: ago(719), seenAt: ago(1) }, 200],
    ['of 12 hours 1 minute, in use', { createdAt: ago(721), seenAt: ago(0) }, 303],
  ])('%s', async (_name, times, status) => {
    const cookie = await plantSession(world.app.database.asSuperuser, world.tenant.tenantId, world.people.owner.id, times);
    expect(await statusWith(cookie)).toBe(status);
  });

  test.each([
    ['ended', "update staff_session set ended_at = now(), ended_by = 'operator', ended_reason = 'ended' where staff_id = $1"],
    ['of a person who is disabled', "update staff set state = 'disabled' where id = $1"],
    ['of a person who is removed', "update staff set state = 'removed', email = null, email_typed = null where id = $1"],
  ])('%s opens nothing a second later', async (_name, text) => {
    const sql = world.app.database.asSuperuser;
    const { id, cookie } = await plantPerson(sql, world.tenant.tenantId, { role: 'admin' });
    expect(await statusWith(cookie)).toBe(200);
    await sql(text, [id]);
    await sleep(1_000);
    expect(await statusWith(cookie)).toBe(303);
  });

  test('has the rights of a new role a second later', async () => {
    const sql = world.app.database.asSuperuser;
    const { id, cookie } = await plantPerson(sql, world.tenant.tenantId, { role: 'owner' });
    const { sessions } = world.app.composition.offer(staff);
    expect((await sessions.resolve(cookie))?.role).toBe('owner');
    await sql("update staff set role = 'read-only' where id = $1", [id]);
    await sleep(1_000);
    expect((await sessions.resolve(cookie))?.role).toBe('read-only');
  });

  test.each([
    ['that nobody has', 'A'.repeat(43)],
    ['that is no value of ours', "x'; drop table staff; --"],
    ['that is empty', ''],
  ])('%s is nobody’s', async (_name, cookie) => {
    expect(await statusWith(cookie)).toBe(303);
  });

  test('sent twice with two values is nobody’s: another site may have set the second', async () => {
    const { cookie } = world.people.owner;
    const headers = { cookie: `mcr=${cookie}; mcr=${'A'.repeat(43)}` };
    expect((await requestPage(world, { path: home, headers })).status).toBe(303);
  });

  test('of pages opens nothing of the API', async () => {
    const headers = { cookie: `mcr=${world.people.owner.cookie}`, 'sec-fetch-site': 'same-origin' };
    for (const path of ['/api/v1/members', '/api/v1/admin/settings', '/api/v1/admin/audit-logs', '/api/v1/admin/staff'])
      expect((await requestPage(world, { path, headers })).status, path).toBe(401);
  });
});

describe('the headers of every page', () => {
  test('keep it out of frames, of caches and of other sites', async () => {
    for (const { path } of [...addresses, { path: '/no-such-page' }]) {
      const { headers } = await requestPage(world, { path: home + path, cookie: world.people.owner.cookie });
      expect(headers.get('content-security-policy'), path).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; worker-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      );
      expect(headers.get('x-content-type-options'), path).toBe('nosniff');
      expect(headers.get('x-frame-options'), path).toMatch(/^(DENY|SAMEORIGIN)$/);
      expect(headers.get('cache-control'), path).toBe('no-store');
      expect(headers.get('referrer-policy'), path).toMatch(/^(same-origin|no-referrer)$/);
      expect(headers.get('cross-origin-opener-policy'), path).toBe('same-origin');
      expect(headers.get('access-control-allow-origin'), path).toBeNull();
    }
  });

  test('are those of a page too where somebody has to sign in', async () => {
    const { headers } = await requestPage(world, { path: '/dashboard/sign-in' });
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('the way back after signing in', () => {
  const FOREIGN = [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/dashboard/../\\evil.example',
    '/dashboard//evil.example/..//..//evil.example',
    '/%2F%2Fevil.example',
    'javascript:alert(1)',
    '/dashboard\n//evil.example',
    '/dashboard@evil.example',
    '/dashboard.evil.example',
    '/api/v1/members',
    '/logout',
    'http:evil.example',
    '///evil.example/dashboard',
  ];

  test.each(FOREIGN)('is never %j', async (next) => {
    const { status, to } = await signIn(`?next=${encodeURIComponent(next)}`);
    expect([status, to]).toEqual([303, home]);
    // Whoever is signed in already goes on at once.
    const path = `/dashboard/sign-in?next=${encodeURIComponent(next)}`;
    const { to: on = '' } = await requestPage(world, { path, cookie: world.people.owner.cookie });
    const address = new URL(on, world.origin);
    expect([address.origin, on]).toEqual([world.origin, expect.stringMatching(/^\/dashboard(?:[/?]|$)/)]);
  });

  test('is where one wanted to go', async () => {
    const next = `${home}?period=90`;
    expect((await signIn(`?next=${encodeURIComponent(next)}`)).to).toBe(next);
  });
});

describe('the cookie that signing in gives', () => {
  test('is kept from scripts and other sites, and is gone with the browser', async () => {
    const given = (await signIn('')).headers.getSetCookie().find((one) => one.startsWith('mcr=')) ?? '';
    expect(given).toMatch(/^mcr=[\w-]{43};/);
    const attributes = given
      .split(';')
      .slice(1)
      .map((one) => one.trim());
    expect(attributes.toSorted()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax']);
  });

  test('is another one than somebody put there before', async () => {
    const planted = 'P'.repeat(43);
    const { headers } = await signIn('', planted);
    const given = /^mcr=([^;]*)/.exec(headers.getSetCookie().find((one) => one.startsWith('mcr=')) ?? '')?.[1];
    expect(given).toBeDefined();
    expect(given).not.toBe(planted);
    expect(await statusWith(planted)).toBe(303);
    expect(await statusWith(given ?? '')).toBe(200);
  });
});

const PASSWORD = 'four quiet horses at noon';

/** By the form, as a person with a password alone. */
async function signIn(query: string, planted?: string): Promise<PageAnswer> {
  const sql = world.app.database.asSuperuser;
  const { id } = await plantPerson(sql, world.tenant.tenantId, { role: 'read-only', factor: false });
  const hash = await createPasswords().hash(PASSWORD);
  const [row] = await sql<{ email: string }>('update staff set password_hash = $2 where id = $1 returning email', [id, hash]);
  const shown = await requestPage(world, { path: `/dashboard/sign-in${query}` });
  const form = formsOf(shown.html).find(({ fields }) => 'password' in fields);
  if (!form) throw new Error('the page has no form to sign in by');
  const cookies = [
    // As in a browser, of two with one name the last is kept.
    ...new Map(shown.headers.getSetCookie().map((one) => [one.split('=')[0], one.split(';')[0] ?? ''])).values(),
    ...(planted === undefined ? [] : [`mcr=${planted}`]),
  ];
  const tenantField = Object.keys(form.fields).find((name) => /tenant|slug/.test(name));
  const typed = { email: row?.email ?? '', password: PASSWORD, ...(tenantField && { [tenantField]: world.tenant.slug }) };
  return requestPage(world, { path: form.action, form: { ...form.fields, ...typed }, headers: { cookie: cookies.join('; ') } });
}
