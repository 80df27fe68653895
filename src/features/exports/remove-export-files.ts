/**
 * Removing files from the storage, in two steps that can break off anywhere: a sweep marks what is due and enqueues a
 * job, the job removes the objects and then the rows. What a job did not come to is due again five minutes later.
 */
import type { Logger } from 'pino';
import type { Db, Scope } from '../../db/scope.ts';
import { AppError } from '../../errors.ts';
import type { LeasedHandler } from '../../jobs/job.ts';
import type { Sweep } from '../../jobs/schedule.ts';
import type { ObjectStorage } from '../../vendors/storage/object-storage.ts';
import { keysBeingRemoved, markDueObjects, settleRemovals } from './export-objects-queries.ts';
import { REMOVE_EXPORT_FILES } from './export-run.ts';

const BATCH_SIZE = 100;

export function createRemovalSweep(enqueue: (db: Db, scope: Scope) => Promise<unknown>): Sweep {
  return {
    name: REMOVE_EXPORT_FILES,
    batchSize: BATCH_SIZE,
    async run(db, scope, limit) {
      const marked = await markDueObjects(db, scope, limit);
      if (marked > 0) await enqueue(db, scope);
      return marked;
    },
  };
}

/** Everything that is marked in the job's scope, whichever job it was marked for. */
export function createFileRemoval(deps: { storage: Pick<ObjectStorage, 'remove'>; logger: Logger }): LeasedHandler {
  const { storage, logger } = deps;
  return {
    name: REMOVE_EXPORT_FILES,
    kind: 'leased',
    async run(frames, { scope }, signal) {
      for (let after = ''; !signal.aborted; ) {
        const keys = await frames.read(scope, (db) => keysBeingRemoved(db, scope, after, BATCH_SIZE));
        const last = keys.at(-1);
        if (last === undefined) return;
        try {
          await storage.remove(keys);
        } catch (error) {
          if (!(error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE')) throw error;
          // The sweep asks again; a dead letter an outage would help nobody.
          logger.warn({ ...scope, err: error }, 'files of exports were not removed; they are due again in five minutes');
          return;
        }
        await frames.write(scope, (db) => settleRemovals(db, scope, keys), { repeatable: true });
        after = last;
      }
    },
  };
}
