/** Amounts in major units, as the summaries of members have them. */
import type { Formats } from '../../../pages/format.ts';

/** 12.5 EUR is €12.50. A sum past the exact numbers comes as its text. */
export function majorMoney({ locale }: Pick<Formats, 'locale'>, amount: number | string, currency: string): string {
  const exact = typeof amount === 'number' ? amount : (amount as `${number}`);
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(exact);
}
