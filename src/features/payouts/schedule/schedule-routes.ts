import type { Frames } from '../../../db/frame.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { type Route, route } from '../../../http/route.ts';
import { nextDraft } from './due-dates.ts';
import { getPayoutSchedule } from './schedule-operations.ts';
import { readScheduleClock, type ScheduleClock, type ShownSchedule, showSchedules } from './schedule-queries.ts';

export function payoutScheduleRoutes({ frames }: { frames: Frames }): Route[] {
  async function read(db: Db, scope: Scope) {
    const [clock, schedules] = await Promise.all([readScheduleClock(db, scope), showSchedules(db, scope)]);
    return {
      data: schedules.map(({ lastDate, lastOutcome, lastRunId, lastAt, ...schedule }: ShownSchedule) => ({
        currency: schedule.currency,
        cadence: schedule.cadence,
        days: [...schedule.days],
        localTime: schedule.localTime,
        cutoff: schedule.cutoff,
        nextAt: nextAtOf(schedule, clock),
        last:
          lastDate === null || lastOutcome === null || lastAt === null
            ? null
            : { date: lastDate, outcome: lastOutcome, runId: lastRunId, at: lastAt },
      })),
    };
  }

  return [route(getPayoutSchedule, ({ scope }) => frames.read(scope, (db) => read(db, scope)))];
}

type Shown = Omit<ShownSchedule, 'lastDate' | 'lastOutcome' | 'lastRunId' | 'lastAt'>;

/** The next date; when it is tried again, where one has come and its draft failed. */
function nextAtOf({ afterAt, dueAt, timeZone, done, ...schedule }: Shown, { now, zone }: ScheduleClock): Date {
  const { at } = nextDraft(schedule, zone, afterAt, now, done);
  return at <= now && dueAt > now && timeZone === zone ? dueAt : at;
}
