/** Amounts between minor units, which the API counts in, and text, which people read. Nothing here is a float. */
import { DIGITS } from './currencies.ts';

/** Digits behind the decimal point of a currency (ISO 4217): 2 for EUR, 0 for JPY, 3 for KWD. */
export function digitsOf(currency: string): number {
  const digits = Object.hasOwn(DIGITS, currency) ? DIGITS[currency] : undefined;
  if (digits === undefined) throw new RangeError(`${currency} is not a currency of ISO 4217`);
  return digits;
}

/**
 * A sum of an answer, whole: `exact(balance, 'clearedMinor')`. Past 999,999,999,999,999 minor units the number is null and
 * the digits stand beside it, as `clearedMinorExact`.
 */
export function exact<Name extends string>(
  part: { readonly [N in Name]: number | null } & { readonly [N in `${Name}Exact` | `${Name}_exact`]?: string },
  name: Name,
): bigint {
  const digits = part[`${name}Exact`] ?? part[`${name}_exact`];
  const value = part[name] ?? digits;
  if (value === undefined || value === null) throw new RangeError(`there is no ${name}`);
  return BigInt(value);
}

/** `amount(12345, 'EUR')` is `123.45`; `amount(-5, 'JPY')` is `-5`. */
export function amount(minor: number | bigint, currency: string): string {
  if (typeof minor === 'number' && !Number.isSafeInteger(minor))
    throw new RangeError(`${minor} is not a whole number of minor units`);
  const digits = digitsOf(currency);
  const value = BigInt(minor);
  const text = (value < 0n ? -value : value).toString().padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  return `${value < 0n ? '-' : ''}${whole}${digits > 0 ? `.${text.slice(-digits)}` : ''}`;
}

/** `minor('123.45', 'EUR')` is 12345. What has more digits than the currency is refused, for it would have to be rounded. */
export function minor(text: string, currency: string): number {
  const digits = digitsOf(currency);
  const [, sign = '', whole = '', fraction = ''] = /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === '') throw new RangeError(`${text} is not an amount`);
  if (fraction.length > digits)
    throw new RangeError(`${currency} has ${digits} digits behind the decimal point, and ${text} has more`);
  const value = Number(`${whole}${fraction.padEnd(digits, '0')}`);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large`);
  return sign === '-' && value !== 0 ? -value : value;
}
