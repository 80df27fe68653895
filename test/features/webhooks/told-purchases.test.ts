/**
 * A purchase is told from what is known ahead of its insert, and is the one that is read behind it:
 * docs/specification/webhooks.md#events.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { publishPlan } from '../../support/money/model-plan.ts';
import { openEar } from '../../support/webhooks/told-events.ts';

let app: TestApp;
let tenant: TestTenant;
let scope: Scope;
let client: ApiClient;
let ear: ReturnType<typeof openEar>;
let seller: MemberBody;

beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  tenant = await app.newTenant();
  scope = { tenantId: tenant.tenantId, environment: 'LIVE' };
  client = apiClient(app, tenant.liveKey);
  await client.patch('/api/v1/admin/settings', { webhooks: { eventLog: true } });
  ear = openEar(app, scope);
  seller = await client.newMember({ membership_tier: 'DIRECTOR' });
  await app.database.asSuperuser("update api_key set name = 'Shop' where tenant_id = $1", [tenant.tenantId]);
  await ear.heard();
});
afterAll(() => app.close());

const purchase = (fields: object = {}, headers: Record<string, string> = {}) =>
  client.post('/api/v1/events/purchase', client.purchaseBody({ attribution: { user_id: seller.id }, ...fields }), headers);

/** Of the sale that was recorded just now: it is told once, as it is read, with its lines. */
async function expectTold(eventId: string, lines: number): Promise<void> {
  const heard = await ear.heard();
  const types = lines > 0 ? ['event.purchase_recorded', 'commissions.created'] : ['event.purchase_recorded'];
  expect(heard.map(({ type, objectId }) => [type, objectId])).toEqual(types.map((type) => [type, eventId]));
  const [sale, paid] = heard;
  expect(sale?.data).toEqual((await client.get(`/api/v1/events/${eventId}`)).body);
  expect(sale?.data['commissions']).toHaveLength(lines);
  expect(sale?.data['created_by']).toMatchObject({ kind: 'api_key', name: 'Shop' });
  if (lines === 0) return;
  const { data: items } = (await client.get(`/api/v1/commissions?eventId=${eventId}&limit=100`)).body;
  const inOrder = (items as { id: string }[]).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  expect(paid?.data).toEqual({ eventId, commissions: inOrder });
}

const SALES: Record<string, { fields: () => object; lines: number }> = {
  plain: { fields: () => ({}), lines: 1 },
  'with all that it may say': {
    fields: () => ({
      type: 'subscription_initial',
      occurred_at: '2026-02-28T23:59:59.999+14:00',
      tax_minor: 100,
      shipping_minor: 200,
      discount_minor: 300,
      customer: { external_id: randomUUID(), email: 'Buyer@Some.Example', name: 'Zoë  Ünal' },
      line_items: [
        { sku: 'b', name: null, quantity: 2, amount_minor: 9_007_199_254 },
        { sku: 'a', amount_minor: 0 },
      ],
      metadata: { zz: 1.5, a: { deep: [null, 'ü', { b: 1e3 }] }, ['__proto__x']: 'kept', 'a b': '"quoted" \\ , {x}' },
    }),
    lines: 1,
  },
  'of nobody': { fields: () => ({ attribution: null }), lines: 0 },
  'of a member who buys': { fields: () => ({ attribution: null, buyer_user_id: seller.id }), lines: 0 },
  'held, for the customer has the email of who is paid': {
    fields: () => ({ customer: { external_id: randomUUID(), email: seller.email } }),
    lines: 1,
  },
};

for (const [name, { fields, lines }] of Object.entries(SALES)) {
  test(`a sale ${name}`, async () => {
    const answer = await purchase(fields());
    expect(answer.status, answer.text).toBe(201);
    await expectTold(answer.body.event_id, lines);
  });
}

test('a sale of a customer who is known already has what was known', async () => {
  const external_id = randomUUID();
  await purchase({ customer: { external_id, email: 'first@some.example', name: 'First' } });
  await ear.heard();
  for (const more of [{}, { name: 'Second' }, { email: 'other@some.example' }]) {
    const { body } = await purchase({ customer: { external_id, ...more } });
    await expectTold(body.event_id, 1);
  }
});

test.each([
  ['as many lines as there are ids ahead', 10],
  ['more lines than there are ids ahead', 11],
])('a sale with %s', async (_name, count) => {
  const levels = Array.from({ length: 12 }, (_, n) => ({ level: n + 1, rateBps: 100 }));
  await publishPlan(app, tenant, { levels, tierRules: { DIRECTOR: { maxDepth: 20 } } });
  for (let level = 1; level < count; level += 1)
    seller = await client.newMember({ parent_id: seller.id, membership_tier: 'DIRECTOR' });
  await ear.heard();
  const { body } = await purchase();
  await expectTold(body.event_id, count);
});

test('a sale with an Idempotency-Key, and its repeat', async () => {
  const body = client.purchaseBody({ attribution: { user_id: seller.id } });
  const first = await client.post('/api/v1/events/purchase', body, { 'idempotency-key': 'once' });
  await expectTold(first.body.event_id, 1);
  const again = await client.post('/api/v1/events/purchase', body, { 'idempotency-key': 'once' });
  expect(again.body).toEqual(first.body);
  expect(await ear.heard()).toEqual([]);
});

test('sales of a batch, but not the one that is refused', async () => {
  const [one, two] = [client.purchaseBody(), client.purchaseBody()];
  const events = [one, { ...one, amount_minor: 1 }, two].map((event) => ({ kind: 'purchase', ...event }));
  await client.post('/api/v1/events/batch', { events });
  const heard = await ear.heard();
  expect(heard.map(({ data }) => data['external_event_id'])).toEqual([one['external_event_id'], two['external_event_id']]);
});

test('of two at once with one external id one is recorded and told, and both get its answer', async () => {
  for (let round = 0; round < 10; round += 1) {
    const body = client.purchaseBody({ attribution: { user_id: seller.id } });
    const answers = await Promise.all(Array.from({ length: 4 }, () => client.post('/api/v1/events/purchase', body)));
    expect(new Set(answers.map(({ body: { event_id } }) => event_id)).size).toBe(1);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 201]);
    await expectTold(answers[0]?.body.event_id, 1);
  }
});

test('a sale that cannot be told is not recorded, and the next one is', async () => {
  await app.database.asSuperuser(`
    create function refuse_told() returns trigger language plpgsql as $$ begin raise exception 'told no more'; end $$;
    create trigger refuse_told before insert on outgoing_event for each row
      when (new.tenant_id = '${tenant.tenantId}') execute function refuse_told()`);
  const body = client.purchaseBody({ attribution: { user_id: seller.id } });
  const refused = (n: number) => client.post('/api/v1/events/purchase', { ...body, external_event_id: `untold-${n}` });
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => refused(n)));
  await app.database.asSuperuser('drop trigger refuse_told on outgoing_event; drop function refuse_told()');
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([500]));
  expect((await client.get('/api/v1/events')).body.data).toEqual([]);
  expect((await client.get('/api/v1/commissions')).body.data).toEqual([]);
  const { body: recorded } = await client.post('/api/v1/events/purchase', { ...body, external_event_id: 'untold-0' });
  await expectTold(recorded.event_id, 1);
});
