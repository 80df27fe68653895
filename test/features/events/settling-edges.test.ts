/** What comes behind a run that has settled a period: late sales, refunds, disputes and voids. And lines that are on hold. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beginSales } from '../../../src/features/events/sales-sums/begin-sales.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { accept } from '../../support/money/debts.ts';
import { addPlan } from '../../support/money/model-plan.ts';
import { disputeOf, linesOf, refundOf, type Sale } from '../../support/money/money-calls.ts';
import { payOut } from '../../support/money/pay-out.ts';
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

const OTHER = { line_items: [{ sku: 'elsewhere', quantity: 1, amount_minor: 1 }] };

/** Some sales are paid by another plan, without a ladder; the sums of all are ready. */
async function openBeside(change: Parameters<typeof SettlingShop.open>[1] = {}): Promise<SettlingShop> {
  const shop = await SettlingShop.open(app, change);
  await addPlan(app, shop.tenant, {
    base: 'net_of_tax',
    levels: [{ level: 1, rateBps: 500 }],
    scope: { priority: 9, types: null, skus: ['elsewhere'], groups: null, categories: null },
  });
  await app.composition.frames.write(shop.scope, (db) => beginSales(db, shop.scope));
  const isReady = async () => {
    await shop.fold();
    const sql = "select ready from rollup_state where tenant_id = $1 and environment = 'LIVE' and rollup = 'sales'";
    return (await app.database.asSuperuser<{ ready: boolean }>(sql, [shop.tenant.tenantId]))[0]?.ready;
  };
  // Transactions of other databases of the server are waited for, too.
  await expect.poll(isReady, { timeout: 60_000 }).toBe(true);
  return shop;
}

const refund = (shop: SettlingShop, sale: Sale, amount?: number) =>
  accept(refundOf(shop.client, sale, amount === undefined ? {} : { amount_minor: amount }));
const dispute = (shop: SettlingShop, sale: Sale, id: string, stage: string, fields: object = {}) =>
  accept(disputeOf(shop.client, sale, id, stage, fields));
const lineOf = ({ commissions }: Sale, level = 1) => commissions.find((line) => line.level === level)?.id ?? 'none';
const act = (shop: SettlingShop, lineId: string, action: string) =>
  shop.client.post(`/api/v1/commissions/${lineId}/${action}`, { reason: 'a test' });

async function worked(shop: SettlingShop): Promise<[Sale, Sale, Sale]> {
  return [
    await shop.sell(300_000, noonOf('2026-03-02')),
    await shop.sell(250_000, noonOf('2026-03-03')),
    await shop.sell(600_000, noonOf('2026-03-04')),
  ];
}

/** The top-ups of a sale as they stand. */
async function topUpsOf(shop: SettlingShop, sale: Sale) {
  return app.database.asSuperuser<{ id: string; status: string; hold_cause: string | null; amount: number }>(
    `select id, status, hold_cause, amount_minor::int as amount from commission_line
     where tenant_id = $1 and about_event_id = $2 and reverses_line_id is null order by id`,
    [shop.tenant.tenantId, sale.event_id],
  );
}

describe('a late sale', () => {
  test('that another plan pays raises the step once it is folded', async () => {
    const shop = await openBeside();
    const first = await shop.sell(300_000, noonOf('2026-03-02'));
    expect(await shop.settle()).toBe(1);
    expect(await shop.topUps([first])).toEqual([[]]);
    const late = await shop.sell(900_000, { ...noonOf('2026-03-20'), ...OTHER });
    expect(late.commissions.map(({ amount_minor }) => amount_minor)).toEqual([45_000]);
    expect(await shop.settle()).toBe(0);
    await shop.fold();
    expect(await shop.settle()).toBe(1);
    expect(await shop.topUps([first, late])).toEqual([[15_000], []]);
    await shop.fold();
    expect(await shop.settle()).toBe(0);
  });

  test('of another month, member, currency or ladder leaves the period alone', async () => {
    const shop = await openBeside();
    const first = await shop.sell(300_000, noonOf('2026-03-02'));
    await shop.fold();
    await shop.settle();
    await shop.sell(900_000, { ...noonOf('2026-04-01'), ...OTHER });
    await shop.sell(900_000, { ...noonOf('2026-02-28'), ...OTHER });
    await shop.sell(900_000, { ...noonOf('2026-03-20'), ...OTHER, attribution: { user_id: shop.people[1]?.id } });
    await shop.sell(900_000, { ...noonOf('2026-03-20'), ...OTHER, currency: 'JPY' });
    await shop.fold();
    await shop.settle();
    expect(await shop.topUps([first])).toEqual([[]]);
  });

  test('is counted although more is refunded on its day, where a ladder counts sales', async () => {
    const steps: Ladder['steps'] = [
      { from: 0, rateBps: 1000 },
      { from: 3, rateBps: 2000 },
    ];
    const shop = await openBeside({ ladders: [{ ...MONTHLY, measure: 'sales', steps }] });
    const first = await shop.sell(300_000, noonOf('2026-03-02'));
    const second = await shop.sell(200_000, noonOf('2026-03-02'));
    await shop.fold();
    await shop.settle();
    // In one batch of the fold: less money, one sale more.
    await refund(shop, first, 165_000);
    await shop.sell(1_000, { ...noonOf('2026-03-02'), ...OTHER });
    await shop.fold();
    await shop.settle();
    expect(await shop.topUps([first, second])).toEqual([[30_000], [20_000]]);
  });

  test('behind refunds that have lowered the sum takes nothing back of others, and is paid by the step that was found', async () => {
    const shop = await openBeside();
    const [first, second, third] = await worked(shop);
    await shop.settle();
    await refund(shop, third);
    await refund(shop, second, 137_500);
    await shop.fold();
    await shop.settle();
    const late = await shop.sell(100_000, noonOf('2026-03-30'));
    expect(late.commissions[0]?.amount_minor).toBe(10_000);
    const other = await shop.sell(1_000, { ...noonOf('2026-03-31'), ...OTHER });
    await shop.fold();
    expect(await shop.settle()).toBe(1);
    expect(await shop.topUps([first, second, third, late, other])).toEqual([[15_000], [12_500], [18_000], [5_000], []]);
    expect(await Promise.all([second, third].map((sale) => shop.left(sale)))).toEqual([
      { line: 12_500, topUp: 6_250 },
      { line: 0, topUp: 0 },
    ]);
  });
});

describe('refunds', () => {
  test.each([[[1]], [[659_999]], [[333_333, 1, 2, 300_000]], [[7, 11, 13]]])('split as %j end at nothing', async (split) => {
    const shop = await SettlingShop.open(app);
    const [, , third] = await worked(shop);
    const [before, ...after] = split;
    await refund(shop, third, before);
    await shop.settle();
    for (const part of after) await refund(shop, third, part);
    await refund(shop, third);
    expect(await shop.left(third)).toEqual({ line: 0, topUp: 0 });
  });

  test('that have lowered the step before the period is settled are charged for, and those charges given back', async () => {
    const shop = await SettlingShop.open(app);
    const [first, second, third] = await worked(shop);
    await refund(shop, first);
    // 850000 are left: the second sale is due 12 % and was paid 10, the third was paid just that.
    await shop.settle();
    expect(await shop.topUps([first, second, third])).toEqual([[], [5_000], []]);
    const fourth = await shop.sell(400_000, noonOf('2026-03-05'));
    expect(fourth.commissions[0]?.amount_minor).toBe(48_000);
    await shop.settle();
    // 1250000 by now.
    expect(await shop.topUps([first, second, third, fourth])).toEqual([[], [5_000, 7_500], [18_000], [12_000]]);
  });

  test('can make an event whose top-ups cancel out', async () => {
    const shop = await SettlingShop.open(app);
    const first = await shop.sell(300_000, noonOf('2026-03-02'));
    const second = await shop.sell(700_000, noonOf('2026-03-03'));
    const third = await shop.sell(200_000, noonOf('2026-03-04'));
    expect(third.commissions[0]?.amount_minor).toBe(30_000);
    await refund(shop, second);
    await shop.settle();
    expect(await shop.topUps([first, second, third])).toEqual([[6_000], [], [-6_000]]);
    expect((await shop.periods()).map(({ amount_minor }) => amount_minor)).toEqual([0]);
    expect((await topUpsOf(shop, third)).map(({ status }) => status)).toEqual(['cleared']);
    await refund(shop, third);
    expect(await shop.left(third)).toEqual({ line: 0, topUp: 0 });
  });
});

describe('disputes', () => {
  test.each([
    ['level 1', 1],
    ['level 2', 2],
  ])('a sale that was lost when it was settled is won: the line comes back with its top-up, at %s', async (_name, level) => {
    const levels = [1, 2].map((one) => ({ level: one, ladder: 'monthly' }));
    const shop = await openBeside({ levels });
    const by = { attribution: { user_id: shop.people[level - 1]?.id } };
    const sale = await shop.sell(300_000, noonOf('2026-03-02'));
    // The member's own sales raise its step, whichever level it is paid at.
    await shop.sell(1_500_000, { ...noonOf('2026-03-03'), ...by });
    await dispute(shop, sale, `d-${level}-${shop.tenant.tenantId}`, 'lost');
    await shop.fold();
    await shop.settle();
    expect(await shop.topUps([sale])).toEqual([[]]);
    await dispute(shop, sale, `d-${level}-${shop.tenant.tenantId}`, 'won');
    await shop.fold();
    await shop.settle();
    const [row] = await app.database.asSuperuser<{ paid: number }>(
      `select sum(amount_minor)::int as paid from commission_line l
       where beneficiary_id = $1 and (about_event_id = $2 or event_id = $2 or exists (
         select from commission_line o where o.id = l.reverses_line_id and (o.event_id = $2 or o.about_event_id = $2)))`,
      [shop.people[level - 1]?.id, sale.event_id],
    );
    expect(row?.paid).toBe(45_000);
  });

  test('that are open put the top-up on hold, won they release it, and it clears', async () => {
    const shop = await SettlingShop.open(app);
    const [first, , third] = await worked(shop);
    await dispute(shop, third, `o-${shop.tenant.tenantId}`, 'opened');
    await shop.settle();
    expect(await topUpsOf(shop, third)).toMatchObject([{ status: 'held', hold_cause: 'dispute', amount: 18_000 }]);
    expect(await topUpsOf(shop, first)).toMatchObject([{ status: 'cleared', hold_cause: null }]);
    await dispute(shop, third, `o-${shop.tenant.tenantId}`, 'won');
    await app.runSweep('clear-commissions', shop.scope);
    expect(await topUpsOf(shop, third)).toMatchObject([{ status: 'cleared', hold_cause: null }]);
  });
});

describe('holds', () => {
  test('by hand: the top-up is on hold for the same cause, and released it clears', async () => {
    const shop = await SettlingShop.open(app);
    const [, , third] = await worked(shop);
    expect((await act(shop, lineOf(third), 'hold')).status).toBe(200);
    await shop.settle();
    const [topUp] = await topUpsOf(shop, third);
    expect(topUp).toMatchObject({ status: 'held', hold_cause: 'manual' });
    expect((await act(shop, topUp?.id ?? '', 'release')).status).toBe(200);
    await app.runSweep('clear-commissions', shop.scope);
    expect(await topUpsOf(shop, third)).toMatchObject([{ status: 'cleared' }]);
    expect((await linesOf(shop.client, third.event_id)).find(({ level }) => level === 1)?.status).toBe('held');
  });

  const held = async (cause: string): Promise<[SettlingShop, Sale]> => {
    const shop = await SettlingShop.open(app);
    const own = cause === 'manual' ? {} : { customer: { external_id: randomUUID(), email: shop.people[0]?.email } };
    const first = await shop.sell(300_000, { ...noonOf('2026-03-02'), ...own });
    if (cause === 'manual') expect((await act(shop, lineOf(first), 'hold')).status).toBe(200);
    await shop.sell(900_000, noonOf('2026-03-03'));
    await shop.settle();
    expect(await topUpsOf(shop, first)).toMatchObject([{ status: 'held', hold_cause: cause, amount: 15_000 }]);
    return [shop, first];
  };

  test('of a customer with the email of the member: the books are sound while the top-up waits', async () => {
    await held('self_purchase');
    await expectSoundBooks(app);
  });

  test('of a customer with the email of the member: released, line and top-up clear', async () => {
    const [shop, first] = await held('self_purchase');
    for (const { id } of [{ id: lineOf(first) }, ...(await topUpsOf(shop, first))]) {
      expect((await act(shop, id, 'release')).status).toBe(200);
    }
    await app.runSweep('clear-commissions', shop.scope);
    expect(await topUpsOf(shop, first)).toMatchObject([{ status: 'cleared', hold_cause: null }]);
  });

  test.each([['manual'], ['self_purchase']])(
    'for the cause %s: lost and won, line and top-up are on hold again',
    async (cause) => {
      const [shop, first] = await held(cause);
      for (const stage of ['opened', 'lost', 'won']) await dispute(shop, first, `s-${shop.tenant.tenantId}`, stage);
      const standing = await app.database.asSuperuser(
        `select l.status, l.amount_minor::int as amount from commission_line l join commission_line o on o.id = l.reverses_line_id
       where (o.event_id = $1 or o.about_event_id = $1) and l.beneficiary_id = $2 and l.kind = 'reinstatement' order by l.id`,
        [first.event_id, shop.people[0]?.id],
      );
      expect(standing).toEqual([30_000, 15_000].map((amount) => ({ status: 'held', amount })));
    },
  );
});

describe('voids', () => {
  test('of a line or its top-up: neither is topped up again', async () => {
    const shop = await SettlingShop.open(app);
    const first = await shop.sell(200_000, noonOf('2026-03-02'));
    const second = await shop.sell(100_000, noonOf('2026-03-03'));
    const third = await shop.sell(250_000, noonOf('2026-03-04'));
    const unsettled = await shop.sell(100, noonOf('2026-03-01'));
    expect((await act(shop, lineOf(unsettled), 'void')).status).toBe(200);
    await shop.settle();
    expect(await shop.topUps([first, second, third, unsettled])).toEqual([[4_000], [2_000], [5_000], []]);
    expect((await act(shop, lineOf(first), 'void')).status).toBe(200);
    const [topUp] = await topUpsOf(shop, second);
    expect((await act(shop, topUp?.id ?? '', 'void')).status).toBe(200);
    const late = await shop.sell(900_000, noonOf('2026-03-05'));
    expect(await shop.settle()).toBe(1);
    expect(await shop.topUps([first, second, third, unsettled, late])).toEqual([[4_000], [2_000], [5_000, 7_500], [], [27_000]]);
    expect(await shop.left(first)).toEqual({ line: 0, topUp: 0 });
    expect(await shop.left(second)).toEqual({ line: 10_000, topUp: 0 });
  });
});

test('a member that has been erased meanwhile does not keep others of its batch waiting', async () => {
  const shop = await SettlingShop.open(app, { levels: [{ level: 1, ladder: 'monthly' }] });
  const gone = await shop.client.newMember();
  const by = { attribution: { user_id: gone.id } };
  const erased = await shop.sell(600_000, { ...noonOf('2026-03-02'), ...by });
  await shop.sell(600_000, noonOf('2026-03-02'));
  const kept = await shop.sell(100_000, noonOf('2026-03-03'));
  await payOut(app, [lineOf(erased)]);
  const erasure = await shop.client.post(`/api/v1/members/${gone.id}/erasure`, { reason: 'Asked for' });
  expect(erasure.status, erasure.text).toBe(200);
  expect(await shop.settle()).toBe(2);
  expect(await shop.topUps([kept])).toEqual([[]]);
  expect(await shop.topUps([erased])).toEqual([[12_000]]);
});
