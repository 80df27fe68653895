import { savedAs } from '../../http/operation.ts';
import { camelList } from '../../http/pagination.ts';
import { type Route, route, uploadRoute } from '../../http/route.ts';
import type { ImportRun } from './import-run.ts';
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

export function importsRoutes(imports: ImportsService, maxBytes: number): Route[] {
  const shown = (run: ImportRun) => ({ status: 200, body: importBody(run) });
  return [
    uploadRoute(
      createImport,
      maxBytes,
      ({ query, bytes, ...context }) => imports.receive(context, query, bytes),
      (run) => ({ status: 201, body: importBody(run), headers: { Location: `/api/v1/imports/${run.id}` } }),
    ),
    route(listImports, ({ query, ...context }) => imports.list(context, query), camelList(importBody)),
    route(getImport, ({ params, ...context }) => imports.read(context, params.importId), shown),
    route(listImportErrors, ({ params, query, ...context }) => imports.listErrors(context, params.importId, query), camelList()),
    route(
      exportImportErrors,
      async ({ params: { importId }, ...context }) => ({ importId, pieces: await imports.exportErrors(context, importId) }),
      ({ importId, pieces }) => ({ status: 200, pieces, headers: savedAs(`import-${importId}-errors.csv`) }),
    ),
    route(cancelImport, ({ params, ...context }) => imports.cancel(context, params.importId), shown),
  ];
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
    createdBy: run.createdBy,
    createdAt: run.createdAt,
    startedAt: run.startedAt,
    finishedAt: run.finishedAt,
    failure: run.failure,
  };
}
