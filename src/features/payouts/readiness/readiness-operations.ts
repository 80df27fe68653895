/** The public contract of what stands between a member and its next payout: docs/specification/payouts.md#readiness. */

import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { amountMinorOut, currency, minorSumOut, timestamp, uuid } from '../../../http/schemas.ts';
import { payoutStatus } from '../open/payout-state-schemas.ts';
import { PRESENT_REASONS } from '../runs/block-rules.ts';

export const READINESS_STATES = ['nothing_due', 'blocked', 'ready', 'in_payout'] as const;
export type ReadinessState = (typeof READINESS_STATES)[number];

const requirement = z.object({
  currency,
  ...minorSumOut('dueMinor', 'What a run would take now: cleared, and in no live payout. Negative when the member owes it'),
  minimumMinor: amountMinorOut
    .nullable()
    .meta({ description: 'The least that is paid out; null: nothing is paid (`NO_MINIMUM`)' }),
  state: z.enum(READINESS_STATES).meta({
    description:
      '`ready`: a run would pay `dueMinor`. `blocked`: it would not, by the first of `missing`. Where nothing is due: `in_payout` while a payout is on its way, else `nothing_due`',
  }),
  missing: z
    .array(
      z.enum(PRESENT_REASONS).meta({
        id: 'PresentBlockReason',
        description:
          'As `BlockReason`: `TEST_USER`, `HELD`, `BELOW_MINIMUM`, `NO_MINIMUM`, `NO_ACCOUNT`, `KYC_REQUIRED`, `NEGATIVE_BALANCE` and so on',
      }),
    )
    .meta({
      description:
        'What stands in the way, as in `blocked` of a run, in the order of its precedence. Where nothing is due: what would stand in the way of any amount',
    }),
  payout: z
    .object({
      id: uuid.meta({ description: 'Of the payout' }),
      runId: uuid.nullable().meta({ description: 'Its run; null where it is in none' }),
      ...minorSumOut('amountMinor'),
      currency,
      status: payoutStatus.meta({ description: '`queued` or `processing`' }),
      createdAt: timestamp.meta({ description: 'When it was drafted' }),
    })
    .nullable()
    .meta({ description: 'The oldest payout that is on its way, beside what is due; null: none' }),
});

export const payoutReadiness = z
  .object({
    userId: uuid.meta({ description: 'The member' }),
    asOf: timestamp.meta({ description: 'By the clock of the environment' }),
    requirements: z.array(requirement).meta({ description: 'By currency' }),
    lastPaid: z
      .object({ ...minorSumOut('amountMinor'), currency, paidAt: timestamp.meta({ description: 'When it was paid' }) })
      .nullable()
      .meta({ description: 'The latest payout that was paid and has not come back; null: none' }),
  })
  .meta({ id: 'PayoutReadiness' });
export type ReadinessAnswer = z.input<typeof payoutReadiness>;

export const getPayoutReadiness = defineOperation({
  method: 'get',
  path: '/api/v1/members/{userId}/payout-readiness',
  operationId: 'getPayoutReadiness',
  group: 'Payout',
  summary: 'What stands between a member and its next payout',
  description:
    'By the rules that a run drafted now would go by. In the default currency of the tenant always, in others where something is due or a payout is on its way.',
  scope: 'payouts:read',
  member: 'self',
  params: z.strictObject({ userId: uuid.meta({ description: 'The member' }) }),
  query: z.strictObject({
    currency: currency.optional().meta({ description: 'This one alone, also for `lastPaid`' }),
  }),
  success: [{ status: 200, meaning: 'What is due by currency, and what is missing' }],
  response: payoutReadiness,
  errors: ['USER_NOT_FOUND'],
});
