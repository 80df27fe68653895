/** Where a document is kept. Everything in it is ours: what the member calls the file is in the database only. */
import { randomUUID } from 'node:crypto';
import type { Scope } from '../../../db/scope.ts';
import type { DocumentMimeType } from '../open/kyc-states.ts';

const EXTENSIONS: Readonly<Record<DocumentMimeType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'application/pdf': 'pdf',
};

/** `pending` is written to by whoever holds the upload URL; `documents` by us alone, each key once. */
export function newDocumentKey(
  scope: Scope,
  place: 'pending' | 'documents',
  { memberId, recordId, mimeType }: { memberId: string; recordId: string; mimeType: DocumentMimeType },
): string {
  const { tenantId, environment } = scope;
  const record = `${environment.toLowerCase()}/${tenantId}/kyc/${memberId}/${recordId}`;
  return `${record}/${place}/${randomUUID()}.${EXTENSIONS[mimeType]}`;
}
