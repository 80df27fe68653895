/** Exports: asked for, listed, read, cancelled, downloaded. Who may not read a list may not export it either. */
import type { z } from 'zod';
import { actorRef } from '../../actor.ts';
import type { Frames } from '../../db/frame.ts';
import type { Db } from '../../db/scope.ts';
import { AppError } from '../../errors.ts';
import type { CallContext, Caller } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import { holdsRight } from '../../http/rights.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import type { ObjectStorage } from '../../vendors/storage/object-storage.ts';
import { recordAudit } from '../audit/audit-service.ts';
import type { KindsOfExport } from './export-kinds.ts';
import { dropObjects } from './export-objects-queries.ts';
import { EXPORT_KINDS, type ExportKind, type ExportRequest, type ExportRun, MAX_UNFINISHED, RUN_EXPORT } from './export-run.ts';
import type { listExports } from './exports-operations.ts';
import { endExport, findExport, insertExport, listExports as listRuns, lockExport } from './exports-queries.ts';

type List = z.output<(typeof listExports)['query'] & {}>;

export interface ExportsService {
  /** FORBIDDEN, STATE_CONFLICT. */
  create(context: CallContext, request: ExportRequest): Promise<ExportRun>;
  /** Lists exports of the kinds that the caller may read. FORBIDDEN when it asks for another. */
  list(context: CallContext, query: List): Promise<Page<ExportRun>>;
  /** NOT_FOUND, FORBIDDEN. */
  read(context: CallContext, exportId: string): Promise<ExportRun>;
  /** NOT_FOUND, FORBIDDEN, STATE_CONFLICT. */
  cancel(context: CallContext, exportId: string): Promise<ExportRun>;
  /** NOT_FOUND, FORBIDDEN, STATE_CONFLICT without a file. */
  createDownloadUrl(context: CallContext, exportId: string): Promise<{ url: string; expiresAt: Date }>;
}

export interface ExportsDeps {
  frames: Frames;
  cursors: Cursors;
  queue: Pick<JobQueue, 'enqueue'>;
  storage: Pick<ObjectStorage, 'createDownloadUrl'>;
  kinds: KindsOfExport;
}

const DOWNLOAD_SECONDS = 300;

export function createExportsService({ frames, cursors, queue, storage, kinds }: ExportsDeps): ExportsService {
  const mayRead = (caller: Caller, kind: ExportKind): boolean => holdsRight(caller, kinds[kind].readScope);

  function refuseUnlessReadable(caller: Caller, kind: ExportKind): void {
    if (mayRead(caller, kind)) return;
    throw new AppError('FORBIDDEN', `The API key lacks the scope ${kinds[kind].readScope}, which exports of ${kind} need`);
  }

  function audit(
    db: Db,
    { scope }: CallContext,
    { id, kind, format, filters, rowCount }: ExportRun,
    deed: 'created' | 'cancelled' | 'downloaded',
  ): Promise<void> {
    // The names of the filters only: their values may be of a person.
    const details = { kind, format, ...(deed === 'created' ? { filters: Object.keys(filters) } : { rowCount }) };
    return recordAudit(db, scope, {
      action: `export.${deed}`,
      by: scope.provenance,
      objectKind: 'export',
      objectId: id,
      details,
    });
  }

  /** The caller's, or NOT_FOUND; FORBIDDEN when it may not read that kind. */
  function readable<Run extends ExportRun>(caller: Caller, run: Run | undefined): Run {
    if (!run) throw new AppError('NOT_FOUND', 'No such export');
    refuseUnlessReadable(caller, run.kind);
    return run;
  }

  return {
    async create(context, { kind, format, filters = {} }) {
      const { scope, guard, shape } = context;
      refuseUnlessReadable(scope, kind);
      return frames.write(
        scope,
        async (db) => {
          const createdBy = actorRef(scope.provenance.actor);
          const run = await insertExport(db, scope, { kind, format, filters, createdBy }, MAX_UNFINISHED);
          if (!run) throw new AppError('STATE_CONFLICT', `${MAX_UNFINISHED} exports are unfinished; wait for one or cancel it`);
          await audit(db, context, run, 'created');
          await queue.enqueue(db, scope, RUN_EXPORT, { exportId: run.id });
          return run;
        },
        { guard, shape },
      );
    },

    async list({ scope }, { limit, cursor, kind, status }) {
      if (kind !== undefined) refuseUnlessReadable(scope, kind);
      const shown = kind === undefined ? EXPORT_KINDS.filter((one) => mayRead(scope, one)) : [kind];
      const list = { scope, operationId: 'listExports', filters: { kind, status } };
      const beforeId = cursors.open(cursor, list);
      const rows = await frames.read(scope, (db) => listRuns(db, scope, { kinds: shown, status }, beforeId, limit + 1));
      return cursors.page(rows, limit, list, (run) => run.id);
    },

    async read({ scope }, exportId) {
      const run = await frames.read(scope, (db) => findExport(db, scope, exportId));
      return readable(scope, run);
    },

    cancel: (context, exportId) =>
      frames.write(
        context.scope,
        async (db) => {
          const { scope } = context;
          const run = readable(scope, await lockExport(db, scope, exportId));
          const cancelled = await endExport(db, scope, exportId, 'cancelled');
          if (!cancelled) throw new AppError('STATE_CONFLICT', `The export is ${run.status} and cannot be cancelled`);
          await dropObjects(db, scope, [exportId]);
          await audit(db, context, cancelled, 'cancelled');
          return cancelled;
        },
        { guard: context.guard, shape: context.shape },
      ),

    createDownloadUrl: (context, exportId) =>
      frames.write(
        context.scope,
        async (db) => {
          const { scope } = context;
          const run = readable(scope, await lockExport(db, scope, exportId));
          if (run.status !== 'completed' || run.storageKey === null) {
            const gone = run.status === 'expired' ? 'its file is gone' : 'it has no file';
            throw new AppError('STATE_CONFLICT', `The export is ${run.status}: ${gone}`);
          }
          await audit(db, context, run, 'downloaded');
          const expiresAt = new Date(Date.now() + DOWNLOAD_SECONDS * 1000);
          const fileName = `${run.kind}-${run.id}.${run.format}`;
          const url = await storage.createDownloadUrl({ key: run.storageKey, fileName, expiresInSeconds: DOWNLOAD_SECONDS });
          return { url, expiresAt };
        },
        { shape: context.shape },
      ),
  };
}
