/** The public contract of the export of what is held on a member. Source: api-decisions §6. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { amountMinorOut, currency, emailOut, timestamp, uuid } from '../../http/schemas.ts';

const nullable = z.string().nullable();

const memberDataExport = z
  .object({
    exportedAt: timestamp,
    member: z.object({
      id: uuid,
      email: emailOut,
      name: nullable,
      externalId: nullable,
      membershipTier: z.string(),
      parentId: uuid.nullable(),
      isActive: z.boolean(),
      canRecruit: z.boolean(),
      isTestUser: z.boolean(),
      payCurrency: currency,
      createdAt: timestamp,
      updatedAt: timestamp,
      erasedAt: timestamp.nullable(),
    }),
    profile: z.object({
      givenName: nullable,
      surname: nullable,
      dateOfBirth: nullable,
      idNumber: nullable.meta({ description: 'In full' }),
      countryCode: nullable,
      address: z.record(z.string(), z.string()).nullable(),
    }),
    referralCodes: z.array(z.object({ code: z.string(), status: z.string(), createdAt: timestamp })),
    kyc: z
      .object({
        id: uuid,
        provider: z.string(),
        providerApplicantId: nullable,
        status: z.string(),
        rejectionReason: nullable,
        verifiedAt: timestamp.nullable(),
        createdAt: timestamp,
        updatedAt: timestamp,
      })
      .nullable(),
    history: z.record(z.string(), z.unknown()).meta({ description: 'As `GET /members/{userId}/history` has it' }),
    leads: z
      .array(
        z.object({
          id: uuid,
          email: emailOut,
          name: nullable,
          phone: nullable,
          source: nullable,
          utmSource: nullable,
          utmMedium: nullable,
          utmCampaign: nullable,
          clickId: nullable,
          conversionStatus: z.string(),
          createdAt: timestamp,
        }),
      )
      .meta({ description: 'What was captured of the member itself' }),
    customers: z
      .array(z.object({ id: uuid, externalId: z.string(), email: emailOut.nullable(), name: nullable, createdAt: timestamp }))
      .meta({ description: "Customers with the member's email" }),
    leadsReferred: z.array(z.object({ id: uuid, createdAt: timestamp })).meta({ description: "Others' data is theirs" }),
    referralLinks: z
      .array(
        z.object({
          id: uuid,
          slug: z.string(),
          destinationUrl: z.string(),
          name: nullable,
          status: z.string(),
          expiresAt: timestamp.nullable(),
          createdAt: timestamp,
        }),
      )
      .meta({ description: 'With those that were deleted' }),
    commissions: z.array(
      z.object({
        id: uuid,
        eventId: uuid,
        kind: z.string(),
        status: z.string(),
        level: z.int(),
        amountMinor: amountMinorOut,
        currency,
        occurredAt: timestamp,
      }),
    ),
    ledgerEntries: z.array(
      z.object({
        journalId: uuid,
        seq: z.int(),
        account: z.string(),
        amountMinor: amountMinorOut,
        currency,
        causeType: z.string(),
        causeId: uuid,
        recordedAt: timestamp,
      }),
    ),
    payoutAccounts: z
      .array(
        z.object({
          id: uuid,
          providerType: z.string(),
          methodType: z.string(),
          displayName: z.string(),
          bankName: nullable,
          country: z.string(),
          currency,
          isPrimary: z.boolean(),
          status: z.string(),
          statusReason: nullable,
          tosAcceptance: z.record(z.string(), z.unknown()).nullable(),
          createdAt: timestamp,
        }),
      )
      .meta({ description: 'Without the numbers, of which only the end is shown' }),
    identities: z.array(z.object({ id: uuid, providerId: z.string(), subject: z.string(), createdAt: timestamp })),
    sessions: z.array(z.object({ id: uuid, createdAt: timestamp, revokedAt: timestamp.nullable() })),
    kycDocuments: z
      .array(
        z.object({
          id: uuid,
          documentType: z.string(),
          fileName: z.string(),
          mimeType: z.string(),
          fileSize: z.int(),
          status: z.string(),
          rejectionReason: nullable,
          reviewedAt: timestamp.nullable(),
          createdAt: timestamp,
        }),
      )
      .meta({ description: 'Without their contents, which reviewers can fetch' }),
    kycEvents: z
      .array(z.object({ id: uuid, type: z.string(), vendorCreatedAt: timestamp.nullable(), receivedAt: timestamp }))
      .meta({ description: 'What the KYC vendor has told, and when' }),
    auditEntries: z
      .array(
        z.object({
          id: uuid,
          action: z.string(),
          actor: z.object({ kind: z.string(), id: nullable }),
          details: z.record(z.string(), z.unknown()),
          createdAt: timestamp,
        }),
      )
      .meta({ description: 'On the member and on its verification' }),
  })
  .meta({ id: 'MemberDataExport' });

export const exportMemberData = defineOperation({
  method: 'get',
  path: '/api/v1/members/{userId}/data-export',
  operationId: 'exportMemberData',
  group: 'Profile',
  summary: 'Everything that is held on a member',
  description:
    'One document, of any size, written as it is read: what changes meanwhile may be in one of its lists and not yet in another. The ID number is in it in full. Each list is complete and in a fixed order.',
  scope: 'members:read',
  member: 'self',
  params: z.strictObject({ userId: uuid }),
  success: [{ status: 200, meaning: 'The document' }],
  response: memberDataExport,
  errors: ['USER_NOT_FOUND'],
});
