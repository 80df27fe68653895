/** Field schemas of the KYC and Admin KYC groups. Source: docs/specification/conventions.md#described-fields. */
import { z } from 'zod';
import { namedActor, timestamp, uuid } from '../../../http/schemas.ts';
import { DOCUMENT_MIME_TYPES, DOCUMENT_TYPES, KYC_PROVIDERS, KYC_STATUSES } from './kyc-states.ts';

export const kycStatus = z.enum(KYC_STATUSES).meta({
  id: 'KycStatus',
  description:
    '`not_started`: no documents yet; `pending`: waits for a review; `approved`, `rejected`: by the reviewer or the vendor; `resubmit_required`: something is to be sent in again, `rejectionReason` says what',
});
export const kycProvider = z
  .enum(KYC_PROVIDERS)
  .meta({ id: 'KycProvider', description: '`manual`: staff reviews documents; `kycvendor`: the KYC vendor verifies' });
export const documentType = z.enum(DOCUMENT_TYPES).meta({
  id: 'KycDocumentType',
  description:
    '`government_id_front`, `government_id_back`: of one identity document; `selfie`: the face; `proof_of_address`: optional',
});
export const documentMimeType = z.enum(DOCUMENT_MIME_TYPES).meta({
  id: 'KycDocumentFormat',
  description: 'A picture, `image/jpeg` or `image/png`, or `application/pdf`; selfies are no PDF',
});
export const documentStatus = z.enum(['uploaded', 'accepted', 'rejected']).meta({
  id: 'KycDocumentStatus',
  description: '`uploaded`: nobody has decided on it yet; `accepted`, `rejected`: by the reviewer',
});

export const approvalEnd = timestamp.nullable().meta({
  description:
    'When the approval ends, by the setting `kyc.approvalValidDays` as it was when it was given; null: never, or there is none',
});

export const taken = {
  takenBy: namedActor.nullable().meta({ description: 'Who looks at it now; null: nobody' }),
  takenUntil: timestamp.nullable().meta({ description: 'When that ends by itself; null: nobody has taken it' }),
};

export const requestedDocuments = z.array(documentType).meta({
  description: 'While it is `resubmit_required`: the documents that must still come again. Empty: `rejectionReason` says what',
});

export const kycDocument = z
  .object({
    id: uuid.meta({ description: 'Of the document' }),
    documentType,
    fileName: z.string().meta({ description: 'As it was uploaded' }),
    mimeType: documentMimeType,
    fileSize: z.int().meta({ description: 'Bytes' }),
    status: documentStatus,
    rejectionReason: z.string().nullable().meta({ description: 'What the reviewer wrote for the member; null unless rejected' }),
    reviewedAt: timestamp.nullable().meta({ description: 'When it was decided on; null: not yet' }),
    superseded: z.boolean().meta({ description: 'A later document of its type has taken its place' }),
    createdAt: timestamp.meta({ description: 'When it was recorded' }),
  })
  .meta({ id: 'KycDocument' });
