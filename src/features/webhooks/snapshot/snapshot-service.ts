/** Snapshots: asked for, read, downloaded. Who may not read a kind may not have it in a snapshot either. */
import { actorRef } from '../../../actor.ts';
import type { Frames } from '../../../db/frame.ts';
import type { Db } from '../../../db/scope.ts';
import { AppError } from '../../../errors.ts';
import type { CallContext, Caller } from '../../../http/operation.ts';
import { holdsRight } from '../../../http/rights.ts';
import type { JobQueue } from '../../../jobs/queue.ts';
import type { ObjectStorage } from '../../../vendors/storage/object-storage.ts';
import { recordAudit } from '../../audit/audit-service.ts';
import { type EventSnapshot, MAKE_SNAPSHOT, SNAPSHOT_KINDS, SNAPSHOT_SCOPES, type SnapshotKind } from './event-snapshot.ts';
import { findSnapshot, insertSnapshot, lockSnapshot } from './snapshot-queries.ts';

export interface SnapshotService {
  /** FORBIDDEN, STATE_CONFLICT. All kinds unless some are named. */
  create(context: CallContext, kinds: readonly SnapshotKind[] | undefined): Promise<EventSnapshot>;
  /** NOT_FOUND. */
  read(context: CallContext, id: string): Promise<EventSnapshot>;
  /** NOT_FOUND, FORBIDDEN, STATE_CONFLICT without a file. */
  createDownloadUrl(context: CallContext, id: string): Promise<{ url: string; expiresAt: Date }>;
}

export interface SnapshotDeps {
  frames: Frames;
  queue: Pick<JobQueue, 'enqueue'>;
  storage: Pick<ObjectStorage, 'createDownloadUrl'>;
}

/** More than these wait for each other. */
export const MAX_UNFINISHED = 5;

const DOWNLOAD_SECONDS = 300;

export function createSnapshotService({ frames, queue, storage }: SnapshotDeps): SnapshotService {
  function refuseUnlessReadable(caller: Caller, kinds: readonly SnapshotKind[]): void {
    const missing = kinds.find((kind) => !holdsRight(caller, SNAPSHOT_SCOPES[kind]));
    if (missing === undefined) return;
    throw new AppError(
      'FORBIDDEN',
      `The API key lacks the scope ${SNAPSHOT_SCOPES[missing]}, which snapshots of ${missing} need`,
    );
  }

  function audit(db: Db, { scope }: CallContext, { id, kinds }: EventSnapshot, deed: 'created' | 'downloaded'): Promise<void> {
    const what = { action: `event_snapshot.${deed}`, objectKind: 'event_snapshot', objectId: id };
    return recordAudit(db, scope, { ...what, by: scope.provenance, details: { kinds } });
  }

  return {
    async create(context, asked = SNAPSHOT_KINDS) {
      const { scope, guard, shape } = context;
      const kinds = SNAPSHOT_KINDS.filter((kind) => asked.includes(kind));
      refuseUnlessReadable(scope, kinds);
      return frames.write(
        scope,
        async (db) => {
          const made = await insertSnapshot(db, scope, kinds, actorRef(scope.provenance.actor), MAX_UNFINISHED);
          if (!made) throw new AppError('STATE_CONFLICT', `${MAX_UNFINISHED} snapshots are unfinished; wait for one`);
          await audit(db, context, made, 'created');
          await queue.enqueue(db, scope, MAKE_SNAPSHOT, { snapshotId: made.id });
          return made;
        },
        { guard, shape },
      );
    },

    async read({ scope }, id) {
      const found = await frames.read(scope, (db) => findSnapshot(db, scope, id));
      if (!found) throw noSuchSnapshot();
      return found;
    },

    createDownloadUrl: (context, id) =>
      frames.write(
        context.scope,
        async (db) => {
          const found = await lockSnapshot(db, context.scope, id);
          if (!found) throw noSuchSnapshot();
          refuseUnlessReadable(context.scope, found.kinds);
          const { status, storageKey, expiresAt: over } = found;
          const expiresAt = new Date(Date.now() + DOWNLOAD_SECONDS * 1000);
          if (status !== 'completed' || storageKey === null || over < new Date()) {
            throw new AppError(
              'STATE_CONFLICT',
              `The snapshot is ${status === 'completed' ? 'expired' : status} and has no file`,
            );
          }
          await audit(db, context, found, 'downloaded');
          const fileName = `snapshot-${id}.ndjson`;
          const url = await storage.createDownloadUrl({ key: storageKey, fileName, expiresInSeconds: DOWNLOAD_SECONDS });
          return { url, expiresAt };
        },
        { shape: context.shape },
      ),
  };
}

function noSuchSnapshot(): AppError {
  return new AppError('NOT_FOUND', 'No such snapshot');
}
