/** The discount's code and the customer's country as rules ask for them, and what an erasure leaves of a sale and of what was agreed. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlanDefinitionInput } from '../../../src/features/commissions/open/plan-definition.ts';
import { expectRefusal } from '../../support/app/model-refusal.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { importCsv } from '../imports/csv-imports.ts';
import {
  agree,
  explained,
  OVERRIDES,
  openRateShop,
  partsOf,
  person,
  type RateShop,
  SALE_AT,
  told,
  type Wire,
} from './support/rate-shop.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});

const SPRING = { fact: 'sale.discountCode', in: ['SPRING', 'SUMMER'] };
const NEAR = { fact: 'customer.country', in: ['CH', 'AT'] };
const RULES: NonNullable<PlanDefinitionInput['rules']> = [
  { id: 'spring', levels: [1], when: SPRING, pay: { rateBps: 300 } },
  {
    id: 'near',
    levels: [1],
    when: { all: [NEAR, { not: { fact: 'sale.discountCode', exists: true } }] },
    pay: { rateBps: 1500 },
  },
];
const RATES: [discount_code: string | null | undefined, country: string | null | undefined, rateBps: number][] = [
  ['SPRING', 'DE', 300],
  ['SUMMER', 'CH', 300],
  ['spring', 'DE', 1000],
  ['AUTUMN', 'CH', 1000],
  [undefined, 'CH', 1500],
  [null, 'at', 1500],
  [undefined, 'DE', 1000],
  [undefined, undefined, 1000],
  [null, null, 1000],
];

const saleOf = (shop: RateShop, discount_code: unknown, country: unknown) => ({
  ...shop.client.purchaseBody(),
  occurred_at: SALE_AT,
  attribution: { user_id: person(shop).id },
  customer: { external_id: randomUUID(), country },
  discount_code,
});

describe('rules that ask for the code of the discount and the country of the customer', () => {
  test('hold of a purchase, which keeps verdicts and says nothing of the values', async () => {
    const shop = await openRateShop(app, { rules: RULES });
    for (const [discountCode, country, rateBps] of RATES) {
      const { paid } = await told(shop, saleOf(shop, discountCode, country));
      expect([discountCode, country, paid]).toEqual([discountCode, country, [rateBps, 500]]);
    }
    const { why } = await told(shop, saleOf(shop, 'WINTER-77', 'LI'));
    expect(why.inputs.verdicts).toEqual([
      { test: SPRING, holds: false },
      { test: NEAR, holds: false },
      { test: { fact: 'sale.discountCode', exists: true }, holds: true },
    ]);
    expect(why.inputs.facts).toEqual([]);
    expect(JSON.stringify(why)).not.toMatch(/WINTER-77|"LI"/);
    const [row] = await app.database.asSuperuser<{ text: string }>(
      'select evaluation::text as text from event where tenant_id = $1 and id = $2',
      [shop.tenant.tenantId, why.event_id],
    );
    expect(row?.text).not.toMatch(/WINTER-77|"LI"/);
  });

  test('hold of the purchases of a batch', async () => {
    const shop = await openRateShop(app, { rules: RULES });
    const events = RATES.map(([discountCode, country]) => ({ kind: 'purchase', ...saleOf(shop, discountCode, country) }));
    const answer = await shop.client.post('/api/v1/events/batch', { events });
    expect(answer.status, answer.text).toBe(207);
    const paid: number[] = [];
    for (const { body } of answer.body.results) paid.push((await explained(shop.client, body.event_id)).paid[0] ?? 0);
    expect(paid).toEqual(RATES.map(([, , rateBps]) => rateBps));
  });

  test('hold of the rows of a file', async () => {
    const shop = await openRateShop(app, { rules: RULES });
    const rows = RATES.map(([discountCode, country], index) =>
      [
        'row-'.concat(String(index)),
        10_000,
        'USD',
        `c-${index}`,
        SALE_AT,
        person(shop).id,
        discountCode ?? '',
        country ?? '',
      ].join(','),
    );
    const head =
      'external_event_id,amount_minor,currency,customer_external_id,occurred_at,attribution_user_id,discount_code,customer_country';
    const run = await importCsv(app, shop.tenant.liveKey, [head, ...rows].join('\n'), { kind: 'purchases' });
    expect(run, JSON.stringify(run.errors)).toMatchObject({ status: 'completed', appliedCount: RATES.length });
    const { data } = (await shop.client.get('/api/v1/events?limit=100')).body;
    for (const [index, [, , rateBps]] of RATES.entries()) {
      const event = data.find((one: Wire) => one.external_event_id === `row-${index}`);
      expect([index, (await explained(shop.client, event.event_id)).paid[0]]).toEqual([index, rateBps]);
    }
  });

  test('hold in a quote', async () => {
    const shop = await openRateShop(app, { rules: RULES });
    for (const [discountCode, customerCountry, rateBps] of RATES) {
      const asked = {
        amountMinor: 10_000,
        currency: 'USD',
        attribution: { userId: person(shop).id },
        discountCode,
        customerCountry,
      };
      const { body, text } = await shop.client.post('/api/v1/commission-plans/quote', asked);
      expect(body.commissions?.[0]?.amountMinor, text).toBe(rateBps);
    }
  });

  test('are refused what is no country, and an empty code', async () => {
    const shop = await openRateShop(app, { rules: RULES });
    const send = (fields: object) => shop.client.post('/api/v1/events/purchase', shop.client.purchaseBody(fields));
    for (const country of ['CHE', 'XX', 'X', '']) {
      expectRefusal(await send({ customer: { external_id: 'c', country } }), 400, 'VALIDATION_ERROR', ['customer.country']);
    }
    for (const discount_code of ['', 'x'.repeat(65)]) {
      expectRefusal(await send({ discount_code }), 400, 'VALIDATION_ERROR', ['discount_code']);
    }
  });
});

test('a repeat with another code or country is another event under the same id', async () => {
  const shop = await openRateShop(app, { rules: RULES });
  const sale = saleOf(shop, 'SPRING', 'CH');
  const send = (fields: object) => shop.client.post('/api/v1/events/purchase', { ...sale, ...fields });
  const first = await send({});
  const again = await send({});
  expect([first.status, again.status, again.body.event_id]).toEqual([201, 200, first.body.event_id]);
  for (const [fields, field] of [
    [{ discount_code: 'SUMMER' }, 'discount_code'],
    [{ discount_code: undefined }, 'discount_code'],
    [{ customer: { ...sale.customer, country: 'AT' } }, 'customer.country'],
  ] as const) {
    const answer = await send(fields);
    expectRefusal(answer, 409, 'EVENT_ID_REUSED');
    expect(JSON.stringify(answer.body.details)).toContain(field);
    expect(answer.text).not.toMatch(/SPRING|SUMMER/);
  }
});

describe('an erasure', () => {
  const basket = {
    line_items: [
      { sku: 'RING-77', category: 'rings-77', quantity: 1, amount_minor: 6000 },
      { sku: 'SOCK-77', category: 'socks-77', quantity: 2, amount_minor: 5000 },
    ],
  };
  const secrets = /RING-77|SOCK-77|socks-77|WINTER-77|"LI"/;

  test('of the buyer leaves a sale that comes to the same, without products, code and country', async () => {
    const shop = await openRateShop(app, {
      rules: [{ id: 'rings', levels: [2], when: { fact: 'item.category', in: ['rings-77'] }, pay: { rateBps: 2000 } }, ...RULES],
    });
    const override = await agree(shop, { items: { categories: ['socks-77'] }, pay: { rateBps: 2500 } });
    const buyer = await shop.client.newMember({ parent_id: person(shop).id });
    const customers = [
      { buyer_user_id: buyer.id, attribution: undefined, customer: { external_id: randomUUID(), country: 'LI' } },
      { customer: { external_id: randomUUID(), country: 'LI', email: buyer.email } },
    ];
    const sales = [];
    for (const fields of customers) sales.push(await told(shop, { ...basket, ...fields, discount_code: 'WINTER-77' }));
    for (const { paid, why } of sales) {
      // 10 % of 5455 and 25 % of 4545; 20 % of 5455 and 5 % of 4545.
      expect(paid).toEqual([1682, 1318]);
      expect(partsOf({ why }).map(([source]) => source)).toEqual(['level', 'member']);
    }
    const erasure = await shop.client.post(`/api/v1/members/${buyer.id}/erasure`, {});
    expect(erasure.status, erasure.text).toBe(200);
    for (const { sale, paid, why: before } of sales) {
      const after = await explained(shop.client, sale.event_id);
      expect(after.paid).toEqual(paid);
      expect(after.why.outcomes.map(({ shares }: Wire) => shares[0].rate_parts)).toEqual(
        before.outcomes.map(({ shares }: Wire) => shares[0].rate_parts),
      );
      expect(after.why.inputs.line_items).toBeNull();
      expect(after.why.inputs.parts).toEqual([
        { sku: null, category: null, base_minor: 5455, quantity: 1 },
        { sku: null, category: null, base_minor: 4545, quantity: 2 },
      ]);
      expect(after.why.inputs.verdicts).toEqual(before.inputs.verdicts);
      expect(JSON.stringify(after.why)).not.toMatch(secrets);
      const [row] = await app.database.asSuperuser<{ text: string }>(
        `select concat(to_jsonb(e), to_jsonb(d)) as text from event e left join event_detail d on d.event_id = e.id
         where e.tenant_id = $1 and e.id = $2`,
        [shop.tenant.tenantId, sale.event_id],
      );
      expect(row?.text).not.toMatch(secrets);
      const refund = { external_event_id: randomUUID(), purchase_external_event_id: sale.external_event_id };
      expect((await shop.client.post('/api/v1/events/refund', refund)).status).toBe(201);
    }
    expect((await shop.client.get(`${OVERRIDES}/${override.id}`)).body.items).toEqual({ categories: ['socks-77'] });
  });

  test('of the member leaves the figures of what was agreed, and takes why', async () => {
    const shop = await openRateShop(app);
    const [first, other] = [
      await agree(shop, { pay: { rateBps: 2000 }, reason: 'Kim is our friend' }),
      await agree(shop, { targetId: person(shop, 1).id, pay: { rateBps: 2000 }, reason: 'Lee is, too' }),
    ];
    await shop.client.post(`${OVERRIDES}/${first.id}/end`, { at: '2026-06-02T00:00:00Z', reason: 'Kim has gone' });
    const sold = await told(shop);
    const erasure = { acknowledgeOwed: true };
    expect((await shop.client.post(`/api/v1/members/${person(shop).id}/erasure`, erasure)).status).toBe(200);
    const { body } = await shop.client.get(`${OVERRIDES}/${first.id}`);
    expect(body).toMatchObject({ pay: { rateBps: 2000 }, validTo: '2026-06-02T00:00:00.000Z', reason: null });
    expect((await shop.client.get(`${OVERRIDES}/${other.id}`)).body.reason).toBe('Lee is, too');
    const rows = await app.database.asSuperuser<{ reason: string | null }>(
      "select reason from rate_override where tenant_id = $1 and reason like '%Kim%'",
      [shop.tenant.tenantId],
    );
    expect(rows).toEqual([]);
    const after = await explained(shop.client, sold.sale.event_id);
    expect([after.paid, after.chosen]).toEqual([sold.paid, sold.chosen]);
  });

  test('of the member takes why from what was told of it', async () => {
    const shop = await openRateShop(app);
    await app.database.asSuperuser(
      "insert into webhook_hearing (tenant_id, environment, patterns) values ($1, 'LIVE', '{rate_override.*}')",
      [shop.tenant.tenantId],
    );
    await agree(shop, { pay: { rateBps: 2000 }, reason: 'Kim is our friend' });
    const kept = async () =>
      app.database.asSuperuser("select id from outgoing_event where tenant_id = $1 and data::text like '%Kim%'", [
        shop.tenant.tenantId,
      ]);
    expect(await kept()).toHaveLength(1);
    expect((await shop.client.post(`/api/v1/members/${person(shop).id}/erasure`, {})).status).toBe(200);
    expect(await kept()).toEqual([]);
  });
});
