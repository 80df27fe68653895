/** The public contract of what reviewers see: docs/specification/verification.md#reviews. */
import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { pageQuery } from '../../../http/pagination.ts';
import { emailOut, membershipTier, queryBoolean, text, timestamp, uuid } from '../../../http/schemas.ts';
import {
  approvalEnd,
  documentMimeType,
  kycDocument,
  kycProvider,
  kycStatus,
  requestedDocuments,
  taken,
} from '../open/kyc-schemas.ts';
import type { KYC_STATUSES } from '../open/kyc-states.ts';

const nullable = z.string().nullable();
const waitingSeconds = z.int().meta({ description: 'Since when it has its status, in seconds' });

const record = {
  id: uuid.meta({ description: 'Of the verification' }),
  userId: uuid.meta({ description: 'The member' }),
  status: kycStatus,
  provider: kycProvider,
  providerApplicantId: nullable.meta({ description: 'The member at the vendor; null: not there' }),
  rejectionReason: nullable.meta({ description: 'Why it was rejected or what to send again; null: neither' }),
  verifiedAt: timestamp.nullable().meta({ description: 'When it was approved; null unless `approved`' }),
  expiresAt: approvalEnd,
  createdAt: timestamp.meta({ description: 'When it was first started' }),
  updatedAt: timestamp.meta({ description: 'When it was last changed' }),
  assignedTo: nullable.meta({ description: 'The reviewer, by whatever name the tenant has for one; null: nobody' }),
  ...taken,
  waitingSeconds,
};

const email = emailOut.meta({ description: "The member's address" });
const name = nullable.meta({ description: 'Name shown for the member; null: none' });
const ofProfile = nullable.meta({ description: 'Of the profile; null: not given' });

/** The kinds of what a reviewer must know of other members and of accounts. */
const flag = z
  .object({
    kind: z.enum(['ID_NUMBER_SHARED', 'ACCOUNT_SHARED', 'NAME_MISMATCH']).meta({
      id: 'KycFlagKind',
      description:
        '`ID_NUMBER_SHARED`: other members of the country have the same ID number; `ACCOUNT_SHARED`: others are paid to the same account; `NAME_MISMATCH`: an active account is held under another name than the stated one',
    }),
    userIds: z.array(uuid).meta({ description: 'The other members, 10 at most' }),
    more: z.boolean().meta({ description: 'Whether there are others beside these' }),
    accountId: uuid.nullable().meta({ description: "The member's newest payout account that it is about; null: about none" }),
    found: nullable.meta({ description: 'The other name; null where it is not shown' }),
  })
  .meta({ id: 'KycFlag' });

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
    provider: kycProvider.optional().meta({ description: 'Only those done by this provider' }),
    userId: uuid.optional().meta({ description: 'Only that of this member' }),
    assignedTo: text(200).optional().meta({ description: 'Only those assigned to this reviewer' }),
    free: queryBoolean.optional().meta({ description: '`true`: only those that nobody else has taken' }),
    ...pageQuery,
  }),
  success: [{ status: 200, meaning: 'One page' }],
  response: z.object({
    data: z
      .array(
        z
          .object({ ...record, user: z.object({ email, name }).meta({ description: 'Who the member is' }) })
          .meta({ id: 'KycQueueItem' }),
      )
      .meta({ description: 'The page' }),
    countsByStatus: z
      .object({
        not_started: z.int().meta({ description: 'Started, without documents' }),
        pending: z.int().meta({ description: 'Waiting for a review' }),
        approved: z.int().meta({ description: 'Approved' }),
        rejected: z.int().meta({ description: 'Rejected' }),
        resubmit_required: z.int().meta({ description: 'Waiting for the member to send something in again' }),
      } satisfies Record<(typeof KYC_STATUSES)[number], z.ZodType>)
      .meta({ description: 'How many verifications have each status' }),
    hasMore: z.boolean().meta({ description: 'Whether another page follows' }),
    nextCursor: nullable.meta({ description: 'The `cursor` of the next page; null: there is none' }),
  }),
  errors: [],
});

const review = z
  .object({
    ...record,
    user: z
      .object({
        id: uuid.meta({ description: 'The member' }),
        email,
        name,
        givenName: ofProfile,
        surname: ofProfile,
        dateOfBirth: z
          .string()
          .meta({ override: { type: 'string', format: 'date' } })
          .nullable()
          .meta({ description: 'Of the profile; null: not given' }),
        countryCode: nullable.meta({ description: 'ISO 3166-1 alpha-3; null: not given' }),
        idNumberLastFour: nullable.meta({ description: 'The end of the ID number; null: not given' }),
        businessName: ofProfile,
        address: z
          .object({ line: ofProfile, city: ofProfile, postalCode: ofProfile })
          .nullable()
          .meta({ description: 'What a proof of address is compared with; null: not given' }),
        membershipTier: membershipTier.meta({ description: "The member's present tier" }),
        isActive: z.boolean().meta({ description: 'False once the member was deactivated' }),
      })
      .meta({ description: 'What the documents are compared with' }),
    flags: z.array(flag).meta({ description: 'What to look into first, at most one of a kind' }),
    identityVersion: z.int().meta({ description: 'Rises when who the member is is changed; for `approve`' }),
    identityChanged: z.boolean().meta({ description: 'Whether it was changed since the verification was submitted' }),
    requestedDocuments,
    documents: z
      .array(
        kycDocument.extend({
          malwareScan: z.enum(['clean', 'not_scanned']).meta({ description: '`not_scanned`: the deployment has no scanner' }),
        }),
      )
      .meta({ description: 'Sent in so far, in the order they came' }),
    auditLogs: z
      .array(
        z.object({
          id: uuid.meta({ description: 'Of the entry in the audit log' }),
          action: z.string().meta({ description: 'What was done, as `kyc_record.approved`' }),
          actorId: nullable.meta({
            description:
              'Of the API key or the member; `kycvendor` for what the vendor brought about; null: nobody in particular',
          }),
          details: z.record(z.string(), z.unknown()).meta({ description: 'Depends on the action' }),
          createdAt: timestamp.meta({ description: 'When it was done' }),
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
  params: z.strictObject({ kycId: uuid.meta({ description: 'Id of the verification' }) }),
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
  params: z.strictObject({
    kycId: uuid.meta({ description: 'Id of the verification' }),
    documentId: uuid.meta({ description: 'Id of the document' }),
  }),
  success: [{ status: 200, meaning: 'The URL' }],
  response: z.object({
    url: z.string().meta({ description: 'Answers GET with the bytes, without a key' }),
    expiresInSeconds: z.int().meta({ description: 'Seconds that the URL is good for' }),
    fileName: z.string().meta({ description: 'As it was uploaded' }),
    mimeType: documentMimeType,
  }),
  errors: ['NOT_FOUND'],
});
