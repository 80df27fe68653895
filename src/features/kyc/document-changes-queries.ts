/** What becomes of members' documents, in SQL. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared, type Statement } from '../../db/statement.ts';
import type { DocumentMimeType, DocumentType } from './kyc-states.ts';

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

const insert = prepared<
  { id: string },
  [string, string, string, DocumentType, fileName: string, DocumentMimeType, number, key: string, Buffer, scan: string]
>(
  'kyc_insert_document',
  `insert into kyc_document (tenant_id, environment, kyc_record_id, document_type, file_name, mime_type, file_size, storage_key,
                             content_sha256, malware_scan, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, scope_now($1, $2))
   returning id`,
);

export async function insertDocument(db: Db, scope: Scope, document: NewDocument): Promise<string> {
  const { recordId, documentType, fileName, mimeType, fileSize, storageKey, contentSha256, malwareScan } = document;
  const { tenantId, environment } = scope;
  const row = await db.row(
    insert(tenantId, environment, recordId, documentType, fileName, mimeType, fileSize, storageKey, contentSha256, malwareScan),
  );
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

const find = prepared<StoredDocument, [string, string, recordId: string, id: string]>(
  'kyc_find_document',
  `select d.id, d.document_type as "documentType", d.file_name as "fileName", d.mime_type as "mimeType", d.status,
          d.storage_key as "storageKey"
   from kyc_document d
   where d.tenant_id = $1 and d.environment = $2 and d.kyc_record_id = $3 and d.id = $4`,
);

/** No row: the record has no such document. */
export function findDocumentStatement(scope: Scope, recordId: string, id: string): Statement<StoredDocument> {
  return find(scope.tenantId, scope.environment, recordId, id);
}

const forget = prepared<{ count: number }, [string, string, recordId: string]>(
  'kyc_forget_documents',
  `with documents as (
     delete from kyc_document d where d.tenant_id = $1 and d.environment = $2 and d.kyc_record_id = $3
     returning d.storage_key as key),
   uploads as (
     delete from kyc_upload u where u.tenant_id = $1 and u.environment = $2 and u.kyc_record_id = $3
     returning u.pending_key as key),
   removals as (
     insert into object_removal (tenant_id, environment, storage_key, remove_after)
     select $1, $2, gone.key, now() from (select key from documents union all select key from uploads) gone
     on conflict (tenant_id, environment, storage_key) do update set remove_after = now())
   select count(*)::int as count from documents`,
);

/**
 * Of a locked record: its documents and uploads go at once, their objects with the next sweep. What a
 * member may still send to an upload URL goes once more when it has expired.
 */
export async function forgetDocuments(db: Db, scope: Scope, recordId: string): Promise<number> {
  return (await db.row(forget(scope.tenantId, scope.environment, recordId)))?.count ?? 0;
}
