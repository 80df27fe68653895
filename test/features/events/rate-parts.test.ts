/** Sales that are paid by their parts, and by what is agreed, to the minor unit: the golden rows of the rates. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlanDefinitionInput } from '../../../src/features/commissions/open/plan-definition.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import {
  agree,
  linkOf,
  openRateShop,
  partsOf,
  passedOver,
  person,
  type RateShop,
  refundInParts,
  told,
  type Wire,
} from '../rates/support/rate-shop.ts';

type Rules = NonNullable<PlanDefinitionInput['rules']>;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});

const SHOES = { fact: 'item.category', in: ['shoes'] };
const shoes: Rules[number] = { id: 'shoes', levels: [1], when: SHOES, pay: { rateBps: 2000 } };
const rest: Rules[number] = { id: 'rest', levels: [1], when: { not: SHOES }, pay: { flatMinor: { USD: 150 }, per: 'unit' } };
const pair = { sku: 'S-1', category: 'shoes', quantity: 1, amount_minor: 6000 };
const socks = { sku: 'T-1', category: 'socks', quantity: 2, amount_minor: 5000 };
/** 110.00 before a discount for the whole order. */
const BASKET = { line_items: [pair, socks] };
const FIVE = [{ level: 1, rateBps: 500 }];
const tiers = (multiplierMilli: number): PlanDefinitionInput['tierRules'] => ({ DIRECTOR: { multiplierMilli, maxDepth: 10 } });
const SPLITS = [[10_000], [1, 9_999], [3_333, 3_333, 3_334], [9_998, 1, 1], [17, 4_983, 2_500, 2_499, 1]];

const openParts = (rules: Rules, multiplierMilli = 1000, change: Partial<PlanDefinitionInput> = {}): Promise<RateShop> =>
  openRateShop(app, { levels: FIVE, rules, tierRules: tiers(multiplierMilli), ...change }, { upline: 'D D' });

describe('a sale of two products', () => {
  test.each<[string, Rules, number, number, string, (string | number | null)[][]]>([
    [
      'by two rates',
      [shoes],
      1000,
      1318,
      '13182500000',
      [
        ['rule', 'shoes', 2000],
        ['level', null, 500],
      ],
    ],
    [
      'by two rates of a higher tier',
      [shoes],
      1100,
      1450,
      '14500750000',
      [
        ['rule', 'shoes', 2000],
        ['level', null, 500],
      ],
    ],
    [
      'by a rate and the piece',
      [shoes, rest],
      1100,
      1530,
      '15301000000',
      [
        ['rule', 'shoes', 2000],
        ['rule', 'rest', 300],
      ],
    ],
  ])('is rounded once, %s, and any split of refunds takes all of it back', async (_how, rules, tier, sum, exact, parts) => {
    const shop = await openParts(rules, tier);
    for (const split of SPLITS) {
      const sold = await told(shop, BASKET);
      expect(sold.paid).toEqual([sum]);
      expect(sold.why.inputs.parts).toEqual([
        { sku: 'S-1', category: 'shoes', base_minor: 5455, quantity: 1 },
        { sku: 'T-1', category: 'socks', base_minor: 4545, quantity: 2 },
      ]);
      expect(partsOf(sold)).toEqual(parts);
      const [share] = sold.why.outcomes[0].shares;
      expect(share.exact.numerator).toBe(exact);
      expect([share.rate_bps, share.flat_minor]).toEqual([0, null]);
      expect(share).not.toHaveProperty('chosen');
      expect(share.rate_parts.map((part: Wire) => part.multiplier_milli)).toEqual([tier, tier]);
      const { body } = await shop.client.get(`/api/v1/commissions/${sold.why.commissions[0].id}`);
      expect([body.paySource, body.rateBps, body.flatMinor]).toEqual(['mixed', 0, null]);
      await refundInParts(shop.client, sold.sale, split);
    }
  });

  test('says of each part why the other sources do not pay it, and of each test which parts it holds of', async () => {
    const shop = await openParts([shoes, rest]);
    const { why } = await told(shop, BASKET);
    expect(why.inputs.verdicts).toEqual([{ test: SHOES, holds: true, parts: [0] }]);
    const [first, second] = why.outcomes[0].shares[0].rate_parts;
    const short = (part: Wire) => part.considered.map((one: Wire) => [one.source, one.id, one.reason, one.at]);
    expect(short(first)).toEqual([
      ['member', null, 'NO_OVERRIDE', null],
      ['rule', 'rest', 'FALSE', 'when.not'],
      ['level', null, 'OUTRANKED', null],
    ]);
    expect(short(second)).toEqual([
      ['member', null, 'NO_OVERRIDE', null],
      ['rule', 'shoes', 'FALSE', 'when'],
      ['level', null, 'OUTRANKED', null],
    ]);
    expect([first.units, second.units]).toEqual([null, 2]);
  });

  test('has one part for the same article in the same category, and another for it in another', async () => {
    const shop = await openParts([shoes]);
    const { paid, why } = await told(shop, {
      line_items: [
        { ...pair, amount_minor: 2000 },
        { ...pair, category: null, amount_minor: 3000 },
        { ...pair, quantity: 2, amount_minor: 5000 },
      ],
    });
    expect(why.inputs.parts).toEqual([
      { sku: 'S-1', category: 'shoes', base_minor: 7000, quantity: 3 },
      { sku: 'S-1', category: null, base_minor: 3000, quantity: 1 },
    ]);
    expect(paid).toEqual([1550]);
  });

  test('gives the units that remain to the largest fractions, and of equal ones to the earlier', async () => {
    const shop = await openParts([shoes]);
    const items = ['a', 'b', 'c'].map((sku) => ({ sku, category: 'shoes', amount_minor: 1 }));
    const { why, paid } = await told(shop, { amount_minor: 10_001, line_items: items });
    expect(why.inputs.parts.map((part: Wire) => part.base_minor)).toEqual([3334, 3334, 3333]);
    expect(paid).toEqual([2000]);
    expect(why.outcomes[0].shares[0]).toMatchObject({ rate_bps: 2000, flat_minor: null });
  });

  test('is one part of no product where it has no items, or items that sum to nothing', async () => {
    const shop = await openParts([shoes, rest]);
    const plain = await told(shop);
    expect(plain.why.inputs.parts).toEqual([{ sku: null, category: null, base_minor: 10_000, quantity: 1 }]);
    expect(plain.paid).toEqual([150]);
    const free = await told(shop, { line_items: [pair, socks].map((item) => ({ ...item, amount_minor: 0 })) });
    expect(free.why.inputs.parts).toEqual([{ sku: null, category: null, base_minor: 10_000, quantity: 3 }]);
    expect(free.paid).toEqual([450]);
  });

  test('pays nothing for a part whose share of the base is nothing, by the piece either', async () => {
    const shop = await openParts([shoes, rest]);
    const { paid, why } = await told(shop, { line_items: [pair, { ...socks, amount_minor: 0 }] });
    expect(paid).toEqual([2000]);
    expect(why.inputs.parts.map((part: Wire) => part.base_minor)).toEqual([10_000, 0]);
    const nothing = await told(shop, { amount_minor: 0, ...BASKET });
    expect([nothing.paid, nothing.why.outcomes[0].reason]).toEqual([[0], 'NO_BASE']);
  });

  test('is paid a sum for the sale once, however many parts it pays', async () => {
    const once: Rules[number] = { id: 'once', levels: [1], when: SHOES, pay: { flatMinor: { USD: 700 } } };
    const shop = await openParts([once], 1100);
    const boots = { sku: 'S-2', category: 'shoes', quantity: 4, amount_minor: 1000 };
    // 770 and 5 % of 4167 by 1.1, which is 229.185.
    const both = await told(shop, { line_items: [pair, boots, socks] });
    expect(both.why.inputs.parts.map((part: Wire) => part.base_minor)).toEqual([5000, 833, 4167]);
    expect(both.paid).toEqual([999]);
    const all = await told(shop, { line_items: [pair, boots] });
    expect(all.paid).toEqual([770]);
    expect(all.why.outcomes[0].shares[0]).toMatchObject({ rate_bps: 0, flat_minor: 700 });
    await refundInParts(shop.client, both.sale, [1, 4_999, 5_000]);
  });

  test('counts the items in the scope of a plan alone where the base is of them', async () => {
    const scope = { categories: ['shoes'] };
    const shop = await openParts([{ ...shoes, when: { fact: 'item.sku', in: ['S-1'] } }], 1000, { base: 'line_items', scope });
    const { paid, why } = await told(shop, { line_items: [pair, { ...pair, sku: 'S-2', amount_minor: 1000 }, socks] });
    expect(why.inputs.base_minor).toBe(7000);
    expect(why.inputs.parts.map((part: Wire) => [part.sku, part.base_minor])).toEqual([
      ['S-1', 6000],
      ['S-2', 1000],
    ]);
    expect(paid).toEqual([1250]);
  });

  test('is cut by the ceiling of the event after all rates, overrides like others', async () => {
    const shop = await openRateShop(app, {
      rules: [shoes],
      overrides: { levels: [1], maxRateBps: 5000 },
      caps: { perEventPayoutBps: 2000 },
    });
    const { id } = await agree(shop, { pay: { rateBps: 3500 } });
    const { paid, why } = await told(shop, BASKET);
    expect(partsOf({ why }).map(([source, of, rate]) => [source, of, rate])).toEqual([
      ['member', id, 3500],
      ['member', id, 3500],
    ]);
    // 3500 and 500 share 2000.
    expect(paid).toEqual([1750, 250]);
  });
});

describe('the order of sources', () => {
  const giftCard: Rules[number] = {
    id: 'gift-card',
    levels: 'all',
    final: true,
    when: { fact: 'item.category', in: ['gift-card'] },
    pay: { rateBps: 0 },
  };

  test('is a final rule, the link, the member, the level', async () => {
    const shop = await openRateShop(app, { levels: [{ level: 1, rateBps: 1000 }], rules: [giftCard] });
    const order = { amount_minor: 10_500 };
    const seller = person(shop);
    const level = await told(shop, order);
    expect(level.paid).toEqual([1050]);
    expect(partsOf(level)).toEqual([['level', null, 1000]]);
    const member = await agree(shop, { pay: { rateBps: 4000 } });
    expect(member.warnings.map(({ code }: Wire) => code)).toEqual(['CUT_TO_PLAN_MAXIMUM']);
    const cut = await told(shop, order);
    expect(cut.paid).toEqual([3150]);
    expect(partsOf(cut)).toEqual([['member', member.id, 3000]]);
    expect(cut.why.outcomes[0].shares[0].rate_parts[0].cut).toEqual({ reason: 'CUT_TO_PLAN_MAXIMUM', from: 4000 });
    const linkId = await linkOf(shop, seller);
    const link = await agree(shop, { target: 'link', targetId: linkId, pay: { rateBps: 800 } });
    const lower = await told(shop, { ...order, attribution: { link_id: linkId } });
    expect(lower.paid).toEqual([840]);
    expect(partsOf(lower)).toEqual([['link', link.id, 800]]);
    const card = { sku: 'G-1', category: 'gift-card', amount_minor: 10_500 };
    const gift = await told(shop, { ...order, attribution: { link_id: linkId }, line_items: [card] });
    expect(gift.paid).toEqual([0]);
    expect(gift.why.outcomes[0].reason).toBe('RATE_OF_ZERO');
    expect(gift.why.commissions).toEqual([]);
    expect(gift.why.outcomes[0].shares[0].rate_parts[0].considered).toMatchObject([
      { source: 'link', id: link.id, reason: 'OUTRANKED' },
      { source: 'member', id: member.id, reason: 'OUTRANKED' },
      { source: 'level', id: null, reason: 'OUTRANKED' },
    ]);
    for (const { sale } of [level, cut, lower]) await refundInParts(shop.client, sale, [1, 5_249, 3_500, 1_750]);
  });

  test('puts what is agreed before a rule that pays more, and the rule before the level', async () => {
    const shop = await openRateShop(app, {
      rules: [{ id: 'all', levels: 'all', when: { fact: 'sale.type', exists: true }, pay: { rateBps: 2500 } }],
    });
    const before = await told(shop);
    expect([before.paid, before.chosen]).toEqual([
      [2500, 2500],
      ['all', 'all'],
    ]);
    expect(passedOver(before)).toEqual(['member NO_OVERRIDE', 'level OUTRANKED']);
    const { id } = await agree(shop, { pay: { rateBps: 200 } });
    const after = await told(shop);
    expect([after.paid, after.chosen]).toEqual([
      [200, 2500],
      [id, 'all'],
    ]);
    expect(passedOver(after)).toEqual(['all OUTRANKED', 'level OUTRANKED']);
  });
});

describe('a differential plan', () => {
  const own = (rateBps: number) => ({ multiplierMilli: 1000, maxDepth: 256, rateBps });
  const tierRules = { SENIOR: own(1000), ORDINARY: own(500), MANAGER: own(1500), DIRECTOR: own(2000) };
  const change: Partial<PlanDefinitionInput> = {
    mode: 'differential',
    levels: [],
    tierRules,
    overrides: { levels: [1, 2], maxRateBps: 2000, maxFlatMinor: { USD: 9000 } },
  };
  const open = (more: Partial<PlanDefinitionInput> = {}) => openRateShop(app, { ...change, ...more }, { upline: 'S O M D' });

  test('takes what is agreed as the own rate, and refunds take all of it back', async () => {
    const shop = await open();
    const { id } = await agree(shop, { targetId: person(shop, 1).id, level: 2, pay: { rateBps: 1200 } });
    for (const split of SPLITS) {
      const sold = await told(shop);
      expect(sold.paid).toEqual([1000, 200, 300, 500]);
      expect(sold.chosen[1]).toBe(id);
      expect(sold.why.walk_end.reason).toBe('TOP_RATE_TAKEN');
      await refundInParts(shop.client, sold.sale, split);
    }
  });

  test('does not let an agreed sum count, whatever the plan says of sums', async () => {
    const shop = await open();
    const agreed = await agree(shop, { pay: { flatMinor: { USD: 5000 } } });
    expect(agreed.warnings.map(({ code }: Wire) => code)).toEqual(['NO_PLAN_LETS_IT_COUNT']);
    const sold = await told(shop);
    expect(sold.paid[0]).toBe(1000);
    expect(passedOver(sold)).toEqual([`${agreed.id} SUM_NOT_ALLOWED`]);
  });

  test('walks on to the highest rate that may be agreed, which is above all tiers', async () => {
    const shop = await openRateShop(app, { ...change, overrides: { levels: [1, 2, 3], maxRateBps: 4000 } }, { upline: 'D O M' });
    const { id } = await agree(shop, { targetId: person(shop, 2).id, level: 2, pay: { rateBps: 9000 } });
    const sold = await told(shop);
    expect(sold.paid).toEqual([2000, 2000]);
    expect(sold.chosen[1]).toBe(id);
    expect(sold.why.walk_end.reason).toBe('TOP_RATE_TAKEN');
    expect(sold.why.outcomes.map(({ reason }: Wire) => reason)).toEqual([null, 'RATE_NOT_HIGHER', null]);
  });

  test('keeps the highest rate below of each part', async () => {
    const rules: Rules = [{ id: 'shoes', levels: [1], when: SHOES, pay: { rateBps: 1600 } }];
    const shop = await open({ rules });
    const sold = await told(shop, BASKET);
    // Shoes 16 %, 0, 0, 4 % of 5455; socks 10 %, 0, 5 %, 5 % of 4545.
    expect(sold.why.outcomes.map(({ reason, shares }: Wire) => reason ?? shares[0].amount_minor)).toEqual([
      1327,
      'RATE_NOT_HIGHER',
      227,
      445,
    ]);
    expect(sold.why.outcomes[2].shares[0].rate_parts.map((part: Wire) => part.rate_bps)).toEqual([0, 500]);
    await refundInParts(shop.client, sold.sale, [3_333, 1, 6_666]);
  });
});
