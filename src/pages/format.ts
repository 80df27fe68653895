/** Money, numbers and times as pages show them: in the tenant's time zone, in the English of the person's region. */
import { currencyDigits, toMajorText } from '../money.ts';

export interface Formats {
  locale: string;
  timeZone: string;
  /** Minor units with the sign of the currency: 751 EUR is €7.51. Exact at any size. */
  money(minor: number | bigint | string, currency: string): string;
  /** The same in few signs and without the currency's, for axes: 1,234,567 EUR is 12.3K. */
  moneyShort(minor: number, currency: string): string;
  /** A whole number with its groups. */
  count(value: number | bigint): string;
  /** A share of one: 0.05 is 5%. */
  percent(share: number): string;
  /** 22 Nov 2026. */
  date(instant: string | Date): string;
  /** 22 Nov 2026, 08:19. */
  time(instant: string | Date): string;
  /** Nov 2026, of `2026-11` or of an instant. */
  month(month: string): string;
  /** "3 days ago"; browsers keep it up to date. */
  ago(instant: string | Date, now?: Date): string;
}

const made = new Map<string, Formats>();

/** The English of whoever says by Accept-Language which, or that of Europe: pages are in English. */
export function localeOf(acceptLanguage: string | undefined): string {
  const region = /\ben-([a-z]{2})\b/i.exec(acceptLanguage ?? '')?.[1]?.toUpperCase();
  const locale = region === undefined ? 'en-GB' : `en-${region}`;
  return Intl.NumberFormat.supportedLocalesOf(locale).length > 0 ? locale : 'en-GB';
}

export function formatsOf(locale: string, timeZone: string): Formats {
  const key = `${locale}|${timeZone}`;
  const before = made.get(key);
  if (before) return before;
  if (made.size > 500) made.clear();
  const formats = createFormats(locale, timeZone);
  made.set(key, formats);
  return formats;
}

function createFormats(locale: string, timeZone: string): Formats {
  const counts = new Intl.NumberFormat(locale);
  const shorts = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  const day = { day: 'numeric', month: 'short', year: 'numeric', timeZone } as const;
  const dates = new Intl.DateTimeFormat(locale, day);
  const times = new Intl.DateTimeFormat(locale, { ...day, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const months = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const moneys = new Map<string, Intl.NumberFormat>();
  const moneyOf = (currency: string): Intl.NumberFormat => {
    const before = moneys.get(currency);
    if (before) return before;
    const digits = currencyDigits(currency);
    const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    const format = new Intl.NumberFormat(locale, { style: 'currency', currency, ...fraction });
    moneys.set(currency, format);
    return format;
  };
  return {
    locale,
    timeZone,
    // A decimal text is formatted without a binary fraction.
    money: (minor, currency) => moneyOf(currency).format(toMajorText(BigInt(minor), currency) as `${number}`),
    moneyShort: (minor, currency) => shorts.format(minor / 10 ** currencyDigits(currency)),
    count: (value) => counts.format(value),
    percent: (share) => percents.format(share),
    date: (instant) => dates.format(new Date(instant)),
    time: (instant) => times.format(new Date(instant)),
    month: (month) => months.format(/^\d{4}-\d{2}$/.test(month) ? new Date(`${month}-01T00:00:00Z`) : new Date(month)),
    ago: (instant, now = new Date()) => agoOf(relative, new Date(instant).getTime() - now.getTime()),
  };
}

const UNITS = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

function agoOf(relative: Intl.RelativeTimeFormat, differenceMs: number): string {
  const seconds = differenceMs / 1000;
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return seconds > 0 ? 'in a moment' : 'just now';
}
