/** Reading, changing, converting and expiring leads: docs/specification/attribution.md#lead-states. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { LEAD_STATUSES, type LeadStatus } from '../../../src/features/leads/lead-status.ts';
import { type ApiClient, apiClient } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantSession } from '../../support/identity/sessions.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
});
afterAll(() => app.close());

const fresh = () => `lead-${randomUUID()}@shop.example`;
const capture = async (fields: object = {}, by = client) =>
  (await by.post('/api/v1/leads/capture', { email: fresh(), ...fields })).body;
const read = async (id: string, by = client) => (await by.get(`/api/v1/leads/${id}`)).body;
const change = (id: string, body: object, by = client) => by.patch(`/api/v1/leads/${id}`, body);
const convert = (id: string, body: object = {}, by = client) => by.post(`/api/v1/leads/${id}/convert`, body);

/** A member with an email that it has but by a sign-in that nobody verified, which converts no lead. */
const giveEmail = (memberId: string, email: string) =>
  app.database.asSuperuser('update member set email = $2, email_norm = $2 where id = $1', [memberId, email]);

/** A lead in that state, come by as it is come by. */
async function leadThatIs(status: LeadStatus, by = client): Promise<Record<string, string> & { id: string }> {
  const lead = await capture({ name: 'Ann', phone: '1' }, by);
  if (status === 'converted') await convert(lead.id, {}, by);
  else if (status !== 'captured') await change(lead.id, { conversion_status: status }, by);
  const found = await read(lead.id, by);
  expect(found.conversion_status).toBe(status);
  return found;
}

describe('transitions, every pair', () => {
  const allowed: Record<LeadStatus, LeadStatus[]> = {
    captured: ['qualified', 'converted', 'disqualified', 'expired'],
    qualified: ['converted', 'disqualified', 'expired'],
    converted: [],
    disqualified: [],
    expired: [],
  };
  const pairs = LEAD_STATUSES.flatMap((from) => LEAD_STATUSES.map((to) => [from, to] as const));
  test.each(pairs)('%s -> %s', async (from, to) => {
    const lead = await leadThatIs(from);
    if (to === 'converted' && from !== to) {
      const put = await change(lead.id, { conversion_status: to, name: 'Anna' });
      expectRefusal(put, 409, 'STATE_CONFLICT');
      expect(put.text.includes('/convert')).toBe(allowed[from].includes(to));
      expect(await read(lead.id)).toEqual(lead);
      const answer = await convert(lead.id);
      if (allowed[from].includes(to)) expect(answer.status).toBe(201);
      else {
        expectRefusal(answer, 409, 'STATE_CONFLICT');
        expect(await read(lead.id)).toEqual(lead);
      }
      return;
    }
    const answer = await change(lead.id, { conversion_status: to, name: 'Anna' });
    const after = await read(lead.id);
    if (from === to || allowed[from].includes(to)) {
      expect([answer.status, answer.body]).toEqual([200, after]);
      expect(after).toMatchObject({ conversion_status: to, name: 'Anna' });
    } else {
      expectRefusal(answer, 409, 'STATE_CONFLICT');
      expect(after).toEqual(lead);
    }
  });

  test('to the state that it has: converting again is a 409 all the same', async () => {
    const lead = await leadThatIs('converted');
    expectRefusal(await convert(lead.id), 409, 'STATE_CONFLICT');
    expect(await read(lead.id)).toEqual(lead);
  });
});

describe('a change', () => {
  test('sets and clears, and leaves the rest; what is so already changes nothing', async () => {
    const lead = await capture({ name: 'Ann', phone: '1', source: 'fair', utm_source: 'news' });
    const answer = await change(lead.id, { phone: null, source: 'web' });
    expect(answer.body).toEqual({
      ...lead,
      phone: null,
      source: 'web',
      updated_at: answer.body.updated_at,
      updated_by: lead.created_by,
    });
    expect(answer.body.updated_at > lead.updated_at).toBe(true);
    const same = await change(lead.id, { phone: null, source: 'web', name: 'Ann' });
    expect([same.status, same.body]).toEqual([200, answer.body]);
    const again = await client.post('/api/v1/leads/capture', { email: lead.email, phone: '2' });
    expect(again.body).toMatchObject({ phone: '2', source: 'web' });
  });

  test.each<[body: object, field: string]>([
    [{}, 'body'],
    [{ name: '' }, 'name'],
    [{ phone: 'x'.repeat(33) }, 'phone'],
    [{ source: 'x'.repeat(101) }, 'source'],
    [{ name: 'Ann', email: 'a@shop.example' }, 'email'],
    [{ conversion_status: null }, 'conversion_status'],
    [{ name: 'Ann', referrer_user_id: randomUUID() }, 'referrer_user_id'],
  ])('%j is a 400 that names %s', async (body, field) => {
    expectRefusal(await change((await capture()).id, body), 400, 'VALIDATION_ERROR', [field]);
  });

  test('of one in another tenant or environment, or of none, is a 404, as are reading and converting', async () => {
    const lead = await capture();
    for (const by of [apiClient(app, tenant.sandboxKey), apiClient(app, (await app.newTenant()).liveKey)]) {
      expectRefusal(await change(lead.id, { name: 'X' }, by), 404, 'NOT_FOUND');
      expectRefusal(await convert(lead.id, {}, by), 404, 'NOT_FOUND');
      expectRefusal(await by.get(`/api/v1/leads/${lead.id}`), 404, 'NOT_FOUND');
    }
    expectRefusal(await convert(randomUUID()), 404, 'NOT_FOUND');
    expect(await read(lead.id)).toEqual(lead);
  });

  test('with an Idempotency-Key is made once', async () => {
    const lead = await capture();
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await client.post(`/api/v1/leads/${lead.id}/convert`, {}, headers);
    const second = await client.post(`/api/v1/leads/${lead.id}/convert`, {}, headers);
    expect([first.status, second.status, second.headers['idempotent-replayed']]).toEqual([201, 201, 'true']);
    expect(second.body).toEqual(first.body);
  });
});

describe('a conversion', () => {
  test('makes a member under the referrer, with the name of the lead', async () => {
    const sponsor = await client.newMember();
    const lead = await capture({ name: 'Ann Example', referral_code: sponsor.referral_code });
    const answer = await convert(lead.id, { membership_tier: 'SENIOR', external_id: `x-${lead.id}`, is_test_user: true });
    expect(answer.status).toBe(201);
    const { user } = answer.body;
    expect(answer.headers['location']).toBe(`/api/v1/users/${user.id}`);
    expect(user).toMatchObject({
      tenant_id: tenant.tenantId,
      email: lead.email,
      name: 'Ann Example',
      parent_id: sponsor.id,
      membership_tier: 'SENIOR',
      external_id: `x-${lead.id}`,
      is_test_user: true,
      is_active: true,
      can_recruit: true,
      pay_currency: 'USD',
    });
    expect(answer.body.lead).toEqual({
      ...lead,
      conversion_status: 'converted',
      converted_user_id: user.id,
      updated_at: user.created_at,
      updated_by: user.created_by,
    });
    expect(await read(lead.id)).toEqual(answer.body.lead);
    const stats = (await client.get(`/api/v1/members/${sponsor.id}/referral-stats`)).body;
    // A test member counts in no statistics of others.
    expect(stats).toMatchObject({ directReferrals: 0 });
  });

  test('without a referrer makes a root, under a name of its own, and needs no body', async () => {
    const lead = await capture({ name: 'Ann' });
    const { body } = await convert(lead.id, { name: 'Anna', can_recruit: false, is_active: false });
    expect(body.user).toMatchObject({ parent_id: null, name: 'Anna', can_recruit: false, is_active: false });
    const bare = await capture();
    const answer = await app.http.post(`/api/v1/leads/${bare.id}/convert`).set('x-tenant-api-key', tenant.liveKey);
    expect([answer.status, answer.body.user?.name]).toEqual([201, null]);
  });

  test('is refused, and nothing left, when the referrer may not recruit, or the email or external id is taken', async () => {
    const sponsor = await client.newMember();
    const lead = await capture({ referral_code: sponsor.referral_code });
    const taken = await client.newMember({ external_id: `taken-${lead.id}` });
    await client.patch(`/api/v1/users/${sponsor.id}`, { can_recruit: false });
    expectRefusal(await convert(lead.id), 403, 'RECRUITING_DISABLED');
    await client.patch(`/api/v1/users/${sponsor.id}`, { can_recruit: true });
    expectRefusal(await convert(lead.id, { external_id: `taken-${lead.id}` }), 409, 'EXTERNAL_ID_EXISTS');
    const own = await capture();
    await giveEmail(taken.id, own.email);
    expectRefusal(await convert(own.id), 409, 'EMAIL_EXISTS');
    expect([await read(lead.id), await read(own.id)]).toEqual([lead, own]);
    expect((await convert(lead.id)).status).toBe(201);
  });

  test('of a lead that a new member has converted is a 409', async () => {
    const lead = await capture();
    await client.newMember({ email: lead.email });
    expectRefusal(await convert(lead.id), 409, 'STATE_CONFLICT');
  });

  test.each<[body: object, field: string]>([
    [{ email: 'a@shop.example' }, 'email'],
    [{ parent_id: randomUUID() }, 'parent_id'],
    [{ membership_tier: 'KING' }, 'membership_tier'],
    [{ pay_currency: 'XXL' }, 'pay_currency'],
  ])('with %j is a 400 that names %s', async (body, field) => {
    expectRefusal(await convert((await capture()).id, body), 400, 'VALIDATION_ERROR', [field]);
  });
});

describe('expiry', () => {
  const start = '2031-01-01T00:00:00.000Z';
  const end = '2031-01-11T00:00:00.000Z';

  /** A SANDBOX of its own whose clock stands still, and whose leads live ten days. */
  async function openSandbox(days: number | null = 10) {
    const own = await app.newTenant();
    const by = apiClient(app, own.sandboxKey);
    const scope: Scope = { tenantId: own.tenantId, environment: 'SANDBOX' };
    const freeze = (at: string) => by.post('/api/v1/sandbox/clock', { frozenAt: at });
    await by.patch('/api/v1/admin/settings', { referrals: { leadExpiryDays: days } });
    await freeze(start);
    return { by, scope, freeze };
  }
  /** As if time had passed and the sweep not come yet. */
  const setClock = (scope: Scope, at: string) =>
    app.database.asSuperuser('update sandbox_clock set frozen_at = $2 where tenant_id = $1', [scope.tenantId, at]);

  test('comes at its instant, not before, to leads that are captured or qualified', async () => {
    const { by, scope, freeze } = await openSandbox();
    const leads: Awaited<ReturnType<typeof leadThatIs>>[] = [];
    for (const status of LEAD_STATUSES) leads.push(await leadThatIs(status, by));
    const ends = leads.map(({ conversion_status, expires_at }) => [conversion_status, expires_at]);
    expect(ends).toEqual(LEAD_STATUSES.map((status) => [status, status === 'expired' ? start : end]));
    await freeze('2031-01-10T23:59:59.999Z');
    const statuses = async () => Promise.all(leads.map(async ({ id }) => (await read(id, by)).conversion_status));
    expect(await app.runSweep('expire-leads', scope)).toBe(0);
    expect(await statuses()).toEqual([...LEAD_STATUSES]);
    await freeze(end);
    expect(await statuses()).toEqual(['expired', 'expired', 'converted', 'disqualified', 'expired']);
    expect((await read(leads[0]?.id ?? '', by)).updated_at).toBe(end);
    expect(await app.runSweep('expire-leads', scope)).toBe(0);
  });

  test('holds from its instant on, whether the sweep has come or not', async () => {
    const { by, scope } = await openSandbox();
    const [patched, converted, joined, ended] = [
      await capture({}, by),
      await capture({}, by),
      await capture({}, by),
      await capture({}, by),
    ];
    await setClock(scope, end);
    expectRefusal(await change(patched.id, { conversion_status: 'qualified' }, by), 409, 'STATE_CONFLICT');
    expectRefusal(await convert(converted.id, {}, by), 409, 'STATE_CONFLICT');
    await by.newMember({ email: joined.email });
    expect((await change(ended.id, { conversion_status: 'expired' }, by)).body.conversion_status).toBe('expired');
    expect(await app.runSweep('expire-leads')).toBe(3);
    for (const { id } of [patched, converted, joined, ended]) {
      expect(await read(id, by)).toMatchObject({ conversion_status: 'expired', converted_user_id: null });
    }
  });

  test('does not reach leads of a tenant that lets them live', async () => {
    const { by, freeze } = await openSandbox(null);
    const lead = await capture({}, by);
    expect(lead.expires_at).toBeNull();
    await freeze('2200-01-01T00:00:00Z');
    expect((await read(lead.id, by)).conversion_status).toBe('captured');
    expect((await convert(lead.id, {}, by)).status).toBe(201);
  });

  test('is told of in LIVE by the clock of the database, of the scopes that have any', async () => {
    const own = await app.newTenant();
    const by = apiClient(app, own.liveKey);
    const [due, later] = [await capture({}, by), await capture({}, by)];
    await app.database.asSuperuser("update lead set expires_at = now() - interval '1 second' where id = $1", [due.id]);
    expect(await app.runSweep('expire-leads')).toBe(1);
    expect([(await read(due.id, by)).conversion_status, (await read(later.id, by)).conversion_status]).toEqual([
      'expired',
      'captured',
    ]);
  });

  test('and disqualification outlast another capture, which fills blanks', async () => {
    const sponsor = await client.newMember();
    for (const status of ['expired', 'disqualified'] as const) {
      const lead = await leadThatIs(status);
      const again = await client.post('/api/v1/leads/capture', {
        email: lead.email,
        source: 'again',
        referral_code: sponsor.referral_code,
      });
      expect(again.status).toBe(200);
      expect(again.body).toMatchObject({ conversion_status: status, source: 'again', expires_at: lead.expires_at, name: 'Ann' });
    }
  });

  test('by hand is at once, and the lead credits no sale from then on', async () => {
    const { by, freeze } = await openSandbox();
    const forever = await openSandbox(null);
    const sponsor = await by.newMember();
    const lead = await capture({ referral_code: sponsor.referral_code }, by);
    const endless = await capture({}, forever.by);
    const now = '2031-01-03T00:00:00.000Z';
    await freeze(now);
    await forever.freeze(now);
    const sell = async () => {
      const body = by.purchaseBody({ attribution: { lead_id: lead.id }, occurred_at: now });
      return (await by.post('/api/v1/events/purchase', body)).body.attribution.user_id;
    };
    expect(await sell()).toBe(sponsor.id);
    expect((await change(lead.id, { conversion_status: 'expired' }, by)).body.expires_at).toBe(now);
    expect((await change(endless.id, { conversion_status: 'expired' }, forever.by)).body.expires_at).toBe(now);
    await freeze('2031-01-04T00:00:00.000Z');
    expect((await change(lead.id, { conversion_status: 'expired', name: 'Ann' }, by)).body.expires_at).toBe(now);
    expect(await sell()).toBeNull();
  });

  test('by hand of one whose time is over leaves when it was', async () => {
    const { by, scope } = await openSandbox();
    const lead = await capture({}, by);
    await setClock(scope, '2031-02-01T00:00:00.000Z');
    expect((await change(lead.id, { conversion_status: 'expired' }, by)).body.expires_at).toBe(end);
  });

  test('of a lead captured at the end of time is a time that can be written', async () => {
    const { by, freeze } = await openSandbox();
    await freeze('9999-12-31T23:59:59.000Z');
    expect((await capture({}, by)).expires_at).toBe('9999-12-31T23:59:59.000Z');
  });

  test('a batch that another worker holds part of takes the rest', async () => {
    const { by, scope } = await openSandbox();
    const [held, free] = [await capture({}, by), await capture({}, by)];
    await setClock(scope, end);
    await app.composition.frames.write(scope, async (db) => {
      const values = [scope.tenantId, scope.environment, held.id];
      await db.rows({ text: 'select id from lead where tenant_id = $1 and environment = $2 and id = $3 for update', values });
      expect(await app.runSweep('expire-leads', scope)).toBe(1);
    });
    expect((await read(free.id, by)).conversion_status).toBe('expired');
    expect(await app.runSweep('expire-leads', scope)).toBe(1);
  });
});

describe('the list', () => {
  let by: ApiClient;
  let own: TestTenant;
  const list = async (query = '') => (await by.get(`/api/v1/leads${query}`)).body;
  const idsOf = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id);

  beforeAll(async () => {
    own = await app.newTenant();
    by = apiClient(app, own.sandboxKey);
  });

  test('has every filter, of its own tenant and environment alone', async () => {
    await by.post('/api/v1/sandbox/clock', { frozenAt: '2030-01-01T00:00:00.000Z' });
    const sponsor = await by.newMember();
    const one = await capture({ email: 'José@shop.example', source: 'fair', referral_code: sponsor.referral_code }, by);
    await by.post('/api/v1/sandbox/clock', { frozenAt: '2030-01-02T00:00:00.000Z' });
    const two = await capture({ source: 'web' }, by);
    await change(two.id, { conversion_status: 'qualified' }, by);
    await apiClient(app, own.liveKey).post('/api/v1/leads/capture', { email: one.email, source: 'fair' });
    expect((await list()).data).toEqual([await read(one.id, by), await read(two.id, by)]);
    const found = async (query: string) => idsOf(await list(query));
    expect(await found(`?email=${encodeURIComponent('JOSÉ@Shop.example'.normalize('NFD'))}`)).toEqual([one.id]);
    expect(await found('?conversion_status=qualified')).toEqual([two.id]);
    expect(await found(`?referrer_user_id=${sponsor.id}`)).toEqual([one.id]);
    expect(await found('?source=web')).toEqual([two.id]);
    expect(await found('?source=fair&conversion_status=qualified')).toEqual([]);
    const [first, second] = ['2030-01-01T00:00:00.000Z', '2030-01-02T00:00:00.000Z'];
    expect(await found(`?created_from=${first}&created_to=${second}`)).toEqual([one.id]);
    expect(await found(`?created_from=${second}`)).toEqual([two.id]);
    expect(await found(`?created_to=${first}`)).toEqual([]);
  });

  test('comes with the latest first where that is asked for; who is captured meanwhile is on no later page', async () => {
    const source = randomUUID();
    const ids: string[] = [];
    const add = async () => ids.unshift((await capture({ source }, by)).id);
    for (let i = 0; i < 5; i++) await add();
    const expected = [...ids];
    const filters = `?source=${source}&sort=-created_at&limit=2`;
    const seen: string[] = [];
    for (let page = await list(filters); ; page = await list(`${filters}&cursor=${page.next_cursor}`)) {
      seen.push(...idsOf(page));
      if (page.next_cursor === null) break;
      const otherWay = `?source=${source}&limit=2&cursor=${page.next_cursor}`;
      expectRefusal(await by.get(`/api/v1/leads${otherWay}`), 400, 'VALIDATION_ERROR', ['cursor']);
      await add();
    }
    expect(seen).toEqual(expected);
    expect(idsOf(await list(`?source=${source}&sort=created_at&limit=100`))).toEqual(ids.toReversed());
  });

  test('comes in pages that stand while leads are captured; a cursor is good for its filters alone', async () => {
    const before = idsOf(await list());
    const source = randomUUID();
    const ids: string[] = [];
    const add = async () => ids.push((await capture({ source }, by)).id);
    for (let i = 0; i < 5; i++) await add();
    const seen: string[] = [];
    let query = `?source=${source}&limit=2`;
    for (let page = await list(query); ; page = await list(query)) {
      seen.push(...idsOf(page));
      expect(page.has_more).toBe(page.next_cursor !== null);
      if (page.next_cursor === null) break;
      query = `?source=${source}&limit=2&cursor=${page.next_cursor}`;
      expectRefusal(await by.get(`/api/v1/leads?limit=2&cursor=${page.next_cursor}`), 400, 'VALIDATION_ERROR', ['cursor']);
      if (seen.length === 2) await add();
    }
    expect(seen).toEqual(ids);
    expect(idsOf(await list('?limit=100'))).toEqual([...before, ...ids]);
  });
});

test('a bearer token reaches none of it but the receipts that credit its member', async () => {
  const member = await client.newMember();
  const lead = await capture({ referral_code: member.referral_code });
  const { accessToken } = await plantSession(app, { tenantId: tenant.tenantId, environment: 'LIVE' }, member.id);
  const headers = { authorization: `Bearer ${accessToken}` };
  const answers = [
    await client.get('/api/v1/leads', headers),
    await client.get(`/api/v1/leads/${lead.id}`, headers),
    await client.patch(`/api/v1/leads/${lead.id}`, { name: 'X' }, headers),
    await client.post(`/api/v1/leads/${lead.id}/convert`, {}, headers),
  ];
  for (const answer of answers) expectRefusal(answer, 403, 'FORBIDDEN');
  // What it was credited with is its own; of the lead there is no more than the id.
  const { body } = await client.get(`/api/v1/referrals/attributions/${lead.attribution_receipt_id}`, headers);
  expect(body).toMatchObject({ user_id: member.id, lead_id: lead.id });
  expect(JSON.stringify(body)).not.toContain(lead.email);
  expect(await read(lead.id)).toEqual(lead);
});

test('the erasure of a member ends its lead, which makes no other member', async () => {
  const member = await client.newMember();
  const lead = await capture({ name: 'Ann', utm_source: 'news' });
  await giveEmail(member.id, lead.email);
  expect((await client.post(`/api/v1/members/${member.id}/erasure`, {})).status).toBe(200);
  const erased = await read(lead.id);
  expect(erased).toMatchObject({ name: null, conversion_status: 'disqualified', utm_source: null });
  expect(erased.email).toMatch(/@erased\.invalid$/);
  expectRefusal(await convert(lead.id), 409, 'STATE_CONFLICT');
});
