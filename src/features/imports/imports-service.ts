/** Imports: received, listed, read, cancelled. */
import type { z } from 'zod';
import type { Scope } from '../../db/scope.ts';
import { type CsvCell, csvPieces, textCell, valueCell } from '../../documents/csv.ts';
import { AppError } from '../../errors.ts';
import type { ByteStream, CallContext, RequestContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import { requireRight } from '../../http/rights.ts';
import { recordAudit } from '../audit/audit-service.ts';
import { type FailedRow, listFailedRows } from './import-rows-queries.ts';
import { EFFECT_OF, type ImportRun } from './import-run.ts';
import type { listImportErrors, listImports } from './imports-operations.ts';
import { allowWaiting, endImport, findImport, listImports as listRuns, lockImport } from './imports-queries.ts';
import { type FileToImport, type ReceiveDeps, receiveImport } from './receive-import.ts';

type List = z.output<(typeof listImports)['query'] & {}>;
type ListErrors = z.output<(typeof listImportErrors)['query'] & {}>;

export interface ImportsService {
  /** Stores the file and queues the work. VALIDATION_ERROR when it is no CSV with the right columns. */
  receive(context: CallContext, file: FileToImport, bytes: ByteStream): Promise<ImportRun>;
  list(context: RequestContext, query: List): Promise<Page<ImportRun>>;
  /** NOT_FOUND. */
  read(context: RequestContext, importId: string): Promise<ImportRun>;
  /** NOT_FOUND. */
  listErrors(context: RequestContext, importId: string, query: ListErrors): Promise<Page<FailedRow>>;
  /** The pieces of the file. NOT_FOUND. */
  exportErrors(context: RequestContext, importId: string): Promise<AsyncIterable<string>>;
  /** NOT_FOUND, FORBIDDEN, STATE_CONFLICT. */
  cancel(context: CallContext, importId: string): Promise<ImportRun>;
}

const PAGE = 500;

export function createImportsService({ cursors, ...deps }: ReceiveDeps & { cursors: Cursors }): ImportsService {
  const { frames } = deps;

  async function find({ scope }: RequestContext, importId: string): Promise<ImportRun> {
    const run = await frames.read(scope, (db) => findImport(db, scope, importId));
    if (!run) throw noSuchImport();
    return run;
  }

  async function* errorPages(scope: Scope, importId: string): AsyncGenerator<CsvCell[][]> {
    for (let after: number | undefined = 0; after !== undefined; ) {
      const from: number = after;
      const rows = await frames.read(scope, (db) => listFailedRows(db, scope, importId, from, PAGE));
      yield rows.flatMap(({ rowNumber, faults }) =>
        faults.map(({ field, code, message }) => [
          valueCell(rowNumber),
          textCell(field),
          textCell(code ?? null),
          textCell(message),
        ]),
      );
      after = rows.length === PAGE ? rows.at(-1)?.rowNumber : undefined;
    }
  }

  return {
    receive: (context, file, bytes) => receiveImport(deps, context, file, bytes),

    async list({ scope }, { limit, cursor, kind, status }) {
      const filters = { kind, status };
      const list = { scope, operationId: 'listImports', filters };
      const beforeId = cursors.open(cursor, list);
      const rows = await frames.read(scope, (db) => listRuns(db, scope, filters, beforeId, limit + 1));
      return cursors.page(rows, limit, list, (run) => run.id);
    },

    read: find,

    async listErrors({ scope }, importId, { limit, cursor }) {
      const list = { scope, operationId: 'listImportErrors', filters: { importId } };
      const after = Number(cursors.open(cursor, list) ?? 0);
      const [run, rows] = await frames.read(scope, (db) =>
        Promise.all([findImport(db, scope, importId), listFailedRows(db, scope, importId, after, limit + 1)]),
      );
      if (!run) throw noSuchImport();
      return cursors.page(rows, limit, list, (row) => `${row.rowNumber}`);
    },

    async exportErrors(context, importId) {
      await find(context, importId);
      return csvPieces(['rowNumber', 'field', 'code', 'message'], errorPages(context.scope, importId));
    },

    cancel: (context, importId) =>
      frames.write(
        context.scope,
        async (db) => {
          const { scope } = context;
          await allowWaiting(db);
          const run = await lockImport(db, scope, importId);
          if (!run) throw noSuchImport();
          requireRight(scope, deps.scopeOf(EFFECT_OF[run.kind]), `an import of ${run.kind}`);
          if (run.status !== 'queued' && run.status !== 'running') {
            throw new AppError('STATE_CONFLICT', `The import is ${run.status} and cannot be cancelled`);
          }
          const cancelled = await endImport(db, scope, importId, 'cancelled');
          if (!cancelled) throw new Error('a locked import vanished');
          await recordAudit(db, scope, {
            action: 'import.cancelled',
            by: scope.provenance,
            objectKind: 'import',
            objectId: importId,
            details: { kind: run.kind, appliedCount: run.appliedCount },
          });
          return cancelled;
        },
        { guard: context.guard, shape: context.shape },
      ),
  };
}

function noSuchImport(): AppError {
  return new AppError('NOT_FOUND', 'No such import');
}
