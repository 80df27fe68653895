/** Months: which one it is, and those to choose from. */
import type { Formats } from '../format.ts';

/** Of the instant, in the zone: `2026-11`. */
export function monthOf(instant: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, year: 'numeric', month: '2-digit' }).formatToParts(instant);
  const at = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  return `${at('year')}-${at('month')}`;
}

/** The last `count` months, the present one first; `chosen` is among them whenever it was. */
export function monthChoices(
  format: Pick<Formats, 'month' | 'timeZone'>,
  now: Date,
  { count = 24, chosen = '' }: { count?: number; chosen?: string | undefined } = {},
): { value: string; label: string }[] {
  const [year = 0, month = 0] = monthOf(now, format.timeZone).split('-').map(Number);
  const months = Array.from({ length: count }, (_month, back) =>
    new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 7),
  );
  if (/^\d{4}-(?:0[1-9]|1[0-2])$/.test(chosen) && !months.includes(chosen)) months.push(chosen);
  return months.map((value) => ({ value, label: format.month(value) }));
}
