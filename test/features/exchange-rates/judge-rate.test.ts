/** When a rate takes two pairs of hands: docs/specification/commissions.md#rate-moves. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { handsOfRate, movesFar } from '../../../src/features/exchange-rates/judge-rate.ts';

const ratio = (numerator: number | bigint, denominator: number | bigint = 1) => ({
  numerator: BigInt(numerator),
  denominator: BigInt(denominator),
});
const MOST = 999_999_999_999_999n;

describe('a move', () => {
  test.each([
    [1495, 1495, false],
    [1100, 1000, false],
    [1101, 1000, true],
    [900, 1000, false],
    [899, 1000, true],
  ])('to %d from %d thousandths: far is %s', (to, from, far) => {
    expect(movesFar(ratio(to, 1000), ratio(from, 1000))).toBe(far);
  });

  test('is of the ratio, whatever its terms are', () => {
    expect(movesFar(ratio(3, 2), ratio(150_000, 100_000))).toBe(false);
    expect(movesFar(ratio(11, 10), ratio(2, 2))).toBe(false);
    expect(movesFar(ratio(110_000_000_000_001n, 100_000_000_000_000n), ratio(1))).toBe(true);
    expect(movesFar(ratio(MOST, 1), ratio(1, MOST))).toBe(true);
    expect(movesFar(ratio(MOST, MOST - 1n), ratio(MOST - 1n, MOST - 2n))).toBe(false);
  });

  test('is far exactly when it leaves 90 to 110 % of what was', () => {
    const term = fc.bigInt({ min: 1n, max: MOST });
    fc.assert(
      fc.property(term, term, term, term, (a, b, c, d) => {
        const [now, before] = [a * d * 10n, b * c];
        expect(movesFar(ratio(a, b), ratio(c, d))).toBe(now > before * 11n || now < before * 9n);
      }),
    );
  });
});

describe('a rate', () => {
  test('weakens when it is far from any that it is judged by, or backdated', () => {
    const rate = ratio(118, 100);
    expect(handsOfRate(rate, { backdated: false, references: [ratio(109, 100)] })).toBe('neutral');
    expect(handsOfRate(rate, { backdated: false, references: [ratio(109, 100), ratio(1)] })).toBe('weakens');
    expect(handsOfRate(rate, { backdated: true, references: [rate] })).toBe('weakens');
    expect(handsOfRate(rate, { backdated: true, references: [] })).toBe('weakens');
  });

  test('that is the first of its pair does neither', () => {
    expect(handsOfRate(ratio(MOST), { backdated: false, references: [] })).toBe('neutral');
  });
});
