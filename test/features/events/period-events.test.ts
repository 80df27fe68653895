/** Period events: exactly once, what they store, and how refunds, disputes and voids reach their top-ups (docs/specification/events.md#period). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { accept, booksOf, newMember } from '../../support/money/debts.ts';
import { balanceOf, disputeOf, refundOf, type Sale } from '../../support/money/money-calls.ts';
import { payOut } from '../../support/money/pay-out.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { lineOf, PeriodShop, topUpOf } from './period-shop.ts';

let app: TestApp;
let shop: PeriodShop;
let member: MemberBody;

beforeAll(async () => {
  app = await startTestApp();
  shop = await PeriodShop.open(app);
  member = await newMember(shop.client);
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});

const past = new Date(Date.now() - 1_000);
const newDispute = () => `d-${randomUUID()}`;
const refund = (sale: Sale, amount?: number) =>
  accept(refundOf(shop.client, sale, amount === undefined ? {} : { amount_minor: amount }));
const dispute = (sale: Sale, id: string, stage: string, fields: object = {}) =>
  accept(disputeOf(shop.client, sale, id, stage, fields));
const act = (lineId: string, action: string) => shop.client.post(`/api/v1/commissions/${lineId}/${action}`, { reason: 'a test' });

describe('the worked table', () => {
  test('three sales are topped up in one event, whose journal and balances follow', async () => {
    const ann = await newMember(shop.client);
    const sales = [
      await shop.sell(ann, { amount_minor: 300_000 }),
      await shop.sell(ann, { amount_minor: 250_000 }),
      await shop.sell(ann),
    ];
    expect(sales.map((sale) => lineOf(sale).amount_minor)).toEqual([30_000, 25_000, 72_000]);
    const amounts = [15_000, 12_500, 18_000];
    const settled = await shop.settle(
      ann,
      sales.map((sale, n) => topUpOf(lineOf(sale), amounts[n] ?? 0)),
    );
    expect(settled).toMatchObject({ isNew: true, lineIds: [expect.any(String), expect.any(String), expect.any(String)] });
    const { body } = await shop.client.get(`/api/v1/events/${settled.eventId}`);
    expect(body).toMatchObject({ kind: 'period', type: null, status: 'accepted', amount_minor: 45_500, currency: 'USD' });
    expect(body.commissions).toHaveLength(3);
    expect(await balanceOf(shop.client, ann)).toMatchObject({ pending: 1_725, cleared: 0, total: 1_725 });
    const postings = await app.database.asSuperuser(
      `select p.account, p.amount_minor::int as amount from posting p join journal_entry j on j.id = p.journal_id
       where j.cause_id = $1 and j.cause_type = 'event' order by p.seq`,
      [settled.eventId],
    );
    expect(postings).toEqual([
      { account: 'company:commission_expense', amount: -45_500 },
      ...amounts.map((amount) => ({ account: 'member:pending', amount })),
    ]);
  });

  test('a refund after settling takes its share of line and top-up, the rest all of both', async () => {
    const sale = await shop.sell(member);
    await shop.topUp(member, sale, 18_000);
    const first = await refund(sale, 198_000);
    expect(first.body.commissions.map((line: { amount_minor: number }) => line.amount_minor)).toEqual([-21_600, -5_400]);
    expect(await shop.left(sale)).toMatchObject({ line: 50_400, topUp: 12_600 });
    const rest = await refund(sale);
    expect(rest.body.commissions.map((line: { amount_minor: number }) => line.amount_minor)).toEqual([-50_400, -12_600]);
    expect(await shop.standing(sale)).toBe(
      'commission reversed 72000, reversal reversed -21600, reversal reversed -50400, ' +
        'adjustment reversed 18000, reversal reversed -5400, reversal reversed -12600',
    );
  });

  test('a refund before settling is taken back of the top-up at once, and the rest ends at nothing', async () => {
    const sale = await shop.sell(member);
    await refund(sale, 198_000);
    const { eventId } = await shop.topUp(member, sale, 18_000);
    expect(await shop.standing(sale)).toBe(
      'commission pending 72000, reversal pending -21600, adjustment pending 18000, reversal pending -5400',
    );
    expect((await shop.client.get(`/api/v1/events/${eventId}`)).body).toMatchObject({
      amount_minor: 18_000,
      commissions: [{ about_event_id: sale.event_id }, { kind: 'reversal', amount_minor: -5_400 }],
    });
    await refund(sale);
    expect(await shop.left(sale)).toMatchObject({ line: 0, topUp: 0 });
  });

  test('the preview of a refund shows the top-up as the refund then has it', async () => {
    const sale = await shop.sell(member);
    await shop.topUp(member, sale, 18_000);
    const { body } = await shop.client.post(`/api/v1/events/${sale.event_id}/reversal-preview`, {
      kind: 'refund',
      amount_minor: 198_000,
    });
    expect(body.lines).toMatchObject([
      { kind: 'commission', amount_minor: 72_000, change_minor: -21_600, remaining_minor: 50_400 },
      { kind: 'adjustment', amount_minor: 18_000, change_minor: -5_400, remaining_minor: 12_600 },
    ]);
    expect(await shop.left(sale)).toMatchObject({ line: 72_000, topUp: 18_000 });
  });

  test('a top-up of which the refund leaves nothing is born reversed, and comes back with a dispute that is won', async () => {
    const sale = await shop.sell(member);
    const id = newDispute();
    await dispute(sale, id, 'lost', { amount_minor: 400_000 });
    await shop.topUp(member, sale, 1);
    expect(await shop.standing(sale)).toContain('adjustment reversed 1, reversal reversed -1');
    await dispute(sale, id, 'won');
    expect(await shop.left(sale)).toMatchObject({ line: 72_000, topUp: 1 });
  });
});

describe('exactly once', () => {
  test('a repeat changes nothing and gives the first top-ups', async () => {
    const [one, other] = [await shop.sell(member), await shop.sell(member)];
    const key = `monthly:2026-11:${randomUUID()}`;
    const topUps = [topUpOf(lineOf(other), 18_000), topUpOf(lineOf(one), 500)];
    const first = await shop.settle(member, topUps, { key });
    const again = await shop.settle(member, [topUpOf(lineOf(one), 7)], { key });
    expect(again).toEqual({ ...first, isNew: false });
    expect([await shop.left(one), await shop.left(other)]).toMatchObject([{ topUp: 500 }, { topUp: 18_000 }]);
    const next = await shop.settle(member, [topUpOf(lineOf(one), 7)]);
    expect(next.isNew).toBe(true);
    expect(await shop.left(one)).toMatchObject({ topUp: 507 });
  });

  test('of five at once one records, and beside refunds every share is of all that was refunded', async () => {
    const sale = await shop.sell(member);
    const key = `monthly:2026-11:${randomUUID()}`;
    const topUps = [topUpOf(lineOf(sale), 18_000)];
    const [settled] = await Promise.all([
      Promise.all(Array.from({ length: 5 }, () => shop.settle(member, topUps, { key }))),
      refund(sale, 66_000),
      refund(sale, 132_000),
    ]);
    expect(settled.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(settled.map(({ eventId }) => eventId)).size).toBe(1);
    expect(await shop.left(sale)).toMatchObject({ line: 50_400, topUp: 12_600 });
  });

  test('of two members that are settled the other way round at once both are', async () => {
    const other = await newMember(shop.client);
    const sales = [await shop.sell(member), await shop.sell(member), await shop.sell(other)];
    const lines = sales.slice(0, 2).map((sale) => topUpOf(lineOf(sale), 100));
    await Promise.all([
      shop.settle(member, lines),
      shop.settle(member, lines.toReversed()),
      shop.settle(
        other,
        sales.slice(2).map((sale) => topUpOf(lineOf(sale), 100)),
      ),
    ]);
    expect(await Promise.all(sales.map((sale) => shop.left(sale)))).toMatchObject([
      { topUp: 200 },
      { topUp: 200 },
      { topUp: 100 },
    ]);
  });
});

describe('disputes', () => {
  test.each([['before'], ['after']])('opened %s settling: held, and won: released', async (when) => {
    const sale = await shop.sell(member);
    const id = newDispute();
    if (when === 'before') await dispute(sale, id, 'opened');
    const { eventId, lineIds } = await shop.topUp(member, sale, 18_000);
    if (when === 'after') await dispute(sale, id, 'opened');
    expect(await shop.standing(sale)).toBe('commission held 72000, adjustment held 18000');
    const { body } = await shop.client.get(`/api/v1/events/${eventId}`);
    expect(body.status).toBe(when === 'before' ? 'held' : 'accepted');
    await expectSoundBooks(app);
    expect((await act(lineIds[0] ?? '', 'release')).status).toBe(200);
    expect(await shop.standing(sale)).toBe('commission held 72000, adjustment pending 18000');
    const won = await dispute(sale, id, 'won');
    expect(won.body.moved_commission_ids).toEqual([lineOf(sale).id]);
    expect(await shop.standing(sale)).toBe('commission pending 72000, adjustment pending 18000');
  });

  test('lost takes both, won gives both again', async () => {
    const sale = await shop.sell(member);
    const id = newDispute();
    await shop.topUp(member, sale, 18_000);
    await dispute(sale, id, 'opened');
    const lost = await dispute(sale, id, 'lost');
    expect(lost.body.commissions).toMatchObject([{ amount_minor: -72_000 }, { amount_minor: -18_000 }]);
    expect(await shop.left(sale)).toMatchObject({ line: 0, topUp: 0 });
    await dispute(sale, id, 'won');
    expect(await shop.left(sale)).toMatchObject({ line: 72_000, topUp: 18_000 });
    await refund(sale, 198_000);
    expect(await shop.left(sale)).toMatchObject({ line: 50_400, topUp: 12_600 });
  });

  test('a hold by hand of the line leaves the top-up, and the other way round', async () => {
    const sale = await shop.sell(member);
    const { lineIds } = await shop.topUp(member, sale, 18_000);
    await act(lineOf(sale).id, 'hold');
    expect(await shop.standing(sale)).toBe('commission held 72000, adjustment pending 18000');
    await act(lineIds[0] ?? '', 'hold');
    await act(lineOf(sale).id, 'release');
    expect(await shop.standing(sale)).toBe('commission pending 72000, adjustment held 18000');
    const { body } = await shop.client.get(`/api/v1/commissions/${lineIds[0]}/explain`);
    expect(body.actions).toMatchObject([{ action: 'hold' }]);
  });
});

describe('voids', () => {
  test('of the line: its top-ups too, and no refund or dispute brings them back', async () => {
    const sale = await shop.sell(member);
    const [first, second] = [await shop.topUp(member, sale, 18_000), await shop.topUp(member, sale, 1_000)];
    const id = newDispute();
    await dispute(sale, id, 'lost', { amount_minor: 198_000 });
    expect((await act(lineOf(sale).id, 'void')).status).toBe(200);
    expect(await shop.left(sale)).toMatchObject({ line: 0, topUp: 0 });
    await dispute(sale, id, 'won');
    await refund(sale, 100_000);
    expect(await shop.left(sale)).toMatchObject({ line: 0, topUp: 0 });
    for (const { lineIds } of [first, second]) {
      const { body } = await shop.client.get(`/api/v1/commissions/${lineIds[0]}/explain`);
      expect(body.actions).toMatchObject([{ action: 'void', toStatus: 'reversed' }]);
    }
    await expect(shop.topUp(member, sale, 5)).rejects.toThrow('void');
  });

  test('of a top-up alone: the line stays', async () => {
    const sale = await shop.sell(member);
    const { lineIds } = await shop.topUp(member, sale, 18_000);
    expect((await act(lineIds[0] ?? '', 'void')).status).toBe(200);
    expect(await shop.left(sale)).toMatchObject({ line: 72_000, topUp: 0 });
    await refund(sale, 198_000);
    expect(await shop.left(sale)).toMatchObject({ line: 50_400, topUp: 0 });
  });

  test('of a line whose top-up is worn away by a refund: won, the dispute brings neither back', async () => {
    const sale = await shop.sell(member);
    const id = newDispute();
    await dispute(sale, id, 'lost', { amount_minor: 400_000 });
    await shop.topUp(member, sale, 1);
    expect((await act(lineOf(sale).id, 'void')).status).toBe(200);
    await dispute(sale, id, 'won');
    expect(await shop.left(sale)).toMatchObject({ line: 0, topUp: 0 });
  });

  test('what was paid out of a top-up stays, a charge that was settled is given back', async () => {
    const bob = await newMember(shop.client);
    const sale = await shop.sell(bob);
    const paid = await shop.topUp(bob, sale, 18_000, { clearsAt: past });
    const charge = await shop.topUp(bob, sale, -3_000);
    await payOut(app, [...paid.lineIds, ...charge.lineIds]);
    expect((await act(lineOf(sale).id, 'void')).status).toBe(200);
    expect(await shop.left(sale)).toMatchObject({ line: 0, topUp: 18_000 });
    expect(await booksOf(app, bob)).toMatchObject({ cleared: 3_000, paid: 15_000 });
  });

  test('at once with refunds and voids of the top-up nothing is taken back twice', async () => {
    const sale = await shop.sell(member);
    const { lineIds } = await shop.topUp(member, sale, 18_000);
    await Promise.all([act(lineIds[0] ?? '', 'void'), refund(sale, 66_000), act(lineOf(sale).id, 'void'), refund(sale, 66_000)]);
    expect(await shop.left(sale)).toMatchObject({ line: 0, topUp: 0 });
  });
});

describe('charges and money that was paid', () => {
  test('a negative top-up counts at once, and a refund gives it back to nothing', async () => {
    const cat = await newMember(shop.client);
    const sale = await shop.sell(cat);
    await shop.topUp(cat, sale, -7_000);
    expect(await shop.standing(sale)).toBe('commission pending 72000, adjustment cleared -7000');
    expect(await booksOf(app, cat)).toMatchObject({ cleared: -7_000 });
    const id = newDispute();
    await dispute(sale, id, 'lost', { amount_minor: 198_000 });
    expect(await shop.left(sale)).toMatchObject({ line: 50_400, topUp: -4_900 });
    await refund(sale);
    expect(await shop.left(sale)).toMatchObject({ line: 0, topUp: 0 });
    await dispute(sale, id, 'won');
    expect(await shop.left(sale)).toMatchObject({ line: 21_600, topUp: -2_100 });
    await refund(sale);
    expect(await shop.left(sale)).toMatchObject({ line: 0, topUp: 0 });
    expect(await booksOf(app, cat)).toMatchObject({ cleared: 0 });
  });

  test('a member that was paid is charged in its cleared account, refunded before or after', async () => {
    const dan = await newMember(shop.client);
    const sale = await shop.sell(dan);
    await payOut(app, [lineOf(sale).id]);
    await refund(sale, 198_000);
    await shop.topUp(dan, sale, -7_000);
    expect(await shop.standing(sale)).toBe(
      'commission paid 72000, clawback cleared -21600, adjustment cleared -7000, reinstatement cleared 2100',
    );
    expect(await booksOf(app, dan)).toMatchObject({ cleared: -26_500, paid: 72_000 });
    await refund(sale);
    expect(await shop.left(sale)).toMatchObject({ line: 0, topUp: 0 });
    expect(await booksOf(app, dan)).toMatchObject({ cleared: -72_000 });
  });

  test('of a top-up that was paid out a refund claws back, and won reinstates', async () => {
    const eve = await newMember(shop.client);
    const sale = await shop.sell(eve);
    const { lineIds } = await shop.topUp(eve, sale, 18_000, { clearsAt: past });
    await payOut(app, [lineOf(sale).id, ...lineIds]);
    const id = newDispute();
    const lost = await dispute(sale, id, 'lost', { amount_minor: 198_000 });
    expect(lost.body.commissions).toMatchObject([
      { kind: 'clawback', amount_minor: -21_600 },
      { kind: 'clawback', amount_minor: -5_400 },
    ]);
    await dispute(sale, id, 'won');
    expect(await booksOf(app, eve)).toMatchObject({ cleared: 0, paid: 90_000 });
    await refund(sale);
    expect(await booksOf(app, eve)).toMatchObject({ cleared: -90_000, paid: 90_000 });
  });

  test('a top-up clears when its own time has come', async () => {
    const sale = await shop.sell(member);
    await shop.topUp(member, sale, 18_000, { clearsAt: new Date(Date.now() + 300) });
    await expect
      .poll(async () => [await shop.clear(), await shop.standing(sale)][1], { timeout: 10_000 })
      .toBe('commission pending 72000, adjustment cleared 18000');
    await refund(sale);
    expect(await shop.standing(sale)).toBe(
      'commission reversed 72000, reversal reversed -72000, adjustment reversed 18000, reversal reversed -18000',
    );
  });
});
