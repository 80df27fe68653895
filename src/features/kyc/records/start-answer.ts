/** What a member is told when a verification is started. */
import { type KycStatus, REQUIRED_DOCUMENTS } from '../open/kyc-states.ts';
import { UPLOAD_AGAIN } from '../open/what-member-reads.ts';
import type { KycStartAnswer } from './kyc-operations.ts';
import type { KycRecord } from './kyc-record-queries.ts';

export const VENDOR_MESSAGE = "Open the provider's SDK with sdkConfig.accessToken; the status follows what the provider finds";

const MESSAGES: Partial<Record<KycStatus, string>> = {
  pending: 'The documents are being reviewed; more can be added until then',
  resubmit_required: UPLOAD_AGAIN,
};

export function describeManualStart(record: KycRecord, baseUrl: string): KycStartAnswer {
  return {
    kycRecordId: record.id,
    provider: record.provider,
    status: record.status,
    uploadUrl: `${baseUrl}/api/v1/members/${record.memberId}/kyc/documents/upload-url`,
    requiredDocuments: REQUIRED_DOCUMENTS.map(({ acceptedFormats, ...item }) => ({
      ...item,
      acceptedFormats: [...acceptedFormats],
    })),
    sdkConfig: null,
    message: MESSAGES[record.status] ?? 'Upload the required documents; once all are there they are reviewed',
  };
}
