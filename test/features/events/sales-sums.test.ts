/** The sums of sales: what is noted down, folded and read (docs/decisions/0033-sales-sums.md). */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readQualification } from '../../../src/features/events/purchases/plan-limits-queries.ts';
import { foldSales } from '../../../src/features/events/sales-sums/fold-sales.ts';
import type { MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { disputeOf, refundOf, type Sale } from '../../support/money/money-calls.ts';
import { NOTHING, newDispute, only, PERIODS, SalesShop } from './sales-shop.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterEach(() => expectCleanBooks(app));
afterAll(() => app.close());

async function shopWithMember(options?: Parameters<typeof SalesShop.open>[1]): Promise<{ shop: SalesShop; member: MemberBody }> {
  const shop = await SalesShop.open(app, options);
  return { shop, member: await shop.client.newMember() };
}

const creditedMonth = async (shop: SalesShop, member: MemberBody, asOf: string) =>
  (await shop.read([member], ['month'], asOf))[0]?.month;

describe('the sums that a ladder goes by', () => {
  const at = (day: number, hour = 12) => `2026-03-${String(day).padStart(2, '0')}T${hour}:00:00Z`;

  test.each(['from the sums', 'from the events'])('%s', async (from) => {
    const { shop, member } = await shopWithMember();
    if (from === 'from the sums') await shop.beginAndSum();
    await shop.sell(member, 330_000, 30_000, { occurred_at: at(2) });
    await shop.sell(member, 275_000, 25_000, { occurred_at: at(9) });
    const third = await shop.sell(member, 660_000, 60_000, { occurred_at: at(9, 14) });
    for (const fold of [false, true]) {
      if (fold) await shop.fold();
      expect(await creditedMonth(shop, member, at(2))).toEqual(only('credited', 0, 0, 0));
      expect(await creditedMonth(shop, member, at(9))).toEqual(only('credited', 300_000, 330_000, 1));
      expect(await creditedMonth(shop, member, at(9, 14))).toEqual(only('credited', 550_000, 605_000, 2));
      expect(await creditedMonth(shop, member, at(31, 23))).toEqual(only('credited', 1_150_000, 1_265_000, 3));
    }
    await shop.refund(third, 198_000);
    const whole = only('credited', 970_000, 1_067_000, 3);
    for (const fold of [false, true]) {
      if (fold) await shop.fold();
      expect(await creditedMonth(shop, member, at(31, 23))).toEqual(whole);
      expect(await shop.readDays([member], '2026-03-01', '2026-04-01')).toEqual([whole]);
    }
    await shop.refund(third);
    expect(await creditedMonth(shop, member, at(31, 23))).toEqual(only('credited', 550_000, 605_000, 2));
  });

  test('a refund of 30 % of the gross takes back 180000 of a base of 600000', async () => {
    const { shop, member } = await shopWithMember();
    await shop.beginAndSum();
    const sale = await shop.sell(member, 660_000, 60_000);
    await shop.refund(sale, 198_000);
    expect(await shop.waiting()).toEqual(['600000 base 660000 gross 1 credited', '-180000 base -198000 gross 0 credited']);
  });
});

describe('what is taken back', () => {
  test.each([
    ['at once', [1_001]],
    ['cent by cent at the end', [999, 1, 1]],
    ['in thirds', [333, 333, 335]],
    ['in sevenths', [143, 143, 143, 143, 143, 143, 143]],
  ])('%s leaves nothing of a sale', async (_label, amounts) => {
    const { shop, member } = await shopWithMember();
    await shop.beginAndSum();
    const sale = await shop.sell(member, 1_001, 98);
    for (const amount of amounts) await shop.refund(sale, amount);
    const later = new Date(Date.now() + 60_000);
    expect(await shop.read([member], ['lifetime'], later)).toEqual([{ lifetime: only('credited', 0, 0, 0) }]);
    await shop.fold();
    expect(await shop.folded()).toEqual({ days: [], years: [] });
    expect(await shop.read([member], PERIODS, later)).toMatchObject([{ month: { credited: NOTHING } }]);
  });

  test('by a dispute that is lost comes back when it is won; one that is open takes nothing', async () => {
    const { shop, member } = await shopWithMember();
    await shop.beginAndSum();
    const sale = await shop.sell(member, 1_100, 100);
    const [first, second] = [newDispute(), newDispute()];
    await shop.dispute(sale, first, 'opened', { amount_minor: 1_100 });
    await shop.dispute(sale, first, 'lost', { amount_minor: 1_100 });
    await shop.dispute(sale, first, 'won');
    await shop.refund(sale, 100);
    await shop.dispute(sale, second, 'opened');
    await shop.dispute(sale, second, 'won');
    expect(await shop.waiting()).toEqual([
      '1000 base 1100 gross 1 credited',
      '-1000 base -1100 gross -1 credited',
      '1000 base 1100 gross 1 credited',
      '-91 base -100 gross 0 credited',
    ]);
    await shop.fold();
    expect(await shop.read([member], ['year'], new Date(Date.now() + 60_000))).toEqual([
      { year: only('credited', 909, 1_000, 1) },
    ]);
  });

  test('counts in the time of the sale, and voids and commissions by hand count nowhere', async () => {
    const { shop, member } = await shopWithMember();
    await shop.beginAndSum();
    const sale = await shop.sell(member, 1_000, 0, { occurred_at: '2026-01-31T12:00:00Z' });
    await shop.fold();
    await refundOf(shop.client, sale, { amount_minor: 400, occurred_at: '2026-02-02T12:00:00Z' });
    await shop.client.post(`/api/v1/commissions/${sale.commissions[0]?.id}/void`, {});
    await shop.client.post('/api/v1/events/commission', {
      external_event_id: newDispute(),
      type: 'bonus',
      user_id: member.id,
      amount_minor: 500,
      currency: 'USD',
      description: 'by hand',
      actor: 'Kim',
    });
    expect(await shop.waiting()).toEqual(['-400 base -400 gross 0 credited']);
    expect(await creditedMonth(shop, member, '2026-01-31T23:00:00Z')).toEqual(only('credited', 600, 600, 1));
    expect(await creditedMonth(shop, member, '2026-02-28T23:00:00Z')).toEqual(only('credited', 0, 0, 0));
  });

  test('by a preview, or in a batch that is only validated, is nothing', async () => {
    const { shop, member } = await shopWithMember();
    await shop.beginAndSum();
    const sale = await shop.sell(member, 1_000);
    const preview = await shop.client.post(`/api/v1/events/${sale.event_id}/reversal-preview`, { kind: 'refund' });
    expect(preview.status, preview.text).toBe(200);
    const event = { kind: 'purchase', ...shop.client.purchaseBody({ attribution: { user_id: member.id } }) };
    await shop.client.post('/api/v1/events/batch', { events: [event], validate_only: true });
    expect(await shop.waiting()).toHaveLength(1);
    await shop.client.post('/api/v1/events/batch', { events: [event] });
    expect(await shop.waiting()).toHaveLength(2);
  });
});

test('own purchases and those of test members stand apart; a free order is no sale, and nobody’s purchase counts nowhere', async () => {
  const { shop, member } = await shopWithMember();
  await shop.beginAndSum();
  const tester = await shop.client.newMember({ is_test_user: true });
  await shop.sell(member, 1_000);
  await shop.sell(member, 500, 0, { attribution: undefined, buyer_user_id: member.id });
  const tried = await shop.sell(tester, 300);
  const triedAlone = await shop.sell(tester, 200, 0, { attribution: undefined, buyer_user_id: tester.id });
  await shop.refund(tried, 100);
  await shop.refund(triedAlone);
  await shop.sell(member, 0);
  await shop.sell(member, 700, 0, { attribution: undefined });
  const expected = [
    { month: { ...only('credited', 1_000, 1_000, 1), own: { baseMinor: 500n, amountMinor: 500n, sales: 1 } } },
    { month: only('test', 200, 200, 1) },
  ];
  const soon = new Date(Date.now() + 60_000);
  expect(await shop.read([member, tester], ['month'], soon)).toEqual(expected);
  await shop.fold();
  expect(await shop.waiting()).toEqual([]);
  expect(await shop.read([member, tester], ['month'], soon)).toEqual(expected);
  expect(await shop.readDays([member, tester], '2000-01-01', '2100-01-01')).toEqual(expected.map(({ month }) => month));
});

test('another tenant, another environment, another currency and another member do not count', async () => {
  const { shop, member } = await shopWithMember();
  const other = await shopWithMember();
  const sandbox = shop.inSandbox();
  const there = await sandbox.client.newMember();
  const beside = await shop.client.newMember();
  await shop.beginAndSum();
  await other.shop.sell(other.member, 1);
  await sandbox.sell(there, 10);
  await shop.sell(beside, 100);
  await shop.sell(member, 1_000, 0, { currency: 'JPY' });
  await shop.sell(member, 10_000);
  for (const elsewhere of [other.shop, sandbox]) expect([await elsewhere.waiting(), await elsewhere.states()]).toEqual([[], []]);
  const soon = new Date(Date.now() + 60_000);
  for (const fold of [false, true]) {
    if (fold) await shop.fold();
    expect(await shop.read([member], ['lifetime'], soon)).toEqual([{ lifetime: only('credited', 10_000, 10_000, 1) }]);
    expect(await shop.read([member], ['lifetime'], soon, 'JPY')).toEqual([{ lifetime: only('credited', 1_000, 1_000, 1) }]);
    // Ids of others name nobody here.
    expect(await shop.read([other.member, there], ['lifetime'], soon)).toEqual(
      [1, 2].map(() => ({ lifetime: only('credited', 0, 0, 0) })),
    );
  }
});

test('a scope that does not sum up its sales writes no row, has no state, and nothing to fold or to rebuild', async () => {
  const { shop, member } = await shopWithMember();
  const sale = await shop.sell(member, 1_000);
  await shop.refund(sale, 100);
  await disputeOf(shop.client, sale, newDispute(), 'lost');
  expect([await shop.waiting(), await shop.states(), await shop.fold(), await shop.rebuild()]).toEqual([[], [], 0, 0]);
  expect(await shop.folded()).toEqual({ days: [], years: [] });
});

describe('local days', () => {
  /** At both sides of midnight, of the end of a month, a quarter and a year in Auckland, and in UTC. */
  const ENDS = [
    '2025-12-31T10:59:59.999Z',
    '2025-12-31T11:00:00Z',
    '2025-12-31T23:59:59Z',
    '2026-01-01T00:00:00Z',
    '2026-03-30T11:00:00Z',
    '2026-03-31T10:59:59.999Z',
    '2026-03-31T11:00:00Z',
    '2026-04-04T13:59:59Z',
    '2026-04-04T15:00:00Z',
    '2026-04-05T11:59:59.999Z',
    '2026-04-05T12:00:00Z',
    '2026-06-30T12:00:00Z',
  ].map((at) => Date.parse(at));
  const around = ENDS.flatMap((at) => [at - 1, at, at + 1]).map((at) => new Date(at));

  async function sellAtEnds(shop: SalesShop, member: MemberBody): Promise<Sale[]> {
    const sales: Sale[] = [];
    for (const [index, at] of ENDS.entries()) {
      sales.push(await shop.sell(member, 1_000 + 10 ** (index % 3), 7, { occurred_at: new Date(at).toISOString() }));
    }
    return sales;
  }

  async function expectPlain(shop: SalesShop, member: MemberBody): Promise<void> {
    const events = await shop.events();
    for (const asOf of around) {
      const [read] = await shop.read([member], PERIODS, asOf);
      const plain = Object.fromEntries(PERIODS.map((period) => [period, shop.plain(events, member, period, asOf)]));
      expect(read, asOf.toISOString()).toEqual(plain);
    }
    for (const [from, to] of [
      ['2026-01-01', '2026-04-01'],
      ['2026-04-05', '2026-04-06'],
      ['2025-01-01', '2026-01-01'],
    ] as const) {
      expect(await shop.readDays([member], from, to)).toEqual([shop.plainOfDays(events, member, from, to)]);
    }
  }

  test('are read at every instant around their ends as from the events: before the sums, pending, folded, and in another zone', async () => {
    const { shop, member } = await shopWithMember({ zone: 'Pacific/Auckland' });
    const sales = await sellAtEnds(shop, member);
    await expectPlain(shop, member);
    await shop.begin();
    await expectPlain(shop, member);
    await shop.beginAndSum();
    await expectPlain(shop, member);
    for (const sale of sales.slice(0, 6)) await shop.refund(sale, 333);
    await sellAtEnds(shop, member);
    await expectPlain(shop, member);
    expect(await shop.fold()).toBe(18);
    await expectPlain(shop, member);

    await shop.setZone('UTC');
    await expectPlain(shop, member);
    await sellAtEnds(shop, member);
    await expectPlain(shop, member);
    // Whoever has the sweep run for all finds it due.
    await app.database.asSuperuser('update tenant set updated_at = now() where id = $1', [shop.scope.tenantId]);
    await app.runSweep('fold-sales');
    expect(await shop.states()).toEqual([{ ready: true, zone: 'UTC' }]);
    expect(await shop.waiting()).toEqual([]);
    await expectPlain(shop, member);
  });
});

test('what waits is folded in batches; the sums are what a rebuild makes of the events', async () => {
  const { shop, member } = await shopWithMember();
  const other = await shop.client.newMember();
  await shop.beginAndSum();
  for (const seller of [member, other, member, other, member]) await shop.refund(await shop.sell(seller, 1_000, 100), 333);
  const { frames } = app.composition.background;
  const takes: number[] = [];
  for (let turn = 0; turn < 5; turn++) takes.push(await frames.write(shop.scope, (db) => foldSales(db, shop.scope, 4)));
  expect(takes).toEqual([4, 4, 2, 0, 0]);
  const folded = await shop.folded();
  await app.database.asSuperuser('update sales_day set base_minor = base_minor + 1, sales = 9 where tenant_id = $1', [
    shop.scope.tenantId,
  ]);
  expect(await shop.rebuild()).toBe(5);
  expect(await shop.folded()).toEqual(folded);
});

test('the qualification by personal sales is the same from the sums as from the events', async () => {
  const { shop, member } = await shopWithMember({ zone: 'Pacific/Auckland' });
  const tester = await shop.client.newMember({ is_test_user: true });
  const at = (occurred_at: string) => ({ occurred_at });
  await shop.sell(member, 1_000, 100, at('2026-03-31T10:59:59Z'));
  const sale = await shop.sell(member, 2_000, 100, at('2026-03-31T11:00:00Z'));
  await shop.sell(member, 4_000, 100, { ...at('2026-04-30T11:59:59Z'), attribution: undefined, buyer_user_id: member.id });
  await shop.sell(member, 8_000, 100, at('2026-04-30T12:00:00Z'));
  await shop.sell(tester, 16_000, 100, at('2026-04-10T12:00:00Z'));
  await shop.refund(sale, 500);
  const asOf = new Date('2026-04-10T00:00:00Z');
  const read = async () => {
    const ids = [member.id, tester.id];
    const found = await app.composition.frames.read(shop.scope, (db) => readQualification(db, shop.scope, ids, asOf, 'USD'));
    return ids.map((id) => found.get(id)?.personalSalesMinor);
  };
  expect(await read()).toEqual([5_500n, 16_000n]);
  await shop.beginAndSum();
  expect(await read()).toEqual([5_500n, 16_000n]);
  await shop.refund(sale, 1);
  expect(await read()).toEqual([5_499n, 16_000n]);
  await shop.fold();
  expect(await read()).toEqual([5_499n, 16_000n]);
  // It is the sums that are read: they alone say this.
  await app.database.asSuperuser("update sales_day set amount_minor = amount_minor + 7 where tenant_id = $1 and part = 'own'", [
    shop.scope.tenantId,
  ]);
  expect(await read()).toEqual([5_506n, 16_000n]);
  await shop.setZone('UTC');
  expect(await read()).toEqual([12_000n, 16_000n]);
  await shop.rebuild();
});
