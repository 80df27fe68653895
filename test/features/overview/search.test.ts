/** GET /admin/search: what names a record finds it, for those alone who may list it (docs/specification/overview.md#search). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let maria: MemberBody;
let bob: MemberBody;
let inactive: MemberBody;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  maria = await client.newMember({ name: 'María del Carmen Ortíz', email: 'maria.o@shop.example', external_id: 'CRM-1' });
  bob = await client.newMember({ name: 'Bob Ortega', email: 'bob@shop.example', parent_id: maria.id });
  inactive = await client.newMember({ name: null, email: 'ortega.bob@shop.example', is_active: false });
});
afterAll(() => app.close());

interface Hit {
  kind: string;
  id: string;
  title: string;
  subtitle: string | null;
  state: string;
  userId: string | null;
  eventId: string | null;
  exact: boolean;
}

async function search(q: string, by = client): Promise<Hit[]> {
  const answer = await by.get(`/api/v1/admin/search?q=${encodeURIComponent(q)}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}
const idsFor = async (q: string, by = client) => (await search(q, by)).map(({ id }) => id);

describe('a member', () => {
  test.each<[string, () => MemberBody[]]>([
    ['maría', () => [maria]],
    ['MARÍA DEL', () => [maria]],
    ['ort', () => [bob, maria, inactive]],
    ['ortega', () => [bob, inactive]],
    ['del car', () => [maria]],
    ['ortega bo', () => [bob]],
    ['bob o', () => [bob]],
    ['maria.', () => [maria]],
    ['nobody', () => []],
    ['%', () => []],
    ['del', () => [maria]],
  ])('is found by %s', async (q, expected) => {
    expect((await idsFor(q)).toSorted()).toEqual(
      expected()
        .map(({ id }) => id)
        .toSorted(),
    );
  });

  test('that is named whole comes first, and says so', async () => {
    const hits = await search('bob@shop.example');
    expect(hits).toEqual([
      {
        kind: 'member',
        id: bob.id,
        title: 'Bob Ortega',
        subtitle: 'bob@shop.example',
        state: 'active',
        userId: bob.id,
        eventId: null,
        exact: true,
      },
    ]);
    expect(await search('CRM-1')).toMatchObject([{ id: maria.id, exact: true }]);
    expect(await search(` ${inactive.id.toUpperCase()} `)).toMatchObject([
      { id: inactive.id, title: 'ortega.bob@shop.example', state: 'inactive', exact: true },
    ]);
    expect(await search('ortega bo')).toMatchObject([{ id: bob.id, exact: false }]);
  });

  test('that was erased is found by its id alone', async () => {
    const gone = await client.newMember({ name: 'Zacharias Gone' });
    expect((await client.post(`/api/v1/members/${gone.id}/erasure`, { reason: 'asked' })).status).toBe(200);
    expect(await search('zacharias')).toEqual([]);
    expect(await search(gone.id)).toMatchObject([{ id: gone.id, state: 'erased' }]);
  });

  test('beyond the twentieth is left out, and those whose name begins so come before others', async () => {
    const crowd = `q${randomUUID().slice(0, 6)}`;
    const later = await client.newMember({ name: `Aa ${crowd}` });
    for (let i = 0; i < 20; i++) await client.newMember({ name: `${crowd} ${String(i).padStart(2, '0')}` });
    const hits = await search(crowd);
    expect(hits.map(({ title }) => title)).toEqual(
      Array.from({ length: 20 }, (_, i) => `${crowd} ${String(i).padStart(2, '0')}`),
    );
    expect(await idsFor(`aa ${crowd}`)).toEqual([later.id]);
  });
});

describe('by its own name or id', () => {
  test('a sale, its refund and a commission of it', async () => {
    const order = `order ${randomUUID()}`;
    const sold = await client.post(
      '/api/v1/events/purchase',
      client.purchaseBody({ external_event_id: order, attribution: { user_id: bob.id } }),
    );
    expect(sold.status, sold.text).toBe(201);
    const eventId = sold.body.event_id;
    expect(await search(order)).toMatchObject([
      { kind: 'event', id: eventId, title: order, subtitle: 'purchase', userId: bob.id },
    ]);
    expect(await idsFor(eventId)).toEqual([eventId]);
    const [line] = (await client.get(`/api/v1/events/${eventId}`)).body.commissions;
    expect(await search(line.id)).toMatchObject([
      { kind: 'commission', id: line.id, title: order, eventId, userId: line.user_id },
    ]);
  });

  test('a lead, a code, a link by slug and by address, a key', async () => {
    const email = `${randomUUID()}@lead.example`;
    const lead = await client.post('/api/v1/leads/capture', { email, name: 'Lea' });
    expect(lead.status, lead.text).toBe(201);
    expect(await search(email.toUpperCase())).toMatchObject([{ kind: 'lead', title: 'Lea', subtitle: email, exact: true }]);
    const code = `VIP${randomUUID().slice(0, 6).toUpperCase()}`;
    const made = await client.post('/api/v1/referrals/codes', { user_id: bob.id, code });
    expect(made.status, made.text).toBe(201);
    expect(await search(code.toLowerCase())).toMatchObject([{ kind: 'referral_code', title: code, userId: bob.id }]);
    await client.patch('/api/v1/admin/settings', { referrals: { allowedDestinationHosts: ['shop.example'] } });
    const link = await client.post('/api/v1/referrals/links', { user_id: bob.id, destination_url: 'https://shop.example/' });
    expect(link.status, link.text).toBe(201);
    const { id, slug } = link.body;
    for (const q of [slug, id, `https://go.example/r/${slug}?x=1`]) {
      expect(await search(q), q).toMatchObject([{ kind: 'referral_link', id, title: slug, userId: bob.id }]);
    }
    const key = await client.post('/api/v1/admin/api-keys', { name: 'Till of the shop', scopes: ['events:write'] });
    expect(key.status, key.text).toBe(201);
    for (const q of ['till of', key.body.id, key.body.lastFour]) {
      expect(await search(q), q).toContainEqual(expect.objectContaining({ kind: 'api_key', id: key.body.id, state: 'active' }));
    }
  });
});

describe('is for those who may list it', () => {
  test('a key finds the kinds of its scopes alone, and says which', async () => {
    const order = `order ${randomUUID()}`;
    await client.post('/api/v1/events/purchase', client.purchaseBody({ external_event_id: order }));
    const keyWith = async (scopes: string[]) => {
      const made = await client.post('/api/v1/admin/api-keys', { scopes });
      return apiClient(app, made.body.apiKey);
    };
    const kindsOf = async (by: ApiClient) => (await by.get('/api/v1/admin/search?q=x')).body.kinds;
    const sales = await keyWith(['events:read']);
    expect(await kindsOf(sales)).toEqual(['event']);
    expect(await idsFor(order, sales)).toHaveLength(1);
    expect(await idsFor(bob.id, sales)).toEqual([]);
    const people = await keyWith(['members:read']);
    expect(await kindsOf(people)).toEqual(['member']);
    expect(await idsFor(order, people)).toEqual([]);
    expect(await idsFor(bob.id, people)).toEqual([bob.id]);
    const none = await keyWith(['plans:read']);
    expect((await none.get('/api/v1/admin/search?q=bob')).body).toEqual({ data: [], kinds: [] });
    expect(await kindsOf(client)).toHaveLength(9);
  });

  test('another tenant and the other environment find nothing', async () => {
    for (const key of [tenant.sandboxKey, (await app.newTenant()).liveKey]) {
      for (const q of ['bob', bob.id, 'CRM-1', 'bob@shop.example']) expect(await idsFor(q, apiClient(app, key)), q).toEqual([]);
    }
  });

  test('nothing is 400', async () => {
    for (const q of ['', '%20', 'a'.repeat(256)])
      expectRefusal(await client.get(`/api/v1/admin/search?q=${q}`), 400, 'VALIDATION_ERROR', ['q']);
  });
});
