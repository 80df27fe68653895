/** Fractions of minor units as people read them: exact where a decimal number is, else cut and marked. */
import { currencyDigits } from '../../money.ts';

/** So many digits behind the minor unit are written at most. */
const MOST_DIGITS = 6;

export interface Fraction {
  /** Minor units; integers as text. */
  numerator: string;
  denominator: string;
}

/** 187650000/10000000 of EUR is 1.8765; what does not end is cut with an ellipsis. */
export function exactMajor({ numerator, denominator }: Fraction, currency: string): string {
  const digits = currencyDigits(currency) + MOST_DIGITS;
  const scaled = BigInt(numerator) * 10n ** BigInt(MOST_DIGITS);
  const below = BigInt(denominator);
  const sign = scaled < 0n ? '−' : '';
  const positive = scaled < 0n ? -scaled : scaled;
  const cut = positive % below !== 0n;
  const text = (positive / below).toString().padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  const rest = text.slice(text.length - digits);
  const kept = cut ? rest : rest.replace(/0+$/, '').padEnd(currencyDigits(currency), '0');
  return `${sign}${whole}${kept === '' ? '' : `.${kept}`}${cut ? '…' : ''}`;
}
