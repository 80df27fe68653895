/**
 * The job that works an import off. A batch of rows is one transaction: what it changes, the rows that are done and
 * gone, the faults of the others, and the counts. So a worker that dies anywhere has lost nothing and doubles nothing.
 */
import { type ActingScope, bySystem } from '../../actor.ts';
import { isLockTimeout, violates } from '../../db/constraints.ts';
import type { Frames } from '../../db/frame.ts';
import { withSavepoint } from '../../db/savepoint.ts';
import type { Db, Scope, WriteDb } from '../../db/scope.ts';
import type { RowOutcome } from '../../documents/csv-row.ts';
import { faultPoint } from '../../fault-points.ts';
import type { LeasedHandler } from '../../jobs/job.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import { tell } from '../webhooks/webhooks-service.ts';
import type { ImportKinds, KindOfImport } from './import-kinds.ts';
import { deleteRows, failRows, type Position, takeRows } from './import-rows-queries.ts';
import { RUN_IMPORT } from './import-run.ts';
import {
  advanceImport,
  allowWaiting,
  awaitBatch,
  beginImport,
  endImport,
  type LockedImport,
  lockImport,
  refreshStatistics,
} from './imports-queries.ts';
import { LINKED, linkImport } from './link-rows.ts';

export interface RunDeps {
  queue: Pick<JobQueue, 'enqueue'>;
  kinds: ImportKinds;
}

/** Then it enqueues itself anew: other imports have a turn, and no run takes as long as a job may. */
const RUN_MS = 120_000;
/** A batch takes rows depth by depth; of a file that is one long line down, each depth has one. */
const BATCH_MS = 1_000;
/** The last of the job's attempts, as its feature declares them. */
const ATTEMPTS = 11;

/** Of referral codes for a batch: a clash is rare. */
const MAX_DRAWS = 5;

const ANALYZED_ROWS = 500;

const FIRST: Position = { depth: -1, rowNumber: 0 };

interface Work {
  frames: Frames;
  scope: Scope;
  run: LockedImport;
  kind: KindOfImport;
}

/** Where the next batch begins; undefined when the import is over, one way or the other. */
interface Progress {
  after: Position;
  /** Whether anything was decided since the last time the rows were gone through from the first. */
  moved: boolean;
}

export function createImportJob({ queue, kinds }: RunDeps): LeasedHandler {
  return {
    name: RUN_IMPORT,
    kind: 'leased',
    async run(frames, { scope, ids, attempt }, signal) {
      const id = ids['importId'] ?? '';
      try {
        await work(frames, scope, id, signal);
      } catch (error) {
        if (attempt >= ATTEMPTS) await giveUp(frames, scope, id);
        throw error;
      }
    },
  };

  async function work(frames: Frames, scope: Scope, id: string, signal: AbortSignal): Promise<void> {
    const until = performance.now() + RUN_MS;
    const run = await frames.write(scope, (db) => begin(db, scope, id), { repeatable: true });
    if (!run) return;
    const kind = kinds[run.kind];
    await analyze(frames, scope, run.rowCount);
    if (run.step !== LINKED) await linkImport(frames, scope, run, kind, () => !signal.aborted);
    let progress: Progress | undefined = { after: FIRST, moved: true };
    let [batches, nextAnalysis] = [0, 1];
    while (progress && !signal.aborted) {
      if (performance.now() > until) {
        await frames.write(scope, (db) => queue.enqueue(db, scope, RUN_IMPORT, { importId: id }));
        return;
      }
      progress = await nextBatch({ frames, scope, run, kind }, progress);
      batches += 1;
      if (batches === nextAnalysis && run.mode === 'apply') {
        await analyze(frames, scope, run.rowCount);
        nextAnalysis *= 2;
      }
      await faultPoint('import:batch-committed');
    }
  }
}

/** Of a small file the statistics are of no matter. Another one may be at it: then it is done. */
async function analyze(frames: Frames, scope: Scope, rows: number): Promise<void> {
  if (rows < ANALYZED_ROWS) return;
  await frames.write(scope, refreshStatistics, { repeatable: true }).catch((error: unknown) => {
    if (!isLockTimeout(error)) throw error;
  });
}

async function begin(db: Db, scope: Scope, id: string): Promise<LockedImport | undefined> {
  await allowWaiting(db);
  const run = await lockImport(db, scope, id);
  if (run?.status !== 'queued' && run?.status !== 'running') return undefined;
  await beginImport(db, scope, id);
  return run;
}

async function giveUp(frames: Frames, scope: Scope, id: string): Promise<void> {
  await frames.write(
    scope,
    async (db) => {
      await allowWaiting(db);
      const run = await lockImport(db, scope, id);
      if (run?.status === 'running' || run?.status === 'queued') {
        await endImport(db, scope, id, 'failed', 'The import met an unexpected error again and again; what was applied stays');
        tell(db, bySystem(RUN_IMPORT), 'import.failed', id);
      }
    },
    { repeatable: true },
  );
}

async function nextBatch(work: Work, progress: Progress): Promise<Progress | undefined> {
  const { frames, scope } = work;
  for (let draw = 1; ; draw++) {
    try {
      return await frames.write(scope, (db) => workBatch(db, work, progress), { repeatable: true });
    } catch (error) {
      // Another code is drawn; a member's own is refused now.
      if (!violates(error, 'referral_code_code_key') || draw === MAX_DRAWS) throw error;
    }
  }
}

async function workBatch(db: WriteDb, { scope, run, kind }: Work, { after, moved }: Progress): Promise<Progress | undefined> {
  await allowWaiting(db);
  await awaitBatch(db, scope);
  const locked = await lockImport(db, scope, run.id);
  if (locked?.status !== 'running') return undefined;
  const until = performance.now() + BATCH_MS;
  const dryRun = run.mode === 'validate';
  const batch = kind.open(db, actingFor(scope, locked), { dryRun, last: !moved });
  const done = { applied: 0, failed: 0 };
  let at = after;
  let taken = 0;
  do {
    const rows = await takeRows(db, scope, run.id, at, kind.batch - taken);
    const last = rows.at(-1);
    if (!last) {
      // Those that had to wait for somebody else's come at the end, from the first again.
      if (taken > 0 || after !== FIRST) break;
      await endImport(db, scope, run.id, 'completed');
      tell(db, bySystem(RUN_IMPORT), 'import.completed', run.id);
      return undefined;
    }
    const outcomes = await (dryRun ? undone(db, () => batch.apply(rows)) : batch.apply(rows));
    const settled = await settle(db, scope, run.id, outcomes);
    done.applied += settled.applied;
    done.failed += settled.failed;
    taken += rows.length;
    at = { depth: last.depth, rowNumber: last.rowNumber };
  } while (taken < kind.batch && performance.now() < until);
  await batch.close?.();
  await advanceImport(db, scope, run.id, done);
  await faultPoint('import:batch-done');
  const decided = done.applied + done.failed > 0;
  return taken === 0 ? { after: FIRST, moved } : { after: at, moved: after === FIRST ? decided : moved || decided };
}

/** What the rows make is made by whoever has sent the file. */
function actingFor({ tenantId, environment }: Scope, { createdBy: { kind, id } }: LockedImport): ActingScope {
  const provenance = { actor: { kind, id }, operationId: 'createImport', requestId: null, ip: null };
  return { tenantId, environment, provenance };
}

/** What `apply` finds out, and nothing of what it writes. */
async function undone(db: Db, apply: () => Promise<Map<number, RowOutcome>>): Promise<Map<number, RowOutcome>> {
  let outcomes = new Map<number, RowOutcome>();
  const undo = new Error('undone');
  try {
    await withSavepoint(db, async () => {
      outcomes = await apply();
      throw undo;
    });
  } catch (error) {
    if (error !== undo) throw error;
  }
  return outcomes;
}

async function settle(
  db: Db,
  scope: Scope,
  id: string,
  outcomes: Map<number, RowOutcome>,
): Promise<{ applied: number; failed: number }> {
  const all = [...outcomes].map(([rowNumber, outcome]) => ({ rowNumber, outcome }));
  const done = all.filter(({ outcome }) => outcome === 'done').map(({ rowNumber }) => rowNumber);
  const failed = all.flatMap(({ rowNumber, outcome }) => (Array.isArray(outcome) ? [{ rowNumber, faults: outcome }] : []));
  await Promise.all([deleteRows(db, scope, id, done), failRows(db, scope, id, failed)]);
  return { applied: done.length, failed: failed.length };
}
