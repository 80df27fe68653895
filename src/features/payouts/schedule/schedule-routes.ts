import type { Frames } from '../../../db/frame.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { type Route, route } from '../../../http/route.ts';
import { latestDue, nextDue } from './due-dates.ts';
import { getPayoutSchedule } from './schedule-operations.ts';
import { readScheduleClock, type ShownSchedule, showSchedules } from './schedule-queries.ts';

export function payoutScheduleRoutes({ frames }: { frames: Frames }): Route[] {
  async function read(db: Db, scope: Scope) {
    const [{ now, zone }, schedules] = await Promise.all([readScheduleClock(db, scope), showSchedules(db, scope)]);
    return {
      data: schedules.map(({ afterAt, lastDate, lastOutcome, lastRunId, lastAt, ...schedule }: ShownSchedule) => ({
        ...schedule,
        days: [...schedule.days],
        nextAt: (latestDue(schedule, zone, afterAt, now) ?? nextDue(schedule, zone, now)).at,
        last:
          lastDate === null || lastOutcome === null || lastAt === null
            ? null
            : { date: lastDate, outcome: lastOutcome, runId: lastRunId, at: lastAt },
      })),
    };
  }

  return [route(getPayoutSchedule, ({ scope }) => frames.read(scope, (db) => read(db, scope)))];
}
