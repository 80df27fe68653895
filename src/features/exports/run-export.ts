/**
 * The job that makes the file of an export. Each run of it writes an object of its own from the first row, and only the
 * last run that was begun can complete the export: a worker that dies anywhere leaves an object that is removed later.
 */
import type { Frames } from '../../db/frame.ts';
import type { Scope } from '../../db/scope.ts';
import { faultPoint } from '../../fault-points.ts';
import type { LeasedHandler } from '../../jobs/job.ts';
import type { ObjectStorage } from '../../vendors/storage/object-storage.ts';
import type { KindsOfExport } from './export-kinds.ts';
import { dropObject, dropObjects, keepObject, planObject } from './export-objects-queries.ts';
import { type ExportFormat, MIME_TYPES, RUN_EXPORT } from './export-run.ts';
import {
  advanceExport,
  type BegunExport,
  beginExport,
  completeExport,
  type ExportFile,
  endExport,
  lockExport,
} from './exports-queries.ts';
import { createRowWriter } from './write-rows.ts';

export interface RunDeps {
  storage: Pick<ObjectStorage, 'writePieces'>;
  kinds: KindsOfExport;
  pageSize: number;
}

/** The last of the job's attempts: one more than its declared repeats. */
export const EXPORT_REPEATS = 4;

/** The export was cancelled, has to begin anew, or is another run's: this run ends without a file. */
class Stopped extends Error {}

interface Run extends BegunExport {
  exportId: string;
  storageKey: string;
}

export function createExportJob(deps: RunDeps): LeasedHandler {
  return {
    name: RUN_EXPORT,
    kind: 'leased',
    async run(frames, { scope, ids, attempt }, signal) {
      const exportId = ids['exportId'] ?? '';
      try {
        while (!signal.aborted && (await runOnce(deps, frames, scope, exportId, signal)) === 'begin anew');
      } catch (error) {
        if (attempt > EXPORT_REPEATS) await giveUp(frames, scope, exportId);
        throw error;
      }
    },
  };
}

async function runOnce(
  deps: RunDeps,
  frames: Frames,
  scope: Scope,
  exportId: string,
  signal: AbortSignal,
): Promise<'ended' | 'begin anew'> {
  const run = await begin(frames, scope, exportId);
  if (!run) return 'ended';
  const done = { rowCount: 0, byteCount: 0 };
  try {
    await deps.storage.writePieces(run.storageKey, pieces(deps, frames, scope, run, done, signal), MIME_TYPES[run.format]);
    await faultPoint('export:stored');
    await complete(frames, scope, run, done);
    return 'ended';
  } catch (error) {
    // Where this fails, too, the object is removed a day later.
    const dropped = frames.write(scope, (db) => dropObject(db, scope, exportId, run.storageKey), { repeatable: true });
    await dropped.catch(() => undefined);
    if (!(error instanceof Stopped)) throw error;
    const now = await frames.write(scope, (db) => lockExport(db, scope, exportId), { repeatable: true });
    return now?.status === 'running' && now.beginAnew ? 'begin anew' : 'ended';
  }
}

function begin(frames: Frames, scope: Scope, exportId: string): Promise<Run | undefined> {
  return frames.write(
    scope,
    async (db) => {
      const begun = await beginExport(db, scope, exportId);
      if (!begun) return undefined;
      const storageKey = keyOf(scope, exportId, begun);
      await dropObjects(db, scope, [exportId]);
      await planObject(db, scope, exportId, storageKey);
      return { ...begun, exportId, storageKey };
    },
    { repeatable: true },
  );
}

function keyOf(
  { tenantId, environment }: Scope,
  exportId: string,
  { attempt, format }: { attempt: number; format: ExportFormat },
) {
  return `${environment.toLowerCase()}/${tenantId}/exports/${exportId}/${attempt}.${format}`;
}

/** Yields the file page by page; between two pages it finds out whether to go on. */
async function* pieces(
  { kinds, pageSize }: RunDeps,
  frames: Frames,
  scope: Scope,
  { exportId, kind, format, filters, attempt, storageKey, untilId }: Run,
  done: { rowCount: number; byteCount: number },
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const { columns, pages } = kinds[kind];
  const writer = createRowWriter(format, columns);
  const counted = (text: string): Buffer => {
    const bytes = Buffer.from(text);
    done.byteCount += bytes.length;
    return bytes;
  };
  yield counted(writer.head);
  for await (const rows of pages(scope, filters, { frames, pageSize, untilId })) {
    signal.throwIfAborted();
    done.rowCount += rows.length;
    const goesOn = await frames.write(
      scope,
      async (db) => {
        const mine = await advanceExport(db, scope, exportId, { attempt, rowCount: done.rowCount });
        if (mine) await planObject(db, scope, exportId, storageKey);
        return mine;
      },
      { repeatable: true },
    );
    if (!goesOn) throw new Stopped();
    yield counted(writer.write(rows));
    await faultPoint('export:page-written');
  }
  signal.throwIfAborted();
}

/** In the order of all that changes both: the export first, then its object. */
async function complete(frames: Frames, scope: Scope, run: Run, done: Pick<ExportFile, 'rowCount' | 'byteCount'>): Promise<void> {
  const { exportId, attempt, storageKey } = run;
  await frames.write(
    scope,
    async (db) => {
      if (!(await completeExport(db, scope, exportId, { attempt, storageKey, ...done }))) throw new Stopped();
      if (!(await keepObject(db, scope, exportId, storageKey))) throw new Error('the file of an export is being removed');
    },
    { repeatable: true },
  );
}

async function giveUp(frames: Frames, scope: Scope, exportId: string): Promise<void> {
  await frames.write(
    scope,
    async (db) => {
      const failed = await endExport(db, scope, exportId, 'failed', 'The export met an unexpected error again and again');
      if (failed) await dropObjects(db, scope, [exportId]);
    },
    { repeatable: true },
  );
}
