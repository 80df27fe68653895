/** When runs are drafted by themselves, and what came of it, in SQL. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { SCOPE_NOW } from '../../../db/scope-clock.ts';
import { ofTenant, theTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import type { Cadence, Cutoff, PayoutSchedule, ScheduleOutcome } from '../open/payout-schedule.ts';

const schedule = tenantTable('payout_schedule');
const outcome = tenantTable('payout_schedule_run');

interface ScheduleRow {
  currency: string;
  cadence: Cadence;
  days: string[];
  localTime: string;
  cutoff: Cutoff;
}

const COLUMNS = 's.currency, s.cadence, s.days, s.local_time as "localTime", s.cutoff';

function toSchedule<Row extends ScheduleRow>({ days, ...row }: Row): Omit<Row, 'days'> & PayoutSchedule {
  return { ...row, days: days.map((day) => (day === 'last' ? day : Number(day))) };
}

const list = statement<ScheduleRow>('schedule_list', () =>
  raw(`select ${COLUMNS} from payout_schedule s where ${ofTenant('s')} order by s.currency collate "C"`),
);

/** By currency. */
export async function listSchedules(db: Db, scope: Scope): Promise<PayoutSchedule[]> {
  return (await db.rows(list(scope))).map(toSchedule);
}

/** The time that schedules go by. */
export interface ScheduleClock {
  now: Date;
  zone: string;
}

const clock = statement<ScheduleClock>('schedule_clock', () =>
  raw(`select ${SCOPE_NOW} as now, t.reporting_time_zone as zone from tenant t where ${theTenant('t')}`),
);

export async function readScheduleClock(db: Db, scope: Scope): Promise<ScheduleClock> {
  const row = await db.row(clock(scope));
  if (!row) throw new Error('the tenant of the scope does not exist');
  return row;
}

const remove = statement<unknown, { currencies: string[] }>('schedule_remove', ({ currencies }) =>
  schedule('s').where(raw('s.currency = any (:currencies::text[])', { currencies })).delete(),
);

export async function removeSchedules(db: Db, scope: Scope, currencies: readonly string[]): Promise<void> {
  await db.rows(remove(scope, { currencies: [...currencies] }));
}

export interface NewSchedule extends PayoutSchedule {
  /** In whose hands it was set, as an `actorRef`. */
  setRoot: string;
  /** No date that was due by then counts. */
  afterAt: Date;
  dueAt: Date;
  timeZone: string;
}

const store = statement<unknown, Omit<NewSchedule, 'days'> & { days: string[] }>('schedule_store', (given) =>
  schedule()
    .insert({
      currency: given.currency,
      cadence: given.cadence,
      days: given.days,
      local_time: given.localTime,
      cutoff: given.cutoff,
      set_root: given.setRoot,
      after_at: given.afterAt,
      due_at: given.dueAt,
      time_zone: given.timeZone,
    })
    .onConflict(['currency'])
    .merge(['cadence', 'days', 'local_time', 'cutoff', 'set_root', 'after_at', 'due_at', 'time_zone']),
);

/** In the place of the one that the currency has. */
export async function storeSchedule(db: Db, scope: Scope, given: NewSchedule): Promise<void> {
  await db.rows(store(scope, { ...given, days: given.days.map(String) }));
}

export interface DueSchedule extends PayoutSchedule {
  setRoot: string;
  afterAt: Date;
}

const lockDue = statement<ScheduleRow & { setRoot: string; afterAt: Date }, ScheduleClock>('schedule_lock_due', ({ now, zone }) =>
  raw(
    `select ${COLUMNS}, s.set_root as "setRoot", s.after_at as "afterAt" from payout_schedule s
   where ${ofTenant('s')} and (s.due_at <= :now or s.time_zone <> :zone)
   order by s.due_at, s.currency limit 1 for update skip locked`,
    { now, zone },
  ),
);

/** One that is due, or was reckoned in another zone, locked; those that somebody else has locked are left to them. */
export async function lockDueSchedule(db: Db, scope: Scope, at: ScheduleClock): Promise<DueSchedule | undefined> {
  const row = await db.row(lockDue(scope, at));
  return row && toSchedule(row);
}

interface Moved {
  currency: string;
  afterAt: Date;
  dueAt: Date;
  timeZone: string;
}

const move = statement<unknown, Moved>('schedule_move', ({ currency, afterAt, dueAt, timeZone }) =>
  schedule().where({ currency }).update({ after_at: afterAt, due_at: dueAt, time_zone: timeZone }),
);

/** Of a locked one: when it is due next. */
export async function moveSchedule(db: Db, scope: Scope, moved: Moved): Promise<void> {
  await db.rows(move(scope, moved));
}

export interface ScheduledRun {
  currency: string;
  /** YYYY-MM-DD. */
  date: string;
  outcome: ScheduleOutcome;
  runId: string | null;
  at: Date;
}

const insert = statement<unknown, ScheduledRun>('schedule_insert_run', ({ currency, date, outcome: result, runId, at }) =>
  outcome().insert({ currency, local_date: date, outcome: result, run_id: runId, recorded_at: at }),
);

/** Throws the constraint's error when the date of the currency is done already. */
export async function insertScheduledRun(db: Db, scope: Scope, run: ScheduledRun): Promise<void> {
  await db.rows(insert(scope, run));
}

const find = statement<{ found: boolean }, { currency: string; date: string }>('schedule_find_run', ({ currency, date }) =>
  outcome().where({ currency, local_date: date }).select(raw('true as found')),
);

export async function isDateDone(db: Db, scope: Scope, currency: string, date: string): Promise<boolean> {
  return (await db.row(find(scope, { currency, date })))?.found === true;
}

const openDraft = statement<{ id: string }, { currency: string }>('schedule_open_draft', ({ currency }) =>
  raw(
    `select r.id from payout_run r where ${ofTenant('r')} and r.currency = :currency and r.status = 'draft'
   order by r.id desc limit 1`,
    { currency },
  ),
);

export async function hasOpenDraft(db: Db, scope: Scope, currency: string): Promise<boolean> {
  return (await db.row(openDraft(scope, { currency }))) !== undefined;
}

export interface ShownSchedule extends PayoutSchedule {
  afterAt: Date;
  /** When the worker looks at it next, as reckoned in `timeZone`. */
  dueAt: Date;
  timeZone: string;
  /** The latest local dates that are done. */
  done: string[];
  lastDate: string | null;
  lastOutcome: ScheduleOutcome | null;
  lastRunId: string | null;
  lastAt: Date | null;
}

type ShownRow = ScheduleRow & Omit<ShownSchedule, keyof PayoutSchedule>;

/** More than can lie ahead in any zone. */
const MOST_DONE = 10;

const shown = statement<ShownRow>('schedule_show', () =>
  raw(
    `select ${COLUMNS}, s.after_at as "afterAt", s.due_at as "dueAt", s.time_zone as "timeZone", array(
       select o.local_date::text from payout_schedule_run o
       where ${ofTenant('o')} and o.currency = s.currency order by o.local_date desc limit ${MOST_DONE}) as done, last.local_date::text as "lastDate", last.outcome as "lastOutcome",
          last.run_id as "lastRunId", last.recorded_at as "lastAt"
   from payout_schedule s
   left join lateral (
     select o.local_date, o.outcome, o.run_id, o.recorded_at from payout_schedule_run o
     where ${ofTenant('o')} and o.currency = s.currency order by o.local_date desc limit 1) last on true
   where ${ofTenant('s')} order by s.currency collate "C"`,
  ),
);

/** With what came of each the last time. */
export async function showSchedules(db: Db, scope: Scope): Promise<ShownSchedule[]> {
  return (await db.rows(shown(scope))).map(toSchedule);
}
