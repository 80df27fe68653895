/**
 * Removing objects from the storage, in two steps that can break off anywhere: a sweep marks what is
 * due and enqueues a job, the job removes the objects and then the rows. What a job did not come to is
 * due again five minutes later.
 */
import type { Logger } from 'pino';
import type { Db, Scope } from '../../db/frame.ts';
import { AppError } from '../../errors.ts';
import type { LeasedHandler } from '../../jobs/job.ts';
import type { Sweep } from '../../jobs/schedule.ts';
import type { ObjectStorage } from '../../vendors/storage/object-storage.ts';
import { keysBeingRemoved, markDueRemovals, settleRemovals } from './object-removal-queries.ts';

/** As src/jobs/declarations.ts declares it, and the name of the sweep. */
export const REMOVE_OBJECTS = 'remove-objects';

const BATCH_SIZE = 100;

export function createRemovalSweep(enqueue: (db: Db, scope: Scope) => Promise<unknown>): Sweep {
  return {
    name: REMOVE_OBJECTS,
    batchSize: BATCH_SIZE,
    async run(db, scope) {
      const marked = await markDueRemovals(db, scope, BATCH_SIZE);
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
        if (!(await removed(scope, keys))) return;
        await frames.write(scope, (db) => settleRemovals(db, scope, keys), { repeatable: true });
      }
    },
  };

  /** While the storage is away the sweep asks again; a dead letter an outage would help nobody. */
  async function removed(scope: Scope, keys: string[]): Promise<boolean> {
    try {
      await storage.remove(keys);
      return true;
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE')) throw error;
      logger.warn({ ...scope, err: error }, 'objects were not removed; they are due again in five minutes');
      return false;
    }
  }
}
