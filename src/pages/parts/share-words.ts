/** The arithmetic of one share of a sale in words, for the walk of the sale and for the line that it became. */

import { WHY } from '../../features/events/open/explain-reasons.ts';
import type { Formats } from '../format.ts';
import { type Html, html } from '../html.ts';
import { exactMajor, type Fraction } from './exact.ts';

interface ShareSum {
  paidLevel: number;
  /** Null where the level pays a rate. */
  flatMinor: number | null;
  rateBps: number;
  multiplierMilli: number;
  /** What each source pays, where the share goes by parts of the sale. */
  parts?: readonly PartSum[] | undefined;
  exact: Fraction;
  roundedMinor: number;
  baseMinor: number;
  /** The currency of the sale. */
  currency: string;
}

interface PartSum {
  baseMinor: number;
  rateBps: number;
  flatMinor: number | null;
  /** Null of a sum for the sale. */
  units: number | null;
  multiplierMilli: number;
}

/** What it comes to and why, then each of `further` on a line of its own; false stands for nothing. */
export function shareInWords(format: Formats, share: ShareSum, further: readonly (string | false)[]): Html {
  const { paidLevel, parts, exact, roundedMinor, currency } = share;
  const amount = (minor: number): string => format.money(minor, currency);
  const of = (parts ?? [{ ...share, units: null }])
    .map(({ flatMinor, rateBps, baseMinor, units, multiplierMilli }) => {
      const times = multiplierMilli === 1000 ? '' : ` × ${multiplierMilli / 1000}`;
      if (flatMinor === null) return `${format.percent(rateBps / 10_000)} of ${amount(baseMinor)}${times}`;
      return `${amount(flatMinor)} ${units === null ? 'a sale' : `for ${units} pieces`}${times}`;
    })
    .join(' + ');
  const isRound = BigInt(exact.numerator) === BigInt(roundedMinor) * BigInt(exact.denominator);
  const result = isRound ? amount(roundedMinor) : `${exactMajor(exact, currency)}, rounded ${amount(roundedMinor)}`;
  const lines = further.filter((text) => text !== false).map((text) => html`<br>${text}`);
  return html`paid level ${paidLevel}: ${of} = ${result}${lines}`;
}

/** Why somebody got nothing; null is what no reason is given for. */
export function reasonInWords(reason: string | null): string {
  return reason === null ? 'nothing was left' : ((WHY as Readonly<Record<string, string>>)[reason] ?? reason);
}
