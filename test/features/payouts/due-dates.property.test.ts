/** When a schedule is due, in zones whose clocks are put forward and back. Source: docs/specification/payouts.md#schedule. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PayoutSchedule } from '../../../src/features/payouts/open/payout-schedule.ts';
import { instantOf, latestDue, localDateOf, monthBegins, nextDue } from '../../../src/features/payouts/schedule/due-dates.ts';

const ZONES = [
  'America/Santiago',
  'Pacific/Auckland',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Africa/Cairo',
  'America/New_York',
  'UTC',
] as const;

const MINUTE = 60_000;
const DAY = 86_400_000;

const pad = (value: number): string => String(value).padStart(2, '0');
const zone = fc.constantFrom(...ZONES);
const localTime = fc.record({ hour: fc.nat(23), minute: fc.nat(59) }).map(({ hour, minute }) => `${pad(hour)}:${pad(minute)}`);
const date = fc
  .integer({ min: Date.parse('2011-12-01') / DAY, max: Date.parse('2031-12-31') / DAY })
  .map((days) => new Date(days * DAY).toISOString().slice(0, 10));
const dayOfMonth = fc.oneof(fc.integer({ min: 1, max: 28 }), fc.constant('last' as const));
const when = fc.oneof(
  fc.record({
    cadence: fc.constant('weekly' as const),
    days: fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 1 }),
    localTime,
  }),
  fc.record({ cadence: fc.constant('monthly' as const), days: fc.array(dayOfMonth, { minLength: 1, maxLength: 1 }), localTime }),
  fc.record({
    cadence: fc.constant('twice_a_month' as const),
    days: fc.uniqueArray(dayOfMonth, { minLength: 2, maxLength: 2 }),
    localTime,
  }),
);
const instant = fc.integer({ min: Date.parse('2011-12-01'), max: Date.parse('2031-12-31') }).map((at) => new Date(at));

/** `2026-03-29 02:30`, by another way to ask for it. */
const shown = (at: number, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(at);

/** Minute by minute: the first that shows the time; where none does, the first that shows a later one behind an earlier one. */
function firstByLooking(day: string, time: string, timeZone: string): Date {
  const wanted = `${day} ${time}`;
  const around = Date.parse(`${day}T${time}:00Z`);
  let skipped: number | undefined;
  for (let at = around - 15 * 60 * MINUTE; at <= around + 15 * 60 * MINUTE; at += MINUTE) {
    const now = shown(at, timeZone);
    if (now === wanted) return new Date(at);
    if (skipped === undefined && now > wanted && shown(at - MINUTE, timeZone) < wanted) skipped = at;
  }
  if (skipped === undefined) throw new Error(`${wanted} never comes in ${timeZone}`);
  return new Date(skipped);
}

test.each([
  ['put forward in Berlin', 'Europe/Berlin', '2026-03-29', '02:30', '2026-03-29T01:00:00.000Z'],
  ['put back in Berlin: the first of two', 'Europe/Berlin', '2026-10-25', '02:30', '2026-10-25T00:30:00.000Z'],
  ['midnight skipped in Santiago', 'America/Santiago', '2026-09-06', '00:00', '2026-09-06T04:00:00.000Z'],
  ['midnight and half an hour skipped in Santiago', 'America/Santiago', '2026-09-06', '00:30', '2026-09-06T04:00:00.000Z'],
  ['twice in Santiago', 'America/Santiago', '2026-04-04', '23:30', '2026-04-05T02:30:00.000Z'],
  ['put forward in Auckland', 'Pacific/Auckland', '2026-09-27', '02:15', '2026-09-26T14:00:00.000Z'],
  ['half an hour east of five', 'Asia/Kolkata', '2026-03-29', '06:00', '2026-03-29T00:30:00.000Z'],
  ['by half an hour on Lord Howe', 'Australia/Lord_Howe', '2026-10-04', '02:10', '2026-10-03T15:30:00.000Z'],
  ['a day that Samoa left out', 'Pacific/Apia', '2011-12-30', '06:00', '2011-12-30T10:00:00.000Z'],
])('%s', (_what, timeZone, day, time, expected) => {
  expect(instantOf(day, time, timeZone).toISOString()).toBe(expected);
  expect(firstByLooking(day, time, timeZone).toISOString()).toBe(expected);
});

describe('whatever the zone', () => {
  test('a local time is the first instant that shows it, or the first behind it', () => {
    fc.assert(
      fc.property(date, localTime, zone, (day, time, timeZone) => {
        expect(instantOf(day, time, timeZone)).toEqual(firstByLooking(day, time, timeZone));
      }),
      { numRuns: 40 },
    );
  });

  test('days around a change of the clock too', () => {
    const changes = [
      '2026-03-29',
      '2026-10-25',
      '2026-09-06',
      '2026-04-05',
      '2026-09-27',
      '2026-10-04',
      '2026-04-24',
      '2026-10-30',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...changes), fc.integer({ min: -1, max: 1 }), localTime, zone, (near, by, time, timeZone) => {
        const day = new Date(Date.parse(near) + by * DAY).toISOString().slice(0, 10);
        expect(instantOf(day, time, timeZone)).toEqual(firstByLooking(day, time, timeZone));
      }),
      { numRuns: 60 },
    );
  });

  test('the latest that is due is the last of those that come one after the other, and none is left out', () => {
    fc.assert(
      fc.property(when, zone, instant, fc.integer({ min: 0, max: 100 * DAY }), (schedule, timeZone, after, later) => {
        const now = new Date(after.getTime() + later);
        const all = [];
        for (let next = nextDue(schedule, timeZone, after); next.at <= now; next = nextDue(schedule, timeZone, next.at)) {
          expect(isDay(schedule, next.date)).toBe(true);
          expect(all.at(-1)?.date).not.toBe(next.date);
          all.push(next);
        }
        expect(latestDue(schedule, timeZone, after, now)).toEqual(all.at(-1));
      }),
      { numRuns: 200 },
    );
  });

  test('within a year each day of the schedule comes once', () => {
    fc.assert(
      fc.property(when, zone, fc.integer({ min: 2012, max: 2030 }), (schedule, timeZone, year) => {
        const dates = [];
        let { date: day, at } = nextDue(
          schedule,
          timeZone,
          new Date(instantOf(`${year}-01-01`, '00:00', timeZone).getTime() - 1),
        );
        for (; day < `${year + 1}`; { date: day, at } = nextDue(schedule, timeZone, at)) dates.push(day);
        const wanted = [];
        for (let each = Date.parse(`${year}-01-01`); each < Date.parse(`${year + 1}-01-01`); each += DAY) {
          const text = new Date(each).toISOString().slice(0, 10);
          if (isDay(schedule, text)) wanted.push(text);
        }
        expect(dates).toEqual(wanted);
      }),
      { numRuns: 60 },
    );
  });

  test('the month of a date begins at its first instant', () => {
    fc.assert(
      fc.property(date, zone, (day, timeZone) => {
        const begins = monthBegins(day, timeZone);
        expect(localDateOf(begins, timeZone)).toBe(`${day.slice(0, 7)}-01`);
        expect(localDateOf(new Date(begins.getTime() - 1), timeZone) < `${day.slice(0, 7)}-01`).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

function isDay({ cadence, days }: Pick<PayoutSchedule, 'cadence' | 'days'>, day: string): boolean {
  const at = new Date(`${day}T12:00:00Z`);
  if (cadence === 'weekly') return days.includes(((at.getUTCDay() + 6) % 7) + 1);
  const lastDay = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  return days.some((one) => (one === 'last' ? lastDay : one) === at.getUTCDate());
}
