/** The public contract of events that a SANDBOX has its simulated vendor send: api-decisions §6. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { text, uuid } from '../../http/schemas.ts';
import { kycStatus } from './kyc-schemas.ts';

export const SIMULATED_OUTCOMES = ['pending', 'on_hold', 'approved', 'rejected', 'resubmit_required', 'reset'] as const;
export type SimulatedOutcome = (typeof SIMULATED_OUTCOMES)[number];

export const sendVendorEvent = defineOperation({
  method: 'post',
  path: '/api/v1/sandbox/vendor-events',
  operationId: 'sendVendorEvent',
  group: 'Sandbox',
  summary: 'Have the simulated vendor decide, and send its event',
  description:
    "For members whose verification was started with the automated provider, in a SANDBOX without a vendor account. The event goes the way that the real vendor's go, and from then on the simulated vendor stands by it. `on_hold` leaves the record pending; `reset` takes back what was decided, by staff too. What staff has decided is changed by nothing else: `effect` is `held_by_staff` then.",
  scope: 'sandbox:write',
  body: z
    .strictObject({
      kind: z.literal('kyc'),
      userId: uuid,
      outcome: z.enum(SIMULATED_OUTCOMES),
      reason: text(500).optional().meta({ description: 'Of `rejected` and `resubmit_required`: what the member is shown' }),
    })
    .refine(({ outcome, reason }) => reason === undefined || outcome === 'rejected' || outcome === 'resubmit_required', {
      path: ['reason'],
      message: 'is of rejected and resubmit_required only',
    })
    .meta({
      example: {
        kind: 'kyc',
        userId: '018f3c1e-7b1a-7c3e-9d2b-4a5f6c7d8e9f',
        outcome: 'rejected',
        reason: 'The document has expired',
      },
    }),
  success: [{ status: 200, meaning: 'The event was received' }],
  response: z
    .object({
      kind: z.literal('kyc'),
      userId: uuid,
      kycRecordId: uuid,
      status: kycStatus,
      effect: z.enum(['applied', 'no_change', 'held_by_staff']).meta({ description: '`no_change`: the record stood so already' }),
    })
    .meta({ id: 'SimulatedKycEvent' }),
  errors: ['ENVIRONMENT_MISMATCH', 'USER_NOT_FOUND', 'STATE_CONFLICT'],
});
