/** Values of a plan as texts that people type, and back: percents, sums by currency, lists, what pays. Pure functions. */
import { currencyDigits, isCurrency, MAX_AMOUNT_MINOR, toMajorText } from '../../../money.ts';

export type Amounts = Record<string, number>;

/** What was typed is not what the field takes; the message says what it does. */
export class CellFault extends Error {}

/** 1250 is `12.5 %`. */
export function percentText(bps: number): string {
  return `${bps / 100} %`;
}

export function percentOf(text: string): number {
  const found = /^(\d{1,3})(?:[.,](\d{1,2}))?\s*%?$/.exec(text.trim());
  if (!found) throw new CellFault('must be a percent such as 12.5 %, with two digits behind the point at most');
  return Number(found[1]) * 100 + Number((found[2] ?? '').padEnd(2, '0'));
}

/** 1100 is `1.1`. */
export function thousandthsText(milli: number): string {
  return `${milli / 1000}`;
}

export function thousandthsOf(text: string): number {
  const found = /^(\d{1,3})(?:[.,](\d{1,3}))?$/.exec(text.trim());
  if (!found) throw new CellFault('must be a number such as 1.1, with three digits behind the point at most');
  return Number(found[1]) * 1000 + Number((found[2] ?? '').padEnd(3, '0'));
}

export function wholeOf(text: string): number {
  if (!/^\d{1,15}$/.test(text.trim())) throw new CellFault('must be a whole number');
  return Number(text.trim());
}

/** A list of levels: `1, 2`. */
export function wholesOf(text: string): number[] {
  return text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map(wholeOf);
}

/** `50.00 USD, 4000 JPY`, and nothing of an empty map. */
export function amountsText(amounts: Readonly<Amounts>): string {
  return Object.entries(amounts)
    .map(([currency, minor]) => (isCurrency(currency) ? `${toMajorText(BigInt(minor), currency)} ${currency}` : ''))
    .filter(Boolean)
    .join(', ');
}

/** Major units by currency, in either order: `50 USD, EUR 40.50`. */
export function amountsOf(text: string): Amounts {
  const amounts: Amounts = {};
  for (const part of text.split(/[,;\n]/).filter((one) => one.trim() !== '')) {
    const [currency, minor] = amountOf(part.trim());
    if (Object.hasOwn(amounts, currency)) throw new CellFault(`must name ${currency} once`);
    amounts[currency] = minor;
  }
  return amounts;
}

function amountOf(part: string): [string, number] {
  const found = /^(?:([A-Za-z]{3})\s*)?(\d{1,15}(?:\.\d+)?)(?:\s*([A-Za-z]{3}))?$/.exec(part);
  const currency = (found?.[1] ?? found?.[3] ?? '').toUpperCase();
  if (!found || (found[1] !== undefined && found[3] !== undefined) || !isCurrency(currency))
    throw new CellFault('must be amounts with their currencies and commas between, such as 50.00 USD, 40.00 EUR');
  return [currency, minorOf(found[2] ?? '', currency)];
}

function minorOf(text: string, currency: string): number {
  const [whole = '', fraction = ''] = text.split('.');
  const digits = currencyDigits(currency);
  if (fraction.length > digits) throw new CellFault(`has more digits behind the point than ${currency} has`);
  const minor = BigInt(whole + fraction.padEnd(digits, '0'));
  if (minor > MAX_AMOUNT_MINOR) throw new CellFault('is too large an amount');
  return Number(minor);
}

export interface PayValue {
  rateBps?: number | undefined;
  flatMinor?: Readonly<Amounts> | undefined;
  per?: 'sale' | 'unit' | undefined;
  ladder?: string | undefined;
}

const NO_SUM = 'no sum';
const PER = { sale: ' a sale', unit: ' a piece' } as const;

/** What a level or a rule pays, in one line: `12.5 %`, `5.00 USD a piece`, `ladder sums`. */
export function payText({ rateBps, flatMinor, per, ladder }: PayValue): string {
  if (ladder !== undefined) return `ladder ${ladder}`;
  if (flatMinor === undefined) return rateBps === undefined ? '' : percentText(rateBps);
  return `${sumText(flatMinor)}${per === undefined ? '' : PER[per]}`;
}

export function payOf(text: string): PayValue {
  const typed = text.trim();
  if (typed === '') throw new CellFault('must say what is paid: a percent, sums by currency, or a ladder');
  const ladder = /^ladder\s+(\S+)$/i.exec(typed)?.[1];
  if (ladder !== undefined) return { ladder };
  const sum = /^(.*?)(?:\s+a\s+(sale|piece))?$/is.exec(typed);
  const per = sum?.[2]?.toLowerCase();
  const amount = sum?.[1] ?? typed;
  if (per === undefined && /^[\d.,\s]+%?$/.test(amount)) return { rateBps: percentOf(amount) };
  return { flatMinor: sumOf(amount), ...(per !== undefined && { per: per === 'piece' ? 'unit' : 'sale' }) };
}

export interface StepValue {
  from: number | Readonly<Amounts>;
  rateBps: number;
}

/** Steps of a ladder, one a line: `1000.00 USD: 7 %`, of numbers of sales `3: 7 %`. */
export function stepsText(steps: readonly StepValue[]): string {
  return steps
    .map(({ from, rateBps }) => `${typeof from === 'number' ? from : sumText(from)}: ${percentText(rateBps)}`)
    .join('\n');
}

export function stepsOf(text: string, measure: string): StepValue[] {
  return linesOf(text).map((line) => {
    const at = line.lastIndexOf(':');
    if (at < 0) throw new CellFault('must have in each line where a step begins, a colon, and its percent');
    const start = line.slice(0, at);
    return { from: measure === 'sales' ? wholeOf(start) : sumOf(start), rateBps: percentOf(line.slice(at + 1)) };
  });
}

const sumText = (amounts: Readonly<Amounts>): string => amountsText(amounts) || NO_SUM;
const sumOf = (text: string): Amounts => (text.trim().toLowerCase() === NO_SUM ? {} : amountsOf(text));

/** One a line, without empty lines. */
export function linesOf(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter(Boolean);
}
