/** The schedule of drafts as the settings change it. Source: docs/specification/payouts.md#schedule. */
import type { Db, Scope } from '../../../db/scope.ts';
import type { PayoutSchedule } from '../open/payout-schedule.ts';
import { nextDue } from './due-dates.ts';
import { readScheduleClock, removeSchedules, storeSchedule } from './schedule-queries.ts';

/** In one order, whatever somebody sent. */
export function inOrder(schedules: readonly PayoutSchedule[]): PayoutSchedule[] {
  return schedules.toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
}

const asText = ({ currency, cadence, days, localTime, cutoff }: PayoutSchedule): string =>
  JSON.stringify([currency, cadence, days, localTime, cutoff]);

export function areSame(before: readonly PayoutSchedule[], after: readonly PayoutSchedule[]): boolean {
  return inOrder(before).map(asText).join() === inOrder(after).map(asText).join();
}

/** What is as it was stays in the hands that have set it. What is new or another is due from now on, and not before. */
export async function storeSchedules(
  db: Db,
  scope: Scope & { root: string },
  before: readonly PayoutSchedule[],
  after: readonly PayoutSchedule[],
): Promise<void> {
  const { now, zone } = await readScheduleClock(db, scope);
  const kept = new Set(before.map(asText));
  const currencies = new Set(after.map(({ currency }) => currency));
  const gone = before.map(({ currency }) => currency).filter((currency) => !currencies.has(currency));
  if (gone.length > 0) await removeSchedules(db, scope, gone);
  for (const schedule of after) {
    if (kept.has(asText(schedule))) continue;
    const dueAt = nextDue(schedule, zone, now).at;
    await storeSchedule(db, scope, { ...schedule, setRoot: scope.root, afterAt: now, dueAt, timeZone: zone });
  }
}
