/** Parts of a plan as a person says them: rates, sums by currency, conditions. Pure functions. */
import { isCurrency, toMajorText } from '../../../money.ts';
import { kindOf, type PlanRule, type RuleCondition } from './plan-rules.ts';

/** 1250 basis points are `12.5 %`. */
export function percentInWords(bps: number): string {
  return `${bps / 100} %`;
}

/** `50.00 USD, 4000 JPY`; an empty map is `no sum`. */
export function amountsInWords(amounts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(amounts);
  return entries.length === 0 ? 'no sum' : entries.map(([currency, minor]) => amountInWords(minor, currency)).join(', ');
}

/** What is stored in a currency that is not known any more stands in minor units. */
function amountInWords(minor: number, currency: string): string {
  return isCurrency(currency)
    ? `${toMajorText(BigInt(minor), currency)} ${currency}`
    : `${minor} minor units of ${quoted(currency)}`;
}

/** `a, b and c`. */
export function listed(items: readonly string[], last = 'and'): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1) ?? ''}`;
}

/** So many texts of a list are told. */
export const MOST_TOLD = 10;

export function quotedList(texts: readonly string[], last = 'and'): string {
  const told = texts.slice(0, MOST_TOLD).map(quoted);
  return listed(texts.length > MOST_TOLD ? [...told, `${texts.length - MOST_TOLD} more`] : told, last);
}

/** What cannot be seen, what would end the quotation, and spaces that a page draws as one or as none. */
const WRITTEN_OUT = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}“”\\]|(?! )\p{Zs}|^ | $|(?<= ) /gu;

/** Text that somebody typed, as nothing but itself: signs that would turn the sentence round or end it are written out. */
export function quoted(text: string): string {
  return `“${text.replaceAll(WRITTEN_OUT, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`)}”`;
}

export interface Pay {
  rateBps?: number | undefined;
  flatMinor?: Readonly<Record<string, number>> | undefined;
  per?: 'sale' | 'unit' | undefined;
  ladder?: string | undefined;
}

/** What a level or a rule pays. */
export function payInWords({ rateBps, flatMinor, per, ladder }: Pay): string {
  if (ladder !== undefined) return `by the ladder ${quoted(ladder)}`;
  if (flatMinor === undefined) return rateBps === undefined ? 'nothing' : percentInWords(rateBps);
  return `${amountsInWords(flatMinor)}${per === undefined ? '' : per === 'unit' ? ' a piece' : ' a sale'}`;
}

/** `level 1`, `levels 1 and 2` or `all levels`. */
export function levelsInWords(levels: PlanRule['levels']): string {
  if (levels === 'all') return 'all levels';
  return `${levels.length === 1 ? 'level' : 'levels'} ${listed(levels.map(String))}`;
}

/** A condition as one clause, as `sale.type is “one_time” and not (customer.isMember is at least 1)`. */
export function conditionInWords(when: RuleCondition): string {
  if ('all' in when && when.all !== undefined) return joined(when.all, 'and');
  if ('any' in when && when.any !== undefined) return joined(when.any, 'or');
  if ('not' in when && when.not !== undefined) return `not (${conditionInWords(when.not)})`;
  if (!('fact' in when)) return 'nothing';
  const { fact, in: texts, gte, lt } = when;
  // All of them: a condition may pay by any one.
  if (texts !== undefined) return `${fact} is ${listed(texts.map(quoted), 'or')}`;
  if (gte !== undefined) return `${fact} is at least ${boundInWords(fact, gte)}`;
  return lt === undefined ? `${fact} is there` : `${fact} is less than ${boundInWords(fact, lt)}`;
}

function boundInWords(fact: string, bound: number | Readonly<Record<string, number>>): string {
  if (typeof bound === 'object') return amountsInWords(bound);
  return kindOf(fact) === 'amount' ? `${bound} minor units` : `${bound}`;
}

/** Each form keeps its own mark, so that two conditions that differ read differently. */
function joined(parts: readonly RuleCondition[], word: 'and' | 'or'): string {
  if (parts.length === 1) return `${word === 'and' ? 'all of' : 'one of'} (${parts.map(conditionInWords).join('')})`;
  return parts.map((part) => ('fact' in part ? conditionInWords(part) : `(${conditionInWords(part)})`)).join(` ${word} `);
}
