/**
 * Money is `bigint` minor units with an ISO 4217 currency. This file holds the one rounding rule
 * (half up on the magnitude) and the only two conversions to and from the API's number fields.
 * Source: docs/specification/conventions.md#money, docs/specification/conventions.md#rounding.
 */
import currencyCodes from 'currency-codes';

/** The largest amount accepted or stored: 15 digits survive a JSON double exactly. */
export const MAX_AMOUNT_MINOR = 999_999_999_999_999n;

const digitsByCurrency = new Map(
  currencyCodes.data.filter((row) => row.code !== 'XXX' && row.code !== 'XTS').map((row) => [row.code, row.digits]),
);

/** Whether `code` is a known upper-case ISO 4217 currency. */
export function isCurrency(code: string): boolean {
  return digitsByCurrency.has(code);
}

/** Minor-unit digits of a currency: USD 2, JPY 0, KWD 3. Throws on an unknown code. */
export function currencyDigits(currency: string): number {
  const digits = digitsByCurrency.get(currency);
  if (digits === undefined) throw new RangeError(`unknown currency ${currency}`);
  return digits;
}

/**
 * `numerator / denominator` rounded half up on the magnitude (-2.5 becomes -3).
 * The denominator must be positive.
 */
export function divideRoundHalfUp(numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n) throw new RangeError('the denominator must be positive');
  const magnitude = numerator < 0n ? -numerator : numerator;
  const rounded = (2n * magnitude + denominator) / (2n * denominator);
  return numerator < 0n ? -rounded : rounded;
}

/**
 * Minor units as decimal major text with the currency's digits: 1005 USD is 10.05.
 * The digits are placed as text, so no binary fraction is ever computed with.
 */
export function toMajorText(amountMinor: bigint, currency: string): string {
  const digits = currencyDigits(currency);
  const sign = amountMinor < 0n ? '-' : '';
  const magnitude = (amountMinor < 0n ? -amountMinor : amountMinor).toString().padStart(digits + 1, '0');
  const whole = magnitude.slice(0, magnitude.length - digits);
  return digits === 0 ? `${sign}${whole}` : `${sign}${whole}.${magnitude.slice(-digits)}`;
}

/** Minor units as the API's decimal major number, exact to the currency's digits: 1005 USD is 10.05. */
export function toMajorNumber(amountMinor: bigint, currency: string): number {
  return Number(toMajorText(amountMinor, currency));
}

/** Minor units, as they are or as decimal text, as a JSON integer. Throws past the safe range, which stored amounts cannot reach. */
export function toJsonInteger(amountMinor: bigint | string): number {
  const value = Number(amountMinor);
  if (!Number.isSafeInteger(value)) throw new RangeError('the amount does not fit a JSON integer');
  return value;
}

/** The name of a sum's exact text, in the case of the sum's own. */
export type ExactName<Name extends string> = Name extends `${string}_${string}` ? `${Name}_exact` : `${Name}Exact`;

export function exactName<Name extends string>(name: Name): ExactName<Name> {
  return (name.includes('_') ? `${name}_exact` : `${name}Exact`) as ExactName<Name>;
}

/** A sum in an answer: its field, and where that is null the field with its exact text. */
export type SumInAnswer<Name extends string> = { [N in Name]: number | null } & { [N in ExactName<Name>]?: string };

/**
 * A sum of minor units as an answer has it. Single amounts are bounded, sums are not: past the bound a number would not
 * be exact, so it is null and its text stands beside it.
 */
export function minorSum<Name extends string>(name: Name, amountMinor: bigint | string): SumInAnswer<Name> {
  const amount = BigInt(amountMinor);
  return sumInAnswer(name, amount, Number(amount), amount.toString());
}

/** The same in major units. */
export function majorSum<Name extends string>(name: Name, amountMinor: bigint, currency: string): SumInAnswer<Name> {
  const text = toMajorText(amountMinor, currency);
  return sumInAnswer(name, amountMinor, Number(text), text);
}

function sumInAnswer<Name extends string>(name: Name, minor: bigint, value: number, text: string): SumInAnswer<Name> {
  const isExact = -MAX_AMOUNT_MINOR <= minor && minor <= MAX_AMOUNT_MINOR;
  return (isExact ? { [name]: value } : { [name]: null, [exactName(name)]: text }) as SumInAnswer<Name>;
}

/**
 * Splits `total` by non-negative integer weights with the largest remainders: the parts always sum
 * to the whole, each within one unit of its exact share; ties go to the earlier part.
 */
export function allocateByLargestRemainder(total: bigint, weights: readonly bigint[]): bigint[] {
  const sum = weights.reduce((a, b) => a + b, 0n);
  if (sum <= 0n) throw new RangeError('the weights must have a positive sum');
  const magnitude = total < 0n ? -total : total;
  const parts = weights.map((weight) => (magnitude * weight) / sum);
  const byRemainder = weights
    .map((weight, index) => ({ index, remainder: (magnitude * weight) % sum }))
    .toSorted((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder < b.remainder ? 1 : -1));
  let left = magnitude - parts.reduce((a, b) => a + b, 0n);
  for (const { index } of byRemainder) {
    if (left === 0n) break;
    parts[index] = (parts[index] ?? 0n) + 1n;
    left -= 1n;
  }
  return total < 0n ? parts.map((part) => -part) : parts;
}
