/** What members have sent in, in SQL. */
import { raw, statement } from '../../../db/query.ts';
import type { Scope } from '../../../db/scope.ts';
import type { Statement } from '../../../db/statement.ts';
import { sameTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import type { DocumentMimeType, DocumentType } from '../open/kyc-states.ts';

export interface DocumentRow {
  id: string;
  documentType: DocumentType;
  fileName: string;
  mimeType: DocumentMimeType;
  fileSize: number;
  status: 'uploaded' | 'accepted' | 'rejected';
  rejectionReason: string | null;
  reviewedAt: Date | null;
  superseded: boolean;
  createdAt: Date;
}

/** Whether a later document of its type has taken the place of the one under the alias d. */
export const SUPERSEDED = `exists (
     select from kyc_document later
     where ${sameTenant('later', 'd')} and later.kyc_record_id = d.kyc_record_id
       and later.document_type = d.document_type and later.id > d.id)`;

const kycDocument = tenantTable('kyc_document');

const ofRecord = statement<DocumentRow, { recordId: string }>('kyc_documents_of_record', ({ recordId }) =>
  kycDocument('d')
    .where('d.kyc_record_id', recordId)
    .orderBy('d.id')
    .select({
      id: 'd.id',
      documentType: 'd.document_type',
      fileName: 'd.file_name',
      mimeType: 'd.mime_type',
      fileSize: 'd.file_size',
      status: 'd.status',
      rejectionReason: 'd.rejection_reason',
      reviewedAt: 'd.reviewed_at',
      superseded: raw(SUPERSEDED),
      createdAt: 'd.created_at',
    }),
);

/** In the order they came. */
export function documentsOfRecordStatement(scope: Scope, recordId: string): Statement<DocumentRow> {
  return ofRecord(scope, { recordId });
}
