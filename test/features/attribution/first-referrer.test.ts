/**
 * A customer stays with whom its first credited purchase was credited to
 * (docs/specification/attribution.md#first-referrer), also when many come at once.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { purchaseOf } from '../../support/money/money-calls.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { type AttributionWorld, attributionWorld, beforeSale, creditOf, SALE_AT } from './attribution-world.ts';

let app: TestApp;
let tenant: TestTenant;
let client: ApiClient;
let world: AttributionWorld;
let ann: MemberBody;
let bob: MemberBody;

beforeAll(async () => {
  app = await startTestApp();
  tenant = await app.newTenant();
  client = apiClient(app, tenant.liveKey);
  world = attributionWorld(app, { tenantId: tenant.tenantId, environment: 'LIVE' });
  [ann, bob] = [await client.newMember(), await client.newMember()];
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});

interface Stored {
  email: string | null;
  email_norm: string | null;
  first_referrer_id: string | null;
  first_referrer_at: Date | null;
}

async function stored(externalId: string): Promise<Stored | undefined> {
  const [row] = await app.database.asSuperuser<Stored & Record<string, unknown>>(
    'select email, email_norm, first_referrer_id, first_referrer_at from customer where tenant_id = $1 and external_id = $2',
    [tenant.tenantId, externalId],
  );
  return row;
}

async function ruleOf(fields: object): Promise<[rule: string, userId: string | null]> {
  const { rule, userId } = await creditOf(client, (await purchaseOf(client, fields)).event_id);
  return [rule, userId];
}

const of = (external_id: string, fields: object = {}) => ({ customer: { external_id, ...fields } });

test.each<[string, () => Promise<object>]>([
  ['a member', async () => ({ user_id: ann.id })],
  ['a code', async () => ({ referral_code: ann.referral_code })],
  ['a link', async () => ({ link_id: await world.link(ann.id) })],
  ['a lead', async () => ({ lead_id: await world.lead(ann.id) })],
  ['a click', async () => ({ click_id: await world.click(ann.id, { at: new Date().toISOString() }) })],
])('credited by %s, the customer is ann’s from then on', async (_label, attribution) => {
  const customer = of(randomUUID());
  await purchaseOf(client, { ...customer, attribution: await attribution() });
  const first = await stored(customer.customer.external_id);
  expect(first).toMatchObject({ first_referrer_id: ann.id, first_referrer_at: expect.any(Date) });
  expect(await ruleOf(customer)).toEqual(['first_referrer', ann.id]);
  // A code beats it, and does not take its place.
  expect(await ruleOf({ ...customer, attribution: { referral_code: bob.referral_code } })).toEqual(['referral_code', bob.id]);
  expect(await ruleOf({ ...customer, attribution: { click_id: await world.click(bob.id) } })).toEqual(['first_referrer', ann.id]);
  expect(await stored(customer.customer.external_id)).toEqual(first);
});

test('a receipt names the customer by the id that it has here, for the tenant’s own may be personal and a receipt is kept', async () => {
  const customer = of(`Mia.Muster+${randomUUID()}@shop.example`);
  const { event_id } = await purchaseOf(client, { ...customer, attribution: { user_id: ann.id } });
  const again = await purchaseOf(client, customer);
  const { body } = await client.get(`/api/v1/referrals/attributions?event_id=${again.event_id}`);
  const [row] = await app.database.asSuperuser('select customer_id from event where id = $1', [event_id]);
  expect(body.data[0].candidates).toMatchObject([{ source: 'first_referrer', reference: row?.customer_id, outcome: 'won' }]);
  expect(JSON.stringify(body)).not.toContain('Muster');
});

test('neither a purchase of nobody nor a personal one makes a first referrer; one after them does, though nothing else is new', async () => {
  const customer = of(randomUUID(), { email: 'Same@Shop.Example', name: 'Same' });
  const child = await client.newMember({ parent_id: bob.id });
  expect(await ruleOf(customer)).toEqual(['none', null]);
  expect(await ruleOf({ ...customer, buyer_user_id: child.id })).toEqual(['personal_purchase', bob.id]);
  const unreferred = {
    email: 'Same@Shop.Example',
    email_norm: 'same@shop.example',
    first_referrer_id: null,
    first_referrer_at: null,
  };
  expect(await stored(customer.customer.external_id)).toEqual(unreferred);
  expect(await ruleOf({ ...customer, attribution: { user_id: ann.id } })).toEqual(['explicit_user', ann.id]);
  expect(await stored(customer.customer.external_id)).toMatchObject({ first_referrer_id: ann.id });
});

test('first is what was recorded first, whenever it was sold', async () => {
  const customer = of(randomUUID());
  await purchaseOf(client, { ...customer, occurred_at: SALE_AT, attribution: { user_id: ann.id } });
  await purchaseOf(client, { ...customer, occurred_at: beforeSale(0, 300), attribution: { user_id: bob.id } });
  expect(await ruleOf({ ...customer, occurred_at: beforeSale(0, 400) })).toEqual(['first_referrer', ann.id]);
});

test('a customer of the same name in another tenant or environment is another one', async () => {
  const customer = of(randomUUID());
  await purchaseOf(client, { ...customer, attribution: { user_id: ann.id } });
  for (const key of [(await app.newTenant()).liveKey, tenant.sandboxKey]) {
    const by = apiClient(app, key);
    expect((await purchaseOf(by, customer)).commissions).toEqual([]);
  }
});

test('what is only validated makes no first referrer, and of a batch the first event does', async () => {
  const customer = of(randomUUID());
  const events = [ann, bob].map((member) => ({
    kind: 'purchase',
    ...client.purchaseBody({ ...customer, attribution: { user_id: member.id } }),
  }));
  await client.post('/api/v1/events/batch', { events, validate_only: true });
  expect(await stored(customer.customer.external_id)).toBeUndefined();
  const { body } = await client.post('/api/v1/events/batch', {
    events: [...events, { kind: 'purchase', ...client.purchaseBody(customer) }],
  });
  expect(body.results[2].body.attribution).toMatchObject({ rule: 'first_referrer', user_id: ann.id });
});

test.each([
  ['a customer nobody knows', false],
  ['a customer that has bought of nobody before', true],
])('twenty first purchases at once of %s: each as it says, one of them is the first', async (_label, known) => {
  const customer = of(randomUUID());
  if (known) await purchaseOf(client, customer);
  const sales = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      const member = n % 2 === 0 ? ann : bob;
      const attribution = n % 4 < 2 ? { referral_code: member.referral_code } : { link_id: await world.link(member.id) };
      return { member, sale: await purchaseOf(client, { ...customer, attribution }) };
    }),
  );
  for (const { member, sale } of sales) expect((await creditOf(client, sale.event_id)).userId).toBe(member.id);
  const row = await stored(customer.customer.external_id);
  const made = await app.database.asSuperuser(
    `select from customer c join attribution_receipt r
       on r.tenant_id = c.tenant_id and r.winner_id = c.first_referrer_id and r.created_at = c.first_referrer_at
     where c.tenant_id = $1 and c.external_id = $2 and r.event_id = any ($3)`,
    [tenant.tenantId, customer.customer.external_id, sales.map(({ sale }) => sale.event_id)],
  );
  expect(made).toHaveLength(1); // the receipt of the sale that made it
  expect(await ruleOf(customer)).toEqual(['first_referrer', row?.first_referrer_id]);
});
