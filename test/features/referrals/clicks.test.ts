/**
 * POST /referrals/clicks: clicks that the tenant tells of, and whose the others were
 * (docs/specification/attribution.md#clicks).
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { allowHosts, clicksOf, type PlantedLink, plantLink } from './plant-link.ts';

const CLICKS = '/api/v1/referrals/clicks';
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let app: TestApp;
let tenant: TestTenant;
let live: Scope;
let sandbox: Scope;
let client: ApiClient;
let member: MemberBody;
let link: PlantedLink;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  live = { tenantId: tenant.tenantId, environment: 'LIVE' };
  sandbox = { tenantId: tenant.tenantId, environment: 'SANDBOX' };
  client = apiClient(app, tenant.liveKey);
  member = await client.newMember();
  await allowHosts(app, live, ['shop.example']);
  link = await plantLink(app, live, { memberId: member.id });
});
afterAll(() => app.close());

const record = (body: object, headers?: Record<string, string>) => client.post(CLICKS, body, headers);

/** The id that a visitor brings to the destination. */
async function followed(): Promise<string> {
  const answer = await app.http.get(`/r/${link.slug}`).redirects(0).set('user-agent', BROWSER);
  return new URL(answer.headers['location'] ?? '').searchParams.get('click_id') ?? '';
}

describe('a new click', () => {
  test('by the id of a link, by its slug, and by a code in any case', async () => {
    const code = member.referral_code;
    const bodies = [{ link_id: link.id }, { slug: link.slug }, { referral_code: code.toLowerCase() }];
    for (const body of bodies) {
      const answer = await record({ ...body, customer: { external_id: 'customer-1' }, user_agent: BROWSER });
      const byCode = 'referral_code' in body;
      expect([answer.status, answer.body]).toEqual([
        201,
        {
          click_id: expect.stringMatching(/^ck_[\w-]{43}$/),
          link_id: byCode ? null : link.id,
          referral_code: byCode ? code : null,
          user_id: member.id,
          clicked_at: expect.any(String),
          customer_external_id: 'customer-1',
        },
      ]);
      expect(Math.abs(Date.parse(answer.body.clicked_at) - Date.now())).toBeLessThan(60_000);
    }
    const stored = await clicksOf(app, live);
    expect(stored.map(({ kind, link_id, member_id }) => [kind, link_id, member_id])).toEqual([
      ['server', link.id, member.id],
      ['server', link.id, member.id],
      ['server', null, member.id],
    ]);
    expect(stored[2]?.code_id).not.toBeNull();
  });

  test('keeps a digest of the address, and of the referrer its host', async () => {
    await record({ slug: link.slug, ip: '198.51.100.44', referrer: 'https://blog.example/p?email=kim@shop.example' });
    await record({ slug: link.slug, ip: '::ffff:198.51.100.44', referrer: 'not an address' });
    await record({ slug: link.slug, ip: '2001:db8::44', user_agent: null, customer: null });
    const stored = await clicksOf(app, live);
    const [one, two, three] = stored.map(({ ip_hash }) => ip_hash?.toString('hex'));
    expect(one).toMatch(/^[0-9a-f]{32}$/);
    expect([two === one, three === one]).toEqual([true, false]);
    expect(stored.map(({ referrer_host }) => referrer_host)).toEqual(['blog.example', null, null]);
    const rows = JSON.stringify(await app.database.asSuperuser('select c::text from referral_click c'));
    for (const text of ['198.51.100.44', '2001:db8::44', 'kim@shop.example']) {
      expect(rows).not.toContain(text);
      expect(app.logLines.join('\n')).not.toContain(text);
    }
  });

  test('of a bot is not recorded: 200 and no id; of who leaves the user agent out, it is', async () => {
    const bot = await record({ link_id: link.id, customer: { external_id: 'c' }, user_agent: 'Googlebot/2.1' });
    expect([bot.status, bot.body]).toEqual([
      200,
      { click_id: null, link_id: link.id, referral_code: null, user_id: member.id, clicked_at: null, customer_external_id: null },
    ]);
    expect(await clicksOf(app, live)).toEqual([]);
    expect((await record({ link_id: link.id })).status).toBe(201);
  });

  test('is at the time of the SANDBOX, by its clock', async () => {
    const by = apiClient(app, tenant.sandboxKey);
    const { referral_code: code } = await by.newMember();
    await by.post('/api/v1/sandbox/clock', { frozenAt: '2100-01-01T00:00:00Z' });
    const { status, body } = await by.post(CLICKS, { referral_code: code });
    expect([status, body.clicked_at]).toEqual([201, '2100-01-01T00:00:00.000Z']);
    expect([(await clicksOf(app, sandbox)).length, (await clicksOf(app, live)).length]).toEqual([1, 0]);
  });

  test('sent again with its Idempotency-Key is the same one, also for a bot', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const first = await record({ slug: link.slug }, key);
    const again = await record({ slug: link.slug }, key);
    expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([201, first.body, 'true']);
    expect(await clicksOf(app, live)).toHaveLength(1);
    const botKey = { 'idempotency-key': randomUUID() };
    const bots = [await record({ slug: link.slug, user_agent: 'Googlebot/2.1' }, botKey)];
    bots.push(await record({ slug: link.slug, user_agent: 'Googlebot/2.1' }, botKey));
    expect(bots.map(({ status, body }) => [status, body.click_id])).toEqual([
      [200, null],
      [200, null],
    ]);
  });
});

describe('is refused', () => {
  test('what names nothing, or two things', async () => {
    const both = { link_id: link.id, slug: link.slug };
    for (const body of [
      {},
      { link_id: null },
      { ip: '203.0.113.1' },
      both,
      { slug: link.slug, click_id: 'x', customer: { external_id: 'c' } },
    ]) {
      expectRefusal(await record(body), 400, 'VALIDATION_ERROR', ['body']);
    }
    expect(await clicksOf(app, live)).toEqual([]);
  });

  test.each([
    [{ link_id: 'x' }, ['link_id']],
    [{ slug: 's', ip: '1.2.3' }, ['ip']],
    [{ slug: 's', ip: '203.0.113.1, 10.0.0.1' }, ['ip']],
    [{ slug: 's', user_agent: 'x'.repeat(1025) }, ['user_agent']],
    [{ slug: 's', customer: {} }, ['customer.external_id']],
    [{ slug: 's', customer: { external_id: ' ' } }, ['customer.external_id']],
    [{ slug: 's', kind: 'redirect' }, ['kind']],
    [{ slug: '\0' }, ['slug']],
    [{ click_id: 'ck_x' }, ['customer']],
    [{ click_id: 'ck_x', customer: { external_id: 'c' }, ip: '203.0.113.1', user_agent: BROWSER }, ['ip', 'user_agent']],
  ])('%j', async (body, fields) => {
    expectRefusal(await record(body), 400, 'VALIDATION_ERROR', fields);
  });

  test('alike: what is unknown, of another side, or out of use', async () => {
    const by = apiClient(app, tenant.sandboxKey);
    const elsewhere = await by.newMember();
    const otherTenant = await app.newTenant();
    const stranger = await apiClient(app, otherTenant.liveKey).newMember();
    const other: Scope = { tenantId: otherTenant.tenantId, environment: 'LIVE' };
    const links = [
      await plantLink(app, live, { memberId: member.id, status: 'disabled' }),
      await plantLink(app, live, { memberId: member.id, status: 'deleted' }),
      await plantLink(app, live, { memberId: member.id, expiresAt: '2020-01-01T00:00:00Z' }),
      await plantLink(app, sandbox, { memberId: elsewhere.id }),
      await plantLink(app, other, { memberId: stranger.id }),
    ];
    const retired = await client.newMember();
    await app.database.asSuperuser(`update referral_code set status = 'retired' where member_id = $1`, [retired.id]);
    const codes = [elsewhere, stranger, retired].map(({ referral_code: code }) => code);
    const bodies: [string, object[]][] = [
      ['link_id', [...links.map(({ id }) => id), randomUUID()].map((id) => ({ link_id: id }))],
      ['slug', [...links.map(({ slug }) => slug), 'zzzzzzzzzzzz', `${link.slug}0`].map((slug) => ({ slug }))],
      ['referral_code', [...codes, 'NOBODY', '%', "' or 1=1"].map((code) => ({ referral_code: code }))],
    ];
    for (const [field, named] of bodies) {
      const texts = new Set<string>();
      for (const body of named) {
        const answer = await record(body);
        expectRefusal(answer, 400, 'VALIDATION_ERROR', [field]);
        texts.add(answer.text);
        // A bot learns no more.
        expect((await record({ ...body, user_agent: 'Googlebot/2.1' })).text).toBe(answer.text);
      }
      expect(texts.size).toBe(1);
    }
    expect(await clicksOf(app, live)).toEqual([]);
  });

  test('a key without the scope, and a member', async () => {
    const { apiKey } = await app.tenants.createKey({ ...live, scopes: ['referrals:read'] });
    expectRefusal(await apiClient(app, apiKey).post(CLICKS, { slug: link.slug }), 403, 'FORBIDDEN');
    expect((await app.http.post(CLICKS).send({ slug: link.slug })).status).toBe(401);
  });
});

describe('a click that came by a redirect', () => {
  const tie = (clickId: string, customer = 'customer-1', by = client) =>
    by.post(CLICKS, { click_id: clickId, customer: { external_id: customer } });

  test('is tied to the customer once and for all', async () => {
    const clickId = await followed();
    const [before] = await clicksOf(app, live);
    const answer = await tie(clickId);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        click_id: clickId,
        link_id: link.id,
        referral_code: null,
        user_id: member.id,
        clicked_at: before?.clicked_at.toISOString(),
        customer_external_id: 'customer-1',
      },
    ]);
    const again = await tie(clickId);
    expect([again.status, again.body]).toEqual([200, answer.body]);
    expectRefusal(await tie(clickId, 'customer-2'), 409, 'STATE_CONFLICT');
    expect(await clicksOf(app, live)).toEqual([{ ...before, customer_external_id: 'customer-1' }]);
  });

  test('of many customers at once is of one', async () => {
    const clickId = await followed();
    const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => tie(clickId, `customer-${i}`)));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect((await clicksOf(app, live)).map((click) => click.customer_external_id)).toEqual([won[0]?.body.customer_external_id]);
  });

  test('may be a prefetched one, one by a code, and of a link that is out of use by now', async () => {
    const prefetched = await app.http.get(`/r/${link.slug}`).redirects(0).set({ 'user-agent': BROWSER, purpose: 'prefetch' });
    const byCode = (await record({ referral_code: member.referral_code })).body;
    await app.database.asSuperuser(`update referral_link set status = 'deleted' where id = $1`, [link.id]);
    const id = new URL(prefetched.headers['location'] ?? '').searchParams.get('click_id') ?? '';
    expect((await tie(id)).status).toBe(200);
    const tied = await tie(byCode.click_id);
    expect([tied.status, tied.body]).toEqual([200, { ...byCode, customer_external_id: 'customer-1' }]);
  });

  test('is not found by an id that was made up, changed, forgotten, or is of another side: one answer', async () => {
    const clickId = await followed();
    const texts = new Set<string>();
    const flipped = (clickId[10] === 'A' ? 'B' : 'A') + clickId.slice(11);
    const [row] = await clicksOf(app, live);
    for (const id of [
      `ck_${randomBytes(32).toString('base64url')}`,
      clickId.slice(0, 10) + flipped,
      clickId.toUpperCase(),
      `${clickId}=`,
      clickId.slice(3),
      String(row?.id),
      'x',
    ]) {
      const answer = await tie(id);
      expectRefusal(answer, 400, 'VALIDATION_ERROR', ['click_id']);
      texts.add(answer.text);
    }
    const other = await app.newTenant();
    for (const key of [tenant.sandboxKey, other.liveKey, other.sandboxKey]) {
      texts.add((await tie(clickId, 'customer-1', apiClient(app, key))).text);
    }
    expect((await clicksOf(app, live)).map((click) => click.customer_external_id)).toEqual([null]);
    await app.database.asSuperuser('delete from referral_click where id = $1', [row?.id]);
    texts.add((await tie(clickId)).text);
    expect(texts.size).toBe(1);
  });
});
