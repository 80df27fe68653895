/** The public contract of the KYC vendor's webhook: docs/specification/webhooks.md#the-kyc-vendor. */
import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { uuid } from '../../../http/schemas.ts';

export const receiveKycEvent = defineOperation({
  method: 'post',
  path: '/api/v1/webhooks/kyc/kycvendor',
  operationId: 'receiveKycEvent',
  group: 'Webhook receivers',
  summary: 'Take an event of the KYC vendor',
  description:
    "For the vendor to call, with the tenant's id in the address. The digest is over the body's bytes, with the webhook secret of one of the tenant's environments; that secret tells which. A delivery has one effect however often it comes, and deliveries may come in any order. Events of unknown types or about unknown applicants are kept and answered with 200. At most 256 kB, not compressed.",
  scope: 'none',
  calledBy: 'vendors',
  headers: z.object({
    'x-payload-digest': z.string().meta({ description: "HMAC of the body's bytes, in hex" }),
    'x-payload-digest-alg': z.string().optional().meta({ description: 'One that the tenant allows; without it HMAC_SHA256_HEX' }),
  }),
  query: z.strictObject({ tenant_id: uuid.meta({ description: 'Id of the tenant' }) }),
  body: z.looseObject({}).meta({
    description:
      "The vendor's event. Of its fields `type`, `applicantId`, `externalUserId`, `reviewStatus`, `reviewResult`, `sandboxMode` and `createdAtMs` are gone by.",
  }),
  success: [{ status: 200, meaning: 'Received; what it changes is committed' }],
  response: z.object({ message: z.literal('Event received').meta({ description: 'Says that it was kept' }) }),
  errors: ['INVALID_SIGNATURE'],
});
