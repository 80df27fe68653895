/** Amounts between minor units and text, in the currencies of ISO 4217. */
import currencyCodes from 'currency-codes';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amount, digitsOf, exact, minor } from '../../packages/sdk/src/money.ts';

const codes = currencyCodes.data.map(({ code }) => code);

test('every currency has the digits that ISO 4217 gives it', () => {
  for (const { code, digits } of currencyCodes.data) expect(digitsOf(code), code).toBe(digits);
});

test('what is written is read as what it was', () => {
  const minors = fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 });
  fc.assert(
    fc.property(minors, fc.constantFrom(...codes), (value, currency) => {
      expect(minor(amount(value, currency), currency)).toBe(value);
    }),
  );
});

test.each([
  [12_345, 'EUR', '123.45'],
  [5, 'USD', '0.05'],
  [-5, 'USD', '-0.05'],
  [0, 'KWD', '0.000'],
  [-5, 'JPY', '-5'],
  [10n ** 20n, 'EUR', '1000000000000000000.00'],
])('%s minor units of %s are %s', (value, currency, text) => {
  expect(amount(value, currency)).toBe(text);
});

test.each([
  ['1.005', 'EUR'],
  ['1.5', 'JPY'],
  ['', 'EUR'],
  ['1,50', 'EUR'],
  ['1e3', 'EUR'],
  ['99999999999999999', 'EUR'],
  ['1', 'euro'],
  ['1', 'XXQ'],
  ['1', 'toString'],
])('%s %s is refused, and not rounded', (text, currency) => {
  expect(() => minor(text, currency)).toThrow(RangeError);
});

test('a fraction of a minor unit is refused', () => {
  expect(() => amount(1.5, 'EUR')).toThrow(RangeError);
  expect(() => amount(2 ** 53, 'EUR')).toThrow(RangeError);
});

test('a sum past what a number holds is read from its digits', () => {
  expect(exact({ clearedMinor: 5 }, 'clearedMinor')).toBe(5n);
  expect(exact({ clearedMinor: null, clearedMinorExact: '1000000000000000001' }, 'clearedMinor')).toBe(10n ** 18n + 1n);
  expect(exact({ amount_minor: null, amount_minor_exact: '-12' }, 'amount_minor')).toBe(-12n);
});
