/** Amounts: figures of one width, and where a sum has parts, a link to them. */
import { currencyDigits } from '../../money.ts';
import type { Formats } from '../format.ts';
import { type Html, html } from '../html.ts';

export function money(format: Formats, minor: number | bigint | string, currency: string, href?: string): Html {
  const text = format.money(minor, currency);
  return href === undefined ? html`<span class="amount">${text}</span>` : html`<a class="amount" href="${href}">${text}</a>`;
}

/** A sum that an operation has in major units, in minor ones: past the exact numbers it comes in digits, as `exact`. */
export function minorOfMajor(value: number | null, exact: string | undefined, currency: string): bigint {
  const text = exact ?? (value ?? 0).toFixed(currencyDigits(currency));
  return BigInt(text.replace('.', ''));
}
