/**
 * Scheduled sweeps: work that is due by the clock, asked for every second. Each sweep is idempotent
 * and may be run by several workers at once. There is no record of when one ran last: what is due is
 * read from the rows themselves, so nothing is lost with a worker.
 * Nobody waits for another's backlog: docs/specification/reliability.md#fair-background-work.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { dueScopes } from '../db/cross-tenant-lookups.ts';
import type { Frames } from '../db/frame.ts';
import type { Scope, WriteDb } from '../db/scope.ts';
import { faultPoint } from '../fault-points.ts';
import { createTurns, type Turns } from './fair-turns.ts';
import type { Lane } from './job.ts';
import { createRowBudget } from './row-budget.ts';
import { createSweepStats, type SweepStats } from './sweep-stats.ts';

export interface Sweep {
  /** As its feature names it where it says what is due. */
  name: string;
  /** The most rows of one transaction. The worker allows fewer where that many take too long. */
  batchSize: number;
  /** The loop that runs it; without a name the one of all that has none of its own. */
  lane?: Lane;
  /** Behind all that are not: it seals or sums up what the others do. */
  last?: boolean;
  /**
   * Handles at most `limit` rows that are due, from 1 to `batchSize`, and returns their number; a batch that handles as
   * many is followed by another. Rows another worker holds are skipped by its own SQL (FOR UPDATE SKIP LOCKED).
   */
  run(db: WriteDb, scope: Scope, limit: number): Promise<number>;
}

/** After so long what is due is asked for anew: who has work since then is next. */
const ROUND_MS = 500;
/** A batch that takes longer, or waits for a lock, is left to itself, and the round goes on. */
const LEAVE_AFTER_MS = 1_000;

interface Due {
  key: string;
  sweep: Sweep;
  scope: Scope;
}

export interface Schedule {
  /**
   * One round: a batch for each due scope, fair among tenants and then among a tenant's sweeps, until all had one or
   * the round has taken its time. True when something is left, and should be asked for at once.
   */
  tick(isStopping: () => boolean): Promise<boolean>;
  /** Resolves when no batch is running that a round has left to itself. */
  idle(): Promise<void>;
  /** By the names of the sweeps. */
  stats(): Record<string, SweepStats>;
}

export function createSchedule(options: {
  frames: Frames;
  logger: Logger;
  sweeps: readonly Sweep[];
  /** So many long batches may be left to themselves; each holds a connection. */
  mostLeft?: number;
  turns?: Turns;
}): Schedule {
  const { frames, logger, sweeps, mostLeft = 0, turns = createTurns() } = options;
  const budget = createRowBudget();
  const stats = createSweepStats(sweeps.map(({ name }) => name));
  /** Batches that a round began, and whether they were full. One of a scope and sweep at a time. */
  const running = new Map<string, Promise<boolean>>();

  async function findDue(): Promise<Map<string, Due>> {
    const due = new Map<string, Due>();
    for (const row of await frames.unscoped(dueScopes())) {
      // A worker of an older release does not know the sweeps of a newer schema.
      const sweep = sweeps.find(({ name }) => name === row.sweep);
      const scope = { tenantId: row.tenant_id, environment: row.environment };
      const key = `${row.tenant_id} ${row.environment} ${row.sweep}`;
      if (sweep) due.set(key, { key, sweep, scope });
    }
    stats.seen([...due.values()].map(({ key, sweep }) => ({ key, sweep: sweep.name })));
    return due;
  }

  /** Whether it was full. Never rejects. */
  async function turn({ key, sweep, scope }: Due): Promise<boolean> {
    const limit = budget.rowsFor(key, sweep.batchSize);
    const started = performance.now();
    let rows = 0;
    try {
      rows = await runBatch(frames, logger, sweep, scope, limit);
      turns.succeeded(key, scope.tenantId);
      return rows >= limit;
    } catch (error) {
      stats.failed(sweep.name);
      if (turns.failed(key, scope.tenantId)) logger.error({ sweep: sweep.name, ...scope, err: error }, 'sweep failed');
      return false;
    } finally {
      const ms = performance.now() - started;
      budget.took(key, { limit, rows, ms });
      stats.ran(sweep.name, { key, rows, ms, full: rows >= limit });
    }
  }

  /** Whether the batch was full, or goes on by itself. */
  async function begin(one: Due): Promise<boolean> {
    const batch = turn(one).finally(() => running.delete(one.key));
    running.set(one.key, batch);
    const left = Symbol('left');
    const waiting = new AbortController();
    const ended = await Promise.race([batch, sleep(LEAVE_AFTER_MS, left, { signal: waiting.signal }).catch(() => left)]);
    waiting.abort();
    if (ended !== left) return ended as boolean;
    if (running.size > mostLeft) await Promise.race(running.values());
    return true;
  }

  return {
    async tick(isStopping) {
      const due = await findDue();
      const began = performance.now();
      let more = false;
      const tenantOf = (key: string): string => due.get(key)?.scope.tenantId ?? '';
      for (const key of turns.order([...due.keys()], tenantOf)) {
        const one = due.get(key);
        if (isStopping()) return false;
        if (performance.now() - began > ROUND_MS) return true;
        if (!one || running.has(key)) continue;
        if (await begin(one)) more = true;
      }
      return more;
    },
    async idle() {
      while (running.size > 0) await Promise.all(running.values());
    },
    stats: stats.all,
  };
}

/** One transaction of a sweep, of at most `limit` rows. It is repeatable: what it has handled is not due any more. */
export async function runBatch(
  frames: Frames,
  logger: Logger,
  sweep: Sweep,
  scope: Scope,
  limit: number = sweep.batchSize,
): Promise<number> {
  const started = performance.now();
  const rows = await frames.write(
    scope,
    async (db) => {
      const handled = await sweep.run(db, scope, limit);
      await faultPoint('sweep:handled');
      return handled;
    },
    { repeatable: true },
  );
  if (rows > 0) logger.info({ sweep: sweep.name, ...scope, rows, ms: Math.round(performance.now() - started) }, 'sweep');
  return rows;
}

/**
 * Everything that is due in one scope, at once and in full. A sweep that fails is logged and left to
 * the schedule.
 */
export async function sweepScope(
  { frames, logger, sweeps }: { frames: Frames; logger: Logger; sweeps: readonly Sweep[] },
  scope: Scope,
): Promise<void> {
  for (const sweep of sweeps) {
    try {
      for (let rows = sweep.batchSize; rows >= sweep.batchSize; ) rows = await runBatch(frames, logger, sweep, scope);
    } catch (error) {
      logger.error({ sweep: sweep.name, ...scope, err: error }, 'sweep failed');
    }
  }
}
