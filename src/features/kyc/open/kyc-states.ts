/** The states of a verification, and what has to be shown for it. Source: docs/specification/verification.md#states. */

export const KYC_STATUSES = ['not_started', 'pending', 'approved', 'rejected', 'resubmit_required'] as const;
export type KycStatus = (typeof KYC_STATUSES)[number];

export const KYC_PROVIDERS = ['manual', 'kycvendor'] as const;
export type KycProvider = (typeof KYC_PROVIDERS)[number];

/** What members and staff may do. The vendor's word is not bound by it: it moves a record from any state (vendor-event.ts). */
export const MANUAL_TRANSITIONS: Readonly<Record<KycStatus, readonly KycStatus[]>> = {
  not_started: ['pending'],
  pending: ['approved', 'rejected', 'resubmit_required'],
  resubmit_required: ['pending'],
  rejected: ['resubmit_required'],
  approved: ['resubmit_required'],
};

export function canMove(from: KycStatus, to: KycStatus): boolean {
  return MANUAL_TRANSITIONS[from].includes(to);
}

/** In which documents may be sent in. */
export function takesDocuments(status: KycStatus): boolean {
  return status === 'not_started' || status === 'pending' || status === 'resubmit_required';
}

export const DOCUMENT_TYPES = ['government_id_front', 'government_id_back', 'selfie', 'proof_of_address'] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

export const DOCUMENT_MIME_TYPES = ['image/jpeg', 'image/png', 'application/pdf'] as const;
export type DocumentMimeType = (typeof DOCUMENT_MIME_TYPES)[number];

export interface RequiredDocument {
  documentType: DocumentType;
  label: string;
  description: string;
  required: boolean;
  acceptedFormats: readonly DocumentMimeType[];
}

export const REQUIRED_DOCUMENTS: readonly RequiredDocument[] = [
  {
    documentType: 'government_id_front',
    label: 'Government ID, front',
    description: 'The front of a passport, identity card or driving licence, whole and readable',
    required: true,
    acceptedFormats: ['image/jpeg', 'image/png', 'application/pdf'],
  },
  {
    documentType: 'government_id_back',
    label: 'Government ID, back',
    description: 'The back of the same document; of a passport, the page beside the photograph',
    required: true,
    acceptedFormats: ['image/jpeg', 'image/png', 'application/pdf'],
  },
  {
    documentType: 'selfie',
    label: 'Selfie',
    description: 'A photograph of your face, taken now, without glasses or hat',
    required: true,
    acceptedFormats: ['image/jpeg', 'image/png'],
  },
  {
    documentType: 'proof_of_address',
    label: 'Proof of address',
    description: 'A bill or bank statement of the last three months that shows your name and address',
    required: false,
    acceptedFormats: ['image/jpeg', 'image/png', 'application/pdf'],
  },
];

/**
 * What an upload without a `documentType` is taken as, among what accepts the file: what staff has asked for, else
 * the first required document that is missing or rejected, else the first optional one.
 */
export function typeOfUnnamed(
  mimeType: DocumentMimeType,
  documents: readonly { documentType: DocumentType; status: string }[],
  awaited: readonly DocumentType[],
): DocumentType | undefined {
  const latest = latestStatus(documents);
  const accepting = REQUIRED_DOCUMENTS.filter(({ acceptedFormats }) => acceptedFormats.includes(mimeType));
  const found =
    accepting.find(({ documentType }) => awaited.includes(documentType)) ??
    accepting.find(({ documentType, required }) => required && isMissing(latest, documentType)) ??
    accepting.find(({ required }) => !required);
  return found?.documentType;
}

/** Whether every document that must be shown is there, by the latest of each type that is not rejected. */
export function isComplete(documents: readonly { documentType: DocumentType; status: string }[]): boolean {
  const latest = latestStatus(documents);
  return REQUIRED_DOCUMENTS.every(({ documentType, required }) => !required || !isMissing(latest, documentType));
}

type LatestStatus = ReadonlyMap<DocumentType, string>;

function latestStatus(documents: readonly { documentType: DocumentType; status: string }[]): LatestStatus {
  return new Map(documents.map(({ documentType, status }) => [documentType, status]));
}

function isMissing(latest: LatestStatus, documentType: DocumentType): boolean {
  return (latest.get(documentType) ?? 'rejected') === 'rejected';
}
