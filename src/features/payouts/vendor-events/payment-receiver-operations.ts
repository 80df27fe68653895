/** The public contract of the payment vendor's webhook: docs/specification/webhooks.md#the-payment-vendor. */
import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { uuid } from '../../../http/schemas.ts';

export const receivePaymentEvent = defineOperation({
  method: 'post',
  path: '/api/v1/webhooks/payvendor',
  operationId: 'receivePaymentEvent',
  group: 'Webhook receivers',
  summary: 'Take an event of the payment vendor',
  description:
    "For the vendor to call, from the tenant's own endpoint and from the one for connected accounts. The signature is over the body's bytes, with one of the tenant's webhook secrets of that environment, and at most 300 seconds old. Whose it is follows from the connected account, the metadata or `tenant_id`; whoever that is, its secret must have signed it. A delivery has one effect however often it comes, and deliveries may come in any order: those about what is not there yet are kept and tried again. Events of unknown types are answered with 200 and have no effect, thin events among them. At most 256 kB, not compressed.",
  scope: 'none',
  calledBy: 'vendors',
  headers: z.object({
    'payvendor-signature': z.string().meta({ description: '`t=<unix seconds>,v1=<hex HMAC-SHA-256>`' }),
  }),
  query: z.strictObject({
    environment: z
      .literal('sandbox')
      .optional()
      .meta({ description: 'Of events that the vendor makes in test mode (`livemode` false); left out of all others' }),
    tenant_id: uuid.optional().meta({ description: 'For events that name no account or tenant' }),
  }),
  body: z.looseObject({}).meta({ description: "The vendor's event" }),
  success: [{ status: 200, meaning: 'Received; what it changes is committed' }],
  response: z.object({ message: z.literal('Event received').meta({ description: 'Says that it was kept' }) }),
  errors: ['INVALID_SIGNATURE'],
});
