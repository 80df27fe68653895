/**
 * How long a session opens pages, that it ends within a second, and what its cookie and each page's headers say.
 * Source: docs/specification/people.md#sessions.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { PAGES } from '../../src/features/dashboard/pages.ts';
import { addressesOfPages, type PageAddress } from '../support/pages/page-addresses.ts';
import { plantPerson, plantSession } from '../support/pages/plant-person.ts';
import { makeShopWorld, requestPage, type ShopWorld } from '../support/pages/shop-world.ts';

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
    const staffPage = addresses.find(({ page }) =>
      page.needs.some((need) => (typeof need === 'string' ? need : need.scope) === 'admin:staff'),
    );
    if (!staffPage) throw new Error('no page needs admin:staff');
    const path = home + staffPage.path;
    expect((await requestPage(world, { path, cookie })).status).toBe(200);
    await sql("update staff set role = 'read-only' where id = $1", [id]);
    await sleep(1_000);
    expect((await requestPage(world, { path, cookie })).status).toBe(403);
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
    const { status, html, to } = await requestPage(world, { path: `/dashboard/sign-in?next=${encodeURIComponent(next)}` });
    expect(status).toBe(200);
    expect(to).toBeUndefined();
    expect(html).not.toContain('evil.example');
    // Whoever is signed in already goes on at once.
    const signedIn = await requestPage(world, {
      path: `/dashboard/sign-in?next=${encodeURIComponent(next)}`,
      cookie: world.people.owner.cookie,
    });
    expect(signedIn.to ?? '/dashboard').toMatch(/^\/dashboard(\/|$|\?)/);
    expect(signedIn.to ?? '').not.toContain('evil');
  });
});
