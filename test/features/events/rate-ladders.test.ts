/** Ladders on real sales: which step a sale is paid by, whatever comes before it and at once with it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlanDefinitionInput } from '../../../src/features/commissions/open/plan-definition.ts';
import { beginSales } from '../../../src/features/events/sales-sums/begin-sales.ts';
import { findDifferences } from '../../../tools/evaluate-explain.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import { plantSession } from '../../support/identity/sessions.ts';
import { publishPlan } from '../../support/money/model-plan.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { purchaseOf, refundOf } from '../../support/money/money-calls.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});

interface Shop {
  tenant: TestTenant;
  client: ApiClient;
  people: MemberBody[];
}

type Ladder = NonNullable<PlanDefinitionInput['ladders']>[number];

const MONTHLY: Ladder = {
  id: 'monthly',
  measure: 'base',
  period: 'month',
  steps: [
    { from: { USD: 0 }, rateBps: 1000 },
    { from: { USD: 500_000 }, rateBps: 1200 },
    { from: { USD: 1_000_000 }, rateBps: 1500 },
  ],
};

async function open(change: Partial<PlanDefinitionInput> = {}, timeZone = 'UTC'): Promise<Shop> {
  const tenant = await app.newTenant({ timeZone });
  const client = apiClient(app, tenant.liveKey);
  const levels = [
    { level: 1, ladder: 'monthly' },
    { level: 2, rateBps: 300 },
  ];
  await publishPlan(app, tenant, { levels, base: 'net_of_tax', ladders: [MONTHLY], ...change });
  return { tenant, client, people: await newUpline(client, 'D D D') };
}

// biome-ignore lint/suspicious/noExplicitAny: documents as they go over the wire.
type Told = { paid: number[]; first: any; id: string; why: any };

async function sell(shop: Shop, base: number, fields: object = {}): Promise<Told> {
  const tax = Math.round(base / 10);
  const { event_id: id } = await purchaseOf(shop.client, {
    external_event_id: randomUUID(),
    amount_minor: base + tax,
    tax_minor: tax,
    currency: 'USD',
    customer: { external_id: randomUUID() },
    attribution: { user_id: shop.people[0]?.id },
    ...fields,
  });
  const { body: why, status, text } = await shop.client.get(`/api/v1/events/${id}/explain`);
  expect(status, text).toBe(200);
  expect(findDifferences(why)).toEqual([]);
  expect(why.recomputed).toBe(true);
  const shares = why.outcomes.flatMap((outcome: { shares: { amount_minor: number; chosen: object }[] }) => outcome.shares);
  return { id, why, first: shares[0]?.chosen, paid: shares.map((share: { amount_minor: number }) => share.amount_minor) };
}

async function isReady(tenantId: string): Promise<boolean | undefined> {
  await app.runSweep('fold-sales', { tenantId, environment: 'LIVE' });
  const sql = "select ready from rollup_state where tenant_id = $1 and environment = 'LIVE' and rollup = 'sales'";
  const [state] = await app.database.asSuperuser<{ ready: boolean }>(sql, [tenantId]);
  return state?.ready;
}

const at = (day: string) => ({ occurred_at: `${day}T12:00:00Z` });

describe('a ladder that counts with the next sale', () => {
  test.each([
    ['from the events', false],
    ['from the sums', true],
  ] as const)('pays the step reached before the sale, %s', async (_how, isSummed) => {
    const shop = await open();
    const scope = { tenantId: shop.tenant.tenantId, environment: 'LIVE' as const };
    const settle = async (): Promise<void> => {
      if (!isSummed) return;
      await app.composition.frames.write(scope, (db) => beginSales(db, scope));
      // Transactions of other databases of the server are waited for, too.
      await expect.poll(() => isReady(shop.tenant.tenantId), { timeout: 60_000 }).toBe(true);
      await app.runSweep('fold-sales', scope);
    };
    const first = await sell(shop, 300_000, at('2026-03-02'));
    await settle();
    const second = await sell(shop, 250_000, at('2026-03-03'));
    const third = await sell(shop, 600_000, at('2026-03-04'));
    expect([first, second, third].map(({ paid }) => paid)).toEqual([
      [30_000, 9_000],
      [25_000, 7_500],
      [72_000, 18_000],
    ]);
    expect(third.first).toMatchObject({ source: 'ladder', id: 'monthly', ladder: { id: 'monthly', step: 1, sum: '550000' } });
    const line = third.why.commissions[0];
    const { body } = await shop.client.get(`/api/v1/commissions/${line.id}`);
    expect([body.paySource, body.rateBps]).toEqual(['ladder', 1200]);
  });

  test('begins anew with each month of the tenant, and of another currency, and counts its own period', async () => {
    const shop = await open({}, 'Pacific/Auckland');
    await sell(shop, 900_000, { occurred_at: '2026-03-31T10:59:59Z' });
    // 1 April 00:00 in Auckland.
    const april = await sell(shop, 10_000, { occurred_at: '2026-03-31T11:00:00Z' });
    expect(april.first.ladder).toEqual({ id: 'monthly', step: 0, sum: '0' });
    const yen = await sell(shop, 10_000, { currency: 'JPY', occurred_at: '2026-03-31T10:59:59.500Z' });
    expect(yen.first.ladder).toEqual({ id: 'monthly', step: 0, sum: '0' });
    const march = await sell(shop, 10_000, { occurred_at: '2026-03-31T10:59:59.500Z' });
    expect(march.first.ladder).toEqual({ id: 'monthly', step: 1, sum: '900000' });
  });

  test('a step begins with the unit that it names', async () => {
    const shop = await open();
    await sell(shop, 499_999, at('2026-03-01'));
    expect((await sell(shop, 1, at('2026-03-02'))).first.ladder.step).toBe(0);
    expect((await sell(shop, 1, at('2026-03-03'))).first.ladder).toEqual({ id: 'monthly', step: 1, sum: '500000' });
  });

  test('a refund lowers what counts for later sales, and nothing that was paid', async () => {
    const shop = await open();
    const first = await sell(shop, 600_000, at('2026-03-01'));
    const second = await sell(shop, 100_000, at('2026-03-02'));
    expect(second.paid).toEqual([12_000, 3_000]);
    await refundOf(shop.client, first.why, { amount_minor: 660_000, currency: 'USD' });
    expect((await sell(shop, 100_000, at('2026-03-03'))).first.ladder).toEqual({ id: 'monthly', step: 0, sum: '100000' });
    const { body } = await shop.client.get(`/api/v1/events/${second.id}/explain`);
    expect(body.outcomes[0].shares[0].net_minor).toBe(12_000);
  });

  test('own purchases and those of test members are out, unless own ones are asked for', async () => {
    const buyer = (shop: Shop) => ({ buyer_user_id: shop.people[0]?.id, attribution: undefined });
    const out = await open({ personalPurchase: 'self_rebate' });
    await sell(out, 600_000, { ...at('2026-03-01'), ...buyer(out) });
    expect((await sell(out, 1_000, at('2026-03-02'))).first.ladder.sum).toBe('0');
    const within = await open({ personalPurchase: 'self_rebate', ladders: [{ ...MONTHLY, ownPurchases: true }] });
    await sell(within, 600_000, { ...at('2026-03-01'), ...buyer(within) });
    expect((await sell(within, 1_000, at('2026-03-02'))).first.ladder.sum).toBe('600000');
  });

  test('sales can be counted, a quarter or a life long, and a rule may pay by a ladder', async () => {
    const steps = [
      { from: 0, rateBps: 100 },
      { from: 2, rateBps: 900 },
    ];
    const ladders: Ladder[] = [
      { id: 'quarter', measure: 'sales', period: 'quarter', steps },
      { id: 'life', measure: 'sales', period: 'lifetime', steps },
    ];
    const levels = [{ level: 1, ladder: 'quarter' }];
    const rules = [{ id: 'shop', levels: [1], when: { fact: 'sale.metadata.shop', in: ['berlin'] }, pay: { ladder: 'life' } }];
    const shop = await open({ levels, ladders, rules });
    const berlin = { metadata: { shop: 'berlin' } };
    const days = ['2025-12-30', '2026-01-02', '2026-01-03', '2026-01-04'];
    const paid: number[] = [];
    for (const day of days) paid.push(...(await sell(shop, 10_000, at(day))).paid);
    expect(paid).toEqual([100, 100, 100, 900]);
    const ofLife = await sell(shop, 10_000, { ...at('2026-01-03'), occurred_at: '2026-01-03T13:00:00Z', ...berlin });
    expect([ofLife.paid, ofLife.first.source, ofLife.first.id]).toEqual([[900], 'rule', 'shop']);
    expect(ofLife.first.ladder).toEqual({ id: 'life', step: 1, sum: '3' });
  });

  test('each member goes by its own sales', async () => {
    const levels = [
      { level: 1, ladder: 'monthly' },
      { level: 2, ladder: 'monthly' },
    ];
    const shop = await open({ levels });
    await sell(shop, 600_000, { ...at('2026-03-01'), attribution: { user_id: shop.people[1]?.id } });
    const sale = await sell(shop, 100_000, at('2026-03-02'));
    expect(sale.paid).toEqual([10_000, 12_000]);
  });

  test('rules may ask what a member has sold in the month', async () => {
    const rules = [
      { id: 'many', levels: [1], when: { fact: 'member.salesCount', gte: 2 }, pay: { rateBps: 2_000 } },
      { id: 'much', levels: [1], when: { fact: 'member.salesMinor', gte: { USD: 110_000 } }, pay: { rateBps: 1_500 } },
    ];
    const shop = await open({ levels: [{ level: 1, rateBps: 1_000 }], ladders: [], rules });
    const paid: number[] = [];
    for (const day of ['2026-03-01', '2026-03-02', '2026-03-03', '2026-04-01'])
      paid.push(...(await sell(shop, 100_000, at(day))).paid);
    expect(paid).toEqual([10_000, 15_000, 20_000, 10_000]);
  });

  test('sales of many at once are each paid by what they saw, and explained by it', async () => {
    const shop = await open();
    const sales = await Promise.all(Array.from({ length: 8 }, () => sell(shop, 200_000, at('2026-03-05'))));
    // One instant: none of them is before another.
    expect(sales.map(({ first }) => first.ladder.sum)).toEqual(Array.from({ length: 8 }, () => '0'));
    const later = await sell(shop, 1_000, at('2026-03-06'));
    expect(later.first.ladder).toEqual({ id: 'monthly', step: 2, sum: '1600000' });
  });
});

test('a member reads where it stands on a ladder, and what is missing to the next step', async () => {
  const shop = await open();
  await sell(shop, 550_000, at('2026-03-01'));
  const path = `/api/v1/members/${shop.people[0]?.id}/rates?at=2026-03-20T00:00:00Z`;
  const { body } = await shop.client.get(path);
  expect(body.levels[0]).toMatchObject({
    level: 1,
    source: 'ladder',
    id: 'monthly',
    pay: { rateBps: 1200 },
    ladder: { sum: 550_000, step: 1, next: { from: 1_000_000, rateBps: 1500, missing: 450_000 } },
  });
  const scope = { tenantId: shop.tenant.tenantId, environment: 'LIVE' as const };
  const { accessToken } = await plantSession(app, scope, shop.people[0]?.id ?? '');
  const own = await shop.client.get(path, { authorization: `Bearer ${accessToken}` });
  expect(own.status, own.text).toBe(200);
  expect(own.body.levels[0].ladder).toEqual(body.levels[0].ladder);
});

test('a plan with a ladder that is published has sales summed up from then on', async () => {
  const tenant = await app.newTenant();
  const client = apiClient(app, tenant.liveKey);
  const { body: listed } = await client.get('/api/v1/commission-plans');
  const { body: plan } = await client.get(`/api/v1/commission-plans/${listed.data[0].id}`);
  const { definition } = plan.versions[0];
  const states = () =>
    app.database.asSuperuser(
      "select rollup from rollup_state where tenant_id = $1 and environment = 'LIVE' and rollup = 'sales'",
      [tenant.tenantId],
    );
  const publish = async (change: object): Promise<void> => {
    const draft = await client.patch(`/api/v1/commission-plans/${listed.data[0].id}`, {
      definition: { ...definition, ...change },
    });
    expect(draft.status, draft.text).toBe(200);
    const published = await client.post(`/api/v1/commission-plans/${listed.data[0].id}/publish`, {});
    expect(published.status, published.text).toBe(201);
  };
  await publish({ levels: [{ level: 1, rateBps: 900 }] });
  expect(await states()).toEqual([]);
  await publish({ levels: [{ level: 1, ladder: 'monthly' }], ladders: [MONTHLY] });
  expect(await states()).toHaveLength(1);
});
