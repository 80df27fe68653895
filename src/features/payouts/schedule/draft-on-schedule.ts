/**
 * The sweep that drafts runs by themselves: exactly one for each currency and local date, however many workers look.
 * Source: docs/specification/payouts.md#schedule.
 */
import type { Logger } from 'pino';
import { bySystem } from '../../../actor.ts';
import { withSavepoint } from '../../../db/savepoint.ts';
import type { Scope, WriteDb } from '../../../db/scope.ts';
import { faultPoint } from '../../../fault-points.ts';
import type { Sweep } from '../../../jobs/schedule.ts';
import { levelOf } from '../../../log-level.ts';
import type { RunsService } from '../runs/runs-service.ts';
import { type DueDate, latestDue, monthBegins, nextDue } from './due-dates.ts';
import {
  type DueSchedule,
  hasOpenDraft,
  insertScheduledRun,
  isDateDone,
  lockDueSchedule,
  moveSchedule,
  readScheduleClock,
  type ScheduledRun,
} from './schedule-queries.ts';

export const DRAFT_PAYOUTS = 'draft-payouts';

/** Those that were reckoned in a zone that the tenant has left: a select for due_scopes(), which begins with changed tenants. */
export const SCHEDULES_IN_ANOTHER_ZONE = `select stale.* from (
      select id, reporting_time_zone from tenant where updated_at <> created_at order by updated_at) changed
    cross join lateral (
      select s.tenant_id, s.environment from payout_schedule s
      where s.tenant_id = changed.id and s.time_zone <> changed.reporting_time_zone offset 0) stale`;

type Came = Pick<ScheduledRun, 'outcome' | 'runId'>;

/** After so long, by the clock of the environment, a draft that failed is tried again. */
const RETRY_MS = 300_000;

interface Deps {
  runs: Pick<RunsService, 'draftWithin'>;
  logger: Logger;
}

export function createDraftSweep({ runs, logger }: Deps): Sweep {
  /** By the hands that have set the schedule: nobody sets one and approves what it drafts alone. */
  async function draft(db: WriteDb, scope: Scope, due: DueSchedule, { date }: DueDate, zone: string): Promise<Came> {
    const { currency, cutoff, setRoot } = due;
    if (await hasOpenDraft(db, scope, currency)) return { outcome: 'SKIPPED_OPEN_DRAFT', runId: null };
    const cutoffAt = cutoff === 'now' ? undefined : monthBegins(date, zone).toISOString();
    const drafter = { ...scope, root: setRoot, provenance: bySystem(DRAFT_PAYOUTS) };
    const nothing = new Error('nothing is due');
    try {
      const runId = await withSavepoint(db, async () => {
        const { run } = await runs.draftWithin(db, drafter, { currency, cutoffAt });
        if (run.payoutCount === 0 && run.blockedCount === 0) throw nothing;
        return run.id;
      });
      return { outcome: 'DRAFTED', runId };
    } catch (error) {
      if (error !== nothing) throw error;
      return { outcome: 'NOTHING_DUE', runId: null };
    }
  }

  /** Undefined: it failed, and nothing is left of it. */
  async function tryDraft(db: WriteDb, scope: Scope, due: DueSchedule, date: DueDate, zone: string): Promise<Came | undefined> {
    try {
      return await withSavepoint(db, () => draft(db, scope, due, date, zone));
    } catch (error) {
      const { currency } = due;
      logger[levelOf(error)](
        { ...scope, currency, date: date.date, err: error },
        'a scheduled draft failed; it is due again in five minutes',
      );
      return undefined;
    }
  }

  return {
    name: DRAFT_PAYOUTS,
    batchSize: 1,
    async run(db, scope) {
      const clock = await readScheduleClock(db, scope);
      const { now, zone } = clock;
      const schedule = await lockDueSchedule(db, scope, clock);
      if (!schedule) return 0;
      const { currency } = schedule;
      const due = latestDue(schedule, zone, schedule.afterAt, now);
      if (due && !(await isDateDone(db, scope, currency, due.date))) {
        const came = await tryDraft(db, scope, schedule, due, zone);
        if (!came) {
          // The date stays as it is: other currencies, which were due behind this one, come first.
          const retryAt = new Date(now.getTime() + RETRY_MS);
          await moveSchedule(db, scope, { currency, afterAt: schedule.afterAt, dueAt: retryAt, timeZone: zone });
          return 1;
        }
        await insertScheduledRun(db, scope, { currency, date: due.date, at: now, ...came });
        await faultPoint('payout-schedule:drafted');
      }
      const afterAt = due?.at ?? schedule.afterAt;
      await moveSchedule(db, scope, { currency, afterAt, dueAt: nextDue(schedule, zone, now).at, timeZone: zone });
      return 1;
    },
  };
}
