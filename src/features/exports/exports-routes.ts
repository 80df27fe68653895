import { camelList } from '../../http/pagination.ts';
import { type Route, route } from '../../http/route.ts';
import type { KindsOfExport } from './export-kinds.ts';
import type { ExportRun } from './export-run.ts';
import {
  cancelExport,
  createExportDownloadUrl,
  createExportOf,
  type ExportAnswer,
  getExport,
  listExports,
} from './exports-operations.ts';
import type { ExportsService } from './exports-service.ts';

export function exportsRoutes(exports: ExportsService, kinds: KindsOfExport): Route[] {
  const shown = (run: ExportRun) => ({ status: 200, body: exportBody(run) });
  return [
    route(
      createExportOf(kinds),
      ({ body, ...context }) => exports.create(context, body),
      (run) => ({ status: 201, body: exportBody(run), headers: { Location: `/api/v1/exports/${run.id}` } }),
    ),
    route(listExports, ({ query, ...context }) => exports.list(context, query), camelList(exportBody)),
    route(getExport, ({ params, ...context }) => exports.read(context, params.exportId), shown),
    route(cancelExport, ({ params, ...context }) => exports.cancel(context, params.exportId), shown),
    route(createExportDownloadUrl, ({ params, ...context }) => exports.createDownloadUrl(context, params.exportId)),
  ];
}

function exportBody({ byteCount, ...run }: ExportRun): ExportAnswer {
  return { ...run, byteCount: byteCount === null ? null : Number(byteCount) };
}
