/** The public contract of retrying what failed of a run: docs/specification/payouts.md#retry-run. */
import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { uuid } from '../../../http/schemas.ts';
import { twoHandsErrors } from '../../two-hands/open/two-hands-errors.ts';
import { payoutsErrors } from '../open/payouts-errors.ts';

export const retryPayoutRun = defineOperation({
  method: 'post',
  path: '/api/v1/payout-runs/{runId}/retry',
  operationId: 'retryPayoutRun',
  group: 'Payout runs',
  summary: 'Execute the failed payouts of a run once more',
  description: 'At most 500 a request, each by the rules of `retryPayout`: one that is refused keeps none of the others.',
  scope: 'payouts:execute',
  hands: 'neutral',
  params: z.strictObject({ runId: uuid.meta({ description: 'Id of the run' }) }),
  body: z
    .strictObject({
      afterPayoutId: uuid.optional().meta({ description: 'Only failed payouts behind this one, as `lastPayoutId` of an answer' }),
    })
    .optional(),
  success: [{ status: 200, meaning: 'What is tried again' }],
  response: z
    .object({
      retried: z.int().meta({ description: 'Payouts that are queued again' }),
      refused: z
        .array(
          z.object({
            payoutId: uuid.meta({ description: 'Stays failed' }),
            code: z.string().meta({ description: 'As `retryPayout` would answer' }),
            message: z.string().meta({ description: 'Why' }),
          }),
        )
        .meta({ description: 'Payouts that cannot be retried' }),
      remaining: z.int().meta({ description: 'Failed payouts behind these' }),
      lastPayoutId: uuid.nullable().meta({ description: 'The last that was looked at; null: none' }),
    })
    .meta({ id: 'RetriedPayouts' }),
  errors: ['NOT_FOUND', twoHandsErrors.SECOND_PERSON_REQUIRED, payoutsErrors.PAYOUTS_FROZEN],
});
