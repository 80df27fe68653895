/** Documents under review, in SQL. */
import type { Knex } from 'knex';
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { scopeNow } from '../../../db/scope-clock.ts';
import type { Statement } from '../../../db/statement.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import { SUPERSEDED } from '../documents/document-queries.ts';
import type { DocumentMimeType, DocumentType } from '../open/kyc-states.ts';

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
  superseded: boolean;
  createdAt: Date;
}

const columns = [
  'd.id',
  'd.document_type as documentType',
  'd.file_name as fileName',
  'd.mime_type as mimeType',
  'd.file_size as fileSize',
  'd.status',
  'd.rejection_reason as rejectionReason',
  'd.reviewed_at as reviewedAt',
  'd.malware_scan as malwareScan',
  raw(`${SUPERSEDED} as superseded`),
  'd.created_at as createdAt',
];

const kycDocument = tenantTable('kyc_document');
const ofRecord = (recordId: Knex.Raw) => kycDocument('d').where('d.kyc_record_id', recordId);
const reviewedAt = scopeNow;

const list = statement<ReviewedDocument, { recordId: string }>('kyc_review_documents', ({ recordId }) =>
  ofRecord(recordId).orderBy('d.id').select(columns),
);

/** In the order they came in: a later one takes the place of an earlier one of its type. */
export function listDocuments(db: Db, scope: Scope, recordId: string): Promise<ReviewedDocument[]> {
  return db.rows(list(scope, { recordId }));
}

type Place = { storageKey: string };

const find = statement<ReviewedDocument & Place, { recordId: string; id: string }>(
  'kyc_review_find_document',
  ({ recordId, id }) => ofRecord(recordId).where('d.id', id).select(columns).select('d.storage_key as storageKey'),
);

/** Only as a document of this record. */
export function documentStatement(scope: Scope, recordId: string, id: string): Statement<ReviewedDocument & Place> {
  return find(scope, { recordId, id });
}

const review = statement<ReviewedDocument, { id: string; status: string; reason: string | null }>(
  'kyc_review_store',
  ({ id, status, reason }) =>
    kycDocument('d').where('d.id', id).update({ status, rejection_reason: reason, reviewed_at: reviewedAt }).returning(columns),
);

/** Of a document whose record is locked. */
export async function storeReview(
  db: Db,
  scope: Scope,
  id: string,
  { decision, reason }: { decision: 'accepted' | 'rejected'; reason: string | null },
): Promise<ReviewedDocument> {
  const row = await db.row(review(scope, { id, status: decision, reason }));
  if (!row) throw new Error('a document of a locked record vanished');
  return row;
}

const acceptRest = statement<unknown, { recordId: string }>('kyc_review_accept_rest', ({ recordId }) =>
  ofRecord(recordId).where('d.status', 'uploaded').update({ status: 'accepted', reviewed_at: reviewedAt }),
);

/** Those that nobody has decided on. */
export async function acceptUndecided(db: Db, scope: Scope, recordId: string): Promise<void> {
  await db.rows(acceptRest(scope, { recordId }));
}
