/**
 * The one way to the database. A frame is a transaction whose first message sets the tenant and
 * environment that row-level security reads; nothing else opens a transaction, and the scope is
 * never set for longer than one. The frame's messages are pipelined: the begin travels with the
 * first statement. Measurements behind this shape: docs/decisions/0002-pipelined-frame.md.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { AppError } from '../errors.ts';
import { ambientDb, refuseWithinFrame } from './ambient-frame.ts';
import { stateOfPool } from './connect.ts';
import { isCrowded } from './constraints.ts';
import type { FrameStats } from './frame-stats.ts';
import { isSpoiled } from './lost-statements.ts';
import { onFreshPlans } from './outdated-plans.ts';
import { createGate } from './pool-queue.ts';
import type { Db, Scope, WriteDb } from './scope.ts';
import { runAlone } from './scoped-query.ts';
import { type Sendable, type Statement, sendable } from './statement.ts';
import { type Outbox, openTelling, type Sent } from './telling.ts';
import {
  attempt,
  beginText,
  CommitUnknown,
  checkScope,
  commit,
  commitBehind,
  dbOn,
  isAnswerLost,
  isSpent,
  isTransient,
  type Plans,
  rollBack,
  sendTogether,
  tellAndCommit,
  underGuard,
  untilItEnds,
} from './transaction.ts';
import type { WriteOptions } from './write-options.ts';

/** What a claiming transaction runs on: outside any tenant, save for its attempts. */
export interface ClaimDb extends Db {
  /**
   * Runs `fn` in `scope`. When it throws, or leaves a deferred constraint broken, everything it
   * wrote is undone and the error returned; the transaction goes on. `lastRow` is `row` here.
   */
  attempt(scope: Scope, fn: (db: WriteDb) => Promise<void>): Promise<{ error: unknown } | undefined>;
}

export interface Frames {
  /** A read-only transaction; with `snapshot` all statements see one state. `fn` may run twice and must have no other effect. */
  read<T>(scope: Scope, fn: (db: Db) => Promise<T>, options?: { snapshot?: boolean }): Promise<T>;
  /** A read-only transaction of one statement, sent in one piece. */
  readOnce<Row>(scope: Scope, statement: Statement<Row>): Promise<Row[]>;
  /** A transaction that may write. `fn` may run up to three times and must have no other effect. */
  write<T>(scope: Scope, fn: (db: WriteDb) => Promise<T>, options?: WriteOptions): Promise<T>;
  /**
   * A transaction that learns its scope on the way: it takes a job, works in the job's scope and
   * settles the job. It is not run again: when it does not commit, the job is as it was.
   */
  claim<T>(fn: (db: ClaimDb) => Promise<T>): Promise<T>;
  /** Figures of now and since the start, for health checks and metrics; nothing is asked. */
  stats(): FrameStats;
  /**
   * A statement outside any tenant: only the look-ups of `db/cross-tenant-lookups.ts`, health checks, the jobs'
   * own tables, the deployment's signing keys and the freeze of payouts.
   */
  unscoped<Row>(statement: Statement<Row>): Promise<Row[]>;
}

const MAX_ATTEMPTS = 3;

/** A request waits for a connection up to ten times as long as one that is stalled, while others are served. */
const LONGEST_WAIT_FACTOR = 10;

/** `outbox` is where frames write what they tell. */
export function createFrames(pool: pg.Pool, outbox?: Outbox): Frames {
  const stalledMs = pool.options.connectionTimeoutMillis ?? 2_000;
  const places = pool.options.max ?? 10;
  const gate = createGate({ places, stalledMs, longestWaitMs: LONGEST_WAIT_FACTOR * stalledMs });
  pool.on('release', (error: unknown) => gate.leave(!error));
  const state = stateOfPool(pool);
  let retried = 0;

  async function connect(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await connectOnce();
      if (!isSpoiled(client)) return client;
      client.release(true);
    }
  }

  async function connectOnce(): Promise<pg.PoolClient> {
    await gate.enter();
    try {
      return await connectWithin(stalledMs);
    } catch (error) {
      gate.leave(false);
      state?.outage.failed(error);
      throw new AppError('SERVICE_UNAVAILABLE', 'The database cannot be reached', { cause: error, retryAfterSeconds: 1 });
    }
  }

  /** A server that has no connection to spare is asked again, less and less often: others may leave it one. */
  async function connectWithin(ms: number): Promise<pg.PoolClient> {
    const until = performance.now() + ms;
    for (let pauseMs = 25; ; pauseMs = Math.min(2 * pauseMs, 400)) {
      try {
        return await pool.connect();
      } catch (error) {
        const jitteredMs = pauseMs * (0.5 + Math.random());
        if (!isCrowded(error) || performance.now() + jitteredMs > until) throw error;
        await sleep(jitteredMs);
      }
    }
  }

  /** What a lost answer leaves open is told by CommitUnknown; any other error means that nothing was committed. */
  async function writeAlone<Row>(client: pg.PoolClient, scope: Scope, statement: Sendable<Row>, plans?: Plans): Promise<Row[]> {
    try {
      const rows = await runAlone(client, scope, 'writes', statement, plans);
      client.release();
      return rows;
    } catch (error) {
      client.release(isSpent(error));
      throw isAnswerLost(error) ? new CommitUnknown('the answer was lost', { cause: error }) : error;
    }
  }

  async function runWrite<T>(scope: Scope, fn: (db: WriteDb) => Promise<T>, options: WriteOptions): Promise<T> {
    const { guard, shape, alone, heedsGuard = false, plans } = options;
    const beginning = beginText(scope, alone === true ? 'begin alone' : 'begin', plans);
    const client = await connect();
    let begun: Promise<unknown> | undefined;
    let committing: Promise<unknown> | undefined;
    const ending = untilItEnds('frame');
    const begin = (): void => {
      ending.check();
      if (begun) return;
      sendTogether(client);
      begun = client.query(beginning);
      begun.catch(() => undefined); // awaited below; an earlier failure of fn must not leave it unhandled
    };
    const db = dbOn(client, begin);
    const telling = openTelling(outbox, db, scope);
    const writeDb: WriteDb = {
      ...db,
      told: telling.told,
      listen: telling.listen,
      tell(told) {
        ending.check();
        telling.tell(told);
      },
      async lastRow(statement) {
        if (guard || (telling.told.length > 0 && !telling.isReady())) return db.row(statement);
        ending.check();
        const last = sendable(statement);
        if (!begun && alone !== true && telling.told.length === 0) {
          const answer = writeAlone(client, scope, last, plans);
          committing = answer;
          ending.end();
          return (await answer)[0];
        }
        sendTogether(client);
        const answer = db.row(last);
        committing = tellAndCommit(client, telling.settle, ending);
        committing.catch(() => undefined); // awaited below, once the statement's own answer is known
        return answer;
      },
    };
    let result: T;
    const sent: (Sent | undefined)[] = [];
    try {
      result = await underGuard(guard?.begin(db), () => fn(writeDb), heedsGuard);
      if (!committing) sent.push(await telling.settle());
      if (guard) sent.push(await guard.finish(db, result));
      else if (!committing) shape?.(result);
      ending.end();
      await begun;
    } catch (error) {
      ending.end();
      const cause = await Promise.all([begun, ...sent.map((one) => one?.done)]).then(
        () => error,
        (failed: unknown) => failed,
      );
      if (committing) {
        if ((await committing.catch((failed: unknown) => failed)) instanceof CommitUnknown)
          throw new CommitUnknown('all answers were lost', { cause });
      } else if (begun) await rollBack(client);
      else client.release();
      throw cause;
    }
    if (committing) await committing;
    else if (begun) await commitBehind(client, sent);
    else client.release();
    return result;
  }

  async function readAll<T>(scope: Scope, fn: (db: Db) => Promise<T>, snapshot: boolean): Promise<T> {
    const begin = beginText(scope, snapshot ? 'begin isolation level repeatable read read only' : 'begin read only');
    const client = await connect();
    sendTogether(client);
    const begun = client.query(begin);
    begun.catch(() => undefined);
    const ending = untilItEnds('frame');
    try {
      const result = await fn(dbOn(client, ending.check));
      await begun;
      return result;
    } catch (error) {
      throw await begun.then(
        () => error,
        (failed: unknown) => failed,
      );
    } finally {
      ending.end();
      void rollBack(client); // nothing to keep; the caller need not wait for it
    }
  }

  async function readAlone<Row>(scope: Scope, statement: Sendable<Row>): Promise<Row[]> {
    const client = await connect();
    try {
      const rows = await runAlone(client, scope, 'reads', statement);
      client.release();
      return rows;
    } catch (error) {
      client.release(isSpent(error));
      throw error;
    }
  }

  async function runUnscoped<Row>(statement: Statement<Row>): Promise<Row[]> {
    const client = await connect();
    try {
      const rows = await dbOn(client).rows(statement);
      client.release();
      return rows;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  return {
    async read(scope, fn, { snapshot = false } = {}) {
      const within = ambientDb(scope);
      return within ? fn(within) : onFreshPlans(() => readAll(scope, fn, snapshot));
    },

    async readOnce(scope, statement) {
      checkScope(scope);
      const within = ambientDb(scope);
      if (within) return within.rows(statement);
      const only = sendable(statement);
      return onFreshPlans(() => readAlone(scope, only));
    },

    async write(scope, fn, options = {}) {
      refuseWithinFrame();
      const repeatable = options.repeatable === true || options.guard !== undefined;
      for (let attempt = 1; ; attempt++) {
        try {
          return await runWrite(scope, fn, options);
        } catch (error) {
          const again = error instanceof CommitUnknown ? repeatable : isTransient(error);
          if (again && attempt < (options.once === true ? 1 : MAX_ATTEMPTS)) {
            retried += 1;
            await sleep(5 + Math.random() * 20 * attempt);
            continue;
          }
          if (again || error instanceof CommitUnknown) {
            throw new AppError('SERVICE_UNAVAILABLE', 'The database could not complete the request; try again', {
              cause: error,
              retryAfterSeconds: 1,
            });
          }
          throw error;
        }
      }
    },

    async claim(fn) {
      const client = await connect();
      const ending = untilItEnds('frame');
      let result: Awaited<ReturnType<typeof fn>>;
      try {
        await client.query('begin'); // awaited: no row-level security would hold up a claim outside a transaction
        result = await fn({
          ...dbOn(client, ending.check),
          async attempt(scope, work) {
            ending.check();
            return attempt(client, scope, work, outbox);
          },
        });
        ending.end();
      } catch (error) {
        ending.end();
        await rollBack(client);
        throw error;
      }
      await commit(client);
      return result;
    },

    stats: () => ({
      size: places,
      inUse: pool.totalCount - pool.idleCount,
      waiting: gate.waiting(),
      refused: gate.refused(),
      retried,
      destroyed: state?.mutes.destroyed() ?? 0,
      reachable: state?.outage.reachable() ?? true,
      reachableMs: state?.outage.reachable() ? performance.now() - state.outage.since() : 0,
      stuckMs: state?.mutes.stuckForMs() ?? 0,
    }),

    unscoped: (statement) => onFreshPlans(() => runUnscoped(statement)),
  };
}
