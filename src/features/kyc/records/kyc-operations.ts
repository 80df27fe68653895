/** The public contract of the KYC group, but for the documents: docs/specification/verification.md#record. */
import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { timestamp, uuid } from '../../../http/schemas.ts';
import {
  approvalEnd,
  documentMimeType,
  documentType,
  kycDocument,
  kycProvider,
  kycStatus,
  requestedDocuments,
} from '../open/kyc-schemas.ts';

const kycRecord = z
  .object({
    id: uuid.meta({ description: 'Of the verification' }),
    userId: uuid.meta({ description: 'The member' }),
    provider: kycProvider,
    providerApplicantId: z.string().nullable().meta({ description: 'The member at the vendor; null: not there' }),
    status: kycStatus,
    verifiedAt: timestamp.nullable().meta({ description: 'When it was approved; null unless `approved`' }),
    expiresAt: approvalEnd,
    rejectionReason: z.string().nullable().meta({ description: 'Why it was rejected or what to send again; null: neither' }),
    requestedDocuments,
    createdAt: timestamp.meta({ description: 'When it was first started' }),
    updatedAt: timestamp.meta({ description: 'When it was last changed' }),
    documents: z.array(kycDocument).meta({ description: 'Sent in so far, in the order they came' }),
  })
  .meta({ id: 'KycRecord' });

export type KycRecordAnswer = z.input<typeof kycRecord>;

const kycStart = z
  .object({
    kycRecordId: uuid.meta({ description: 'The verification' }),
    provider: kycProvider,
    status: kycStatus,
    uploadUrl: z.string().nullable().meta({ description: 'Where each document gets its upload URL; null unless `manual`' }),
    requiredDocuments: z
      .array(
        z.object({
          documentType,
          label: z.string().meta({ description: 'For the member to read' }),
          description: z.string().meta({ description: 'What it must show, for the member to read' }),
          required: z.boolean().meta({ description: 'Whether it must be sent in' }),
          acceptedFormats: z.array(documentMimeType).meta({ description: 'File types that are taken' }),
        }),
      )
      .nullable()
      .meta({ description: 'What may be sent in; null unless `manual`' }),
    sdkConfig: z
      .object({
        accessToken: z.string().meta({ description: "For the provider's SDK in the member's browser or app" }),
        expiresAt: timestamp.meta({ description: 'Another start gives a new token' }),
        flowName: z.string().meta({ description: "The checks to be made, by the vendor's name" }),
        applicantId: z.string().meta({ description: 'The member at the vendor' }),
      })
      .nullable()
      .meta({ description: "For the provider's SDK; null unless `kycvendor`" }),
    message: z.string().meta({ description: 'What is to be done next, for a person' }),
  })
  .meta({ id: 'KycStart' });

export type KycStartAnswer = z.input<typeof kycStart>;

const SIMULATION = `In a SANDBOX whose \`kycvendor\` settings lack the account, a simulated provider stands in. What it does follows from the end of the member's email before the \`@\`:

| ends in | outcome |
|---|---|
| \`+kyc-approve\` | \`pending\`, then \`approved\` |
| \`+kyc-reject\` | \`pending\`, then \`rejected\` |
| \`+kyc-resubmit\` | \`pending\`, then \`resubmit_required\` |
| \`+kyc-pending\` | \`pending\`, and stays so |
| \`+kyc-unavailable\` | 502 \`PROVIDER_UNAVAILABLE\` |
| \`+kyc-misconfigured\` | 502 \`PROVIDER_CONFIGURATION\` |

Any other waits for \`POST /sandbox/vendor-events\`. Outcomes come within seconds.`;

export const startKyc = defineOperation({
  method: 'post',
  path: '/api/v1/members/{userId}/kyc/start',
  operationId: 'startKyc',
  repeats: 'own',
  group: 'KYC',
  summary: "Start or continue a member's verification",
  description: `A member has one verification for good; its provider is the tenant's at the time, and changes with the settings only while nothing is under review. \`manual\` answers which documents to upload and where, \`kycvendor\` a short-lived token for the provider's SDK. It can be called again at any time until the member is approved or rejected: 409 then. No profile is needed; what there is goes to the provider.\n\n${SIMULATION}`,
  scope: 'kyc:write',
  member: 'self',
  params: z.strictObject({ userId: uuid.meta({ description: 'The member' }) }),
  body: z.strictObject({}).optional(),
  success: [{ status: 200, meaning: 'What is to be done next' }],
  response: kycStart,
  errors: ['USER_NOT_FOUND', 'STATE_CONFLICT', 'PROVIDER_CONFIGURATION', 'PROVIDER_UNAVAILABLE'],
});

export const getKyc = defineOperation({
  method: 'get',
  path: '/api/v1/members/{userId}/kyc',
  operationId: 'getKyc',
  group: 'KYC',
  summary: "A member's verification",
  description: '404 `NOT_FOUND` as long as none was started.',
  scope: 'kyc:read',
  member: 'self',
  params: z.strictObject({ userId: uuid.meta({ description: 'The member' }) }),
  success: [{ status: 200, meaning: 'The record and its documents, in the order they came' }],
  response: kycRecord,
  errors: ['USER_NOT_FOUND', 'NOT_FOUND'],
});
