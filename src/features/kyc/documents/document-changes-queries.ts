/** What becomes of members' documents, in SQL. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { scopeNow } from '../../../db/scope-clock.ts';
import type { Statement } from '../../../db/statement.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import type { DocumentMimeType, DocumentType } from '../open/kyc-states.ts';

export interface NewDocument {
  recordId: string;
  documentType: DocumentType;
  fileName: string;
  mimeType: DocumentMimeType;
  fileSize: number;
  storageKey: string;
  contentSha256: Buffer;
  malwareScan: 'clean' | 'not_scanned';
}

const kycDocument = tenantTable('kyc_document');

const insert = statement<{ id: string }, NewDocument>('kyc_insert_document', (document) =>
  kycDocument()
    .insert({
      kyc_record_id: document.recordId,
      document_type: document.documentType,
      file_name: document.fileName,
      mime_type: document.mimeType,
      file_size: document.fileSize,
      storage_key: document.storageKey,
      content_sha256: document.contentSha256,
      malware_scan: document.malwareScan,
      created_at: scopeNow,
    })
    .returning('id'),
);

export async function insertDocument(db: Db, scope: Scope, document: NewDocument): Promise<string> {
  const row = await db.row(insert(scope, document));
  if (!row) throw new Error('the document was not inserted');
  return row.id;
}

/** What a download needs. */
export interface StoredDocument {
  id: string;
  documentType: DocumentType;
  fileName: string;
  mimeType: DocumentMimeType;
  status: 'uploaded' | 'accepted' | 'rejected';
  storageKey: string;
}

const find = statement<StoredDocument, { recordId: string; id: string }>('kyc_find_document', ({ recordId, id }) =>
  kycDocument().where({ kyc_record_id: recordId, id }).select({
    id: 'id',
    documentType: 'document_type',
    fileName: 'file_name',
    mimeType: 'mime_type',
    status: 'status',
    storageKey: 'storage_key',
  }),
);

/** No row: the record has no such document. */
export function findDocumentStatement(scope: Scope, recordId: string, id: string): Statement<StoredDocument> {
  return find(scope, { recordId, id });
}

const forget = statement<{ count: number }, { recordId: string }>('kyc_forget_documents', ({ recordId }) =>
  raw(
    `with documents as (
     delete from kyc_document d where ${ofTenant('d')} and d.kyc_record_id = :recordId
     returning d.storage_key as key),
   uploads as (
     delete from kyc_upload u where ${ofTenant('u')} and u.kyc_record_id = :recordId
     returning u.pending_key as key),
   removals as (
     insert into object_removal (tenant_id, environment, storage_key, remove_after)
     select :tenantId, :environment, gone.key, now() from (select key from documents union all select key from uploads) gone
     on conflict (tenant_id, environment, storage_key) do update set remove_after = now())
   select count(*)::int as count from documents`,
    { recordId },
  ),
);

/**
 * Of a locked record: its documents and uploads go at once, their objects with the next sweep. What a
 * member may still send to an upload URL goes once more when it has expired.
 */
export async function forgetDocuments(db: Db, scope: Scope, recordId: string): Promise<number> {
  return (await db.row(forget(scope, { recordId })))?.count ?? 0;
}
