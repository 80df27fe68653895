/** The public contract of sending documents in: docs/specification/verification.md#documents. */
import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { uuid } from '../../../http/schemas.ts';
import { MAX_DOCUMENT_BYTES } from '../../../vendors/storage/object-storage.ts';
import { documentMimeType, documentType, kycDocument } from '../open/kyc-schemas.ts';

/** Signs that turn the direction of writing could make a name look like another. */
const fileName = z
  .string()
  .min(1, 'must not be empty')
  .max(255, 'must have at most 255 characters')
  .regex(/^[^\p{Cc}\u2028-\u202e\u2066-\u2069/\\]*$/u, 'must not have slashes, control characters or marks of direction')
  .regex(/[^\s.]/, 'must not be blank or of dots alone')
  .meta({
    override: { type: 'string', minLength: 1, maxLength: 255 },
    description: "The file's name as the member knows it, without a path; where it is stored does not depend on it",
  });

const fileSize = z
  .int('must be a whole number of bytes')
  .min(1, 'must be at least 1')
  .max(MAX_DOCUMENT_BYTES, 'must be at most 10 MiB')
  .meta({ description: 'Bytes, as uploaded: at most 10 MiB' });

export const createKycUpload = defineOperation({
  method: 'post',
  path: '/api/v1/members/{userId}/kyc/documents/upload-url',
  operationId: 'createKycUpload',
  group: 'KYC',
  summary: 'A URL to send the bytes of one document to',
  description:
    'Needs a verification that was started, is done by hand (`provider` is `manual`) and takes documents, else 409; at most 20 uploads are open at a time. Send the bytes to `uploadUrl` with `method` and exactly these `headers`, within `expiresInSeconds`; the length must be `fileSize` where that was said, and never more than 10 MiB. Then record the document with `filePath`. With `documentType` the file type is checked at once: no PDF is taken as a selfie.',
  scope: 'kyc:write',
  repeats: 'own',
  member: 'self',
  params: z.strictObject({ userId: uuid.meta({ description: 'The member' }) }),
  body: z
    .strictObject({
      fileName,
      mimeType: documentMimeType,
      documentType: documentType.nullish().meta({ description: 'What it is to be; may be said on recording instead' }),
      fileSize: fileSize.nullish().meta({ description: 'Bytes; left out: whatever is sent, at most 10 MiB' }),
    })
    .meta({
      example: { fileName: 'passport.jpg', mimeType: 'image/jpeg', documentType: 'government_id_front', fileSize: 245_760 },
    }),
  success: [{ status: 200, meaning: 'Where to send the bytes' }],
  response: z
    .object({
      uploadUrl: z.string().meta({ description: 'Good for this one document; no key is sent there' }),
      filePath: z.string().meta({ description: 'Names the upload when the document is recorded' }),
      expiresInSeconds: z.int().meta({ description: 'Seconds that the URL is good for' }),
      method: z.enum(['PUT']).meta({ description: 'To send the bytes with' }),
      headers: z.record(z.string(), z.string()).meta({ description: 'To be sent with the bytes, exactly so' }),
    })
    .meta({ id: 'KycUpload' }),
  errors: ['USER_NOT_FOUND', 'STATE_CONFLICT'],
});

export const recordKycDocument = defineOperation({
  method: 'post',
  path: '/api/v1/members/{userId}/kyc/documents',
  operationId: 'recordKycDocument',
  group: 'KYC',
  summary: 'Record a document that was uploaded',
  description:
    'Checks what was sent: that it is there, of the size and type it is said to be, a whole picture or PDF and nothing else, and free of malware where a scanner is set up. `fileName` and `mimeType` must be those of the upload; `documentType` defaults to that of the upload. Where that had none either it is a document that staff has asked for again, else the first required one that is missing or rejected, else the optional one, of those that take the file type; the answer names it. 503 while the storage or the scanner is away: send the request again. A `filePath` is good for one document. A document takes the place of the one of its type before it. Once every required document, and all that staff has asked for again, are recorded the verification becomes `pending`.',
  scope: 'kyc:write',
  member: 'self',
  params: z.strictObject({ userId: uuid.meta({ description: 'The member' }) }),
  body: z
    .strictObject({
      fileName,
      mimeType: documentMimeType,
      fileSize,
      filePath: z
        .string()
        .min(1, 'must not be empty')
        .max(500, 'must have at most 500 characters')
        .meta({ description: 'The `filePath` of the upload' }),
      documentType: documentType.nullish().meta({ description: 'Default that of the upload, else what is still asked for' }),
    })
    .meta({
      example: {
        fileName: 'passport.jpg',
        mimeType: 'image/jpeg',
        fileSize: 245_760,
        filePath: 'live/{tenantId}/kyc/{userId}/{kycRecordId}/pending/0b5d3c1e-6f0a-4a52-9a51-7c1f0d7b6c11.jpg',
      },
    }),
  success: [{ status: 201, meaning: 'The document' }],
  response: kycDocument,
  errors: ['USER_NOT_FOUND', 'STATE_CONFLICT'],
});
