/** What is held of a member's verification. That it was decided, and when, stays. */
import { z } from 'zod';
import type { Personal } from '../../house/personal.ts';
import { timestamp, uuid } from '../../http/schemas.ts';
import { followIdentity } from './records/follow-identity.ts';
import { forgetKyc } from './records/forget-kyc.ts';
import { lockRecordOfMember } from './records/kyc-record-queries.ts';
import { documentsOfMember, eventsOfMember, recordJson, remarksOfMember } from './records/personal-queries.ts';

const nullable = z.string().nullable();

export const kycPersonal: Personal = {
  // Decisions on a verification lock its record first, and the member then.
  lockIdentity: lockRecordOfMember,
  identityChanged: followIdentity,
  eraseBefore: (db, scope, { memberId }) => forgetKyc(db, scope, memberId),
  exported: [
    {
      name: 'kyc',
      schema: z
        .object({
          id: uuid,
          provider: z.string(),
          providerApplicantId: nullable,
          status: z.string(),
          rejectionReason: nullable,
          verifiedAt: timestamp.nullable(),
          expiresAt: timestamp.nullable(),
          createdAt: timestamp,
          updatedAt: timestamp,
        })
        .nullable(),
      json: recordJson,
    },
    {
      name: 'kycDocuments',
      schema: z
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
      list: documentsOfMember,
    },
    {
      name: 'kycRemarks',
      schema: z
        .array(z.object({ id: uuid, reason: nullable, note: nullable, createdAt: timestamp }))
        .meta({ description: 'What reviewers wrote; `remarkId` in the details of an audit entry names it' }),
      list: remarksOfMember,
    },
    {
      name: 'kycEvents',
      schema: z
        .array(z.object({ id: uuid, type: z.string(), vendorCreatedAt: timestamp.nullable(), receivedAt: timestamp }))
        .meta({ description: 'What the KYC vendor has told, and when' }),
      list: eventsOfMember,
    },
  ],
};
