/** One run of one job: claim, handler, completion or failure, and what is left of a run that broke off. */
import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Frames } from '../db/frame.ts';
import type { Db } from '../db/scope.ts';
import { faultPoint } from '../fault-points.ts';
import { databaseOn } from './boss.ts';
import { describeFailure, type Job, type JobHandler, jobOf, type LeasedHandler, type TransactionalHandler } from './job.ts';
import { countBrokenAttempt, holdLease, refreshLease, takeNext, takeStaleLease } from './job-queries.ts';

/** pg-boss calls a lease stale after 10 s without a heartbeat. */
const HEARTBEAT_MS = 3_000;

/** A fetched job; `job` is missing when its payload is none. */
interface Taken {
  id: string;
  name: string;
  retryCount: number;
  /** It becomes a dead letter when it fails this time. */
  last: boolean;
  job: Job | undefined;
}

type Failure = { error: unknown } | undefined;

export interface Work {
  /** Runs one job of the tenant's in the handler's queue. False when there was none to be had. */
  runOne(handler: JobHandler, tenantId: string): Promise<boolean>;
  /** Gives one job back whose worker died or took too long. False when there was none. */
  freeStaleLease(): Promise<boolean>;
  /** Tells the leased jobs that are running to end; their attempts count as failed. */
  abortLeases(): void;
}

export function createWork({ boss, frames, logger }: { boss: PgBoss; frames: Frames; logger: Logger }): Work {
  const leases = new Set<AbortController>();

  async function take(db: Pick<Db, 'rows'>, name: string, tenantId: string): Promise<Taken | undefined> {
    const [row] = await db.rows(takeNext({ name, tenantId }));
    if (!row) return undefined;
    const taken = { id: row.id, name, retryCount: row.retryCount, last: row.retryCount >= row.retryLimit };
    try {
      return { ...taken, job: jobOf({ ...row, name }) };
    } catch {
      return { ...taken, job: undefined };
    }
  }

  async function settle(db: Db, { name, id }: Taken, failure: Failure): Promise<void> {
    const options = { db: databaseOn(db) };
    if (failure) await boss.fail(name, id, describeFailure(failure.error), options);
    else await boss.complete(name, id, undefined, options);
  }

  function log({ id, name, retryCount, last, job }: Taken, failure: Failure, started: number): void {
    const ms = Math.round(performance.now() - started);
    const line = { job: name, jobId: id, ...job?.scope, attempt: retryCount + 1, ms };
    if (!failure) logger.info(line, 'job done');
    else if (last) logger.error({ ...line, err: failure.error }, 'job failed for good: a dead letter');
    else logger.warn({ ...line, err: failure.error }, 'job failed: to be repeated');
  }

  /** Claim, work and completion share a transaction: a worker killed at any point leaves the job as it was. */
  async function runTransactional(handler: TransactionalHandler, tenantId: string): Promise<boolean> {
    const started = performance.now();
    let taken: Taken | undefined;
    let failure: Failure;
    try {
      await frames.claim(async (db) => {
        taken = await take(db, handler.name, tenantId);
        if (!taken) return;
        await faultPoint('job:claimed');
        const { job } = taken;
        failure = job ? await db.attempt(job.scope, (scoped) => handler.run(scoped, job)) : malformed;
        await settle(db, taken, failure);
        await faultPoint('job:settled');
      });
    } catch (error) {
      if (taken) await recordBroken(taken, error, started);
      else throw error;
      return true;
    }
    if (!taken) return false;
    await faultPoint('job:committed');
    log(taken, failure, started);
    return true;
  }

  /** The transaction itself broke: without a record the job would be the next one again, at once and for ever. */
  async function recordBroken(taken: Taken, error: unknown, started: number): Promise<void> {
    await frames.claim(async (db) => {
      if (await db.row(countBrokenAttempt({ name: taken.name, id: taken.id }))) await settle(db, taken, { error });
    });
    log(taken, { error }, started);
  }

  async function runLeased(handler: LeasedHandler, tenantId: string): Promise<boolean> {
    const started = performance.now();
    const taken = await take({ rows: frames.unscoped }, handler.name, tenantId);
    if (!taken) return false;
    const lease = new AbortController();
    const heartbeat = setInterval(() => void keepLease(taken, lease), HEARTBEAT_MS);
    leases.add(lease);
    try {
      await faultPoint('job:claimed');
      const failure = await failureOf(handler, taken.job, lease.signal);
      await faultPoint('job:settled');
      const held = await frames.claim(async (db) => {
        if (!(await db.row(holdLease({ name: taken.name, id: taken.id, retryCount: taken.retryCount })))) return false;
        await settle(db, taken, failure);
        return true;
      });
      await faultPoint('job:committed');
      log(taken, held ? failure : { error: new Error('the lease was lost before the end') }, started);
      return true;
    } finally {
      clearInterval(heartbeat);
      leases.delete(lease);
    }
  }

  async function failureOf(handler: LeasedHandler, job: Job | undefined, signal: AbortSignal): Promise<Failure> {
    if (!job) return malformed;
    try {
      await untilAborted(handler.run(frames, job, signal), signal);
      return undefined;
    } catch (error) {
      return { error };
    }
  }

  async function keepLease({ name, id, retryCount }: Taken, lease: AbortController): Promise<void> {
    try {
      const [kept] = await frames.unscoped(refreshLease({ name, id, retryCount }));
      if (!kept) lease.abort(new Error('the lease was lost'));
    } catch (error) {
      logger.warn({ err: error, job: name, jobId: id }, 'job: a heartbeat was not recorded');
    }
  }

  return {
    runOne: (handler, tenantId) =>
      handler.kind === 'transactional' ? runTransactional(handler, tenantId) : runLeased(handler, tenantId),
    freeStaleLease: () =>
      frames.claim(async (db) => {
        const stale = await db.row(takeStaleLease());
        if (!stale) return false;
        const message = stale.heard ? 'the job took too long' : 'the worker was not heard of';
        await boss.fail(stale.name, stale.id, { message }, { db: databaseOn(db) });
        logger.warn({ job: stale.name, jobId: stale.id }, `job given back: ${message}`);
        return true;
      }),
    abortLeases() {
      for (const lease of leases) lease.abort(new Error('the worker was stopped before the job was done'));
    },
  };
}

const malformed = { error: new Error('the payload is not a scope and ids') };

/** A handler that does not heed its signal is left behind. */
async function untilAborted(run: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([run, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
    run.catch(() => undefined);
  }
}
