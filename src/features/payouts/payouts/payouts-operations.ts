/** The public contract of payouts: docs/specification/payouts.md#payout-states. */

import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { camelListOf, camelPaging, pageQuery } from '../../../http/pagination.ts';
import { currency, instant, minorSumOut, namedActor, text, timestamp, uuid } from '../../../http/schemas.ts';
import { twoHandsErrors } from '../../two-hands/open/two-hands-errors.ts';
import { payoutStatus } from '../open/payout-state-schemas.ts';
import { PAYMENT_PROVIDERS } from '../open/payout-states.ts';
import { payoutsErrors } from '../open/payouts-errors.ts';
import { RECONCILED_AS } from '../open/reconciled-as.ts';
import { PAYOUT_SORTS } from '../payout-schemas.ts';

const fields = {
  id: uuid.meta({ description: 'Of the payout' }),
  runId: uuid.nullable().meta({ description: 'Null of a settlement: money that was paid outside the service' }),
  userId: uuid.meta({ description: 'The member who is paid' }),
  payoutAccountId: uuid.nullable().meta({ description: 'Null of a settlement' }),
  provider: z
    .enum(PAYMENT_PROVIDERS)
    .meta({ description: '`manual`: the tenant pays by itself; `payvendor`: the payment vendor pays' }),
  currency,
  ...minorSumOut('amountMinor'),
  commissionCount: z.int().meta({ description: 'Commissions that it consumes' }),
  status: payoutStatus.meta({
    description: '`queued`: waits for its run; `processing`: on its way; `returned`: came back after it was paid',
  }),
  attempt: z.int().meta({ description: 'Executions so far' }),
  failureCode: z.string().nullable().meta({
    description:
      'Why it was not paid; null: nothing is wrong. `CHANGED`, or a reason of a blocked member: found at its execution, and the payout is cancelled; else what the provider said. Of a payout in processing: what holds it up, such as `PROVIDER_CONFIGURATION` or `unauthorized` (the settings), `funds_not_arrived`, `reversal_refused`',
  }),
  failureMessage: z.string().nullable().meta({ description: 'The same in words, or the reason of a return; null: none' }),
  reference: z.string().nullable().meta({ description: "Of the tenant's own bank, where the tenant pays; null: none yet" }),
  paidAt: timestamp.nullable().meta({ description: 'When it was paid; null: not yet' }),
  createdBy: namedActor.nullable().meta({ description: 'Who drafted it; null of those from before this was kept' }),
  createdAt: timestamp.meta({ description: 'When it was drafted' }),
  updatedAt: timestamp.meta({ description: 'When it was last changed' }),
};

export const payoutResource = z.object(fields).meta({ id: 'Payout' });
export type PayoutAnswer = z.input<typeof payoutResource>;

const payoutDetail = z
  .object({
    ...fields,
    attempts: z
      .array(
        z.object({
          attempt: z.int().meta({ description: 'Number of the execution, from 1' }),
          transferId: z.string().nullable().meta({ description: "The vendor's transfer to the member's account; null: none" }),
          providerPayoutId: z.string().nullable().meta({ description: "The vendor's payout to the bank; null: none" }),
          reversalId: z.string().nullable().meta({ description: 'What took the transfer back; null: nothing' }),
          outcome: z
            .enum(['paid', 'failed', 'returned'])
            .nullable()
            .meta({ description: 'How it ended: `paid`, `failed`, or `returned` after it was paid; null: not yet' }),
          createdBy: namedActor.nullable().meta({
            description:
              'Who asked for it: whoever executed the run, or retried the payout; null of those from before this was kept',
          }),
          startedAt: timestamp.meta({ description: 'When it was begun' }),
          endedAt: timestamp.nullable().meta({ description: 'When it ended; null: not yet' }),
        }),
      )
      .meta({ description: 'Executions, the first one first' }),
  })
  .meta({ id: 'PayoutDetail' });

const params = z.strictObject({ payoutId: uuid.meta({ description: 'Id of the payout' }) });

export const listPayouts = defineOperation({
  method: 'get',
  path: '/api/v1/payouts',
  operationId: 'listPayouts',
  group: 'Payout',
  summary: 'List payouts, oldest first unless sorted',
  scope: 'payouts:read',
  member: 'own',
  query: z.strictObject({
    runId: uuid.optional().meta({ description: 'Only payouts of this run' }),
    userId: uuid.optional().meta({ description: 'Only payouts of this member' }),
    status: payoutStatus.optional().meta({ description: 'Only payouts in this status' }),
    currency: currency.optional(),
    createdFrom: instant.optional().meta({ description: 'Drafted at this instant or later' }),
    createdTo: instant.optional().meta({ description: 'Drafted before this instant' }),
    reconciled: z.enum(RECONCILED_AS).optional().meta({
      description:
        'What a reconciliation after a restore made of it. `recorded`: it was paid outside of what the database knew, and is in the books by now; `not_sent`: it was drafted here and not sent, and is cancelled; `unanswered`: it was begun and no transfer is known yet, after a restore or not',
    }),
    sort: z.enum(PAYOUT_SORTS).optional().meta({
      description:
        '`createdAt`, `amount`: the oldest or smallest first; `-createdAt`, `-amount`: the newest or largest. Amounts are compared in minor units: give a `currency`',
    }),
    ...pageQuery,
  }),
  success: [{ status: 200, meaning: 'One page' }],
  response: camelListOf(payoutResource),
  errors: [],
});

export const getPayout = defineOperation({
  method: 'get',
  path: '/api/v1/payouts/{payoutId}',
  operationId: 'getPayout',
  group: 'Payout',
  summary: 'Read a payout with its executions',
  scope: 'payouts:read',
  member: 'own',
  params,
  success: [{ status: 200, meaning: 'The payout' }],
  response: payoutDetail,
  errors: ['NOT_FOUND'],
});

export const listPayoutCommissions = defineOperation({
  method: 'get',
  path: '/api/v1/payouts/{payoutId}/commissions',
  operationId: 'listPayoutCommissions',
  group: 'Payout',
  summary: 'List the commissions that a payout consumes, oldest first',
  description:
    'They add up to its amount. Those of a payout that was cancelled, has failed or came back are free for another one.',
  scope: 'payouts:read',
  params,
  query: z.strictObject(pageQuery),
  success: [{ status: 200, meaning: 'One page' }],
  response: z.object({
    data: z
      .array(
        z.object({
          id: uuid.meta({ description: 'Of the commission' }),
          eventId: uuid.meta({ description: 'The event that it came of' }),
          externalEventId: z.string().meta({ description: "The tenant's own id of that event" }),
          kind: z.string().meta({ description: 'Of the commission, as `commission`, `clawback` or `bonus`' }),
          amountMinor: z.int().meta({ description: 'Minor units; negative for what takes back' }),
          currency,
          status: z.string().meta({ description: 'As the commission stands now' }),
          occurredAt: timestamp.meta({ description: 'When the event happened' }),
        }),
      )
      .meta({ description: 'The page of commissions' }),
    ...camelPaging,
  }),
  errors: ['NOT_FOUND'],
});

const change = { method: 'post', group: 'Payout', params, response: payoutResource } as const;
const success = [{ status: 200, meaning: 'The payout as it is now' }] as const;

export const cancelPayout = defineOperation({
  ...change,
  scope: 'payouts:write',
  hands: 'tightens',
  path: '/api/v1/payouts/{payoutId}/cancel',
  operationId: 'cancelPayout',
  summary: 'Cancel a payout that is still queued',
  description: 'Its commissions are free for the next run.',
  body: z.strictObject({}).optional(),
  success,
  errors: ['NOT_FOUND', 'STATE_CONFLICT'],
});

export const retryPayout = defineOperation({
  ...change,
  scope: 'payouts:execute',
  hands: 'neutral',
  path: '/api/v1/payouts/{payoutId}/retry',
  operationId: 'retryPayout',
  summary: 'Execute a failed payout once more',
  description:
    'With the same commissions, to the same account. 409 `STATE_CONFLICT` when another payout has taken one of them meanwhile; when one has changed, the payout is cancelled at its execution. With dual control on, a payout of a run that one pair of hands has drafted and approved before is 403 `SECOND_PERSON_REQUIRED`: its commissions are free for another run.',
  body: z.strictObject({}).optional(),
  success,
  errors: ['NOT_FOUND', 'STATE_CONFLICT', twoHandsErrors.SECOND_PERSON_REQUIRED, payoutsErrors.PAYOUTS_FROZEN],
});

export const settlePayout = defineOperation({
  ...change,
  scope: 'payouts:execute',
  hands: 'neutral',
  path: '/api/v1/payouts/{payoutId}/settle',
  operationId: 'settlePayout',
  summary: 'Tell that a payout by hand was made',
  description: 'Of a payout in processing whose provider is `manual`; the payment vendor tells of its own.',
  body: z
    .strictObject({
      reference: text(255).meta({ description: 'Under which the bank knows it' }),
      paidAt: instant.optional().meta({ description: 'Default now; not in the future, not before the payout was drafted' }),
    })
    .meta({ example: { reference: 'SEPA-2026-0042' } }),
  success,
  errors: ['NOT_FOUND', 'STATE_CONFLICT'],
});

export const returnPayout = defineOperation({
  ...change,
  scope: 'payouts:execute',
  hands: 'neutral',
  path: '/api/v1/payouts/{payoutId}/return',
  operationId: 'returnPayout',
  summary: 'Tell that a payout by hand did not arrive',
  description:
    'A paid one is `returned`, one that is in processing has `failed`; the commissions are cleared again. Of payouts whose provider is `manual`, settlements among them.',
  body: z
    .strictObject({ reason: text(500).meta({ description: 'Why it did not arrive; read as `failureMessage`' }) })
    .meta({ example: { reason: 'Account closed' } }),
  success,
  errors: ['NOT_FOUND', 'STATE_CONFLICT'],
});
