/**
 * Removing objects from the storage, in two steps that can break off anywhere: a sweep marks what is
 * due and enqueues a job, the job removes the objects and then the rows. What a job did not come to is
 * due again five minutes later.
 */
import type { Logger } from 'pino';
import type { Db, Scope } from '../../../db/scope.ts';
import { AppError } from '../../../errors.ts';
import type { LeasedHandler } from '../../../jobs/job.ts';
import type { Sweep } from '../../../jobs/schedule.ts';
import type { ObjectStorage } from '../../../vendors/storage/object-storage.ts';
import { keysBeingRemoved, markDueRemovals, settleRemovals } from './object-removal-queries.ts';

/** The name of the job, and of its sweep. */
export const REMOVE_OBJECTS = 'remove-objects';

const BATCH_SIZE = 100;

/** Of so many one after the other none went: it is not them. */
const AWAY_AFTER = 5;

export function createRemovalSweep(enqueue: (db: Db, scope: Scope) => Promise<unknown>): Sweep {
  return {
    name: REMOVE_OBJECTS,
    batchSize: BATCH_SIZE,
    async run(db, scope, limit) {
      const marked = await markDueRemovals(db, scope, limit);
      if (marked > 0) await enqueue(db, scope);
      return marked;
    },
  };
}

/** Everything that is marked in the job's scope, whichever job it was marked for. */
export function createObjectRemoval({ storage, logger }: { storage: ObjectStorage; logger: Logger }): LeasedHandler {
  return {
    name: REMOVE_OBJECTS,
    kind: 'leased',
    async run(frames, { scope }, signal) {
      let after = '';
      while (!signal.aborted) {
        const keys = await frames.read(scope, (db) => keysBeingRemoved(db, scope, after, BATCH_SIZE));
        const last = keys.at(-1);
        if (last === undefined) return;
        after = last;
        const gone = (await fault(keys)) === undefined ? keys : await removeEach(scope, keys);
        if (gone.length === 0) return;
        await frames.write(scope, (db) => settleRemovals(db, scope, gone), { repeatable: true });
      }
    },
  };

  /** What cannot be removed must not hold up the others. None: the storage is away. */
  async function removeEach(scope: Scope, keys: readonly string[]): Promise<string[]> {
    const gone: string[] = [];
    let last: AppError | undefined;
    for (const [index, key] of keys.entries()) {
      if (index === AWAY_AFTER && gone.length === 0) break;
      const failed = await fault([key]);
      if (failed) last = failed;
      else gone.push(key);
    }
    // The sweep asks again; a dead letter an outage would help nobody.
    const left = keys.length - gone.length;
    if (left > 0) logger.warn({ ...scope, left, err: last }, 'objects were not removed; they are due again in five minutes');
    return gone;
  }

  async function fault(keys: readonly string[]): Promise<AppError | undefined> {
    try {
      await storage.remove(keys);
      return undefined;
    } catch (error) {
      if (error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE') return error;
      throw error;
    }
  }
}
