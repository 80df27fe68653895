/** The public contract of what reviewers decide: docs/specification/verification.md#reviews. */
import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { text, timestamp, uuid } from '../../../http/schemas.ts';
import { approvalEnd, documentType, kycDocument, kycStatus, requestedDocuments, taken } from '../open/kyc-schemas.ts';
import { DOCUMENT_TYPES } from '../open/kyc-states.ts';

const kycParams = z.strictObject({ kycId: uuid.meta({ description: 'Id of the verification' }) });
const expectedStatus = kycStatus.optional().meta({ description: '409 when the verification has another status by now' });
const shownReason = text(500).meta({ description: 'Shown to the member, and kept in the audit log for good' });
const decided = {
  id: uuid.meta({ description: 'Of the verification' }),
  userId: uuid.meta({ description: 'The member' }),
  status: kycStatus,
  message: z.string().meta({ description: 'What was done, for a person' }),
};

export const approveKyc = defineOperation({
  method: 'post',
  path: '/api/v1/admin/kyc/{kycId}/approve',
  operationId: 'approveKyc',
  group: 'Admin KYC',
  summary: 'Approve a pending verification',
  description:
    'Documents that nobody has decided on are accepted with it. 409 when it is not pending, and for documents reviewed here while one that is required is rejected or missing, or one that nobody has decided on was sent in during the review and is not named in `documentIds`: `details.unseenDocumentIds` names those. 409 with `details.reason` `IDENTITY_CHANGED` when the member has become another person since the verification was submitted and `identityVersion` is not the present one. What the vendor says later changes nothing until something is asked for anew.',
  scope: 'admin:kyc',
  hands: 'neutral',
  params: kycParams,
  body: z
    .strictObject({
      note: text(500).nullish().meta({ description: 'Shown beside the log until the member is erased' }),
      expectedStatus,
      documentIds: z.array(uuid).max(100).optional().meta({
        description:
          'The documents that were looked at: 409 when there is another one that nobody has decided on. Left out: those that were there when the verification was submitted',
      }),
      identityVersion: z.int().min(0).optional().meta({
        description:
          'Of the verification as it was looked at: 409 when who the member is was changed since. Left out: as it was submitted',
      }),
    })
    .optional()
    .meta({ example: { note: 'Compared with the video call' } }),
  success: [{ status: 200, meaning: 'Approved' }],
  response: z.object({
    ...decided,
    verifiedAt: timestamp.nullable().meta({ description: 'When it was approved' }),
    expiresAt: approvalEnd,
  }),
  errors: ['NOT_FOUND', 'STATE_CONFLICT'],
});

export const rejectKyc = defineOperation({
  method: 'post',
  path: '/api/v1/admin/kyc/{kycId}/reject',
  operationId: 'rejectKyc',
  group: 'Admin KYC',
  summary: 'Reject a pending verification',
  scope: 'admin:kyc',
  hands: 'tightens',
  params: kycParams,
  body: z
    .strictObject({ reason: shownReason, expectedStatus })
    .meta({ example: { reason: 'The name on the document is another' } }),
  success: [{ status: 200, meaning: 'Rejected' }],
  response: z.object({ ...decided, rejectionReason: z.string().nullable().meta({ description: 'As it was given' }) }),
  errors: ['NOT_FOUND', 'STATE_CONFLICT'],
});

const resubmitParts = {
  method: 'post',
  group: 'Admin KYC',
  scope: 'admin:kyc',
  hands: 'neutral',
  params: kycParams,
  body: z
    .strictObject({
      reason: shownReason,
      documents: z.array(documentType).min(1, 'must name at least one document').max(DOCUMENT_TYPES.length).nullish().meta({
        description:
          'The documents that must come again, also where they were accepted: the verification is `pending` once all of them have come. Left out: once the next document has come and no required one is rejected or missing',
      }),
      expectedStatus,
    })
    .meta({ example: { reason: 'The back of the identity card is not readable', documents: ['government_id_back'] } }),
  success: [{ status: 200, meaning: 'Asked for anew' }],
  response: z.object({ ...decided, reason: z.string().meta({ description: 'As it was given' }), requestedDocuments }),
  errors: ['NOT_FOUND', 'STATE_CONFLICT'],
} as const;

export const requestKycResubmit = defineOperation({
  ...resubmitParts,
  path: '/api/v1/admin/kyc/{kycId}/request-resubmit',
  operationId: 'requestKycResubmit',
  summary: 'Ask for something to be sent in again',
  description:
    'Of a pending verification, or of one that was approved or rejected, which is opened again. At the vendor the verification is reset soon after, and `documents` is 409 there: the vendor has them.',
});

export const resubmitKyc = defineOperation({
  ...resubmitParts,
  path: '/api/v1/admin/kyc/{kycId}/resubmit',
  operationId: 'resubmitKyc',
  summary: 'Ask for something to be sent in again, by the other name',
  description: 'The same as `request-resubmit`; an Idempotency-Key is of the one or the other.',
});

export const assignKyc = defineOperation({
  method: 'post',
  path: '/api/v1/admin/kyc/{kycId}/assign',
  operationId: 'assignKyc',
  group: 'Admin KYC',
  summary: 'Say who reviews a verification',
  description: 'In any status. Others can decide as well: it is a note, and no lock.',
  scope: 'admin:kyc',
  hands: 'neutral',
  params: kycParams,
  body: z
    .strictObject({
      assignee: text(200).nullable().meta({ description: "The reviewer, by the tenant's name for one; `null`: nobody" }),
    })
    .meta({ example: { assignee: 'reviewer-7' } }),
  success: [{ status: 200, meaning: 'Assigned' }],
  response: z.object({ ...decided, assignedTo: z.string().nullable().meta({ description: 'The reviewer; null: nobody' }) }),
  errors: ['NOT_FOUND', 'STATE_CONFLICT'],
});

const deskParts = {
  method: 'post',
  group: 'Admin KYC',
  scope: 'admin:kyc',
  hands: 'neutral',
  params: kycParams,
  response: z.object({ ...decided, ...taken }),
} as const;

const takenFrom = z
  .strictObject({ from: z.boolean().optional().meta({ description: 'Also where another has it' }) })
  .optional()
  .meta({ example: { from: true } });

export const takeKyc = defineOperation({
  ...deskParts,
  path: '/api/v1/admin/kyc/{kycId}/take',
  operationId: 'takeKyc',
  summary: 'Say that one looks at a verification now',
  description:
    'For 15 minutes of real time, in SANDBOX too; again, for 15 more. 409 while another has it: `details.takenBy`, `details.takenUntil`. A change of its status ends it. Others can decide as well: it keeps two from doing the same work, and is no lock.',
  body: takenFrom,
  success: [{ status: 200, meaning: 'Taken' }],
  errors: ['NOT_FOUND', 'STATE_CONFLICT'],
});

export const releaseKyc = defineOperation({
  ...deskParts,
  path: '/api/v1/admin/kyc/{kycId}/release',
  operationId: 'releaseKyc',
  summary: 'Give back a verification that one has taken',
  description: 'What another has taken stays taken, unless `from` is true.',
  body: takenFrom,
  success: [{ status: 200, meaning: 'As it is now' }],
  errors: ['NOT_FOUND', 'STATE_CONFLICT'],
});

export const reviewKycDocument = defineOperation({
  method: 'post',
  path: '/api/v1/admin/kyc/{kycId}/documents/{documentId}/review',
  operationId: 'reviewKycDocument',
  group: 'Admin KYC',
  summary: 'Accept or reject one document',
  description:
    'While the verification is pending, also another time. It decides on the document alone: ask for another with `request-resubmit`.',
  scope: 'admin:kyc',
  hands: 'neutral',
  params: z.strictObject({
    kycId: uuid.meta({ description: 'Id of the verification' }),
    documentId: uuid.meta({ description: 'Id of the document' }),
  }),
  body: z
    .strictObject({
      decision: z.enum(['accepted', 'rejected']).meta({ description: '`accepted`, or `rejected` with a reason' }),
      reason: text(500).nullish().meta({ description: 'Of a rejection, for which it is required; shown to the member' }),
    })
    .refine(({ decision, reason }) => decision !== 'rejected' || reason != null, {
      path: ['reason'],
      message: 'is required for a rejection',
    })
    .refine(({ decision, reason }) => decision !== 'accepted' || reason == null, {
      path: ['reason'],
      message: 'is of a rejection only',
    })
    .meta({ example: { decision: 'rejected', reason: 'Blurred' } }),
  success: [{ status: 200, meaning: 'The document as it is now' }],
  response: kycDocument,
  errors: ['NOT_FOUND', 'STATE_CONFLICT'],
});
