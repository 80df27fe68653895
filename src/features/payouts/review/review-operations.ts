/** The public contract of what an approver of a run has to see: docs/specification/payouts.md#review. */
import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { minorSumOut, timestamp, uuid } from '../../../http/schemas.ts';
import { blockReason } from '../open/payout-state-schemas.ts';
import { REFUSAL_REASONS } from '../open/payout-states.ts';

const params = z.strictObject({ runId: uuid.meta({ description: 'Id of the run' }) });

export const getBlockedReasons = defineOperation({
  method: 'get',
  path: '/api/v1/payout-runs/{runId}/blocked-reasons',
  operationId: 'getBlockedReasons',
  group: 'Payout runs',
  summary: 'Why a run could not pay members, counted by reason',
  scope: 'payouts:read',
  params,
  success: [{ status: 200, meaning: 'In the order of their precedence; a reason that nobody has is left out' }],
  response: z.object({
    data: z
      .array(
        z.object({
          reason: blockReason,
          count: z.int().meta({ description: 'Members' }),
          ...minorSumOut('amountMinor', 'What would be due to them'),
        }),
      )
      .meta({ description: 'As drafted' }),
  }),
  errors: ['NOT_FOUND'],
});

const payoutId = uuid.meta({ description: 'The payout' });
const userId = uuid.meta({ description: 'The member' });

const counted = z
  .object({ count: z.int().meta({ description: 'How many' }), ...minorSumOut('totalMinor') })
  .meta({ id: 'CountedSum' });

const ledger = z.object({
  ...minorSumOut('runMinor', 'Queued payouts of the run'),
  ...minorSumOut('blockedMinor', 'Members that the run could not pay, as drafted'),
  ...minorSumOut('elsewhereMinor', 'Queued payouts of other runs'),
  ...minorSumOut('laterMinor', 'Free commissions that cleared after the cutoff'),
  ...minorSumOut('changedMinor', 'What came or went since the draft, as a refund; 0 of a fresh draft'),
  ...minorSumOut('ledgerMinor', 'What the ledger owes members as cleared'),
  ...minorSumOut('differenceMinor', '`ledgerMinor` less the five others'),
  equal: z.boolean().meta({ description: 'Whether there is no difference; `false`: do not approve' }),
});

const difference = z.object({
  joined: counted.meta({ description: 'Payouts to members whom the former run did not pay' }),
  gone: counted.meta({ description: 'Payouts of the former run to members whom this one does not pay' }),
  more: z.int().meta({ description: 'Members who get more than before' }),
  less: z.int().meta({ description: 'Members who get less than before' }),
  largestChanges: z
    .array(
      z.object({
        userId,
        ...minorSumOut('beforeMinor', '0: not paid'),
        ...minorSumOut('nowMinor', '0: not paid'),
      }),
    )
    .meta({ description: 'The ten largest' }),
});

const review = z
  .object({
    asOf: timestamp.meta({ description: 'By the clock of the environment' }),
    stale: z.boolean().meta({ description: 'Whether it is a draft that is older than a day' }),
    ledger: ledger.meta({ description: 'Whether what is cleared is all told, by the books of now' }),
    previous: z
      .object({
        runId: uuid.meta({ description: 'Of the run' }),
        createdAt: timestamp.meta({ description: 'When it was drafted' }),
        payouts: counted.meta({ description: 'As drafted' }),
      })
      .nullable()
      .meta({ description: 'The run of the currency that was executed last before it, and has paid somebody; null: none' }),
    difference: difference.nullable().meta({ description: 'From `previous`; null without one' }),
    largest: z
      .array(z.object({ payoutId, userId, ...minorSumOut('amountMinor') }))
      .meta({ description: 'The ten largest payouts' }),
    changedSinceDraft: z
      .object({
        ...counted.shape,
        first: z
          .array(
            z.object({
              payoutId,
              userId,
              reason: z.enum(REFUSAL_REASONS).meta({
                id: 'RefusalReason',
                description:
                  '`TEST_USER`, `HELD`, `NO_ACCOUNT`, `KYC_REQUIRED`, `NAME_MISMATCH`: as `BlockReason`; `CHANGED`: its commissions are others',
              }),
            }),
          )
          .meta({ description: 'The first ten' }),
      })
      .meta({ description: 'Queued payouts that would be cancelled if they were executed now' }),
  })
  .meta({ id: 'PayoutRunReview' });

export type ReviewAnswer = z.input<typeof review>;

export const reviewPayoutRun = defineOperation({
  method: 'get',
  path: '/api/v1/payout-runs/{runId}/review',
  operationId: 'reviewPayoutRun',
  group: 'Payout runs',
  summary: 'What an approver of a run has to see',
  description: 'All of it at one moment: the books, what differs from the former run, and what has changed since the draft.',
  scope: 'payouts:read',
  params,
  success: [{ status: 200, meaning: 'The review' }],
  response: review,
  errors: ['NOT_FOUND'],
});
