/** The public contract of what reviewers see: docs/specification/verification.md#reviews. */
import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { pageQuery } from '../../../http/pagination.ts';
import { emailOut, membershipTier, text, timestamp, uuid } from '../../../http/schemas.ts';
import { approvalEnd, documentMimeType, kycDocument, kycProvider, kycStatus, requestedDocuments } from '../open/kyc-schemas.ts';
import type { KYC_STATUSES } from '../open/kyc-states.ts';

const nullable = z.string().nullable();
const waitingSeconds = z.int().meta({ description: 'Since when it has its status, in seconds' });

const record = {
  id: uuid,
  userId: uuid,
  status: kycStatus,
  provider: kycProvider,
  providerApplicantId: nullable,
  rejectionReason: nullable,
  verifiedAt: timestamp.nullable(),
  expiresAt: approvalEnd,
  createdAt: timestamp,
  updatedAt: timestamp,
  assignedTo: nullable.meta({ description: 'The reviewer, by whatever name the tenant has for one' }),
  waitingSeconds,
};

export const listKycReviews = defineOperation({
  method: 'get',
  path: '/api/v1/admin/kyc',
  operationId: 'listKycReviews',
  group: 'Admin KYC',
  summary: 'The queue of verifications, the longest waiting first',
  description:
    'In the order in which they got the status they have; all filters given must hold. `countsByStatus` is of all verifications, whatever the filters.',
  scope: 'admin:kyc',
  query: z.strictObject({
    status: kycStatus.optional(),
    provider: kycProvider.optional(),
    userId: uuid.optional(),
    assignedTo: text(200).optional(),
    ...pageQuery,
  }),
  success: [{ status: 200, meaning: 'One page' }],
  response: z.object({
    data: z.array(z.object(record).meta({ id: 'KycQueueItem' })),
    countsByStatus: z.object({
      not_started: z.int(),
      pending: z.int(),
      approved: z.int(),
      rejected: z.int(),
      resubmit_required: z.int(),
    } satisfies Record<(typeof KYC_STATUSES)[number], z.ZodType>),
    hasMore: z.boolean(),
    nextCursor: nullable,
  }),
  errors: [],
});

const review = z
  .object({
    ...record,
    user: z
      .object({
        id: uuid,
        email: emailOut,
        name: nullable,
        givenName: nullable,
        surname: nullable,
        dateOfBirth: z
          .string()
          .meta({ override: { type: 'string', format: 'date' } })
          .nullable(),
        countryCode: nullable,
        membershipTier,
        isActive: z.boolean(),
      })
      .meta({ description: 'What the documents are compared with' }),
    identityVersion: z.int().meta({ description: 'Rises when who the member is is changed; for `approve`' }),
    identityChanged: z.boolean().meta({ description: 'Whether it was changed since the verification was submitted' }),
    requestedDocuments,
    documents: z.array(
      kycDocument.extend({
        malwareScan: z.enum(['clean', 'not_scanned']).meta({ description: 'not_scanned: the deployment has no scanner' }),
      }),
    ),
    auditLogs: z
      .array(
        z.object({
          id: uuid,
          action: z.string(),
          actorId: nullable.meta({ description: 'Of the API key or the member; `kycvendor` for what the vendor brought about' }),
          details: z.record(z.string(), z.unknown()),
          createdAt: timestamp,
        }),
      )
      .meta({ description: 'The latest 100, newest first; all of them: `GET /admin/audit-logs?objectId=`' }),
  })
  .meta({ id: 'KycReview' });

export type KycReviewAnswer = z.input<typeof review>;

export const getKycReview = defineOperation({
  method: 'get',
  path: '/api/v1/admin/kyc/{kycId}',
  operationId: 'getKycReview',
  group: 'Admin KYC',
  summary: 'A verification with the member, the documents and the log',
  scope: 'admin:kyc',
  params: z.strictObject({ kycId: uuid }),
  success: [{ status: 200, meaning: 'The verification' }],
  response: review,
  errors: ['NOT_FOUND'],
});

export const getKycDocumentUrl = defineOperation({
  method: 'get',
  path: '/api/v1/admin/kyc/{kycId}/documents/{documentId}/content-url',
  operationId: 'getKycDocumentUrl',
  group: 'Admin KYC',
  summary: "Where a document's content can be fetched",
  description:
    'Whoever has the URL can fetch the document, once or more, until it ends; browsers save it and never show it in place. That it was asked for is in the log.',
  scope: 'admin:kyc',
  protectedRead: true,
  params: z.strictObject({ kycId: uuid, documentId: uuid }),
  success: [{ status: 200, meaning: 'The URL' }],
  response: z.object({ url: z.string(), expiresInSeconds: z.int(), fileName: z.string(), mimeType: documentMimeType }),
  errors: ['NOT_FOUND'],
});
