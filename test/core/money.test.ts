/**
 * The one rounding rule and the conversions at the edge: docs/specification/conventions.md#rounding,
 * docs/specification/reliability.md#money-properties.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  allocateByLargestRemainder,
  currencyDigits,
  divideRoundHalfUp,
  isCurrency,
  MAX_AMOUNT_MINOR,
  toJsonInteger,
  toMajorNumber,
} from '../../src/money.ts';

const amounts = fc.bigInt({ min: -MAX_AMOUNT_MINOR, max: MAX_AMOUNT_MINOR });

describe('divideRoundHalfUp', () => {
  test.each([
    [0n, 1n, 0n],
    [1n, 2n, 1n],
    [-1n, 2n, -1n],
    [3n, 2n, 2n],
    [-3n, 2n, -2n],
    [5n, 2n, 3n],
    [-5n, 2n, -3n],
    [1n, 3n, 0n],
    [2n, 3n, 1n],
    [-2n, 3n, -1n],
    [49n, 100n, 0n],
    [50n, 100n, 1n],
    [-50n, 100n, -1n],
    [149n, 100n, 1n],
    [7n, 7n, 1n],
    [999_999_999_999_999n * 10_000_000n + 5_000_000n, 10_000_000n, 1_000_000_000_000_000n],
    [999_999_999_999_999n * 10_000_000n + 4_999_999n, 10_000_000n, 999_999_999_999_999n],
  ])('%s / %s = %s', (numerator, denominator, expected) => {
    expect(divideRoundHalfUp(numerator, denominator)).toBe(expected);
  });

  test('refuses a denominator that is not positive', () => {
    expect(() => divideRoundHalfUp(1n, 0n)).toThrow(RangeError);
    expect(() => divideRoundHalfUp(1n, -2n)).toThrow(RangeError);
  });

  test('is the nearest integer to the exact fraction, the half away from zero', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.bigInt({ min: 1n, max: 10n ** 12n }), (n, d) => {
        const rounded = divideRoundHalfUp(n, d);
        const twiceError = 2n * (n - rounded * d);
        // |n/d - r| <= 1/2, and at exactly 1/2 the result is the farther from zero.
        expect(twiceError <= d && twiceError >= -d).toBe(true);
        if (twiceError === d || twiceError === -d) expect(abs(rounded * d) > abs(n)).toBe(true);
        expect(divideRoundHalfUp(-n, d)).toBe(-rounded);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('toMajorNumber', () => {
  test.each([
    [1005n, 'USD', 10.05],
    [5n, 'USD', 0.05],
    [-5n, 'USD', -0.05],
    [0n, 'USD', 0],
    [1005n, 'JPY', 1005],
    [-7n, 'JPY', -7],
    [1005n, 'KWD', 1.005],
    [1n, 'KWD', 0.001],
    [999_999_999_999_999n, 'USD', 9_999_999_999_999.99],
    [999_999_999_999_999n, 'KWD', 999_999_999_999.999],
    [999_999_999_999_999n, 'JPY', 999_999_999_999_999],
  ])('%s %s is %s', (minor, currency, major) => {
    expect(toMajorNumber(minor, currency)).toBe(major);
  });

  test.each([
    ['JPY', 0],
    ['USD', 2],
    ['KWD', 3],
  ])('%s: what is shown reads back as the same integer, up to 15 digits', (currency, digits) => {
    expect(currencyDigits(currency)).toBe(digits);
    fc.assert(
      fc.property(amounts, (minor) => {
        const shown = JSON.parse(JSON.stringify(toMajorNumber(minor, currency))) as number;
        expect(BigInt(shown.toFixed(digits).replace('.', ''))).toBe(minor);
        // The shortest text of the number is the exact decimal: no 10.049999999999999.
        expect(String(Math.abs(shown)).split('.')[1]?.length ?? 0).toBeLessThanOrEqual(digits);
      }),
      { numRuns: 1_000 },
    );
  });

  test('an unknown currency throws', () => {
    expect(() => toMajorNumber(1n, 'ZZZ')).toThrow(RangeError);
  });
});

describe('currencies', () => {
  test.each(['USD', 'JPY', 'KWD', 'EUR', 'HKD'])('%s is one', (code) => expect(isCurrency(code)).toBe(true));
  test.each(['usd', 'ZZZ', 'US', 'USDD', '', 'XXX', 'XTS', 'toString'])('%j is none', (code) =>
    expect(isCurrency(code)).toBe(false),
  );
});

test('toJsonInteger refuses what a double cannot hold', () => {
  expect(toJsonInteger(-MAX_AMOUNT_MINOR)).toBe(-999_999_999_999_999);
  expect(() => toJsonInteger(2n ** 53n)).toThrow(RangeError);
});

describe('allocateByLargestRemainder', () => {
  test.each<[total: bigint, weights: bigint[], parts: bigint[]]>([
    [100n, [1n, 1n, 1n], [34n, 33n, 33n]],
    [-100n, [1n, 1n, 1n], [-34n, -33n, -33n]],
    [2n, [1n, 1n, 1n], [1n, 1n, 0n]],
    [10n, [0n, 1n], [0n, 10n]],
    [10_000n, [1n, 2n, 3n], [1667n, 3333n, 5000n]],
    [0n, [3n, 4n], [0n, 0n]],
    [7n, [5n], [7n]],
    [1n, [1n, 2n, 2n], [0n, 1n, 0n]],
  ])('%s by %o is %o', (total, weights, parts) => {
    expect(allocateByLargestRemainder(total, weights)).toEqual(parts);
  });

  test('refuses weights without a positive sum', () => {
    expect(() => allocateByLargestRemainder(1n, [])).toThrow(RangeError);
    expect(() => allocateByLargestRemainder(1n, [0n, 0n])).toThrow(RangeError);
  });

  const weights = fc
    .array(fc.bigInt({ min: 0n, max: 10_000n }), { minLength: 1, maxLength: 12 })
    .filter((list) => list.some((weight) => weight > 0n));

  test('parts sum to the whole, each within one unit of its exact share, largest remainders first', () => {
    fc.assert(
      fc.property(amounts, weights, (total, list) => {
        const parts = allocateByLargestRemainder(total, list);
        const sum = list.reduce((a, b) => a + b, 0n);
        expect(parts).toHaveLength(list.length);
        expect(parts.reduce((a, b) => a + b, 0n)).toBe(total);
        const shares = list.map((weight, index) => {
          const exactTimesSum = abs(total) * weight;
          const floor = exactTimesSum / sum;
          const extra = abs(parts[index] ?? 0n) - floor;
          expect(extra === 0n || extra === 1n).toBe(true); // within one unit of exact, never below the floor
          return { extra, remainder: exactTimesSum - floor * sum, index };
        });
        for (const up of shares.filter((share) => share.extra === 1n)) {
          for (const down of shares.filter((share) => share.extra === 0n)) {
            expect(up.remainder > down.remainder || (up.remainder === down.remainder && up.index < down.index)).toBe(true);
          }
        }
        if (total < 0n) expect(allocateByLargestRemainder(-total, list).map((part) => -part)).toEqual(parts);
      }),
      { numRuns: 1_000 },
    );
  });

  test('does not depend on the order of the weights, ties apart', () => {
    fc.assert(
      fc.property(amounts, weights, fc.infiniteStream(fc.nat()), (total, list, random) => {
        const sum = list.reduce((a, b) => a + b, 0n);
        const remainders = list.map((weight) => (abs(total) * weight) % sum);
        fc.pre(new Set(remainders).size === list.length);
        const order = list.map((_, index) => ({ index, key: random.next().value as number })).toSorted((a, b) => a.key - b.key);
        const shuffled = allocateByLargestRemainder(
          total,
          order.map(({ index }) => list[index] ?? 0n),
        );
        const straight = allocateByLargestRemainder(total, list);
        expect(shuffled).toEqual(order.map(({ index }) => straight[index]));
      }),
      { numRuns: 500 },
    );
  });
});

function abs(value: bigint): bigint {
  return value < 0n ? -value : value;
}
