/**
 * An event that a SANDBOX has its simulated KYC vendor send: the part of POST /sandbox/vendor-events.
 * Source: docs/specification/sandbox.md#vendor-events.
 */
import { z } from 'zod';
import { text, uuid } from '../../../http/schemas.ts';
import { kycStatus } from './kyc-schemas.ts';

export const SIMULATED_OUTCOMES = ['pending', 'on_hold', 'approved', 'rejected', 'resubmit_required', 'reset'] as const;
export type SimulatedOutcome = (typeof SIMULATED_OUTCOMES)[number];

export const simulatedKycEvent = z
  .strictObject({
    kind: z.literal('kyc').meta({ description: "A verification's event" }),
    userId: uuid.meta({ description: 'A member whose verification the simulated vendor has' }),
    outcome: z.enum(SIMULATED_OUTCOMES).meta({
      description:
        'What the vendor finds: `approved`, `rejected`, `resubmit_required`; `pending`, `on_hold`: nothing yet; `reset`: takes back what was decided',
    }),
    reason: text(500).optional().meta({ description: 'Of `rejected` and `resubmit_required`: what the member is shown' }),
  })
  .refine(({ outcome, reason }) => reason === undefined || outcome === 'rejected' || outcome === 'resubmit_required', {
    path: ['reason'],
    message: 'is of rejected and resubmit_required only',
  })
  .meta({
    id: 'SimulatedKycEventBody',
    example: {
      kind: 'kyc',
      userId: '018f3c1e-7b1a-7c3e-9d2b-4a5f6c7d8e9f',
      outcome: 'rejected',
      reason: 'The document has expired',
    },
  });

export const simulatedKycAnswer = z
  .object({
    kind: z.literal('kyc').meta({ description: 'As asked for' }),
    userId: uuid.meta({ description: 'The member' }),
    kycRecordId: uuid.meta({ description: 'The verification' }),
    status: kycStatus,
    effect: z
      .enum(['applied', 'no_change', 'held_by_staff'])
      .meta({ description: '`no_change`: the record stood so already; `held_by_staff`: staff has decided otherwise' }),
  })
  .meta({ id: 'SimulatedKycEvent' });
