import type { Router } from 'express';
import type { Mount, MountUpload } from '../../http/mount.ts';
import { savedAs } from '../../http/operation.ts';
import type { ImportRun } from './import.ts';
import {
  cancelImport,
  createImport,
  exportImportErrors,
  getImport,
  type ImportAnswer,
  listImportErrors,
  listImports,
} from './imports-operations.ts';
import type { ImportsService } from './imports-service.ts';

export function mountImports(
  router: Router,
  { mount, mountUpload }: { mount: Mount; mountUpload: MountUpload },
  imports: ImportsService,
  maxBytes: number,
): void {
  const shown = (run: ImportRun) => ({ status: 200, body: importBody(run) });
  mountUpload(
    router,
    createImport,
    maxBytes,
    ({ query, bytes, ...context }) => imports.receive(context, query, bytes),
    (run) => ({ status: 201, body: importBody(run), headers: { Location: `/api/v1/imports/${run.id}` } }),
  );
  mount(
    router,
    listImports,
    ({ query, ...context }) => imports.list(context, query),
    ({ rows, nextCursor }) => ({
      status: 200,
      body: { data: rows.map(importBody), hasMore: nextCursor !== null, nextCursor },
    }),
  );
  mount(router, getImport, ({ params, ...context }) => imports.read(context, params.importId), shown);
  mount(
    router,
    listImportErrors,
    ({ params, query, ...context }) => imports.listErrors(context, params.importId, query),
    ({ rows, nextCursor }) => ({ status: 200, body: { data: rows, hasMore: nextCursor !== null, nextCursor } }),
  );
  mount(
    router,
    exportImportErrors,
    async ({ params: { importId }, ...context }) => ({ importId, pieces: await imports.exportErrors(context, importId) }),
    ({ importId, pieces }) => ({ status: 200, pieces, headers: savedAs(`import-${importId}-errors.csv`) }),
  );
  mount(router, cancelImport, ({ params, ...context }) => imports.cancel(context, params.importId), shown);
}

function importBody(run: ImportRun): ImportAnswer {
  const { id, kind, mode, status, fileName, rowCount, appliedCount, failedCount } = run;
  const decided = appliedCount + failedCount;
  return {
    id,
    kind,
    mode,
    status,
    fileName,
    byteCount: Number(run.byteCount),
    rowCount,
    appliedCount,
    failedCount,
    progress: rowCount > 0 ? decided / rowCount : Number(status === 'completed'),
    createdAt: run.createdAt,
    startedAt: run.startedAt,
    finishedAt: run.finishedAt,
    failure: run.failure,
  };
}
