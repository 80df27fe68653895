/**
 * What a plan does with the debt of a member whose commission was paid out and is clawed back:
 * docs/specification/commissions.md#recovery.
 */
import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
import type { PlanDefinitionInput } from '../../../src/features/commissions/open/plan-definition.ts';
import { type ApiClient, apiClient, type MemberBody } from '../../support/app/api-client.ts';
import { startTestApp, type TestApp, type TestTenant } from '../../support/app/test-app.ts';
import {
  accept,
  booksOf,
  clear,
  credit,
  forgive,
  linesIn,
  newMember,
  paidSale,
  writtenOffBy,
} from '../../support/money/debts.ts';
import { expectCleanBooks } from '../../support/money/model-books.ts';
import { publishPlan } from '../../support/money/model-plan.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { balanceOf, disputeOf, type LineBody, purchaseOf, refundOf } from '../../support/money/money-calls.ts';
import { payOut } from '../../support/money/pay-out.ts';

type Policy = NonNullable<PlanDefinitionInput['reversal']>;

interface Shop {
  tenant: TestTenant;
  client: ApiClient;
  scope: Scope;
}

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await expectCleanBooks(app);
  await app.close();
});

const old = new Date(Date.now() - 60 * 86_400_000).toISOString();

/** A tenant whose plan takes commissions back so. */
async function shopWith(reversal: Policy, change: Partial<PlanDefinitionInput> = {}, of: TestApp = app): Promise<Shop> {
  const tenant = await of.newTenant();
  await publishPlan(of, tenant, { ...change, reversal });
  const scope = { tenantId: tenant.tenantId, environment: 'LIVE' } as const;
  return { tenant, client: apiClient(of, tenant.liveKey), scope };
}

/** An inactive member right under an active one, to whom all it does not qualify for rolls up. */
async function newPair(client: ApiClient): Promise<{ below: MemberBody; sponsor: MemberBody }> {
  const [below, sponsor] = await newUpline(client, 'o S');
  if (!below || !sponsor) throw new Error('no upline');
  return { below, sponsor };
}

describe('carry_forward without limits', () => {
  test('lets the member owe all of it', async () => {
    const shop = await shopWith({ recoverAfterPayout: 'carry_forward' });
    const member = await newMember(shop.client);
    const answer = await accept(refundOf(shop.client, await paidSale(app, shop.client, member.id), {}));
    expect(linesIn(answer)).toBe('clawback -1000');
    expect(await booksOf(app, member)).toEqual({ cleared: -1_000, paid: 1_000, borne: 0 });
    expect(await writtenOffBy(app, shop.scope)).toBe(0);
    const { body } = await shop.client.get(`/api/v1/events/${answer.body.event_id}/explain`);
    expect(body.reversal).toMatchObject({ forgiven: [], recovered: [] });
  });
});

describe('write_off', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await shopWith({ recoverAfterPayout: 'write_off' });
  });

  test('lets nobody owe anything: a line beside the clawback forgives it, at the cost of an account of its own', async () => {
    const { client } = shop;
    const member = await newMember(client);
    const before = await writtenOffBy(app, shop.scope);
    const sale = await paidSale(app, client, member.id);
    const answer = await accept(refundOf(client, sale, {}));
    expect(answer.body.commissions).toMatchObject([
      { kind: 'write_off', status: 'cleared', level: 0, paid_level: 0, amount_minor: 1_000, reverses_commission_id: null },
      { kind: 'clawback', status: 'cleared', level: 1, amount_minor: -1_000, reverses_commission_id: sale.commissions[0]?.id },
    ]);
    expect(await booksOf(app, member)).toEqual({ cleared: 0, paid: 1_000, borne: 1_000 });
    expect((await writtenOffBy(app, shop.scope)) - before).toBe(-1_000);
    const { body } = await client.get(`/api/v1/events/${answer.body.event_id}`);
    expect(body.commissions).toEqual(answer.body.commissions);
  });

  test('whatever the balance, and in as many steps as the refund is made in', async () => {
    const { client } = shop;
    const member = await newMember(client);
    await credit(client, member, 300);
    await clear(app, shop.scope);
    const sale = await paidSale(app, client, member.id, { amount_minor: 9_999 });
    for (const amount of [1, 3_333, 3_333, 1_667, 1_665]) await accept(refundOf(client, sale, { amount_minor: amount }));
    expect(await booksOf(app, member)).toEqual({ cleared: 300, paid: 1_000, borne: 1_000 });
  });

  test('forgives each member of an upline its own, and takes unpaid lines back as ever', async () => {
    const { client } = shop;
    const upline = await newUpline(client, 'D D D');
    const sale = await purchaseOf(client, { attribution: { user_id: upline[0]?.id } });
    await payOut(app, [sale.commissions[0]?.id ?? '', sale.commissions[2]?.id ?? '']);
    const answer = await accept(refundOf(client, sale, {}));
    expect(linesIn(answer)).toBe('write_off 1000, write_off 300, clawback -1000, reversal -500, clawback -300');
    expect(answer.body.commissions.slice(0, 2).map((line: LineBody) => line.user_id)).toEqual([upline[0]?.id, upline[2]?.id]);
    for (const member of upline) expect(await balanceOf(client, member)).toMatchObject({ pending: 0, cleared: 0 });
  });

  test('of an unpaid commission forgives nothing', async () => {
    const member = await newMember(shop.client);
    const sale = await purchaseOf(shop.client, { attribution: { user_id: member.id } });
    expect(linesIn(await accept(refundOf(shop.client, sale, {})))).toBe('reversal -1000');
  });
});

describe('a floor', () => {
  test.each([
    ['exactly reached', 1_000, 0, 0],
    ['crossed by one unit', 999, 0, 1],
    ['of nothing', 0, 0, 1_000],
    ['with a balance that bears some', 500, 300, 200],
    ['with a balance that bears all of it', 0, 1_000, 0],
    ['with a balance that leaves one unit', 0, 999, 1],
    ['that was passed already by other debts', 500, -800, 1_000],
    ['that other debts have nearly reached', 500, -499, 999],
  ])('%s: of 1000 clawed back above %s with a balance of %s, %s are forgiven', async (_label, floor, balance, forgiven) => {
    const shop = await shopWith({ floorMinor: { USD: floor } });
    const member = await newMember(shop.client);
    if (balance !== 0) await credit(shop.client, member, balance);
    await clear(app, shop.scope);
    const answer = await accept(refundOf(shop.client, await paidSale(app, shop.client, member.id), {}));
    expect(linesIn(answer)).toBe(forgiven === 0 ? 'clawback -1000' : `write_off ${forgiven}, clawback -1000`);
    expect(await booksOf(app, member)).toEqual({ cleared: balance - 1_000 + forgiven, paid: 1_000, borne: forgiven });
    expect(await writtenOffBy(app, shop.scope)).toBe(0 - forgiven);
    const { body } = await shop.client.get(`/api/v1/events/${answer.body.event_id}/explain`);
    expect(body.reversal.forgiven).toEqual(
      forgiven === 0
        ? []
        : [
            {
              commission_id: body.reversal.lines[0].commission_id,
              user_id: member.id,
              currency: 'USD',
              clawed_back_minor: 1_000,
              balance_before_minor: balance,
              floor_minor: floor,
              amount_minor: forgiven,
            },
          ],
    );
  });

  test('holds through a refund in many steps: never above it, and below it all is owed', async () => {
    const { client } = await shopWith({ floorMinor: { USD: 612 } });
    const member = await newMember(client);
    const sale = await paidSale(app, client, member.id, { amount_minor: 9_999 });
    let refunded = 0;
    for (const amount of [7, 1_000, 2_000, 3_111, 1, 1, 1, 2_878, 1_000]) {
      await accept(refundOf(client, sale, { amount_minor: amount }));
      refunded += amount;
      const clawedBack = Math.floor((1_000 * refunded * 2 + 9_999) / (2 * 9_999));
      const owed = Math.min(clawedBack, 612);
      expect(await booksOf(app, member)).toEqual({ cleared: 0 - owed, paid: 1_000, borne: clawedBack - owed });
    }
    expect(refunded).toBe(9_999);
  });

  test('in one currency bounds no other', async () => {
    const { client } = await shopWith({ floorMinor: { USD: 0 } });
    const member = await newMember(client);
    const [euros, dollars] = [
      await paidSale(app, client, member.id, { currency: 'EUR' }),
      await paidSale(app, client, member.id),
    ];
    expect(linesIn(await accept(refundOf(client, euros, {})))).toBe('clawback -1000');
    expect(linesIn(await accept(refundOf(client, dollars, {})))).toBe('write_off 1000, clawback -1000');
    expect(await booksOf(app, member, 'EUR')).toEqual({ cleared: -1_000, paid: 1_000, borne: 0 });
    expect(await booksOf(app, member)).toEqual({ cleared: 0, paid: 1_000, borne: 1_000 });
  });

  test('goes by the currency a member is paid in, not that of the sale', async () => {
    const shop = await shopWith({ floorMinor: { EUR: 100, USD: 0 } }, { fx: { payCurrency: 'member' } });
    const { client } = shop;
    await accept(
      client.post('/api/v1/admin/exchange-rates', {
        sourceCurrency: 'USD',
        targetCurrency: 'EUR',
        numerator: 9,
        denominator: 10,
        source: 'Bank',
      }),
    );
    const member = await client.newMember({ pay_currency: 'EUR' });
    const answer = await accept(refundOf(client, await paidSale(app, client, member.id), {}));
    expect(answer.body.commissions).toMatchObject([
      { kind: 'write_off', amount_minor: 800, currency: 'EUR', source_amount_minor: null },
      { kind: 'clawback', amount_minor: -900, currency: 'EUR', source_amount_minor: -1_000 },
    ]);
    expect(await booksOf(app, member, 'EUR')).toEqual({ cleared: -100, paid: 900, borne: 800 });
  });

  test('counts several clawbacks of a member in one event one after the other', async () => {
    const { client } = await shopWith({ floorMinor: { USD: 1_200 } }, { compression: 'roll_up' });
    const { below, sponsor } = await newPair(client);
    const sale = await paidSale(app, client, below.id);
    expect(sale.commissions.map((line) => [line.user_id, line.amount_minor])).toEqual([
      [sponsor.id, 1_000],
      [sponsor.id, 500],
    ]);
    const answer = await accept(refundOf(client, sale, {}));
    expect(linesIn(answer)).toBe('write_off 300, clawback -1000, clawback -500');
    expect(await booksOf(app, sponsor)).toEqual({ cleared: -1_200, paid: 1_500, borne: 300 });
  });

  test('counts what else the event takes from the balance first', async () => {
    const shop = await shopWith({ floorMinor: { USD: 0 } }, { compression: 'roll_up' });
    const { client } = shop;
    const { below, sponsor } = await newPair(client);
    const sale = await purchaseOf(client, { occurred_at: old, attribution: { user_id: below.id } });
    await clear(app, shop.scope);
    await payOut(app, [sale.commissions[0]?.id ?? '']);
    expect(await booksOf(app, sponsor)).toEqual({ cleared: 500, paid: 1_000, borne: 0 });
    // The 500 go with the refund: they bear nothing of the clawback.
    const answer = await accept(refundOf(client, sale, {}));
    expect(linesIn(answer)).toBe('write_off 1000, clawback -1000, reversal -500');
    expect(await booksOf(app, sponsor)).toEqual({ cleared: 0, paid: 1_000, borne: 1_000 });
  });
});

describe('the plan of the sale decides, not that of today', () => {
  test.each<[string, Policy, Policy, string]>([
    ['forgiving then', { recoverAfterPayout: 'write_off' }, { floorMinor: null }, 'write_off 1000, clawback -1000'],
    ['forgiving now', { floorMinor: null }, { recoverAfterPayout: 'write_off' }, 'clawback -1000'],
    ['a floor since', { floorMinor: { USD: 700 } }, { floorMinor: { USD: 0 } }, 'write_off 300, clawback -1000'],
  ])('%s', async (_label, then, now, lines) => {
    const { tenant, client } = await shopWith(then);
    const sale = await paidSale(app, client, (await newMember(client)).id);
    await publishPlan(app, tenant, { reversal: now }, '2001-01-01T00:00:00Z');
    expect(linesIn(await accept(refundOf(client, sale, {})))).toBe(lines);
  });
});

describe('a lost dispute that is won after all: the member was paid exactly once', () => {
  test.each<[string, Policy, byHand: number, won: string]>([
    ['nothing was forgiven', {}, 0, 'reinstatement 1000'],
    ['the plan forgave', { recoverAfterPayout: 'write_off' }, 0, 'write_off -1000, reinstatement 1000'],
    ['a floor forgave all', { floorMinor: { USD: 0 } }, 0, 'write_off -1000, reinstatement 1000'],
    ['a floor forgave a part', { floorMinor: { USD: 400 } }, 0, 'write_off -600, reinstatement 1000'],
    ['it was forgiven by hand', {}, 1_000, 'write_off -1000, reinstatement 1000'],
    ['a part was forgiven by hand', {}, 1, 'write_off -1, reinstatement 1000'],
    ['a floor forgave a part, somebody the rest', { floorMinor: { USD: 400 } }, 400, 'write_off -1000, reinstatement 1000'],
  ])('%s', async (_label, policy, byHand, won) => {
    const shop = await shopWith(policy);
    const { client } = shop;
    const member = await newMember(client);
    const sale = await paidSale(app, client, member.id);
    for (const dispute of [randomUUID(), randomUUID()]) {
      await accept(disputeOf(client, sale, dispute, 'lost'));
      if (byHand > 0) await forgive(client, member, byHand);
      const answer = await accept(disputeOf(client, sale, dispute, 'won'));
      expect(linesIn(answer)).toBe(won);
      expect(await booksOf(app, member)).toEqual({ cleared: 0, paid: 1_000, borne: 0 });
      expect(await writtenOffBy(app, shop.scope)).toBe(0);
    }
  });

  test('also when its lines were netted in a payout in between', async () => {
    const shop = await shopWith({ recoverAfterPayout: 'write_off' });
    const { client } = shop;
    const member = await newMember(client);
    const sale = await paidSale(app, client, member.id);
    const lost = await accept(disputeOf(client, sale, 'd-netted', 'lost'));
    await payOut(
      app,
      lost.body.commissions.map((line: LineBody) => line.id),
    );
    const won = await accept(disputeOf(client, sale, 'd-netted', 'won'));
    expect(linesIn(won)).toBe('write_off -1000, reinstatement 1000');
    expect(await booksOf(app, member)).toEqual({ cleared: 0, paid: 1_000, borne: 0 });
    expect(await writtenOffBy(app, shop.scope)).toBe(0);
  });

  test('beside a refund that stays: what was forgiven of that stays too', async () => {
    const shop = await shopWith({ floorMinor: { USD: 100 } });
    const { client } = shop;
    const member = await newMember(client);
    const sale = await paidSale(app, client, member.id, { amount_minor: 9_999 });
    await accept(refundOf(client, sale, { amount_minor: 3_333 })); // 333 clawed back, 100 owed
    await accept(disputeOf(client, sale, 'd-rest', 'lost')); // 667 more, all forgiven
    expect(await booksOf(app, member)).toEqual({ cleared: -100, paid: 1_000, borne: 900 });
    const won = await accept(disputeOf(client, sale, 'd-rest', 'won'));
    expect(linesIn(won)).toBe('write_off -667, reinstatement 667');
    expect(await booksOf(app, member)).toEqual({ cleared: -100, paid: 1_000, borne: 233 });
    expect(await writtenOffBy(app, shop.scope)).toBe(-233);
  });

  test('what was earned meanwhile stays: only what was forgiven is recovered', async () => {
    const shop = await shopWith({});
    const { client } = shop;
    const member = await newMember(client);
    const sale = await paidSale(app, client, member.id);
    await accept(disputeOf(client, sale, 'd-earned', 'lost'));
    await credit(client, member, 300);
    await clear(app, shop.scope);
    await forgive(client, member, 700);
    const won = await accept(disputeOf(client, sale, 'd-earned', 'won'));
    expect(linesIn(won)).toBe('write_off -700, reinstatement 1000');
    expect(await booksOf(app, member)).toEqual({ cleared: 300, paid: 1_000, borne: 0 });
  });

  test('several lines of a member recover what was forgiven one after the other; explain shows it', async () => {
    const shop = await shopWith({ floorMinor: { USD: 300 } }, { compression: 'roll_up' });
    const { client } = shop;
    const { below, sponsor } = await newPair(client);
    const sale = await paidSale(app, client, below.id);
    const lost = await accept(disputeOf(client, sale, 'd-lines', 'lost'));
    expect(linesIn(lost)).toBe('write_off 700, write_off 500, clawback -1000, clawback -500');
    const won = await accept(disputeOf(client, sale, 'd-lines', 'won'));
    expect(linesIn(won)).toBe('write_off -1000, write_off -200, reinstatement 1000, reinstatement 500');
    expect(await booksOf(app, sponsor)).toEqual({ cleared: 0, paid: 1_500, borne: 0 });
    expect(await writtenOffBy(app, shop.scope)).toBe(0);
    const { body } = await client.get(`/api/v1/events/${won.body.event_id}/explain`);
    const [first, second] = sale.commissions;
    expect(body.reversal).toMatchObject({
      forgiven: [],
      recovered: [
        {
          commission_id: first?.id,
          user_id: sponsor.id,
          currency: 'USD',
          reinstated_minor: 1_000,
          forgiven_before_minor: 1_200,
          amount_minor: 1_000,
        },
        { commission_id: second?.id, reinstated_minor: 500, forgiven_before_minor: 200, amount_minor: 200 },
      ],
    });
  });

  test('of an unpaid commission recovers nothing, whatever was forgiven of others', async () => {
    const shop = await shopWith({ recoverAfterPayout: 'write_off' });
    const { client } = shop;
    const member = await newMember(client);
    await accept(refundOf(client, await paidSale(app, client, member.id), {}));
    const sale = await purchaseOf(client, { attribution: { user_id: member.id } });
    await accept(disputeOf(client, sale, 'd-unpaid', 'lost'));
    expect(linesIn(await accept(disputeOf(client, sale, 'd-unpaid', 'won')))).toBe('reinstatement 1000');
    expect(await balanceOf(client, member)).toMatchObject({ pending: 10, cleared: 0, paid: 10 });
  });

  test('of another member or in another currency: nothing of it is recovered', async () => {
    const shop = await shopWith({});
    const { client } = shop;
    const [member, other] = [await newMember(client), await newMember(client)];
    for (const [debtor, fields] of [
      [other, {}],
      [member, { currency: 'EUR' }],
    ] as const) {
      await accept(refundOf(client, await paidSale(app, client, debtor.id, fields), {}));
      await forgive(client, debtor, 1_000, fields);
    }
    const sale = await paidSale(app, client, member.id);
    await accept(disputeOf(client, sale, 'd-others', 'lost'));
    const won = await accept(disputeOf(client, sale, 'd-others', 'won'));
    expect(linesIn(won)).toBe('reinstatement 1000');
  });
});

describe('said again', () => {
  test('a refund and both stages of a dispute give their first answers, whatever became of their lines', async () => {
    const { client } = await shopWith({ floorMinor: { USD: 100 } });
    const upline = await newUpline(client, 'D D');
    const sale = await purchaseOf(client, { attribution: { user_id: upline[0]?.id } });
    await payOut(app, [sale.commissions[1]?.id ?? '']);
    const refund = { external_event_id: randomUUID(), amount_minor: 6_000 };
    const first = await accept(refundOf(client, sale, refund));
    expect(linesIn(first)).toBe('write_off 200, reversal -600, clawback -300');
    expect(first.body.commissions.map((line: LineBody) => line.status)).toEqual(['cleared', 'pending', 'cleared']);
    const stages = ['lost', 'won'].map((stage) => [stage, { external_event_id: `d-again-${stage}` }] as const);
    const answers: Response[] = [];
    for (const [stage, fields] of stages) answers.push(await accept(disputeOf(client, sale, 'd-again', stage, fields)));
    await payOut(
      app,
      [first, ...answers].flatMap(({ body }) =>
        (body.commissions as LineBody[]).filter(({ kind }) => kind !== 'reversal').map(({ id }) => id),
      ),
    );
    const again = [await refundOf(client, sale, refund)];
    for (const [stage, fields] of stages) again.push(await disputeOf(client, sale, 'd-again', stage, fields));
    expect(again.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(again.map(({ text }) => text)).toEqual([first, ...answers].map(({ text }) => text));
  });

  test('ten times at once: forgiven once', async () => {
    const shop = await shopWith({ recoverAfterPayout: 'write_off' });
    const { client } = shop;
    const member = await newMember(client);
    const sale = await paidSale(app, client, member.id);
    const refund = { external_event_id: randomUUID() };
    const answers = await Promise.all(Array.from({ length: 10 }, () => refundOf(client, sale, refund)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([...Array.from({ length: 9 }, () => 200), 201]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await booksOf(app, member)).toEqual({ cleared: 0, paid: 1_000, borne: 1_000 });
  });
});

describe('at once', () => {
  test('refunds of one member’s purchases never take it past the floor, nor stop short of it', async () => {
    const { client } = await shopWith({ floorMinor: { USD: 2_500 } });
    const upline = await newUpline(client, 'D D');
    const sales = await Promise.all(Array.from({ length: 8 }, () => paidSale(app, client, upline[0]?.id ?? '')));
    const answers = await Promise.all(sales.map((sale) => refundOf(client, sale, {})));
    expect(answers.map(({ status }) => status)).toEqual(sales.map(() => 201));
    const [seller, sponsor] = upline;
    if (!seller || !sponsor) throw new Error('no upline');
    expect(await booksOf(app, seller)).toEqual({ cleared: -2_500, paid: 8_000, borne: 5_500 });
    expect(await booksOf(app, sponsor)).toEqual({ cleared: -2_500, paid: 4_000, borne: 1_500 });
  });

  test('disputes that are won recover no more together than was forgiven', async () => {
    const shop = await shopWith({ floorMinor: { USD: 1_500 } });
    const { client } = shop;
    const member = await newMember(client);
    const sales = await Promise.all(Array.from({ length: 4 }, () => paidSale(app, client, member.id)));
    for (const [n, sale] of sales.entries()) await accept(disputeOf(client, sale, `d-${n}`, 'lost'));
    expect(await booksOf(app, member)).toEqual({ cleared: -1_500, paid: 4_000, borne: 2_500 });
    await Promise.all(sales.map((sale, n) => accept(disputeOf(client, sale, `d-${n}`, 'won'))));
    expect(await booksOf(app, member)).toEqual({ cleared: 0, paid: 4_000, borne: 0 });
    expect(await writtenOffBy(app, shop.scope)).toBe(0);
  });

  test('a dispute that is won and a write_off by hand: whoever is first, nobody is paid twice', async () => {
    const { client } = await shopWith({});
    for (let round = 0; round < 10; round++) {
      const member = await newMember(client);
      const sale = await paidSale(app, client, member.id);
      await accept(disputeOf(client, sale, `d-${member.id}`, 'lost'));
      const [won, forgiven] = await Promise.allSettled([
        accept(disputeOf(client, sale, `d-${member.id}`, 'won')),
        forgive(client, member, 1_000), // refused when nothing is owed any more
      ]);
      expect([won?.status, forgiven?.status]).toContain('fulfilled');
      expect(await booksOf(app, member)).toEqual({ cleared: 0, paid: 1_000, borne: 0 });
    }
  });
});

test('a batch: each refund counts after the one before it', async () => {
  const { client } = await shopWith({ floorMinor: { USD: 1_500 } });
  const member = await newMember(client);
  const sales = [
    await paidSale(app, client, member.id),
    await paidSale(app, client, member.id),
    await paidSale(app, client, member.id),
  ];
  const events = sales.map((sale, n) => ({
    kind: 'refund',
    external_event_id: `batch-refund-${n}`,
    purchase_external_event_id: sale.external_event_id,
  }));
  const { body } = await client.post('/api/v1/events/batch', { events });
  expect(body.results.map((result: { body: object }) => linesIn(result as Response))).toEqual([
    'clawback -1000',
    'write_off 500, clawback -1000',
    'write_off 1000, clawback -1000',
  ]);
  expect(await booksOf(app, member)).toEqual({ cleared: -1_500, paid: 3_000, borne: 1_500 });
});

test('a write_off that is void is owed again, and nothing is recovered for it', async () => {
  const other = await startTestApp();
  try {
    const { client, scope } = await shopWith({ recoverAfterPayout: 'write_off' }, {}, other);
    const member = await newMember(client);
    const sale = await paidSale(other, client, member.id);
    const lost = await accept(disputeOf(client, sale, 'd-void', 'lost'));
    const voided = await client.post(`/api/v1/commissions/${lost.body.commissions[0].id}/void`, { reason: 'It was fraud' });
    expect(voided.body).toMatchObject({ status: 'reversed' });
    expect(await balanceOf(client, member)).toMatchObject({ cleared: -10 });
    expect(linesIn(await accept(disputeOf(client, sale, 'd-void', 'won')))).toBe('reinstatement 1000');
    expect(await balanceOf(client, member)).toMatchObject({ cleared: 0, paid: 10 });
    expect(await writtenOffBy(other, scope)).toBe(0);
  } finally {
    await other.close();
  }
});
