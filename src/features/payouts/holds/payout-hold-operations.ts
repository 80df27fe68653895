/** The public contract of holds on payouts: docs/specification/payouts.md#hold. */
import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { camelListOf, pageQuery } from '../../../http/pagination.ts';
import { namedActor, text, timestamp, turningPoint, uuid } from '../../../http/schemas.ts';

export const payoutHold = z
  .object({
    reason: z.string().meta({ description: 'Why, for the staff of the tenant' }),
    until: timestamp.nullable().meta({ description: 'When it ends by itself; null: when it is lifted' }),
    createdBy: namedActor
      .nullable()
      .meta({ description: 'Who set it; null for members that were inactive when holds were introduced' }),
    createdAt: timestamp.meta({ description: 'When it was set' }),
  })
  .meta({ id: 'PayoutHold' });

const params = z.strictObject({ userId: uuid.meta({ description: 'The member' }) });
const holdOfMember = z
  .object({
    userId: uuid.meta({ description: 'The member' }),
    payoutHold: payoutHold.nullable().meta({ description: 'Null where there is none, or none any more' }),
  })
  .meta({ id: 'PayoutHoldOfMember' });

const path = '/api/v1/members/{userId}/payout-hold';
const group = 'Payout';

export const getPayoutHold = defineOperation({
  method: 'get',
  path,
  operationId: 'getPayoutHold',
  group,
  summary: 'Read the hold on the payouts of a member',
  scope: 'payouts:read',
  params,
  success: [{ status: 200, meaning: 'The hold, or null' }],
  response: holdOfMember,
  errors: ['USER_NOT_FOUND'],
});

export const setPayoutHold = defineOperation({
  method: 'put',
  path,
  operationId: 'setPayoutHold',
  group,
  summary: 'Hold the payouts of a member',
  description:
    'In the place of the hold that there is. Runs leave the member out (`HELD`), and a payout that is still queued is cancelled at its execution; its commissions stay cleared. Once this has answered, no job takes up a transfer to the member; what the payment vendor has been asked for, or a job has in hand, goes on.',
  scope: 'payouts:write',
  hands: 'tightens',
  params,
  body: z
    .strictObject({
      reason: text(500).meta({ description: 'For the staff of the tenant; it is erased with the member' }),
      until: turningPoint.nullish().meta({ description: 'In the future; left out: until it is lifted' }),
    })
    .meta({ example: { reason: 'Bank account is being checked' } }),
  success: [{ status: 200, meaning: 'The hold' }],
  response: holdOfMember,
  errors: ['USER_NOT_FOUND', 'STATE_CONFLICT'],
});

export const liftPayoutHold = defineOperation({
  method: 'delete',
  path,
  operationId: 'liftPayoutHold',
  group,
  summary: 'Lift the hold on the payouts of a member',
  description: 'The next run pays what is due. Repeated, it changes nothing.',
  scope: 'payouts:approve',
  hands: 'neutral',
  params,
  success: [{ status: 200, meaning: 'There is no hold, now or before' }],
  response: holdOfMember,
  errors: ['USER_NOT_FOUND'],
});

const heldMember = z
  .object({ userId: uuid.meta({ description: 'The member' }), ...payoutHold.shape })
  .meta({ id: 'PayoutHoldInForce' });

export const listPayoutHolds = defineOperation({
  method: 'get',
  path: '/api/v1/payout-holds',
  operationId: 'listPayoutHolds',
  group,
  summary: 'List the holds in force, newest first',
  scope: 'payouts:read',
  query: z.strictObject(pageQuery),
  success: [{ status: 200, meaning: 'One page' }],
  response: camelListOf(heldMember),
  errors: [],
});
