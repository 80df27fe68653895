/**
 * GET /r/{slug}: where it leads, what it keeps of who followed, and where it never leads
 * (docs/specification/attribution.md#redirect).
 */
import type { Response } from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { createClickIds } from '../../../src/features/referrals/open/click-ids.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { sendWire } from '../../support/app/raw-http.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { allowHosts, clicksOf, type PlantedLink, plantLink, plantTag } from './plant-link.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

let app: TestApp;
let tenant: TestTenant;
let live: Scope;
let sandbox: Scope;
let client: ApiClient;
let memberId: string;

beforeAll(async () => {
  app = await startTestApp({ TRUST_PROXY_HOPS: '1' });
});
beforeEach(async () => {
  tenant = await app.newTenant();
  live = { tenantId: tenant.tenantId, environment: 'LIVE' };
  sandbox = { tenantId: tenant.tenantId, environment: 'SANDBOX' };
  client = apiClient(app, tenant.liveKey);
  memberId = (await client.newMember()).id;
  await allowHosts(app, live, ['shop.example', '*.stores.example']);
});
afterAll(() => app.close());

const visit = async (slug: string, headers: Record<string, string> = {}): Promise<Response> =>
  app.http
    .get(`/r/${slug}`)
    .redirects(0)
    .set({ 'user-agent': BROWSER, ...headers });

const newLink = (fields: Partial<Parameters<typeof plantLink>[2]> = {}): Promise<PlantedLink> =>
  plantLink(app, live, { memberId, ...fields });

const clickIdOf = (answer: Response): string => new URL(answer.headers['location'] ?? '').searchParams.get('click_id') ?? '';

function expectNowhere(answer: Response): void {
  expectRefusal(answer, 404, 'NOT_FOUND');
  expect(answer.headers['location']).toBeUndefined();
}

describe('a link', () => {
  test('leads to its destination with a signed click id, and the click is stored', async () => {
    const link = await newLink({ destination: 'https://shop.example/spring?a=%20b&click_id=old#top' });
    const answer = await visit(link.slug, { referer: 'https://blog.example/post?q=1', 'x-request-id': 'request-0001' });
    expect(answer.status).toBe(302);
    expect(answer.text).toBe('');
    expect(answer.headers['location']).toMatch(/^https:\/\/shop\.example\/spring\?a=%20b&click_id=ck_[\w-]{43}#top$/);
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-environment': 'LIVE',
      'x-request-id': 'request-0001',
    });
    const [click, ...more] = await clicksOf(app, live);
    expect(more).toEqual([]);
    expect(click).toMatchObject({
      link_id: link.id,
      code_id: null,
      member_id: memberId,
      kind: 'redirect',
      referrer_host: 'blog.example',
      customer_external_id: null,
    });
    expect(click?.ip_hash).toHaveLength(16);
    expect(Math.abs((click?.clicked_at.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
    const ids = createClickIds(app.config.secrets.apiKeyPepper);
    expect(ids.open(live, clickIdOf(answer))).toEqual({ id: click?.id });
    expect(ids.open(sandbox, clickIdOf(answer))).toEqual({ fault: 'other_environment' });
  });

  test('of the SANDBOX counts there, by its clock, and expires by it', async () => {
    const by = apiClient(app, tenant.sandboxKey);
    await allowHosts(app, sandbox, ['shop.example']);
    const member = await by.newMember();
    const link = await plantLink(app, sandbox, { memberId: member.id, expiresAt: '2100-06-01T00:00:00Z' });
    await by.post('/api/v1/sandbox/clock', { frozenAt: '2100-05-31T23:59:59Z' });
    const answer = await visit(link.slug);
    expect([answer.status, answer.headers['x-environment']]).toEqual([302, 'SANDBOX']);
    expect((await clicksOf(app, sandbox)).map((click) => click.clicked_at.toISOString())).toEqual(['2100-05-31T23:59:59.000Z']);
    expect(await clicksOf(app, live)).toEqual([]);
    await by.post('/api/v1/sandbox/clock', { frozenAt: '2100-06-01T00:00:00Z' });
    expectNowhere(await visit(link.slug));
    expect(await clicksOf(app, sandbox)).toHaveLength(1);
  });

  test('followed by many at once has as many clicks, each with an id of its own', async () => {
    const link = await newLink();
    const answers = await Promise.all(Array.from({ length: 40 }, () => visit(link.slug)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([302]));
    expect(new Set(answers.map(clickIdOf)).size).toBe(40);
    expect(await clicksOf(app, live)).toHaveLength(40);
  });

  test('is not changed by a query of the visitor', async () => {
    const link = await newLink();
    const answer = await visit(`${link.slug}?click_id=mine&to=https://evil.example`);
    expect(answer.headers['location']).toMatch(/^https:\/\/shop\.example\/spring\?click_id=ck_[\w-]{43}$/);
  });
});

describe('is not counted', () => {
  test.each([
    ['a bot', { 'user-agent': BOT }],
    ['who says nothing of itself', { 'user-agent': '' }],
    ['a prefetching bot', { 'user-agent': BOT, purpose: 'prefetch' }],
  ])('%s, which is led there without a click id', async (_who, headers) => {
    const link = await newLink();
    const answer = await visit(link.slug, headers);
    expect([answer.status, answer.headers['location'], answer.headers['x-environment']]).toEqual([
      302,
      'https://shop.example/spring',
      'LIVE',
    ]);
    expect(await clicksOf(app, live)).toEqual([]);
  });

  test('a request without the header User-Agent', async () => {
    const link = await newLink();
    const answer = await sendWire(app.baseUrl, { method: 'GET', target: `/r/${link.slug}` });
    expect([answer.status, answer.headers['location']]).toEqual([302, 'https://shop.example/spring']);
    expect(await clicksOf(app, live)).toEqual([]);
  });

  test('HEAD, which has the headers of GET', async () => {
    const link = await newLink();
    const answer = await app.http.head(`/r/${link.slug}`).redirects(0).set('user-agent', BROWSER);
    expect([answer.status, answer.headers['location']]).toEqual([302, 'https://shop.example/spring']);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' });
    expect((await app.http.head('/r/aaaabbbbcccc').set('user-agent', BROWSER)).status).toBe(404);
    expect(await clicksOf(app, live)).toEqual([]);
  });

  test.each([{ 'sec-purpose': 'prefetch;prerender' }, { purpose: 'prefetch' }, { 'x-moz': 'prefetch' }])(
    'as a visit: %j, but kept as a prefetch, with a click id',
    async (headers) => {
      const link = await newLink();
      expect(clickIdOf(await visit(link.slug, headers))).toMatch(/^ck_/);
      expect((await clicksOf(app, live)).map(({ kind }) => kind)).toEqual(['prefetch']);
    },
  );
});

describe('no address is kept or logged', () => {
  test.each([
    ['198.51.100.23', '::ffff:198.51.100.23'],
    ['2001:db8:77:1::5', '2001:db8:77:1:ffff::9'],
  ])('%s is a digest that %s shares', async (address, same) => {
    const link = await newLink();
    for (const one of [address, same, '203.0.113.99']) await visit(link.slug, { 'x-forwarded-for': one });
    const hashes = (await clicksOf(app, live)).map(({ ip_hash }) => ip_hash?.toString('hex'));
    expect(hashes[0]).toBe(hashes[1]);
    expect(hashes[2]).not.toBe(hashes[0]);
    const rows = JSON.stringify(await app.database.asSuperuser('select c::text from referral_click c'));
    const log = app.logLines.join('\n');
    for (const text of [address, same, '203.0.113.99', Buffer.from(address).toString('hex')]) {
      expect(rows).not.toContain(text);
      expect(log).not.toContain(text);
    }
    expect(log).toContain(`/r/${link.slug}`);
  });
});

describe('leads nowhere', () => {
  const past = '2020-01-01T00:00:00Z';

  test('alike whatever the reason: to a browser a page that loads nothing, else JSON', async () => {
    const tag = await plantTag(app, live);
    const sandboxTag = await plantTag(app, sandbox);
    const slugs = [
      'zzzzzzzzzzzz',
      `${tag}00000000`,
      `${sandboxTag}00000000`,
      (await newLink({ status: 'disabled' })).slug,
      (await newLink({ status: 'deleted' })).slug,
      (await newLink({ expiresAt: past })).slug,
      (await newLink({ destination: 'https://evil.example/' })).slug,
    ];
    const bodies = { json: new Set<string>(), html: new Set<string>() };
    const headers = new Set<string>();
    for (const slug of slugs) {
      const json = await visit(slug, { accept: '*/*' });
      expectNowhere(json);
      bodies.json.add(json.text);
      const html = await visit(slug, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
      expect([html.status, html.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      bodies.html.add(html.text);
      for (const { headers: all } of [json, html]) {
        const { date: _date, 'x-request-id': id, ...same } = all as Record<string, string>;
        expect(id).toMatch(/^[\w.-]{8,}$/);
        headers.add(JSON.stringify(same));
      }
    }
    expect([bodies.json.size, bodies.html.size, headers.size]).toEqual([1, 1, 2]);
    const [page = ''] = bodies.html;
    expect(page).not.toMatch(/src=|href=|<style|style=|<script|http/i);
    expect([...headers].every((all) => all.includes('noindex, nofollow') && all.includes('"no-store"'))).toBe(true);
    expect(await clicksOf(app, live)).toEqual([]);
  });

  test.each([
    'https://evil.example/',
    '//evil.example/',
    'https:evil.example',
    'http://shop.example/',
    'https://shop.example.evil.example/',
    'https://shop.example@evil.example/',
    'https://shop.example:443@evil.example/',
    'https://user@shop.example/',
    'https://shop.example:8443/',
    'https://shop.example\\@evil.example/',
    'https://shop.example\\.evil.example/',
    'https://evil.example/\r\nLocation: https://shop.example/',
    'https://evil.example#https://shop.example/',
    'https://evil.example?https://shop.example/',
    ' https://evil.example/',
    'https://\tevil.example/',
    'https://xstores.example/',
    'https://stores.example/',
    'https://xn--a.stores.example.evil.example/',
    'javascript:alert(1)//https://shop.example/',
    'data:text/html,https://shop.example/',
    'https://a_b.stores.example/',
    'https://.stores.example/',
    'https://a..stores.example/',
    '/spring',
    'shop.example',
  ])('though %j was stored', async (destination) => {
    const link = await newLink({ destination });
    for (const headers of [{}, { 'user-agent': BOT }, { purpose: 'prefetch' }]) expectNowhere(await visit(link.slug, headers));
    expect((await app.http.head(`/r/${link.slug}`).redirects(0).set('user-agent', BROWSER)).status).toBe(404);
    expect(await clicksOf(app, live)).toEqual([]);
  });

  test('a line break in a destination never becomes a header', async () => {
    const link = await newLink({ destination: 'https://shop.example/\r\nSet-Cookie: a=1\r\n\r\n<script>' });
    const answer = await visit(link.slug);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(new URL(answer.headers['location'] ?? '').hostname).toBe('shop.example');
  });

  test.each(['xn--bcher-kva', 'xn--a', 'xn--', '1', '-a-', 'a'.repeat(64), '0x7f.1'])(
    'not with the host %s below a wildcard: the statement and the rule agree',
    async (name) => {
      const link = await newLink({ destination: `https://${name}.stores.example/x` });
      const answer = await visit(link.slug);
      expect(answer.headers['location']?.startsWith(`https://${name}.stores.example/x?click_id=ck_`)).toBe(true);
      expect(await clicksOf(app, live)).toHaveLength(1);
    },
  );

  test('a host below a wildcard does, and its name alone does not', async () => {
    const below = await newLink({ destination: 'https://a.b.stores.example/x' });
    expect((await visit(below.slug)).headers['location']).toMatch(/^https:\/\/a\.b\.stores\.example\/x\?click_id=/);
  });

  test('once its host is taken out of the settings, and leads there again when it is back', async () => {
    const link = await newLink();
    const patch = (hosts: string[]) => client.patch('/api/v1/admin/settings', { referrals: { allowedDestinationHosts: hosts } });
    expect((await visit(link.slug)).status).toBe(302);
    expect((await patch(['other.example'])).status).toBe(200);
    expectNowhere(await visit(link.slug));
    expect((await patch([])).status).toBe(200);
    expectNowhere(await visit(link.slug));
    expect((await patch(['shop.example'])).status).toBe(200);
    expect((await visit(link.slug)).status).toBe(302);
    expect(await clicksOf(app, live)).toHaveLength(2);
  });

  test('while the tenant has no settings, or has them in the other environment alone', async () => {
    const other = await app.newTenant();
    const scope: Scope = { tenantId: other.tenantId, environment: 'LIVE' };
    const member = await apiClient(app, other.liveKey).newMember();
    const link = await plantLink(app, scope, { memberId: member.id });
    expectNowhere(await visit(link.slug));
    await allowHosts(app, { ...scope, environment: 'SANDBOX' }, ['shop.example']);
    expectNowhere(await visit(link.slug));
    expect(await clicksOf(app, scope)).toEqual([]);
  });

  test("with another tenant's tag, or the other environment's, before the rest of a slug", async () => {
    const link = await newLink();
    const rest = link.slug.slice(4);
    const other = await app.newTenant();
    const tags = [await plantTag(app, { tenantId: other.tenantId, environment: 'LIVE' }), await plantTag(app, sandbox)];
    for (const tag of tags) expectNowhere(await visit(tag + rest));
    expect((await visit(link.slug)).status).toBe(302);
  });

  test('found as soon as there is a tag that nobody had before', async () => {
    const tag = `z${Date.now().toString(36).slice(-3)}`;
    expectNowhere(await visit(`${tag}00000000`));
    await app.database.asSuperuser('insert into link_tag (tag, tenant_id, environment) values ($1, $2, $3)', [
      tag,
      live.tenantId,
      live.environment,
    ]);
    await newLink({ slug: `${tag}00000000` });
    expect((await visit(`${tag}00000000`)).status).toBe(302);
  });
});

describe('odd slugs', () => {
  test('in upper case, as typed from paper, are found', async () => {
    const link = await newLink();
    expect((await visit(link.slug.toUpperCase())).status).toBe(302);
    const answer = await client.post('/api/v1/referrals/clicks', { slug: link.slug.toUpperCase() });
    expect([answer.status, answer.body.link_id]).toEqual([201, link.id]);
    expect((await clicksOf(app, live)).map(({ link_id }) => link_id)).toEqual([link.id, link.id]);
  });

  test('with escapes, of any length or alphabet: never found, never a 500', async () => {
    const link = await newLink();
    const odd: [string, number[]][] = [
      [`${link.slug}%20`, [404]],
      [`%20${link.slug}`, [404]],
      [`${link.slug}/`, [404]],
      [`${link.slug}/x`, [404]],
      [`${link.slug}%2Fx`, [404]],
      [`${link.slug}%0d%0aX-Evil:1`, [404]],
      ['%00', [400]],
      [`${link.slug}%00`, [400]],
      ['%zz', [400]],
      ['%ff%fe', [400]],
      ['%F0%9F%90%99%F0%9F%90%99', [404]],
      ["'%20or%201=1--", [404]],
      ['__proto__', [404]],
      ['constructor', [404]],
      ['..%2f..%2fapi', [404]],
      ['a', [404]],
      ['a'.repeat(33), [404]],
      ['a'.repeat(7_000), [404]],
      ['a'.repeat(40_000), [404, 431]],
      ['', [404]],
    ];
    for (const [slug, statuses] of odd) {
      const answer = await sendWire(app.baseUrl, { method: 'GET', target: `/r/${slug}`, headers: { 'user-agent': BROWSER } });
      expect(statuses, slug.slice(0, 60)).toContain(answer.status);
      expect(answer.headers['x-evil']).toBeUndefined();
    }
    expect((await visit(`${link.slug.slice(0, 4)}%${link.slug.charCodeAt(4).toString(16)}${link.slug.slice(5)}`)).status).toBe(
      302,
    );
  });

  test.each(['post', 'put', 'patch', 'delete', 'options'] as const)('%s is not allowed', async (method) => {
    const link = await newLink();
    const answer = await app.http[method](`/r/${link.slug}`).redirects(0);
    expectRefusal(answer, 405, 'METHOD_NOT_ALLOWED');
    expect(answer.headers['allow']).toBe('GET, HEAD');
    expect(await clicksOf(app, live)).toEqual([]);
  });

  test('headers of any kind do no harm', async () => {
    const link = await newLink();
    const odd = {
      referer: '::not a url::',
      'sec-purpose': ';;;',
      accept: 'text/html;q=0',
      'user-agent': `${BROWSER} é ${'('.repeat(3_000)}`,
    };
    expect((await visit(link.slug, odd)).status).toBe(302);
    expect((await clicksOf(app, live)).map(({ referrer_host }) => referrer_host)).toEqual([null]);
  });
});

test('is no operation of the API', async () => {
  const { body } = await app.http.get('/api/v1/openapi.json');
  expect(Object.keys(body.paths).filter((path) => path.startsWith('/r'))).toEqual([]);
});

test('each address has its limit, whatever it asks for, bots and unknown links included', async () => {
  const limited = await startTestApp({ TRUST_PROXY_HOPS: '1', RATE_LIMIT_REDIRECTS: '3' }, app.database);
  try {
    const link = await newLink();
    const from = async (address: string, slug = link.slug, headers = {}) =>
      limited.http
        .get(`/r/${slug}`)
        .redirects(0)
        .set({ 'user-agent': BROWSER, accept: 'text/html', 'x-forwarded-for': address, ...headers });
    const statuses = [
      (await from('192.0.2.1')).status,
      (await from('192.0.2.1', 'zzzzzzzzzzzz')).status,
      (await from('::ffff:192.0.2.1', link.slug, { 'user-agent': BOT })).status,
    ];
    expect(statuses).toEqual([302, 404, 302]);
    const refused = await from('192.0.2.1');
    expectRefusal(refused, 429, 'RATE_LIMITED');
    const retryAfter = Number(refused.headers['retry-after']);
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(retryAfter).toBeLessThanOrEqual(60);
    expect((await from('192.0.2.2')).status).toBe(302);
    expect(await clicksOf(app, live)).toHaveLength(2);
    expect(limited.logLines.join('\n')).not.toContain('192.0.2.');
    const { liveKey } = await limited.newTenant();
    const listed = await limited.http.get('/api/v1/users').set({ 'x-tenant-api-key': liveKey, 'x-forwarded-for': '192.0.2.1' });
    expect(listed.status).toBe(200);
  } finally {
    await limited.close();
  }
});
