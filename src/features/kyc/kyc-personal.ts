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
          id: uuid.meta({ description: 'Of the verification' }),
          provider: z.string().meta({ description: '`manual` or `kycvendor`' }),
          providerApplicantId: nullable.meta({ description: 'The member at the vendor; null: not there' }),
          status: z.string().meta({ description: 'As in `GET /members/{userId}/kyc`' }),
          rejectionReason: nullable.meta({ description: 'Why it was rejected or what to send again; null: neither' }),
          verifiedAt: timestamp.nullable().meta({ description: 'When it was approved; null: it is not' }),
          expiresAt: timestamp.nullable().meta({ description: 'When the approval ends; null: never, or there is none' }),
          createdAt: timestamp.meta({ description: 'When it was first started' }),
          updatedAt: timestamp.meta({ description: 'When it was last changed' }),
        })
        .nullable()
        .meta({ description: 'The verification; null: never started' }),
      json: recordJson,
    },
    {
      name: 'kycDocuments',
      schema: z
        .array(
          z.object({
            id: uuid.meta({ description: 'Of the document' }),
            documentType: z.string().meta({ description: 'What it is, as `selfie`' }),
            fileName: z.string().meta({ description: 'As it was uploaded' }),
            mimeType: z.string().meta({ description: 'As `image/jpeg`' }),
            fileSize: z.int().meta({ description: 'Bytes' }),
            status: z.string().meta({ description: '`uploaded`, `accepted` or `rejected`' }),
            rejectionReason: nullable.meta({ description: 'Shown to the member; null unless rejected' }),
            reviewedAt: timestamp.nullable().meta({ description: 'When it was decided on; null: not yet' }),
            createdAt: timestamp.meta({ description: 'When it was recorded' }),
          }),
        )
        .meta({ description: 'Without their contents, which reviewers can fetch' }),
      list: documentsOfMember,
    },
    {
      name: 'kycRemarks',
      schema: z
        .array(
          z.object({
            id: uuid.meta({ description: 'Of the remark' }),
            reason: nullable.meta({ description: 'Shown to the member; null: none' }),
            note: nullable.meta({ description: 'Shown to staff beside the log; null: none' }),
            createdAt: timestamp.meta({ description: 'When it was written' }),
          }),
        )
        .meta({ description: 'What reviewers wrote; `remarkId` in the details of an audit entry names it' }),
      list: remarksOfMember,
    },
    {
      name: 'kycEvents',
      schema: z
        .array(
          z.object({
            id: uuid.meta({ description: 'Of the event here' }),
            type: z.string().meta({ description: "The vendor's type" }),
            vendorCreatedAt: timestamp.nullable().meta({ description: "By the vendor's clock; null: not said" }),
            receivedAt: timestamp.meta({ description: 'When it arrived' }),
          }),
        )
        .meta({ description: 'What the KYC vendor has told, and when' }),
      list: eventsOfMember,
    },
  ],
};
