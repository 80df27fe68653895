/** Documents under review, in SQL. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared, type Statement } from '../../db/statement.ts';
import type { DocumentMimeType, DocumentType } from '../kyc/kyc-states.ts';

export interface ReviewedDocument {
  id: string;
  documentType: DocumentType;
  fileName: string;
  mimeType: DocumentMimeType;
  fileSize: number;
  status: 'uploaded' | 'accepted' | 'rejected';
  rejectionReason: string | null;
  reviewedAt: Date | null;
  malwareScan: 'clean' | 'not_scanned';
  createdAt: Date;
}

const columns = `d.id, d.document_type as "documentType", d.file_name as "fileName", d.mime_type as "mimeType", d.file_size as "fileSize",
  d.status, d.rejection_reason as "rejectionReason", d.reviewed_at as "reviewedAt", d.malware_scan as "malwareScan",
  d.created_at as "createdAt"`;

const list = prepared<ReviewedDocument, [string, string, recordId: string]>(
  'kyc_review_documents',
  `select ${columns} from kyc_document d
   where d.tenant_id = $1 and d.environment = $2 and d.kyc_record_id = $3 order by d.id`,
);

/** In the order they came in: a later one takes the place of an earlier one of its type. */
export function listDocuments(db: Db, scope: Scope, recordId: string): Promise<ReviewedDocument[]> {
  return db.rows(list(scope.tenantId, scope.environment, recordId));
}

type Place = { storageKey: string };

const find = prepared<ReviewedDocument & Place, [string, string, recordId: string, id: string]>(
  'kyc_review_find_document',
  `select ${columns}, d.storage_key as "storageKey" from kyc_document d
   where d.tenant_id = $1 and d.environment = $2 and d.kyc_record_id = $3 and d.id = $4`,
);

/** Only as a document of this record. */
export function documentStatement(scope: Scope, recordId: string, id: string): Statement<ReviewedDocument & Place> {
  return find(scope.tenantId, scope.environment, recordId, id);
}

const review = prepared<ReviewedDocument, [string, string, id: string, status: string, reason: string | null]>(
  'kyc_review_store',
  `update kyc_document d set status = $4, rejection_reason = $5, reviewed_at = scope_now($1, $2)
   where d.tenant_id = $1 and d.environment = $2 and d.id = $3
   returning ${columns}`,
);

/** Of a document whose record is locked. */
export async function storeReview(
  db: Db,
  scope: Scope,
  id: string,
  { decision, reason }: { decision: 'accepted' | 'rejected'; reason: string | null },
): Promise<ReviewedDocument> {
  const row = await db.row(review(scope.tenantId, scope.environment, id, decision, reason));
  if (!row) throw new Error('a document of a locked record vanished');
  return row;
}

const acceptRest = prepared<unknown, [string, string, recordId: string]>(
  'kyc_review_accept_rest',
  `update kyc_document d set status = 'accepted', reviewed_at = scope_now($1, $2)
   where d.tenant_id = $1 and d.environment = $2 and d.kyc_record_id = $3 and d.status = 'uploaded'`,
);

/** Those that nobody has decided on. */
export async function acceptUndecided(db: Db, scope: Scope, recordId: string): Promise<void> {
  await db.rows(acceptRest(scope.tenantId, scope.environment, recordId));
}
