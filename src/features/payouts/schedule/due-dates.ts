/**
 * When a schedule is due, by the calendar of a time zone. A time that the clock skips is the next that exists, one that
 * occurs twice is the first. Source: docs/specification/payouts.md#schedule.
 */
import type { PayoutSchedule } from '../open/payout-schedule.ts';

export interface DueDate {
  /** YYYY-MM-DD, in the zone. */
  date: string;
  at: Date;
}

type When = Pick<PayoutSchedule, 'cadence' | 'days' | 'localTime'>;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** More days than lie between two due dates of any cadence. */
const LONGEST = 40;

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formatters.set(zone, made);
  return made;
}

/** What the clock of the zone shows, as the instant at which it would be shown in UTC. */
function shownAt(instant: number, zone: string): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
  for (const { type, value } of formatterOf(zone).formatToParts(instant)) parts[type] = value;
  const field = (name: Intl.DateTimeFormatPartTypes): number => Number(parts[name]);
  return Date.UTC(
    field('year'),
    field('month') - 1,
    field('day'),
    field('hour'),
    field('minute'),
    field('second'),
    ((instant % 1000) + 1000) % 1000,
  );
}

/** The first instant at which the clock of the zone shows the time, or where it is skipped the first behind it. */
export function instantOf(date: string, localTime: string, zone: string): Date {
  const wanted = Date.parse(`${date}T${localTime}:00Z`);
  const [before, after] = [wanted - DAY_MS, wanted + DAY_MS].map((at) => shownAt(at, zone) - at) as [number, number];
  const found = [wanted - before, wanted - after].filter((at) => shownAt(at, zone) === wanted);
  if (found.length > 0) return new Date(Math.min(...found));
  // Skipped: the clock goes on somewhere between the two.
  let [low, high] = [wanted - Math.max(before, after), wanted - Math.min(before, after)];
  while (high - low > MINUTE_MS) {
    const middle = low + Math.floor((high - low) / 2 / MINUTE_MS) * MINUTE_MS;
    if (shownAt(middle, zone) < wanted) low = middle;
    else high = middle;
  }
  return new Date(high);
}

/** The local date at an instant. */
export function localDateOf(at: Date, zone: string): string {
  return new Date(shownAt(at.getTime(), zone)).toISOString().slice(0, 10);
}

/** The first instant of the month that a local date is in. */
export function monthBegins(date: string, zone: string): Date {
  return instantOf(`${date.slice(0, 7)}-01`, '00:00', zone);
}

function plusDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

function isDueOn({ cadence, days }: When, date: string): boolean {
  const day = new Date(`${date}T00:00:00Z`);
  if (cadence === 'weekly') return days.includes(day.getUTCDay() === 0 ? 7 : day.getUTCDay());
  const isLast = plusDays(date, 1).endsWith('-01');
  return days.includes(day.getUTCDate()) || (isLast && days.includes('last'));
}

/** The latest due date that has come by `now`, and behind `after`; undefined: none. Those before it are passed over. */
export function latestDue(schedule: When, zone: string, after: Date, now: Date): DueDate | undefined {
  const today = localDateOf(now, zone);
  for (let back = -1; back <= LONGEST; back++) {
    const date = plusDays(today, -back);
    if (!isDueOn(schedule, date)) continue;
    const at = instantOf(date, schedule.localTime, zone);
    if (at <= now) return at > after ? { date, at } : undefined;
  }
  return undefined;
}

/** The first due date behind an instant. */
export function nextDue(schedule: When, zone: string, after: Date): DueDate {
  const today = localDateOf(after, zone);
  for (let ahead = -1; ahead <= LONGEST; ahead++) {
    const date = plusDays(today, ahead);
    if (!isDueOn(schedule, date)) continue;
    const at = instantOf(date, schedule.localTime, zone);
    if (at > after) return { date, at };
  }
  throw new Error('a schedule is never due');
}

/**
 * The one that is drafted next: the one that has come and is not done, else the first that comes and is not. `done` are
 * local dates: another zone or another time may bring one a second time, and nothing is drafted for it then.
 */
export function nextDraft(schedule: When, zone: string, after: Date, now: Date, done: readonly string[]): DueDate {
  const come = latestDue(schedule, zone, after, now);
  if (come && !done.includes(come.date)) return come;
  let next = nextDue(schedule, zone, now);
  while (done.includes(next.date)) next = nextDue(schedule, zone, next.at);
  return next;
}
