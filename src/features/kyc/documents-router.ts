import type { Router } from 'express';
import type { Mount } from '../../http/mount.ts';
import { createKycUpload, recordKycDocument } from './documents-operations.ts';
import type { DocumentsService } from './documents-service.ts';

export function mountKycDocuments(router: Router, mount: Mount, documents: DocumentsService): void {
  mount(
    router,
    createKycUpload,
    ({ params, body, ...context }) => documents.createUpload(context, params.userId, body),
    ({ url, ...upload }) => ({ status: 200, body: { uploadUrl: url, ...upload } }),
  );
  mount(router, recordKycDocument, ({ params, body, ...context }) => documents.recordDocument(context, params.userId, body));
}
