import { type Route, route } from '../../../http/route.ts';
import { createKycUpload, recordKycDocument } from './documents-operations.ts';
import type { DocumentsService } from './documents-service.ts';

export function kycDocumentsRoutes(documents: DocumentsService): Route[] {
  return [
    route(
      createKycUpload,
      ({ params, body, ...context }) => documents.createUpload(context, params.userId, body),
      ({ url, ...upload }) => ({ status: 200, body: { uploadUrl: url, ...upload } }),
    ),
    route(recordKycDocument, ({ params, body, ...context }) => documents.recordDocument(context, params.userId, body)),
  ];
}
