/** What a verification holds of a member, as it is exported, in SQL. */
import { ofTenant } from '../../../db/tenant-condition.ts';
import { byId, type ExportList, exportList, jsonOf, utc } from '../../../house/personal.ts';

export const recordJson = `(select ${jsonOf({
  id: 'k.id',
  provider: 'k.provider',
  providerApplicantId: 'k.provider_applicant_id',
  status: 'k.status',
  rejectionReason: 'k.rejection_reason',
  verifiedAt: utc('k.verified_at'),
  expiresAt: utc('k.expires_at'),
  createdAt: utc('k.created_at'),
  updatedAt: utc('k.updated_at'),
})} from kyc_record k where ${ofTenant('k')} and k.member_id = m.id)`;

const MY_RECORD = `(select k.id from kyc_record k where ${ofTenant('k')} and k.member_id = :memberId)`;

export const documentsOfMember: ExportList = exportList(
  'export_kyc_documents',
  byId('d'),
  {
    id: 'd.id',
    documentType: 'd.document_type',
    fileName: 'd.file_name',
    mimeType: 'd.mime_type',
    fileSize: 'd.file_size',
    status: 'd.status',
    rejectionReason: 'd.rejection_reason',
    reviewedAt: utc('d.reviewed_at'),
    createdAt: utc('d.created_at'),
  },
  `kyc_document d where ${ofTenant('d')} and d.kyc_record_id = ${MY_RECORD}`,
);

/** What reviewers wrote: entries of the audit log name it by its id. */
export const remarksOfMember: ExportList = exportList(
  'export_kyc_remarks',
  byId('r'),
  { id: 'r.id', reason: 'r.reason', note: 'r.note', createdAt: utc('r.created_at') },
  `kyc_remark r where ${ofTenant('r')} and r.kyc_record_id = ${MY_RECORD}`,
);

export const eventsOfMember: ExportList = exportList(
  'export_kyc_events',
  byId('e'),
  { id: 'e.id', type: 'e.type', vendorCreatedAt: utc('e.vendor_created_at'), receivedAt: utc('e.received_at') },
  `kyc_event e where ${ofTenant('e')} and e.kyc_record_id = ${MY_RECORD}`,
);
