/**
 * What a member is told of a decision: the status and the reason, as GET /members/{userId}/kyc answers them, and what a
 * start says then. Source: docs/specification/verification.md#member-reads.
 */
import { type DocumentType, REQUIRED_DOCUMENTS } from './kyc-states.ts';

export const UPLOAD_AGAIN = 'Upload again what the reason names; then the documents are reviewed anew';

/** The words for a preview. `documents` are those that are asked for by name. */
export function whatMemberReads(
  decision: 'approve' | 'reject' | 'resubmit',
  reason = '',
  documents: readonly DocumentType[] = [],
): string {
  if (decision === 'approve') return 'approved';
  if (decision === 'reject') return `rejected: ${reason}`;
  const labels = REQUIRED_DOCUMENTS.filter(({ documentType }) => documents.includes(documentType)).map(({ label }) => label);
  const named = labels.length === 0 ? '' : ` (${labels.join('; ')})`;
  return `resubmit_required: ${reason}${named}. ${UPLOAD_AGAIN}`;
}
