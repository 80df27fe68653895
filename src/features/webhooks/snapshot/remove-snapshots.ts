/** Removing files of snapshots, in two steps: a sweep marks what is over and enqueues a job, which removes the files. */
import type { Logger } from 'pino';
import type { Db, Scope } from '../../../db/scope.ts';
import { AppError } from '../../../errors.ts';
import type { LeasedHandler } from '../../../jobs/job.ts';
import type { Sweep } from '../../../jobs/schedule.ts';
import type { ObjectStorage } from '../../../vendors/storage/object-storage.ts';
import { REMOVE_SNAPSHOTS } from './event-snapshot.ts';
import { expireDueSnapshots, settleSnapshots, snapshotKeysToRemove } from './snapshot-queries.ts';

const BATCH_SIZE = 100;

export function createSnapshotSweep(enqueue: (db: Db, scope: Scope) => Promise<unknown>): Sweep {
  return {
    name: REMOVE_SNAPSHOTS,
    batchSize: BATCH_SIZE,
    async run(db, scope, limit) {
      const expired = await expireDueSnapshots(db, scope, limit);
      if (expired > 0) await enqueue(db, scope);
      return expired;
    },
  };
}

export function createSnapshotRemoval(deps: { storage: Pick<ObjectStorage, 'remove'>; logger: Logger }): LeasedHandler {
  return {
    name: REMOVE_SNAPSHOTS,
    kind: 'leased',
    async run(frames, { scope }, signal) {
      while (!signal.aborted) {
        const keys = await frames.read(scope, (db) => snapshotKeysToRemove(db, scope, BATCH_SIZE));
        if (keys.length === 0) return;
        try {
          await deps.storage.remove(keys);
        } catch (error) {
          if (!(error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE')) throw error;
          // The sweep asks again; a dead letter an outage would help nobody.
          deps.logger.warn({ ...scope, err: error }, 'files of snapshots were not removed; they are due again in five minutes');
          return;
        }
        await frames.write(scope, (db) => settleSnapshots(db, scope, keys), { repeatable: true });
      }
    },
  };
}
