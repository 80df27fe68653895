/** Referral links: where they may lead, and what becomes of them (docs/specification/attribution.md#links). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { locateLinkTag } from '../../../src/db/cross-tenant-lookups.ts';
import { claimTag } from '../../../src/features/referrals/link-tags-queries.ts';
import { insertLink } from '../../../src/features/referrals/links-queries.ts';
import { drawTag, SLUG_PATTERN, tagOf } from '../../../src/features/referrals/slugs.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantSession } from '../../support/identity/sessions.ts';

const PATH = '/api/v1/referrals/links';
const SHOP = 'https://shop.example/';

interface LinkBody {
  id: string;
  slug: string;
  url: string;
  user_id: string;
  destination_url: string;
  name: string | null;
  status: string;
  expires_at: string | null;
}

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let sandbox: ApiClient;
let stranger: ApiClient;
let member: MemberBody;

async function allow(by: ApiClient, hosts: string[]): Promise<void> {
  const { status } = await by.patch('/api/v1/admin/settings', { referrals: { allowedDestinationHosts: hosts } });
  expect(status).toBe(200);
}

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  sandbox = apiClient(app, tenant.sandboxKey);
  stranger = apiClient(app, (await app.newTenant()).liveKey);
  for (const by of [client, sandbox, stranger]) await allow(by, ['shop.example', '*.partner.example', 'xn--bcher-kva.example']);
  member = await client.newMember();
});
afterAll(() => app.close());

const post = (fields: object, by = client) => by.post(PATH, { user_id: member.id, destination_url: SHOP, ...fields });
const remove = async (id: string, key = tenant.liveKey, headers = {}) =>
  app.http.delete(`${PATH}/${id}`).set('x-tenant-api-key', key).set(headers);

async function newLink(fields: object = {}, by = client): Promise<LinkBody> {
  const answer = await post(fields, by);
  expect([answer.status, answer.body.code]).toEqual([201, undefined]);
  return answer.body as LinkBody;
}

const bearer = async ({ id }: MemberBody) => ({
  authorization: `Bearer ${(await plantSession(app, { tenantId: tenant.tenantId, environment: 'LIVE' }, id)).accessToken}`,
});

describe('a new link', () => {
  test('is 201 with where it is and how it is followed', async () => {
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const answer = await post({ name: 'Spring flyer', expires_at: expiresAt });
    expect(answer.status).toBe(201);
    expect(answer.headers['location']).toBe(`${PATH}/${answer.body.id}`);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      slug: expect.stringMatching(SLUG_PATTERN),
      url: `${app.composition.ownAddress.url()}/r/${answer.body.slug}`,
      user_id: member.id,
      destination_url: SHOP,
      name: 'Spring flyer',
      status: 'active',
      expires_at: expiresAt,
      created_at: expect.stringMatching(/Z$/),
      updated_at: answer.body.created_at,
    });
    const { body } = await client.get(answer.headers['location'] ?? '');
    expect(body).toEqual({ ...answer.body, click_count: 0, last_clicked_at: null });
  });

  test('has a slug of its own, and all of one environment the same tag', async () => {
    const links = await Promise.all(Array.from({ length: 20 }, () => newLink()));
    expect(new Set(links.map(({ slug }) => slug)).size).toBe(20);
    expect(new Set(links.map(({ slug }) => tagOf(slug))).size).toBe(1);
    const beside = await newLink({ user_id: (await sandbox.newMember()).id }, sandbox);
    const foreign = await newLink({ user_id: (await stranger.newMember()).id }, stranger);
    const tags = [links[0], beside, foreign].map((link) => tagOf(link?.slug ?? ''));
    expect(new Set(tags).size).toBe(3);
    const found = await Promise.all(tags.map((tag) => app.composition.frames.unscoped(locateLinkTag({ tag }))));
    expect(found.slice(0, 2)).toEqual([
      [{ tenant_id: tenant.tenantId, environment: 'LIVE' }],
      [{ tenant_id: tenant.tenantId, environment: 'SANDBOX' }],
    ]);
  });

  test('of many at once in an environment without any: all get one tag', async () => {
    const by = apiClient(app, (await app.newTenant()).liveKey);
    await allow(by, ['shop.example']);
    const members = await Promise.all(Array.from({ length: 12 }, () => by.newMember()));
    const links = await Promise.all(members.map(({ id }) => newLink({ user_id: id }, by)));
    expect(new Set(links.map(({ slug }) => tagOf(slug))).size).toBe(1);
  });

  test.each([
    ['no user_id', { user_id: undefined }, 'user_id'],
    ['no destination', { destination_url: undefined }, 'destination_url'],
    ['an empty name', { name: '' }, 'name'],
    ['a name too long', { name: 'x'.repeat(256) }, 'name'],
    ['a slug as they are drawn', { slug: 'abcd23456789' }, 'slug'],
    ['an end that is past', { expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    ['an end without a zone', { expires_at: '2099-01-01T00:00:00' }, 'expires_at'],
  ])('with %s is refused', async (_what, fields, field) => {
    expectRefusal(await post(fields), 400, 'VALIDATION_ERROR', [field]);
  });

  test('of nobody, of another tenant’s member and of the other environment’s is one and the same 400', async () => {
    const members = [{ id: crypto.randomUUID() }, await stranger.newMember(), await sandbox.newMember()];
    const answers = await Promise.all(members.map(({ id }) => post({ user_id: id })));
    for (const answer of answers) expectRefusal(answer, 400, 'VALIDATION_ERROR', ['user_id']);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  test('is not for a member that was erased', async () => {
    const erased = await client.newMember();
    await client.post(`/api/v1/members/${erased.id}/erasure`, { reason: 'Asked for' });
    expectRefusal(await post({ user_id: erased.id }), 409, 'STATE_CONFLICT');
  });

  test('sent twice with an Idempotency-Key is one', async () => {
    const body = { user_id: member.id, destination_url: SHOP };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const [first, second] = [await client.post(PATH, body, headers), await client.post(PATH, body, headers)];
    expect([first.status, second.status, second.headers['idempotent-replayed']]).toEqual([201, 201, 'true']);
    expect(second.body).toEqual(first.body);
  });

  test('needs a host in the settings, and a refused one takes no tag', async () => {
    const other = await app.newTenant();
    const by = apiClient(app, other.liveKey);
    const { id } = await by.newMember();
    expectRefusal(await post({ user_id: id }, by), 400, 'VALIDATION_ERROR', ['destination_url']);
    const tags = await app.database.asSuperuser('select tag from link_tag where tenant_id = $1', [other.tenantId]);
    expect(tags).toEqual([]);
  });
});

describe('what was drawn before', () => {
  test('is drawn again: another tenant’s tag, and a slug of one’s own', async () => {
    const { slug, user_id: memberId } = await newLink();
    const other = await app.newTenant();
    const scope = { tenantId: other.tenantId, environment: 'LIVE' } as const;
    const { frames } = app.composition;
    expect(await frames.write(scope, (db) => claimTag(db, scope, tagOf(slug)))).toBeUndefined();
    const own = await frames.write(scope, (db) => claimTag(db, scope, drawTag()));
    expect(own).toMatch(/^\w{4}$/);
    expect(await frames.write(scope, (db) => claimTag(db, scope, drawTag()))).toBe(own);
    const first = { tenantId: tenant.tenantId, environment: 'LIVE' } as const;
    const again = { slug, memberId, destinationUrl: SHOP, name: null, expiresAt: null };
    expect(await frames.write(first, (db) => insertLink(db, first, again))).toBeUndefined();
  });
});

describe('where a link may lead', () => {
  test.each([
    ['https://shop.example', 'https://shop.example/'],
    ['HTTPS://SHOP.Example/A?b=C#d', 'https://shop.example/A?b=C#d'],
    ['https://shop.example:443/a', 'https://shop.example/a'],
    ['https://@shop.example/a', 'https://shop.example/a'],
    ['  https://shop.example/a\t', 'https://shop.example/a'],
    ['https:\\\\shop.example\\a', 'https://shop.example/a'],
    ['https://shop.example\\@evil.example/', 'https://shop.example/@evil.example/'],
    ['https://shop.example/../a b/ü?q="<>', 'https://shop.example/a%20b/%C3%BC?q=%22%3C%3E'],
    ['https://shop.example/?next=https://evil.example/', 'https://shop.example/?next=https://evil.example/'],
    ['https://a.partner.example/', 'https://a.partner.example/'],
    ['https://a.b.partner.example/', 'https://a.b.partner.example/'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://ｓｈｏｐ.example/', 'https://shop.example/'],
    ['https://shop。example/', 'https://shop.example/'],
    ['https://sh%6fp.example/', 'https://shop.example/'],
    ['https:/shop.example/', 'https://shop.example/'],
  ])('%j is kept as %s', async (address, kept) => {
    expect((await newLink({ destination_url: address })).destination_url).toBe(kept);
  });

  test.each([
    '/a',
    'shop.example',
    '//shop.example/',
    'http://shop.example/',
    'javascript:alert(1)//https://shop.example/',
    'data:text/html,https://shop.example/',
    'ftp://shop.example/',
    'https://',
    'https://evil.example/',
    'https://evilshop.example/',
    'https://shop.example.evil.example/',
    'https://shop.example@evil.example/',
    'https://shop.example:pw@evil.example/',
    'https://user@shop.example/',
    'https://:pw@shop.example/',
    'https://evil.example/?https://shop.example/',
    'https://evil.example/#@shop.example/',
    'https://evil.example\\@shop.example/',
    'https://evil.example\\.shop.example/',
    'https://shop.example:8443/',
    'https://shop.example./',
    'https://www.shop.example/',
    'https://partner.example/',
    'https://evilpartner.example/',
    'https://a.partner.example.evil.example/',
    'https://a.partner.example./',
    'https://shop.examp1e/',
    'https://ѕhop.example/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://a_b.partner.example/',
    'https://a!b.partner.example/',
    'https://.partner.example/',
    'https://a..partner.example/',
    'https://2130706433/',
    `https://shop.example/${'ü'.repeat(400)}`,
    `https://shop.example/${'x'.repeat(2048)}`,
    'x',
    '',
    ' ',
  ])('%j is refused', async (address) => {
    expectRefusal(await post({ destination_url: address }), 400, 'VALIDATION_ERROR', ['destination_url']);
  });

  test('as long as can be is kept', async () => {
    const address = `${SHOP}${'x'.repeat(2048 - SHOP.length)}`;
    expect((await newLink({ destination_url: address })).destination_url).toBe(address);
  });

  test('the settings of one environment say nothing of the other', async () => {
    const other = await app.newTenant();
    const [live, beside] = [apiClient(app, other.liveKey), apiClient(app, other.sandboxKey)];
    await allow(beside, ['shop.example']);
    expectRefusal(await post({ user_id: (await live.newMember()).id }, live), 400, 'VALIDATION_ERROR', ['destination_url']);
    await newLink({ user_id: (await beside.newMember()).id }, beside);
  });

  test('a host that is taken away is refused from then on', async () => {
    const by = apiClient(app, (await app.newTenant()).liveKey);
    await allow(by, ['shop.example', 'old.example']);
    const { id } = await newLink({ user_id: (await by.newMember()).id, destination_url: 'https://old.example/' }, by);
    await allow(by, ['shop.example']);
    const to = (address: string) => by.patch(`${PATH}/${id}`, { destination_url: address });
    expectRefusal(await to('https://old.example/again'), 400, 'VALIDATION_ERROR', ['destination_url']);
    expect((await by.patch(`${PATH}/${id}`, { name: 'Old' })).body.destination_url).toBe('https://old.example/');
    expect((await to(SHOP)).body.destination_url).toBe(SHOP);
  });
});

describe('the end of a link', () => {
  test.each(['9999-12-31T23:59:59.999999999Z', '9999-12-31T23:59:59-14:00'])(
    'at the end of time, %s, can be written',
    async (end) => {
      const link = await newLink({ expires_at: end });
      expect(link.expires_at).toBe('9999-12-31T23:59:59.999Z');
      const { body } = await client.patch(`${PATH}/${link.id}`, { expires_at: end });
      expect(body.expires_at).toBe('9999-12-31T23:59:59.999Z');
    },
  );

  test('is in the future of the SANDBOX’s clock', async () => {
    const by = apiClient(app, (await app.newTenant()).sandboxKey);
    await allow(by, ['shop.example']);
    const owner = await by.newMember();
    await by.post('/api/v1/sandbox/clock', { frozenAt: '2090-06-01T00:00:00Z' });
    const until = (at: string) => post({ user_id: owner.id, expires_at: at }, by);
    for (const at of ['2090-05-31T23:59:59Z', '2090-06-01T00:00:00Z', '2090-06-01T01:00:00+01:00']) {
      expectRefusal(await until(at), 400, 'VALIDATION_ERROR', ['expires_at']);
    }
    const { body } = await until('2090-06-01T00:00:01Z');
    expect([body.expires_at, body.created_at]).toEqual(['2090-06-01T00:00:01.000Z', '2090-06-01T00:00:00.000Z']);
    expectRefusal(await by.patch(`${PATH}/${body.id}`, { expires_at: '2090-01-01T00:00:00Z' }), 400, 'VALIDATION_ERROR', [
      'expires_at',
    ]);
    expect((await by.patch(`${PATH}/${body.id}`, { expires_at: null })).body.expires_at).toBeNull();
  });
});

describe('a change', () => {
  test('sets what is given and keeps the rest', async () => {
    const link = await newLink({ name: 'One', expires_at: '2099-01-01T00:00:00Z' });
    const patch = async (body: object) => (await client.patch(`${PATH}/${link.id}`, body)).body as LinkBody;
    expect(await patch({ status: 'disabled' })).toMatchObject({ status: 'disabled', name: 'One', expires_at: link.expires_at });
    expect(await patch({ name: null })).toMatchObject({ status: 'disabled', name: null, destination_url: SHOP });
    expect(await patch({ destination_url: `${SHOP}b`, name: 'Two' })).toMatchObject({ destination_url: `${SHOP}b`, name: 'Two' });
    expect(await patch({ status: 'active', expires_at: null })).toMatchObject({
      status: 'active',
      name: 'Two',
      expires_at: null,
    });
    expect((await client.get(`${PATH}/${link.id}`)).body).toMatchObject({ slug: link.slug, url: link.url, name: 'Two' });
  });

  test.each([
    ['nothing', {}],
    ['another status', { status: 'deleted' }],
    ['the owner', { user_id: crypto.randomUUID() }],
    ['the slug', { slug: 'abcd12345678' }],
    ['no destination', { destination_url: null }],
    ['no status', { status: null }],
    ['a destination elsewhere', { destination_url: 'https://evil.example/' }],
  ])('of %s is refused', async (_what, body) => {
    const { id } = await newLink();
    expectRefusal(await client.patch(`${PATH}/${id}`, body), 400, 'VALIDATION_ERROR');
  });
});

describe('a deleted link', () => {
  test('is gone for whoever asks, and its slug is kept', async () => {
    const link = await newLink();
    const answer = await remove(link.id);
    expect([answer.status, answer.body]).toEqual([200, { id: link.id, deleted: true }]);
    const absent = await client.get(`${PATH}/${crypto.randomUUID()}`);
    for (const gone of [
      await client.get(`${PATH}/${link.id}`),
      await client.get(`${PATH}/${link.id}/qr`),
      await client.patch(`${PATH}/${link.id}`, { status: 'active' }),
      await remove(link.id),
    ]) {
      expectRefusal(gone, 404, 'NOT_FOUND');
      expect(gone.text).toBe(absent.text);
    }
    for (const filter of ['', '&status=active', '&status=disabled']) {
      const { body } = await client.get(`${PATH}?limit=100&user_id=${member.id}${filter}`);
      expect(body.data.map(({ id }: LinkBody) => id)).not.toContain(link.id);
    }
    const rows = await app.database.asSuperuser('select status from referral_link where slug = $1', [link.slug]);
    expect(rows).toEqual([{ status: 'deleted' }]);
  });

  test('twice at once is deleted once', async () => {
    const { id } = await newLink();
    const statuses = (await Promise.all([remove(id), remove(id)])).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 404]);
  });
});

describe('the clicks of a link', () => {
  test('are counted without those that were fetched ahead, and the last one told', async () => {
    const [link, other] = [await newLink(), await newLink()];
    const click = (linkId: string, kind: string, at: string) =>
      app.database.asSuperuser(
        `insert into referral_click (tenant_id, environment, link_id, member_id, kind, clicked_at) values ($1, 'LIVE', $2, $3, $4, $5)`,
        [tenant.tenantId, linkId, member.id, kind, at],
      );
    await click(link.id, 'redirect', '2026-01-02T00:00:00Z');
    await click(link.id, 'server', '2026-01-03T00:00:00Z');
    await click(link.id, 'prefetch', '2026-01-04T00:00:00Z');
    await click(other.id, 'redirect', '2026-01-05T00:00:00Z');
    const { body } = await client.get(`${PATH}/${link.id}`);
    expect([body.click_count, body.last_clicked_at]).toEqual([2, '2026-01-03T00:00:00.000Z']);
    const listed = (await client.get(`${PATH}?sort=-created_at&with=clicks`)).body.data.find(
      ({ id }: { id: string }) => id === body.id,
    );
    expect(listed).toEqual(body);
    const plain = (await client.get(`${PATH}?sort=-created_at`)).body.data.find(({ id }: { id: string }) => id === body.id);
    expect(plain).not.toHaveProperty('click_count');
  });
});

describe('the QR code of a link', () => {
  test('is an SVG image that a browser shows and runs nothing of', async () => {
    const link = await newLink();
    const answer = await client.get(`${PATH}/${link.id}/qr`);
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': expect.stringMatching(/^image\/svg\+xml/),
      'content-disposition': `inline; filename="${link.slug}.svg"`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-environment': 'LIVE',
    });
    const svg = (answer.body as Buffer).toString();
    expect(svg).toMatch(/^<svg [^>]+>(<path [^>]+\/>){2}<\/svg>$/);
    expect(Number(answer.headers['content-length'])).toBe(svg.length);
  });

  test('takes no parameter', async () => {
    const { id } = await newLink();
    expectRefusal(await client.get(`${PATH}/${id}/qr?size=1000000`), 400, 'VALIDATION_ERROR', ['size']);
  });
});

describe('links of others', () => {
  test('nobody’s, another tenant’s and the other environment’s are one and the same 404', async () => {
    const foreign = await newLink({ user_id: (await stranger.newMember()).id }, stranger);
    const beside = await newLink({ user_id: (await sandbox.newMember()).id }, sandbox);
    const ids = [crypto.randomUUID(), foreign.id, beside.id];
    for (const call of [
      (id: string) => client.get(`${PATH}/${id}`),
      (id: string) => client.get(`${PATH}/${id}/qr`),
      (id: string) => client.patch(`${PATH}/${id}`, { status: 'disabled' }),
      (id: string) => remove(id),
    ]) {
      const answers = await Promise.all(ids.map(call));
      for (const answer of answers) expectRefusal(answer, 404, 'NOT_FOUND');
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    }
    expect((await stranger.get(`${PATH}/${foreign.id}`)).body.status).toBe('active');
  });

  test('the list has pages, filters, and nothing of anybody else', async () => {
    const by = apiClient(app, (await app.newTenant()).liveKey);
    await allow(by, ['shop.example']);
    const [owner, other] = [await by.newMember(), await by.newMember()];
    const made: LinkBody[] = [];
    for (let i = 0; i < 4; i++) made.push(await newLink({ user_id: owner.id, name: `${i}` }, by));
    await newLink({ user_id: other.id }, by);
    await by.patch(`${PATH}/${made[1]?.id}`, { status: 'disabled' });
    const filter = `user_id=${owner.id}&status=active&limit=2`;
    const first = (await by.get(`${PATH}?${filter}`)).body;
    const second = (await by.get(`${PATH}?${filter}&cursor=${first.next_cursor}`)).body;
    expect([first.has_more, second.has_more, second.next_cursor]).toEqual([true, false, null]);
    expect([...first.data, ...second.data].map(({ name }: LinkBody) => name)).toEqual(['0', '2', '3']);
    expect(first.data[0]).toEqual(made[0]);
    const newest = (await by.get(`${PATH}?${filter}&sort=-created_at`)).body;
    const older = (await by.get(`${PATH}?${filter}&sort=-created_at&cursor=${newest.next_cursor}`)).body;
    expect([...newest.data, ...older.data].map(({ name }: LinkBody) => name)).toEqual(['3', '2', '0']);
    expectRefusal(await by.get(`${PATH}?${filter}&cursor=${newest.next_cursor}`), 400, 'VALIDATION_ERROR', ['cursor']);
    expect((await by.get(PATH)).body.data).toHaveLength(5);
    expect((await client.get(`${PATH}?user_id=${owner.id}`)).body.data).toEqual([]);
    expectRefusal(await by.get(`${PATH}?status=deleted`), 400, 'VALIDATION_ERROR', ['status']);
  });
});

describe('with a member’s bearer token', () => {
  test('it makes, sees, changes and deletes its own', async () => {
    const owner = await client.newMember();
    const headers = await bearer(owner);
    const made = await client.post(PATH, { user_id: owner.id, destination_url: SHOP }, headers);
    expect(made.status).toBe(201);
    const listed = (await client.get(PATH, headers)).body.data as LinkBody[];
    expect(listed.map(({ id }) => id)).toEqual([made.body.id]);
    expect((await client.get(`${PATH}/${made.body.id}/qr`, headers)).status).toBe(200);
    expect((await client.patch(`${PATH}/${made.body.id}`, { name: 'Mine' }, headers)).body.name).toBe('Mine');
    expect((await remove(made.body.id, tenant.liveKey, headers)).status).toBe(200);
    expect((await client.get(PATH, headers)).body.data).toEqual([]);
  });

  test('another’s are not there, also those of its downline', async () => {
    const owner = await client.newMember();
    const child = await client.newMember({ parent_id: owner.id });
    const headers = await bearer(owner);
    const { id } = await newLink({ user_id: child.id });
    expectRefusal(await client.post(PATH, { user_id: child.id, destination_url: SHOP }, headers), 403, 'FORBIDDEN');
    expectRefusal(await client.get(`${PATH}?user_id=${child.id}`, headers), 403, 'FORBIDDEN');
    for (const answer of [
      await client.get(`${PATH}/${id}`, headers),
      await client.get(`${PATH}/${id}/qr`, headers),
      await client.patch(`${PATH}/${id}`, { status: 'disabled' }, headers),
      await remove(id, tenant.liveKey, headers),
    ]) {
      expectRefusal(answer, 404, 'NOT_FOUND');
    }
    expect((await client.get(`${PATH}/${id}`)).body.status).toBe('active');
  });
});

test('a reset of the SANDBOX takes its links and keeps its tag', async () => {
  const own = await app.newTenant();
  const by = apiClient(app, own.sandboxKey);
  const link = async () => {
    await allow(by, ['shop.example']);
    return newLink({ user_id: (await by.newMember()).id }, by);
  };
  const before = await link();
  await app.database.asSuperuser(
    `insert into referral_click (tenant_id, environment, link_id, member_id, kind, clicked_at) values ($1, 'SANDBOX', $2, $3, 'server', now())`,
    [own.tenantId, before.id, before.user_id],
  );
  expect((await by.post('/api/v1/sandbox/reset', {})).status).toBe(200);
  expect((await by.get(PATH)).body.data).toEqual([]);
  expectRefusal(await by.get(`${PATH}/${before.id}`), 404, 'NOT_FOUND');
  const after = await link();
  expect([tagOf(after.slug) === tagOf(before.slug), after.slug === before.slug]).toEqual([true, false]);
});
