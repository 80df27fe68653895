/** One crash: a worker process held at a point of a job, killed with -9 while another worker waits, and what follows. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { JobHandler } from '../../../src/jobs/job.ts';
import type { TestApp } from '../app/test-app.ts';
import { createTestWorker, type Effect, eventually, listEffects, listJobs, noteIn, startWorkerProcess } from './test-jobs.ts';

/** Where a transactional job can be: the settings that hold it there, and the last statement it has sent then. */
export const CRASH_POINTS = {
  'after the claim': { env: { FAULT_POINTS: 'job:claimed=hold:60000' }, last: 'started_on = now' },
  'in the middle of the work': { env: { HOLD_IN_HANDLER_MS: '60000' }, last: 'insert into effect' },
  'before the commit': { env: { FAULT_POINTS: 'job:settled=hold:60000' }, last: 'completed_on = now' },
  'in a long statement': { env: { LONG_STATEMENT_S: '60' }, last: 'pg_sleep' },
  'after the commit': { env: { FAULT_POINTS: 'job:committed=hold:60000' }, last: undefined },
} as const;

export type CrashPoint = keyof typeof CRASH_POINTS;

/** What the rescuer does: one effect, in the job's scope. */
const rescue: JobHandler = {
  name: 'note',
  kind: 'transactional',
  run: async (db, { scope, id }) => {
    await noteIn(db, scope, id, 'first');
    await noteIn(db, scope, id, 'second');
  },
};

/**
 * Enqueues a job, lets one process take it, kills that at `point`, and waits until it is done.
 * Returns the milliseconds from the kill to the first effect of the second run, if there was one.
 */
export async function crashAt(app: TestApp, scope: Parameters<typeof noteIn>[1], point: CrashPoint): Promise<number | undefined> {
  const { database, composition } = app;
  const { env, last } = CRASH_POINTS[point];
  const id = await composition.frames.write(scope, (db) => composition.queue.enqueue(db, scope, 'note', {}));
  const jobOf = async () => (await listJobs(database)).find((job) => job.id === id);
  const effectsOf = async (): Promise<Effect[]> => (await listEffects(database)).filter((effect) => effect.job_id === id);

  const doomed = await startWorkerProcess(database, env);
  const rescuer = createTestWorker(database, [rescue]);
  try {
    await eventually(async () => {
      if (last === undefined) return (await jobOf())?.state === 'completed';
      const held = await database.asSuperuser(
        `select from pg_stat_activity where datname = current_database() and application_name = 'svc-worker'
           and xact_start is not null and query ilike '%' || $1 || '%'`,
        [last],
      );
      return held.length > 0;
    });
    await rescuer.start();
    await sleep(Math.random() * 300); // the kill comes at any time of the rescuer's polling
    const uncommitted = last !== undefined;
    expect([(await jobOf())?.state, (await effectsOf()).length]).toEqual(uncommitted ? ['created', 0] : ['completed', 2]);
    doomed.child.kill('SIGKILL');
    expect(await doomed.ended).toBe('SIGKILL');
    const killedAt = Date.now();
    await eventually(async () => (await jobOf())?.state === 'completed');
    await sleep(uncommitted ? 0 : 400); // long enough for a second run, were there one
    const effects = await effectsOf();
    expect(effects.map(({ what }) => what)).toEqual(['first', 'second']);
    expect(await jobOf()).toMatchObject({ state: 'completed', retry_count: 0 });
    return uncommitted ? (effects[0]?.at.getTime() ?? Number.NaN) - killedAt : undefined;
  } finally {
    doomed.child.kill('SIGKILL');
    await rescuer.stop(10_000);
    await rescuer.close();
  }
}
