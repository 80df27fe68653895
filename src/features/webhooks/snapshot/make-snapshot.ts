/**
 * The job that makes the file of a snapshot: from the first row each time, under the same key. All is read in one
 * transaction that sees no event without a number: so what it sees is the state as of the last number, exactly.
 * Source: docs/specification/webhooks.md#snapshot.
 */
import { withinFrame } from '../../../db/ambient-frame.ts';
import type { Frames } from '../../../db/frame.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { faultPoint } from '../../../fault-points.ts';
import { renderOperation } from '../../../http/render-operation.ts';
import type { LeasedHandler } from '../../../jobs/job.ts';
import type { ObjectStorage } from '../../../vendors/storage/object-storage.ts';
import { sealEvents } from '../log/seal-events.ts';
import { MAKE_SNAPSHOT, SNAPSHOT_TYPE, type SnapshotKind, snapshotKey } from './event-snapshot.ts';
import type { KindsOfSnapshot, RenderRoute } from './snapshot-kinds.ts';
import {
  beginSnapshot,
  completeSnapshot,
  failSnapshot,
  hasFile,
  type MadeSnapshot,
  readSnapshotHead,
  type SnapshotHead,
} from './snapshot-queries.ts';

export const SNAPSHOT_REPEATS = 4;

/** Between the numbering of events and the next look something is committed again, at a busy tenant more often than not. */
const MOST_LOOKS = 1_000;

export interface SnapshotDeps {
  storage: Pick<ObjectStorage, 'writePieces' | 'remove'>;
  kinds: KindsOfSnapshot;
}

export function createSnapshotJob(deps: SnapshotDeps): LeasedHandler {
  return {
    name: MAKE_SNAPSHOT,
    kind: 'leased',
    async run(frames, { scope, ids, attempt }, signal) {
      const id = ids['snapshotId'] ?? '';
      const key = snapshotKey(scope, id);
      try {
        const kinds = await frames.write(scope, (db) => beginSnapshot(db, scope, id, key), { repeatable: true });
        const made = kinds && (await make(deps, frames, scope, key, kinds, signal));
        await faultPoint('snapshot:stored');
        const complete = made && (await frames.write(scope, (db) => completeSnapshot(db, scope, id, made), { repeatable: true }));
        // It expired meanwhile, and whoever removes its file may have come before it was there. Or it is complete by a run before.
        if (!complete && !(await frames.read(scope, (db) => hasFile(db, scope, id)))) await deps.storage.remove([key]);
      } catch (error) {
        if (attempt > SNAPSHOT_REPEATS) {
          const failure = 'The snapshot met an unexpected error again and again';
          await frames.write(scope, (db) => failSnapshot(db, scope, id, failure), { repeatable: true });
        }
        throw error;
      }
    },
  };
}

async function make(
  { storage, kinds }: SnapshotDeps,
  frames: Frames,
  scope: Scope,
  key: string,
  wanted: readonly SnapshotKind[],
  signal: AbortSignal,
): Promise<MadeSnapshot> {
  for (let look = 1; look <= MOST_LOOKS; look++) {
    signal.throwIfAborted();
    await frames.write(scope, (db) => sealEvents(db, scope), { repeatable: true });
    const made = await frames.read(
      scope,
      async (db) => {
        const head = await readSnapshotHead(db, scope);
        if (head.waiting) return undefined;
        const done = { sequence: head.sequence, rowCount: 0, byteCount: 0 };
        await storage.writePieces(key, pieces({ db, scope, head, kinds, wanted, signal }, done), SNAPSHOT_TYPE);
        return done;
      },
      { snapshot: true },
    );
    if (made) return made;
  }
  throw new Error(`of ${MOST_LOOKS} transactions each saw an event without a number`);
}

interface Reading {
  db: Db;
  scope: Scope;
  head: SnapshotHead;
  kinds: KindsOfSnapshot;
  wanted: readonly SnapshotKind[];
  signal: AbortSignal;
}

/** Whoever takes the pieces may do so from anywhere: each answer is asked for within the transaction by itself. */
async function* pieces({ db, scope, head, kinds, wanted, signal }: Reading, done: MadeSnapshot): AsyncGenerator<Buffer> {
  const counted = (lines: readonly object[]): Buffer => {
    const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    done.byteCount += bytes.length;
    return bytes;
  };
  const { sequence, takenAt } = head;
  const render: RenderRoute = (route, input) => withinFrame(db, scope, () => renderOperation(route, scope, input, MAKE_SNAPSHOT));
  yield counted([{ kind: 'snapshot', sequence: Number(sequence), takenAt, environment: scope.environment, kinds: wanted }]);
  for (const kind of wanted) {
    for await (const objects of kinds[kind].pages(db, scope, render)) {
      signal.throwIfAborted();
      done.rowCount += objects.length;
      if (objects.length > 0) yield counted(objects.map((object) => ({ kind, ...object })));
    }
  }
}
