/** Cuts, rounding and conversion: every case is worked out by hand from docs/specification/commissions.md#cuts. */
import { describe, expect, test } from 'vitest';
import type { Evaluation } from '../../../src/features/commissions/open/evaluate-plan.ts';
import { DEFAULT_PLAN, type PlanDefinition } from '../../../src/features/commissions/open/plan-definition.ts';
import type { Rate } from '../../../src/features/commissions/open/price-shares.ts';
import { evaluate, outcomesOf, paid, people } from '../../support/money/evaluate-text.ts';

const levels = (...ratesBps: number[]) => ratesBps.map((rateBps, index) => ({ level: index + 1, rateBps }));
const ceiling = (perEventPayoutBps: number, ...ratesBps: number[]): Partial<PlanDefinition> => ({
  ...(ratesBps.length === 0 ? {} : { levels: levels(...ratesBps) }),
  caps: { ...DEFAULT_PLAN.caps, perEventPayoutBps },
});
const rooms = (of: Record<string, bigint>) => new Map(Object.entries(of));

/** `800 capped 200 member_period` of each share, also of those that came to nothing. */
const cuts = ({ outcomes }: Evaluation): string[] =>
  outcomes.flatMap(({ shares }) =>
    shares.map(
      ({ sourceAmountMinor, cappedMinor, cap }) => `${sourceAmountMinor}${cap === null ? '' : ` capped ${cappedMinor} ${cap}`}`,
    ),
  );

describe('the event ceiling', () => {
  test('is not felt below it, nor exactly at it', () => {
    expect(paid(ceiling(2101), 'D D D D D')).toEqual(paid({}, 'D D D D D'));
    expect(paid(ceiling(2100), 'D D D D D')).toEqual(paid({}, 'D D D D D'));
  });

  test('is shared by the exact fractions, by largest remainder, and reached exactly', () => {
    // 1000 over 1000:500:300:200:100 is 476.19, 238.10, 142.86, 95.24, 47.62; two units are left for .86 and .62.
    expect(paid(ceiling(1000), 'D D D D D')).toEqual(['m1 L1:476', 'm2 L2:238', 'm3 L3:143', 'm4 L4:95', 'm5 L5:48']);
  });

  test.each<[label: string, bps: number, rates: number[], base: bigint, shares: bigint[]]>([
    ['a tie of two goes to the lower level', 1000, [500, 500], 30n, [2n, 1n]],
    ['a tie of four, two units left', 2000, [500, 500, 500, 500], 50n, [3n, 3n, 2n, 2n]],
    ['not rounded first: 2.4 and 0.5 of 2 are 2 and 0, where 2 and 1 would be 1 and 1', 2000, [2400, 500], 10n, [2n, 0n]],
    ['is rounded down: 10 % of 19 is 1', 1000, [1000, 1000], 19n, [1n, 0n]],
    ['of nothing is nothing', 100, [1000, 1000], 99n, [0n, 0n]],
    ['may give a unit to what rounds to nothing: 0.4, 1.5 and 1.5 of 3', 3000, [400, 1500, 1500], 10n, [1n, 1n, 1n]],
    ['exceeded by rounding alone: 2.5 four times is 12', 2000, [500, 500, 500, 500], 50n, [3n, 3n, 2n, 2n]],
    ['of the largest amount', 1, [10_000, 10_000], 999_999_999_999_999n, [50_000_000_000n, 49_999_999_999n]],
  ])('%s', (_label, bps, rates, base, expected) => {
    const shares = evaluate(ceiling(bps, ...rates), 'D D D D', { base }).outcomes.flatMap((outcome) => outcome.shares);
    expect(shares.map(({ ceiledMinor }) => ceiledMinor)).toEqual(expected);
    expect(shares.map(({ cappedMinor, cap }) => [cappedMinor, cap])).toEqual(shares.map(() => [0n, null]));
  });

  test('counts the multiplier', () => {
    const tierRules = { ...DEFAULT_PLAN.tierRules, DIRECTOR: { multiplierMilli: 3000, maxDepth: 10 } };
    // 3000 and 500 over a ceiling of 700.
    expect(paid({ ...ceiling(700, 1000, 500), tierRules }, 'D S')).toEqual(['m1 L1:600', 'm2 L2:100']);
  });

  test('names itself where it leaves nothing, and the rounding where there was nothing before', () => {
    expect(outcomesOf(evaluate(ceiling(2000, 2400, 500), 'D D', { base: 10n }))).toEqual(['m1 paid', 'm2 EVENT_CEILING']);
    expect(outcomesOf(evaluate(ceiling(2000, 2400, 400), 'D D', { base: 10n }))).toEqual(['m1 paid', 'm2 ROUNDED_TO_ZERO']);
  });

  test('holds for differential and flat amounts', () => {
    const own = (rateBps: number) => ({ multiplierMilli: 1000, maxDepth: 256, rateBps });
    const tierRules = { ORDINARY: own(1000), SENIOR: own(1000), MANAGER: own(1000), DIRECTOR: own(3000) };
    expect(paid({ ...ceiling(1500), mode: 'differential', levels: [], tierRules }, 'O D')).toEqual(['m1 L1:500', 'm2 L2:1000']);
    const flat = [
      { level: 1, flatMinor: { USD: 300 } },
      { level: 2, rateBps: 100 },
    ];
    expect(paid({ ...ceiling(200), levels: flat }, 'D D')).toEqual(['m1 L1:150', 'm2 L2:50']);
  });
});

describe('caps', () => {
  test('a line of 1000 in a room of 700', () => {
    const evaluation = evaluate({}, 'D D', { memberRoomMinor: rooms({ m1: 700n, m2: 700n }) });
    expect(cuts(evaluation)).toEqual(['700 capped 300 member_period', '500']);
    expect(evaluation.outcomes[0]?.shares[0]).toMatchObject({ roundedMinor: 1000n, ceiledMinor: 1000n, amountMinor: 700n });
  });
  test('a room that is just enough, and members without a room', () => {
    expect(cuts(evaluate({}, 'D D', { memberRoomMinor: rooms({ m1: 1000n }) }))).toEqual(['1000', '500']);
  });
  test('two lines of one member share a room, the lower level first', () => {
    const evaluation = evaluate({ compression: 'roll_up' }, 'O d S', { memberRoomMinor: rooms({ m3: 600n }) });
    expect(evaluation.lines.map(({ paidLevel, amountMinor }) => [paidLevel, amountMinor])).toEqual([
      [1, 1000n],
      [2, 500n],
      [3, 100n],
    ]);
    const less = evaluate({ compression: 'roll_up' }, 'O d S', { memberRoomMinor: rooms({ m3: 500n }) });
    expect(outcomesOf(less)).toEqual(['m1 paid', 'm2 INACTIVE', 'm3 paid']);
    expect(cuts(less)).toEqual(['1000', '500', '0 capped 300 member_period']);
    expect(less.lines).toHaveLength(2);
  });
  test('a used-up or overdrawn room pays nothing, and nobody gets it instead', () => {
    for (const room of [0n, -5n]) {
      const evaluation = evaluate({}, 'D D', { memberRoomMinor: rooms({ m1: room, m2: 9999n }) });
      expect(cuts(evaluation)).toEqual(['0 capped 1000 member_period', '500']);
      expect(outcomesOf(evaluation)).toEqual(['m1 MEMBER_CAP', 'm2 paid']);
      expect(evaluation.breakageMinor).toBe(0n);
    }
  });
  test("the customer's room is used up in ascending level", () => {
    const evaluation = evaluate({}, 'D D D', { customerRoomMinor: 1_200n });
    expect(cuts(evaluation)).toEqual(['1000', '200 capped 300 customer_lifetime', '0 capped 300 customer_lifetime']);
    expect(outcomesOf(evaluation)).toEqual(['m1 paid', 'm2 paid', 'm3 CUSTOMER_CAP']);
    expect(outcomesOf(evaluate({}, 'D', { customerRoomMinor: -1n }))).toEqual(['m1 CUSTOMER_CAP']);
  });
  test("both on one line: the member's first, then the customer's", () => {
    const evaluation = evaluate({}, 'D D', { memberRoomMinor: rooms({ m1: 900n, m2: 900n }), customerRoomMinor: 850n });
    expect(cuts(evaluation)).toEqual(['850 capped 150 member_period+customer_lifetime', '0 capped 500 customer_lifetime']);
  });
  test("what the member's cap took leaves room in the customer's", () => {
    const evaluation = evaluate({}, 'D D', { memberRoomMinor: rooms({ m1: 100n }), customerRoomMinor: 500n });
    expect(cuts(evaluation)).toEqual(['100 capped 900 member_period', '400 capped 100 customer_lifetime']);
  });
  test('come after the ceiling', () => {
    // 1000 and 500 under a ceiling of 1200 are 800 and 400.
    const options = { memberRoomMinor: rooms({ m1: 600n, m2: 9999n }), customerRoomMinor: 700n };
    const evaluation = evaluate(ceiling(1200, 1000, 500), 'D D', options);
    expect(cuts(evaluation)).toEqual(['600 capped 200 member_period', '100 capped 300 customer_lifetime']);
  });
});

describe('conversion', () => {
  const inOwn = (text: string, currencies: string[]) =>
    people(text).map((member, index) => ({ ...member, payCurrency: currencies[index] ?? 'USD' }));
  const plan: Partial<PlanDefinition> = { fx: { payCurrency: 'member', rateAt: 'occurred_at' } };
  const rates = (of: Record<string, [numerator: bigint, denominator: bigint]>): Map<string, Rate> =>
    new Map(Object.entries(of).map(([code, [numerator, denominator]]) => [code, { id: `to-${code}`, numerator, denominator }]));
  const money = ({ lines }: Evaluation) =>
    lines.map(({ sourceAmountMinor, amountMinor, currency, exchangeRateId }) => [
      sourceAmountMinor,
      amountMinor,
      currency,
      exchangeRateId,
    ]);

  test('golden scenario (e): a purchase in USD paid in USD, JPY and KWD', () => {
    // 1 USD = 149.50 JPY = 0.307 KWD: 100 cents are 149.5 yen (no digits) or 307 fils (3 digits).
    const fromUsd = rates({ JPY: [1495n, 1000n], KWD: [307n, 100n] });
    const evaluation = evaluate(plan, '', { upline: inOwn('D D D', ['USD', 'JPY', 'KWD']), rates: fromUsd });
    // 5.00 USD x 149.5 = 747.5 yen, half up; 3.00 USD = 0.921 KWD.
    expect(money(evaluation)).toEqual([
      [1000n, 1000n, 'USD', null],
      [500n, 748n, 'JPY', 'to-JPY'],
      [300n, 921n, 'KWD', 'to-KWD'],
    ]);
  });
  test('golden scenario (e): a purchase in JPY paid in KWD and USD', () => {
    // 1005 JPY: 10 % is 100.5 -> 101 yen, 5 % is 50.25 -> 50 yen; 1000 JPY = 2.053 KWD = 6.69 USD.
    const fromYen = rates({ KWD: [2053n, 1000n], USD: [669n, 1000n] });
    const evaluation = evaluate(plan, '', { base: 1005n, currency: 'JPY', upline: inOwn('D D', ['KWD', 'USD']), rates: fromYen });
    expect(money(evaluation)).toEqual([
      [101n, 207n, 'KWD', 'to-KWD'], // 207.353 fils; from the unrounded 100.5 it would be 206
      [50n, 33n, 'USD', 'to-USD'], // 33.45 cents; from the unrounded 50.25 it would be 34
    ]);
  });
  test('golden scenario (e): a purchase in KWD paid in JPY', () => {
    // 1.234 KWD at 1 KWD = 487.1 JPY: 10 % is 123.4 -> 123 fils -> 59.9133 yen.
    const evaluation = evaluate(plan, '', {
      base: 1234n,
      currency: 'KWD',
      upline: inOwn('D', ['JPY']),
      rates: rates({ JPY: [4871n, 10_000n] }),
    });
    expect(money(evaluation)).toEqual([[123n, 60n, 'JPY', 'to-JPY']]);
  });
  test('comes after the caps', () => {
    const options = { upline: inOwn('D', ['KWD']), rates: rates({ KWD: [307n, 100n] }), memberRoomMinor: rooms({ m1: 700n }) };
    expect(money(evaluate(plan, '', options))).toEqual([[700n, 2149n, 'KWD', 'to-KWD']]);
  });
  test('a plan that pays in the currency of the purchase converts nothing', () => {
    expect(money(evaluate({}, '', { upline: inOwn('D', ['JPY']) }))).toEqual([[1000n, 1000n, 'USD', null]]);
  });
  test('nothing to convert needs no rate', () => {
    const upline = inOwn('D D', ['USD', 'JPY']);
    expect(money(evaluate(plan, '', { upline, memberRoomMinor: rooms({ m2: 0n }) }))).toEqual([[1000n, 1000n, 'USD', null]]);
    expect(outcomesOf(evaluate(plan, '', { upline, base: 9n }))).toEqual(['m1 paid', 'm2 ROUNDED_TO_ZERO']);
  });
  test('what the conversion rounds to nothing makes no line', () => {
    const evaluation = evaluate(plan, '', { base: 10n, upline: inOwn('D', ['JPY']), rates: rates({ JPY: [4n, 10n] }) });
    expect(outcomesOf(evaluation)).toEqual(['m1 ROUNDED_TO_ZERO']);
    expect(evaluation.outcomes[0]?.shares[0]).toMatchObject({ sourceAmountMinor: 1n, amountMinor: 0n, currency: 'JPY' });
    expect(evaluation.lines).toEqual([]);
  });
  test('a rate that was not given is an error, never a guess', () => {
    const sell = () => evaluate(plan, '', { upline: inOwn('D', ['KWD']), rates: rates({ JPY: [1n, 1n] }) });
    expect(sell).toThrow('no rate from USD to KWD');
  });
  test('an amount too large by its rate is refused', () => {
    const sell = (numerator: bigint) =>
      evaluate(plan, '', { upline: inOwn('D', ['JPY']), rates: rates({ JPY: [numerator, 1n] }) });
    expect(sell(999_999_999_999n).lines[0]?.amountMinor).toBe(999_999_999_999_000n);
    expect(() => sell(1_000_000_000_000n)).toThrow('larger than any amount may be');
  });
});
