/** The public contract of payout runs: docs/specification/payouts.md#runs. */

import { z } from 'zod';
import type { ErrorKind } from '../../../errors.ts';
import { defineOperation } from '../../../http/operation.ts';
import { camelListOf, pageQuery } from '../../../http/pagination.ts';
import { amountMinorOut, currency, instant, minorSumOut, namedActor, timestamp, uuid } from '../../../http/schemas.ts';
import { twoHandsErrors } from '../../two-hands/open/two-hands-errors.ts';
import { twoHandsRule } from '../../two-hands/open/two-hands-schemas.ts';
import { payoutHold } from '../holds/payout-hold-operations.ts';
import { blockReason, payoutStatus, runStatus } from '../open/payout-state-schemas.ts';
import { payoutsErrors } from '../open/payouts-errors.ts';
import { BLOCKED_SORTS } from '../payout-schemas.ts';
import { payoutResource } from '../payouts/payouts-operations.ts';

const fields = {
  id: uuid.meta({ description: 'Of the run' }),
  currency,
  cutoffAt: timestamp.meta({ description: 'Commissions count that had cleared by then; what takes money back counts always' }),
  status: runStatus,
  payoutCount: z.int().meta({ description: 'As drafted' }),
  ...minorSumOut('totalMinor', 'As drafted'),
  blockedCount: z.int().meta({ description: 'Members who cannot be paid, as drafted' }),
  minimumPayout: z
    .object({
      amountMinor: amountMinorOut,
      source: z.enum(['plan', 'built_in']).meta({ description: '`built_in`: the plan names none for the currency' }),
    })
    .meta({ id: 'MinimumPayout' })
    .nullable()
    .meta({
      description:
        'Which minimum the draft went by. Null where there was none (`NO_MINIMUM`), or the run was drafted before this was kept',
    }),
  dualControl: twoHandsRule.nullable().meta({
    description:
      'Rule of the draft; at the approval the stricter of it and the setting counts. Null of runs from before it was kept',
  }),
  createdBy: namedActor.meta({ description: 'Who drafted it' }),
  approvedBy: namedActor.nullable().meta({ description: 'Who approved it; null: nobody yet' }),
  approvedAt: timestamp.nullable().meta({ description: 'When it was approved; null: not yet' }),
  executedBy: namedActor.nullable().meta({ description: 'Who executed it; null: nobody yet' }),
  executedAt: timestamp.nullable().meta({ description: 'When it was executed; null: not yet' }),
  createdAt: timestamp.meta({ description: 'When it was drafted' }),
  updatedAt: timestamp.meta({ description: 'When it was last changed' }),
};

export const runResource = z.object(fields).meta({ id: 'PayoutRun' });
export type RunAnswer = z.input<typeof runResource>;

const blockedMember = z
  .object({
    userId: uuid.meta({ description: 'The member' }),
    reason: blockReason,
    ...minorSumOut('amountMinor', 'What would be due; negative when the member owes it'),
    payoutHold: payoutHold
      .nullable()
      .meta({ description: 'Of a member that is `HELD`: the hold as it is now; null once it is lifted' }),
  })
  .meta({ id: 'BlockedMember' });

const firstRows = {
  hasMorePayouts: z.boolean().meta({ description: 'Whether there are more payouts than shown' }),
  blocked: z.array(blockedMember).meta({ description: 'The first 100; the others: `GET /payout-runs/{runId}/blocked`' }),
  hasMoreBlocked: z.boolean().meta({ description: 'Whether there are more blocked members than shown' }),
};
const FIRST_PAYOUTS = { description: 'The first 100; the others: `GET /payouts?runId=`' };

const draft = z
  .object({ ...fields, payouts: z.array(payoutResource).meta(FIRST_PAYOUTS), ...firstRows })
  .meta({ id: 'PayoutRunDraft' });

const plannedPayout = z
  .object({
    ...payoutResource.shape,
    id: z.null().meta({ description: 'Null: not stored' }),
    runId: z.null().meta({ description: 'Null: not stored' }),
  })
  .meta({ id: 'PlannedPayout', description: 'A payout that a dry run would draft: it has no id' });

const dryRun = z
  .object({
    ...fields,
    id: z.null().meta({ description: 'Null: nothing was stored' }),
    payouts: z.array(plannedPayout).meta(FIRST_PAYOUTS),
    ...firstRows,
  })
  .meta({ id: 'PayoutRunDryRun' });

const listedRun = z
  .object({
    ...fields,
    firstHands: namedActor.meta({
      description:
        'Who counts as its drafter under dual control: of a draft by schedule whoever set the schedule, of a key its root, else `createdBy`',
    }),
  })
  .meta({ id: 'ListedPayoutRun' });

const runDetail = z
  .object({
    ...listedRun.shape,
    byStatus: z
      .array(
        z.object({
          status: payoutStatus.meta({ description: 'Of the payouts counted here' }),
          count: z.int().meta({ description: 'Payouts in this status' }),
          ...minorSumOut('totalMinor'),
        }),
      )
      .meta({ description: 'Where its payouts are now' }),
  })
  .meta({ id: 'PayoutRunDetail' });

export const createPayoutRun = defineOperation({
  method: 'post',
  path: '/api/v1/payout-runs',
  operationId: 'createPayoutRun',
  group: 'Payout runs',
  summary: 'Draft a payout run',
  description:
    'A payout for each member with cleared commissions in the currency that no other payout has taken, of all of them together, and the reason for each member who cannot be paid. Nothing moves before the run is approved and executed. With `dryRun` nothing is stored.',
  scope: 'payouts:write',
  hands: 'neutral',
  body: z
    .strictObject({
      currency,
      cutoffAt: instant.optional().meta({ description: 'Default now; not in the future' }),
      dryRun: z.boolean().default(false).meta({ description: '`true`: show the draft, store nothing; default `false`' }),
    })
    .meta({ example: { currency: 'USD', dryRun: true } }),
  success: [
    { status: 201, meaning: 'The draft', response: draft },
    { status: 200, meaning: 'What the draft would be (`dryRun`)', response: dryRun },
  ],
  response: z.union([draft, dryRun]),
  errors: [],
});

export const listPayoutRuns = defineOperation({
  method: 'get',
  path: '/api/v1/payout-runs',
  operationId: 'listPayoutRuns',
  group: 'Payout runs',
  summary: 'List payout runs, newest first',
  scope: 'payouts:read',
  query: z.strictObject({
    status: runStatus.optional().meta({ description: 'Only runs in this status' }),
    currency: currency.optional(),
    createdFrom: instant.optional().meta({ description: 'Drafted at this instant or later' }),
    createdTo: instant.optional().meta({ description: 'Drafted before this instant' }),
    ...pageQuery,
  }),
  success: [{ status: 200, meaning: 'One page' }],
  response: camelListOf(listedRun),
  errors: [],
});

const params = z.strictObject({ runId: uuid.meta({ description: 'Id of the run' }) });

export const getPayoutRun = defineOperation({
  method: 'get',
  path: '/api/v1/payout-runs/{runId}',
  operationId: 'getPayoutRun',
  group: 'Payout runs',
  summary: 'Read a payout run, with where its payouts are',
  scope: 'payouts:read',
  params,
  success: [{ status: 200, meaning: 'The run' }],
  response: runDetail,
  errors: ['NOT_FOUND'],
});

export const listBlockedMembers = defineOperation({
  method: 'get',
  path: '/api/v1/payout-runs/{runId}/blocked',
  operationId: 'listBlockedMembers',
  group: 'Payout runs',
  summary: 'List the members that a run could not pay',
  scope: 'payouts:read',
  params,
  query: z.strictObject({
    reason: blockReason.optional().meta({ description: 'Only members blocked for this reason' }),
    sort: z
      .enum(BLOCKED_SORTS)
      .optional()
      .meta({ description: '`amount`: the smallest first; `-amount`: the largest; default by the ids of the members' }),
    ...pageQuery,
  }),
  success: [{ status: 200, meaning: 'One page' }],
  response: camelListOf(blockedMember),
  errors: ['NOT_FOUND'],
});

const RIGHTS = { approve: 'payouts:approve', execute: 'payouts:execute', cancel: 'payouts:write' } as const;

const act = <Action extends keyof typeof RIGHTS>(
  action: Action,
  summary: string,
  description: string,
  errors: readonly ErrorKind[] = [],
) =>
  defineOperation({
    method: 'post',
    path: `/api/v1/payout-runs/{runId}/${action}`,
    operationId: `${action}PayoutRun`,
    group: 'Payout runs',
    summary,
    description: `${description} Any other state is 409 \`STATE_CONFLICT\`.`,
    scope: RIGHTS[action],
    hands: action === 'cancel' ? 'tightens' : 'neutral',
    ...(action === 'cancel' ? {} : { stepUp: 'always' as const }),
    params,
    body: z.strictObject({}).optional(),
    success: [{ status: 200, meaning: 'The run as it is now' }],
    response: runResource,
    errors: ['NOT_FOUND', 'STATE_CONFLICT', ...errors],
  });

export const approvePayoutRun = act(
  'approve',
  'Approve a drafted run',
  'Under dual control it takes a second pair of hands: with `keys` a key of another root than that of the key that drafted it, with `persons` another person; else 403 `SECOND_PERSON_REQUIRED`. The stricter counts of the rule that the run was drafted under and that of the settings now.',
  [twoHandsErrors.SECOND_PERSON_REQUIRED],
);
export const executePayoutRun = act(
  'execute',
  'Execute an approved run',
  'Its payouts are carried out in the background, each as it was drafted: one whose commissions, account or member have changed is cancelled. Anybody with the right may. With dual control on, a run that one pair of hands has drafted and approved before is 403 `SECOND_PERSON_REQUIRED`: cancel it and draft it again.',
  [twoHandsErrors.SECOND_PERSON_REQUIRED, payoutsErrors.PAYOUTS_FROZEN],
);
export const cancelPayoutRun = act('cancel', 'Cancel a drafted or approved run', 'Its commissions are free for the next one.');
