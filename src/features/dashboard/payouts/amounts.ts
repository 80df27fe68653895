/** Sums of payouts as answers have them: past the exact numbers they come in digits. */
import type { Formats } from '../../../pages/format.ts';
import type { Html } from '../../../pages/html.ts';
import { money } from '../../../pages/parts/money.ts';

/** A sum and its digits, as an answer names them. */
export function exactOf(minor: number | null, exact: string | undefined): number | string {
  return exact ?? minor ?? 0;
}

interface Amount {
  amountMinor: number | null;
  amountMinorExact?: string | undefined;
}

interface Total {
  totalMinor: number | null;
  totalMinorExact?: string | undefined;
}

export function amountOf(format: Formats, { amountMinor, amountMinorExact }: Amount, currency: string, href?: string): Html {
  return money(format, exactOf(amountMinor, amountMinorExact), currency, href);
}

export function totalOf(format: Formats, { totalMinor, totalMinorExact }: Total, currency: string, href?: string): Html {
  return money(format, exactOf(totalMinor, totalMinorExact), currency, href);
}

/** The same as words of a button. */
export function totalText(format: Formats, { totalMinor, totalMinorExact }: Total, currency: string): string {
  return format.money(exactOf(totalMinor, totalMinorExact), currency);
}

/** `1 member`, `3,200 members`. */
export function counted(format: Formats, count: number, one: string, many = `${one}s`): string {
  return `${format.count(count)} ${count === 1 ? one : many}`;
}
