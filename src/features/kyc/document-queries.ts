/** What members have sent in, in SQL. */
import type { Scope } from '../../db/frame.ts';
import { prepared, type Statement } from '../../db/statement.ts';
import type { DocumentMimeType, DocumentType } from './kyc-states.ts';

export interface DocumentRow {
  id: string;
  documentType: DocumentType;
  fileName: string;
  mimeType: DocumentMimeType;
  fileSize: number;
  status: 'uploaded' | 'accepted' | 'rejected';
  rejectionReason: string | null;
  reviewedAt: Date | null;
  createdAt: Date;
}

/** Of the table under the alias d. */
const documentColumns = `d.id, d.document_type as "documentType", d.file_name as "fileName", d.mime_type as "mimeType",
  d.file_size as "fileSize", d.status, d.rejection_reason as "rejectionReason", d.reviewed_at as "reviewedAt",
  d.created_at as "createdAt"`;

const ofRecord = prepared<DocumentRow, [string, string, recordId: string]>(
  'kyc_documents_of_record',
  `select ${documentColumns} from kyc_document d
   where d.tenant_id = $1 and d.environment = $2 and d.kyc_record_id = $3 order by d.id`,
);

/** In the order they came. */
export function documentsOfRecordStatement(scope: Scope, recordId: string): Statement<DocumentRow> {
  return ofRecord(scope.tenantId, scope.environment, recordId);
}
