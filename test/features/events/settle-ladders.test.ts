/** Ladders that are settled over whole periods: the worked table of docs/specification/rates.md, and what becomes of it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findTopUpDifferences } from '../../../tools/evaluate-top-ups.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { refundOf } from '../../support/money/money-calls.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { noonOf, SettlingShop } from './settling-shop.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});

const worked = async (shop: SettlingShop) => [
  await shop.sell(300_000, noonOf('2026-03-02')),
  await shop.sell(250_000, noonOf('2026-03-03')),
  await shop.sell(600_000, noonOf('2026-03-04')),
];

describe('a whole period', () => {
  test('pays each sale what it lacks to the last step, once', async () => {
    const shop = await SettlingShop.open(app);
    const sales = await worked(shop);
    expect(sales.map(({ commissions }) => commissions[0]?.amount_minor)).toEqual([30_000, 25_000, 72_000]);
    expect(await shop.settle()).toBe(1);
    expect(await shop.topUps(sales)).toEqual([[15_000], [12_500], [18_000]]);
    expect(await shop.settle()).toBe(0);
    const [event, ...more] = await shop.periods();
    expect(more).toEqual([]);
    expect(event).toMatchObject({ amount_minor: 45_500, created_by: { kind: 'system' } });
    const { body } = await shop.client.get(`/api/v1/events/${event?.event_id}/explain`);
    expect(body.period).toMatchObject({ ladder: 'monthly', from_day: '2026-03-01', to_day: '2026-04-01', run: 1 });
    expect(body.period).toMatchObject({ sum: '1150000', step: 2, rate_bps: 1500, measure: 'base', currency: 'USD' });
    expect(body.period.top_ups[2]).toMatchObject({
      purchase_event_id: sales[2]?.event_id,
      paid: { sum: '550000', step: 1, amount_minor: 72_000 },
      settled: { step: 2, amount_minor: 90_000 },
      topped_up_before_minor: 0,
      amount_minor: 18_000,
    });
    const purchases = await Promise.all(
      sales.map(async (sale) => (await shop.client.get(`/api/v1/events/${sale.event_id}/explain`)).body),
    );
    expect(findTopUpDifferences(body, purchases)).toEqual([]);
    const wrong = structuredClone(body);
    wrong.period.sum = '900000';
    wrong.period.step = 1;
    expect(findTopUpDifferences(wrong, purchases)).toHaveLength(3);
  });

  test('is taken back with its sale to exactly nothing, and the step stays', async () => {
    const shop = await SettlingShop.open(app);
    const [, , third] = await worked(shop);
    if (!third) throw new Error('no sale');
    await shop.settle();
    await refundOf(shop.client, third, { amount_minor: 198_000 });
    expect(await shop.left(third)).toEqual({ line: 72_000 - 21_600, topUp: 18_000 - 5_400 });
    await refundOf(shop.client, third, {});
    expect(await shop.left(third)).toEqual({ line: 0, topUp: 0 });
    await shop.fold();
    expect(await shop.settle()).toBe(0);
  });

  test('goes by what is left of the sales when it is settled', async () => {
    const shop = await SettlingShop.open(app);
    const sales = await worked(shop);
    const [, , third] = sales;
    if (!third) throw new Error('no sale');
    await refundOf(shop.client, third, { amount_minor: 198_000 });
    await shop.settle();
    expect(await shop.topUps(sales)).toEqual([[6_000], [5_000], []]);
    expect(await shop.left(third)).toEqual({ line: 50_400, topUp: 0 });
  });

  test('is settled once more for a sale that comes late, and pays the difference alone', async () => {
    const shop = await SettlingShop.open(app);
    const first = await shop.sell(300_000, noonOf('2026-03-02'));
    const second = await shop.sell(250_000, noonOf('2026-03-03'));
    await shop.settle();
    expect(await shop.topUps([first, second])).toEqual([[6_000], [5_000]]);
    const third = await shop.sell(600_000, noonOf('2026-03-04'));
    expect(await shop.settle()).toBe(1);
    expect(await shop.topUps([first, second, third])).toEqual([[6_000, 9_000], [5_000, 7_500], [18_000]]);
    expect((await shop.periods()).map(({ external_event_id }) => external_event_id.split(':').at(-2))).toEqual(['1', '2']);
  });
});
