/**
 * Scheduled sweeps: work that is due by the clock, asked for every second. Each sweep is idempotent
 * and may be run by several workers at once. There is no record of when one ran last: what is due is
 * read from the rows themselves, so nothing is lost with a worker.
 */
import type { Logger } from 'pino';
import { dueScopes } from '../db/cross-tenant-lookups.ts';
import type { Frames } from '../db/frame.ts';
import type { Scope, WriteDb } from '../db/scope.ts';
import { faultPoint } from '../fault-points.ts';
import { createTurns, type Turns } from './fair-turns.ts';

export interface Sweep {
  /** As its feature names it where it says what is due. */
  name: string;
  /** Rows of one transaction; a batch that handles as many is followed by another. */
  batchSize: number;
  /** Behind all that are not: it seals or sums up what the others do. */
  last?: boolean;
  /** Of what its feature says is kept for a time: the days that the deployment sets. */
  keptDays?: number;
  /**
   * Handles at most `batchSize` rows that are due and returns their number. Rows another worker
   * holds are skipped by its own SQL (FOR UPDATE SKIP LOCKED).
   */
  run(db: WriteDb, scope: Scope): Promise<number>;
}

/** After so many batches the due scopes are asked for anew. */
const BATCHES_A_TICK = 100;

interface Due {
  sweep: Sweep;
  scope: Scope;
}

export interface Schedule {
  /** Gives each due scope a batch in turn until none is full. True when work was left for the next tick. */
  tick(isStopping: () => boolean): Promise<boolean>;
}

export function createSchedule(options: { frames: Frames; logger: Logger; sweeps: readonly Sweep[]; turns?: Turns }): Schedule {
  const { frames, logger, sweeps, turns = createTurns() } = options;

  async function findDue(): Promise<Map<string, Due>> {
    const due = new Map<string, Due>();
    for (const row of await frames.unscoped(dueScopes({ keptDays: keptDaysOf(sweeps) }))) {
      // A worker of an older release does not know the sweeps of a newer schema.
      const sweep = sweeps.find(({ name }) => name === row.sweep);
      const scope = { tenantId: row.tenant_id, environment: row.environment };
      if (sweep) due.set(`${row.tenant_id} ${row.environment} ${row.sweep}`, { sweep, scope });
    }
    return due;
  }

  return {
    async tick(isStopping) {
      const due = await findDue();
      let batches = 0;
      for (let round = turns.order([...due.keys()]); round.length > 0; ) {
        const full: string[] = [];
        for (const key of round) {
          const one = due.get(key);
          if (!one || isStopping()) return false;
          if (batches === BATCHES_A_TICK) return true;
          batches += 1;
          try {
            const rows = await runBatch(frames, logger, one.sweep, one.scope);
            turns.succeeded(key);
            if (rows >= one.sweep.batchSize) full.push(key);
          } catch (error) {
            if (turns.failed(key)) logger.error({ sweep: one.sweep.name, ...one.scope, err: error }, 'sweep failed');
          }
        }
        round = full;
      }
      return false;
    },
  };
}

/** What `dueScopes` is asked with. */
export function keptDaysOf(sweeps: readonly Sweep[]): Record<string, number> {
  return Object.fromEntries(sweeps.flatMap(({ name, keptDays }) => (keptDays === undefined ? [] : [[name, keptDays]])));
}

/** One transaction of a sweep. It is repeatable: what it has handled is not due any more. */
export async function runBatch(frames: Frames, logger: Logger, sweep: Sweep, scope: Scope): Promise<number> {
  const started = performance.now();
  const rows = await frames.write(
    scope,
    async (db) => {
      const handled = await sweep.run(db, scope);
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
