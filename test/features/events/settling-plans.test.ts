/** Plans whose ladders are settled over whole periods: two of them, ceilings, currencies, zones and whose sales count. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlanDefinitionInput } from '../../../src/features/commissions/open/plan-definition.ts';
import { apiClient } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { accept } from '../../support/money/debts.ts';
import { publishPlan } from '../../support/money/model-plan.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { purchaseOf, refundOf, type Sale } from '../../support/money/money-calls.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { type Ladder, MONTHLY, noonOf, SettlingShop } from './settling-shop.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});

const QUARTER: Ladder = {
  ...MONTHLY,
  id: 'q'.repeat(40),
  period: 'quarter',
  steps: [
    { from: { USD: 0 }, rateBps: 777 },
    { from: { USD: 1_000_000 }, rateBps: 1313 },
    { from: { USD: 2_000_000 }, rateBps: 1999 },
  ],
};

/** What each level of the sale comes to, with top-ups, whatever was taken back: in the currency paid, and of the purchase. */
async function paidOf({ event_id }: Sale): Promise<{ level: number; paid: number; source: number }[]> {
  return app.database.asSuperuser(
    `select level, sum(amount_minor)::int as paid, sum(coalesce(source_amount_minor, amount_minor))::int as source
     from commission_line where (event_id = $1 or about_event_id = $1) and reverses_line_id is null group by level order by level`,
    [event_id],
  );
}
const amountsOf = async (sale: Sale) => (await paidOf(sale)).map(({ paid }) => paid);

const by = (shop: SettlingShop, n: number) => ({ attribution: { user_id: shop.people[n]?.id } });
const half = (exact: bigint): number => Number((2n * exact + 10_000n) / 20_000n);

describe('two ladders', () => {
  test('of two levels: each member by its own sales, over its own period', async () => {
    const levels = [
      { level: 1, ladder: 'monthly' },
      { level: 2, ladder: QUARTER.id },
    ];
    const shop = await SettlingShop.open(app, { levels, ladders: [MONTHLY, QUARTER] });
    const first = await shop.sell(123_457, noonOf('2026-01-05'));
    const second = await shop.sell(500_001, noonOf('2026-03-05'));
    // The second member reaches its last step in the quarter, by what it has sold itself.
    const own = await shop.sell(2_100_003, { ...noonOf('2026-02-05'), ...by(shop, 1) });
    await shop.settle();
    expect(await amountsOf(first)).toEqual([half(123_457n * 1000n), half(123_457n * 1999n)]);
    expect(await amountsOf(second)).toEqual([half(500_001n * 1200n), half(500_001n * 1999n)]);
    expect(await amountsOf(own)).toEqual([half(2_100_003n * 1500n), half(2_100_003n * 777n)]);
  });

  test('of parts of a sale: rounded once, with both last steps, also when one is settled again', async () => {
    const rules: PlanDefinitionInput['rules'] = [
      { id: 'shoes', levels: [1], when: { fact: 'item.sku', in: ['S'] }, pay: { ladder: QUARTER.id } },
    ];
    const shop = await SettlingShop.open(app, { rules, ladders: [MONTHLY, QUARTER], base: 'gross' });
    const mixed = (shoes: number, socks: number, day: string) =>
      shop.sell(0, {
        amount_minor: shoes + socks,
        tax_minor: 0,
        ...noonOf(day),
        line_items: [
          { sku: 'S', quantity: 1, amount_minor: shoes },
          { sku: 'T', quantity: 1, amount_minor: socks },
        ],
      });
    const parts = [
      [300_001, 77_777, '2026-01-02'],
      [5, 5, '2026-01-03'],
      [449_999, 13, '2026-01-31'],
      [1, 250_003, '2026-02-01'],
    ] as const;
    const sales: Sale[] = [];
    for (const [shoes, socks, day] of parts) sales.push(await mixed(shoes, socks, day));
    const expected = (rates: readonly number[][]) =>
      parts.map(([shoes, socks], n) =>
        half(BigInt(shoes) * BigInt(rates[n]?.[0] ?? 0) + BigInt(socks) * BigInt(rates[n]?.[1] ?? 0)),
      );
    const paid = async () => (await Promise.all(sales.map(amountsOf))).map(([first]) => first);
    await shop.settle();
    // 827800 in January, 1077804 in the quarter.
    const once = [1313, 1313, 1313, 1313].map((quarter, n) => [quarter, n < 3 ? 1200 : 1000]);
    expect(await paid()).toEqual(expected(once));
    // Raises both, January to 1 027 799.
    await mixed(100_000, 99_999, '2026-01-20');
    await shop.settle();
    expect(await paid()).toEqual(expected(once.map(([quarter = 0], n) => [quarter, n < 3 ? 1500 : 1000])));
    // The quarter alone, by a sale of March.
    await mixed(900_000, 0, '2026-03-20');
    await shop.settle();
    expect(await paid()).toEqual(expected(once.map((_, n) => [1999, n < 3 ? 1500 : 1000])));
  });

  test('of two versions of the plan: each settles the sales that it paid, by all of the month', async () => {
    const shop = await SettlingShop.open(app);
    const later = MONTHLY.steps.map(({ from }, n) => ({ from, rateBps: [2000, 2100, 2200][n] ?? 0 }));
    const change: Partial<PlanDefinitionInput> = { base: 'net_of_tax', levels: [{ level: 1, ladder: 'monthly' }] };
    await publishPlan(app, shop.tenant, { ...change, ladders: [{ ...MONTHLY, steps: later }] }, '2026-03-15T00:00:00Z');
    const before = await shop.sell(600_000, noonOf('2026-03-02'));
    const after = await shop.sell(500_000, noonOf('2026-03-20'));
    await shop.settle();
    expect([await amountsOf(before), await amountsOf(after)]).toEqual([[90_000, 18_000], [110_000]]);
  });
});

describe('a ceiling of the sale', () => {
  test('leaves the top-up what others were not paid, and them what they were', async () => {
    const shop = await SettlingShop.open(app, { caps: { perEventPayoutBps: 1600 } });
    const first = await shop.sell(300_000, noonOf('2026-03-02'));
    const second = await shop.sell(900_000, noonOf('2026-03-03'));
    await shop.settle();
    expect(await Promise.all([first, second].map(amountsOf))).toEqual([
      [39_000, 9_000],
      [117_000, 27_000],
    ]);
    expect(await shop.settle()).toBe(0);
  });

  test('is kept whoever is topped up first, in however many runs, and after refunds', async () => {
    const levels = [1, 2, 3].map((level) => ({ level, ladder: 'monthly' }));
    const shop = await SettlingShop.open(app, { levels, caps: { perEventPayoutBps: 3500 } });
    const sales: { sale: Sale; base: number }[] = [];
    const bases = [3, 17, 99_991, 299_993, 500_009, 123_457, 600_011, 7];
    for (const round of [0, 1, 2]) {
      for (const [n, base] of bases.entries()) {
        const sale = await shop.sell(base, { ...noonOf(`2026-03-0${n + 1}`), ...by(shop, (n + round) % 2) });
        sales.push({ sale, base });
      }
      const back = sales[round * 8 + 4];
      if (back && round < 2) await accept(refundOf(shop.client, back.sale, {}));
      await shop.settle();
      for (const { sale, base } of sales) {
        const paid = (await amountsOf(sale)).reduce((sum, one) => sum + one, 0);
        expect(paid).toBeLessThanOrEqual(Math.floor((base * 3500) / 10_000));
      }
    }
    // By now both are on the last step: of three levels all is used up, of two there is room for it.
    const three = sales.filter(({ sale }) => sale.commissions.length === 3).at(-1);
    expect(three && (await amountsOf(three.sale)).reduce((sum, one) => sum + one, 0)).toBe(
      Math.floor(((three?.base ?? 0) * 3500) / 10_000),
    );
    const two = sales.filter(({ sale }) => sale.commissions.length === 2).at(-1);
    expect(two && (await amountsOf(two.sale))[0]).toBe(half(BigInt(two?.base ?? 0) * 1500n));
  });
});

test('a member that is paid two levels of one sale is topped up for both, within the ceiling', async () => {
  const levels = [1, 2].map((level) => ({ level, ladder: 'monthly' }));
  for (const perEventPayoutBps of [null, 2500]) {
    const shop = await SettlingShop.open(app, { levels, compression: 'roll_up', caps: { perEventPayoutBps } });
    const [lower] = await newUpline(shop.client, 'd', shop.people[0]);
    const sale = await shop.sell(300_001, { ...noonOf('2026-03-02'), attribution: { user_id: lower?.id } });
    expect(
      sale.commissions.map(({ user_id, level, amount_minor }) => [user_id === shop.people[0]?.id, level, amount_minor]),
    ).toEqual([
      [true, 2, 30_000],
      [true, 2, 30_000],
    ]);
    await shop.sell(1_200_000, noonOf('2026-03-03'));
    await shop.settle();
    expect(await amountsOf(sale)).toEqual([perEventPayoutBps === null ? 90_000 : 75_000]);
    await accept(refundOf(shop.client, sale, { amount_minor: 99_999 }));
    await accept(refundOf(shop.client, sale, {}));
    expect(
      await app.database.asSuperuser(
        'select from member m where m.tenant_id = $1 and (select sum(p.amount_minor) from posting p where p.member_id = m.id) < 0',
        [shop.tenant.tenantId],
      ),
    ).toEqual([]);
  }
});

describe('currencies', () => {
  test('the top-up is converted by the rate of the sale, and sales in other currencies do not count', async () => {
    const shop = await SettlingShop.open(app, { fx: { payCurrency: 'member' } });
    const rate = { sourceCurrency: 'USD', targetCurrency: 'EUR', source: 'Bank' };
    const rates = [
      { ...rate, numerator: 8731, denominator: 10_000, effectiveAt: '2020-01-01T00:00:00Z' },
      { ...rate, numerator: 3, denominator: 1, effectiveAt: '2026-03-10T00:00:00Z' },
      { ...rate, sourceCurrency: 'JPY', numerator: 61, denominator: 100, effectiveAt: '2020-01-01T00:00:00Z' },
      {
        ...rate,
        sourceCurrency: 'JPY',
        targetCurrency: 'USD',
        numerator: 2,
        denominator: 3,
        effectiveAt: '2020-01-01T00:00:00Z',
      },
    ];
    for (const one of rates) await accept(shop.client.post('/api/v1/admin/exchange-rates', one));
    const seller = await shop.client.newMember({
      pay_currency: 'EUR',
      membership_tier: 'DIRECTOR',
      parent_id: shop.people[0]?.id,
    });
    const own = { attribution: { user_id: seller.id } };
    const first = await shop.sell(300_013, { ...noonOf('2026-03-02'), ...own });
    const late = await shop.sell(100_007, { ...noonOf('2026-03-12'), ...own });
    const yen = await shop.sell(9_000_000, { ...noonOf('2026-03-13'), ...own, currency: 'JPY' });
    await shop.settle();
    expect(await shop.topUps([first, late, yen])).toEqual([[], [], []]);
    await shop.sell(700_000, { ...noonOf('2026-03-14'), ...own });
    await shop.settle();
    // 1100020 by now: 45002 and 15001 before conversion.
    expect((await paidOf(first))[0]).toEqual({ level: 1, paid: Math.round(45_002 * 0.8731), source: 45_002 });
    expect((await paidOf(late))[0]).toEqual({ level: 1, paid: 45_003, source: 15_001 });
    expect(await shop.topUps([yen])).toEqual([[]]);
    const [event] = await shop.periods();
    const { body: why } = await shop.client.get(`/api/v1/events/${event?.event_id}/explain`);
    expect(why.period).toMatchObject({ currency: 'USD', sum: '1100020', step: 2, rate_bps: 1500 });
    expect(why.period.top_ups[0]).toMatchObject({
      currency: 'EUR',
      paid: { step: 0, amount_minor: Math.round(30_001 * 0.8731) },
      settled: { step: 2, amount_minor: Math.round(45_002 * 0.8731) },
    });
    await accept(refundOf(shop.client, first, { amount_minor: 12_345 }));
    await accept(refundOf(shop.client, first, {}));
    expect(await shop.left(first)).toEqual({ line: 0, topUp: 0 });
  });
});

describe('whose sales count', () => {
  test('those of test members for nobody, own ones where the ladder says so', async () => {
    for (const ownPurchases of [false, true]) {
      const ladders = [{ ...MONTHLY, ownPurchases }];
      const shop = await SettlingShop.open(app, { personalPurchase: 'self_rebate', ladders });
      const tester = await shop.client.newMember({ is_test_user: true });
      const first = await shop.sell(300_000, noonOf('2026-03-02'));
      await shop.sell(900_000, { ...noonOf('2026-03-03'), buyer_user_id: tester.id });
      await shop.settle();
      expect(await shop.topUps([first])).toEqual([[]]);
      const own = await shop.sell(900_000, {
        ...noonOf('2026-03-04'),
        attribution: undefined,
        buyer_user_id: shop.people[0]?.id,
      });
      await shop.settle();
      expect(await shop.topUps([first, own])).toEqual(ownPurchases ? [[15_000], [45_000]] : [[], []]);
    }
  });

  test('at level 2 the member’s own, and of other tenants none is settled', async () => {
    const levels = [1, 2].map((level) => ({ level, ladder: 'monthly' }));
    const [shop, other] = [await SettlingShop.open(app, { levels }), await SettlingShop.open(app, { levels })];
    const sales = [await shop.sell(1_200_000, noonOf('2026-03-02')), await other.sell(1_200_000, noonOf('2026-03-02'))];
    const own = await shop.sell(500_000, { ...noonOf('2026-03-03'), ...by(shop, 1) });
    expect(await shop.settle()).toBe(3);
    expect(await Promise.all([...sales, own].map(amountsOf))).toEqual([
      [180_000, 144_000],
      [120_000, 120_000],
      [60_000, 50_000],
    ]);
    await app.runSweep('settle-ladders');
    expect(await Promise.all(sales.map(amountsOf))).toEqual([
      [180_000, 144_000],
      [180_000, 120_000],
    ]);
    const sandbox = { tenantId: shop.tenant.tenantId, environment: 'SANDBOX' } as const;
    expect(await app.runSweep('settle-ladders', sandbox)).toBe(0);
  });
});

describe('the local period', () => {
  test('is that of the tenant, to the second', async () => {
    const shop = await SettlingShop.open(app, {}, 'Pacific/Auckland');
    const march = await shop.sell(600_000, { occurred_at: '2026-03-31T10:59:59Z' });
    const april = await shop.sell(600_000, { occurred_at: '2026-03-31T11:00:00Z' });
    const other = await shop.sell(600_000, { occurred_at: '2026-03-31T10:59:59Z', ...by(shop, 1) });
    expect(await shop.settle()).toBe(3);
    expect(await shop.topUps([march, april, other])).toEqual([[12_000], [12_000], [12_000]]);
    const late = await shop.sell(400_000, { occurred_at: '2026-03-31T11:00:00Z' });
    expect(await shop.settle()).toBe(1);
    expect(await shop.topUps([march, april, other, late])).toEqual([[12_000], [12_000, 18_000], [12_000], [20_000]]);
  });

  test('that is not over is left alone', async () => {
    const shop = await SettlingShop.open(app);
    const now = new Date(Date.now() - 1_000).toISOString();
    const sales = [await shop.sell(600_000, { occurred_at: now }), await shop.sell(600_000, { occurred_at: now })];
    expect(await shop.settle()).toBe(0);
    expect(await shop.topUps(sales)).toEqual([[], []]);
  });

  test('of a SANDBOX goes by its clock, and waits so many days as the ladder says', async () => {
    const tenant = await app.newTenant({ timeZone: 'Pacific/Auckland' });
    const client = apiClient(app, tenant.sandboxKey);
    const setClock = async (frozenAt: string) =>
      expect((await client.post('/api/v1/sandbox/clock', { frozenAt })).status).toBe(200);
    await setClock('2027-01-05T10:00:00+13:00');
    const { body: list } = await client.get('/api/v1/commission-plans');
    const path = `/api/v1/commission-plans/${list.data[0].id}`;
    const { definition } = (await client.get(path)).body.versions[0];
    const change = {
      levels: [{ level: 1, ladder: 'monthly' }],
      ladders: [{ ...MONTHLY, settleAfterDays: 3 }],
      base: 'net_of_tax',
    };
    const drafted = await client.patch(path, { definition: { ...definition, ...change } });
    expect(drafted.status, drafted.text).toBe(200);
    await accept(client.post(`${path}/publish`, {}));
    const [member] = await newUpline(client, 'D');
    const sell = () => purchaseOf(client, { amount_minor: 600_000, attribution: { user_id: member?.id } });
    await setClock('2027-01-31T23:59:59+13:00');
    const sales = [await sell(), await sell()];
    await setClock('2027-02-01T00:00:00+13:00');
    const february = await sell();
    const scope = { tenantId: tenant.tenantId, environment: 'SANDBOX' } as const;
    await setClock('2027-02-03T23:59:59+13:00');
    expect(await app.runSweep('settle-ladders', scope)).toBe(0);
    expect(await Promise.all(sales.map(amountsOf))).toEqual([[60_000], [60_000]]);
    // Setting the clock runs what is due then. A fold behind it may have the period settled once more, which adds nothing.
    await setClock('2027-02-04T00:00:00+13:00');
    await app.runSweep('fold-sales', scope);
    await app.runSweep('settle-ladders', scope);
    expect(await Promise.all([...sales, february].map(amountsOf))).toEqual([[90_000], [90_000], [60_000]]);
    await setClock('2027-03-03T23:59:59+13:00');
    expect(await amountsOf(february)).toEqual([60_000]);
    await setClock('2027-03-04T00:00:00+13:00');
    expect(await amountsOf(february)).toEqual([72_000]);
  });
});
