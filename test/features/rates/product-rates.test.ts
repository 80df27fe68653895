/** Products that are paid otherwise: by what is agreed for them, in a quote, and to who takes the place of another. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlanDefinitionInput } from '../../../src/features/commissions/open/plan-definition.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { newUpline } from '../../support/money/model-upline.ts';
import { purchaseOf } from '../../support/money/money-calls.ts';
import { expectSoundBooks } from '../../support/money/sound-books.ts';
import { agree, OVERRIDES, openRateShop, partsOf, person, SALE_AT, told, type Wire } from './support/rate-shop.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await expectSoundBooks(app);
  await app.close();
});

const FEBRUARY = '2026-02-01T00:00:00.000Z';
const SHOES = { fact: 'item.category', in: ['shoes'] };
type Rules = NonNullable<PlanDefinitionInput['rules']>;
const shoes: Rules[number] = { id: 'shoes', levels: [1], when: SHOES, pay: { rateBps: 2000 } };
const rest: Rules[number] = { id: 'rest', levels: [1], when: { not: SHOES }, pay: { flatMinor: { USD: 150 }, per: 'unit' } };
const pair = { sku: 'S-1', category: 'shoes', quantity: 1, amount_minor: 6000 };
const socks = { sku: 'T-1', category: 'socks', quantity: 2, amount_minor: 5000 };

describe('of products', () => {
  const items = (...named: [sku: string, amount_minor: number, category?: string | undefined, quantity?: number][]) => ({
    line_items: named.map(([sku, amount_minor, category, quantity]) => ({ sku, amount_minor, category, quantity })),
  });

  test('it counts for their parts alone, and comes before one for all', async () => {
    const shop = await openRateShop(app);
    const ring = await agree(shop, { items: { skus: ['R-1'] }, pay: { rateBps: 3000 } });
    const rings = await agree(shop, { items: { categories: ['rings'] }, pay: { rateBps: 2000 } });
    const all = await agree(shop, { pay: { rateBps: 1200 } });
    const sold = await told(shop, items(['R-1', 5000, 'rings'], ['R-2', 3000, 'rings'], ['S-1', 2000]));
    // Of two that name the ring the later is asked first.
    expect(partsOf(sold)).toEqual([
      ['member', rings.id, 2000],
      ['member', rings.id, 2000],
      ['member', all.id, 1200],
    ]);
    expect(sold.paid).toEqual([1840, 500]);
    const [first, , third] = sold.why.outcomes[0].shares[0].rate_parts;
    const short = ({ considered }: Wire) => considered.map(({ id, reason }: Wire) => [id, reason]);
    expect(short(first)).toEqual([
      [ring.id, 'OUTRANKED'],
      [all.id, 'OUTRANKED'],
      [null, 'OUTRANKED'],
    ]);
    expect(short(third)).toEqual([
      [rings.id, 'PRODUCT_NOT_NAMED'],
      [ring.id, 'PRODUCT_NOT_NAMED'],
      [null, 'OUTRANKED'],
    ]);
    expect(JSON.stringify(sold.why.inputs.upline)).not.toContain('R-1');
    const plain = await told(shop);
    expect(partsOf(plain)).toEqual([['member', all.id, 1200]]);
  });

  test('it is the same for the same products in another order, and replaces the former', async () => {
    const shop = await openRateShop(app);
    const first = await agree(shop, { items: { skus: ['A', 'B'] }, pay: { rateBps: 3000 } });
    await agree(shop, { items: { skus: ['B', 'A', 'B'] }, pay: { rateBps: 2000 }, validFrom: FEBRUARY });
    expect((await shop.client.get(`${OVERRIDES}/${first.id}`)).body.validTo).toBe(FEBRUARY);
    expect((await told(shop, items(['A', 5000], ['B', 5000]))).paid).toEqual([2000, 500]);
  });

  test('a sum for each piece is paid for the pieces of its parts, at the multiplier of nobody', async () => {
    const overrides = { levels: [1], maxRateBps: 3000, maxFlatMinor: { USD: 120 } };
    const shop = await openRateShop(app, { overrides, tierRules: { DIRECTOR: { multiplierMilli: 1100, maxDepth: 10 } } });
    const agreed = await agree(shop, { items: { skus: ['A'] }, pay: { flatMinor: { USD: 150 }, per: 'unit' } });
    const sold = await told(shop, items(['A', 6000, undefined, 3], ['B', 4000]));
    const [first, second] = sold.why.outcomes[0].shares[0].rate_parts;
    expect(first).toMatchObject({ id: agreed.id, flat_minor: 360, units: 3, multiplier_milli: 1000, cut: { from: 150 } });
    expect(second).toMatchObject({ source: 'level', rate_bps: 1000, multiplier_milli: 1100 });
    // 360 and 440.
    expect(sold.paid).toEqual([800, 550]);
    // Of all products it goes by the pieces too.
    const all = await agree(shop, { pay: { flatMinor: { USD: 10 }, per: 'unit' } });
    const whole = await told(shop, items(['B', 4000, undefined, 7]));
    expect([whole.paid[0], partsOf(whole)]).toEqual([70, [['member', all.id, 70]]]);
  });
});

describe('a quote', () => {
  test('pays parts as the sale then is paid, and names the products', async () => {
    const levels = [{ level: 1, rateBps: 500 }];
    const tierRules = { DIRECTOR: { multiplierMilli: 1100, maxDepth: 10 } };
    const shop = await openRateShop(app, { levels, rules: [shoes, rest], tierRules });
    const lineItems = [pair, socks].map(({ amount_minor: amountMinor, ...item }) => ({ ...item, amountMinor }));
    const asked = {
      occurredAt: SALE_AT,
      amountMinor: 10_000,
      currency: 'USD',
      lineItems,
      attribution: { userId: person(shop).id },
    };
    const { body, status, text } = await shop.client.post('/api/v1/commission-plans/quote', asked);
    expect(status, text).toBe(200);
    expect(body.commissions.map((line: Wire) => line.amountMinor)).toEqual([1530]);
    expect(body.commissions[0].rateParts).toMatchObject([
      { sku: 'S-1', category: 'shoes', baseMinor: 5455, rateBps: 2000, flatMinor: null, source: 'rule', id: 'shoes' },
      { sku: 'T-1', category: 'socks', baseMinor: 4545, rateBps: 0, flatMinor: 300, units: 2, source: 'rule', id: 'rest' },
    ]);
  });
});

test('a member who takes the place of another in compression is paid its level of a mixed sale', async () => {
  const shop = await openRateShop(app, { rules: [{ ...shoes, levels: 'all' }] });
  const [seller] = await newUpline(shop.client, 'O d D');
  const sale = await purchaseOf(shop.client, {
    occurred_at: SALE_AT,
    attribution: { user_id: seller?.id },
    line_items: [pair, socks],
  });
  expect(sale.commissions.map(({ level, amount_minor }) => [level, amount_minor])).toEqual([
    [1, 1546],
    [3, 1318],
  ]);
});
