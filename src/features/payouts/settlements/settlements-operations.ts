/** The public contract of settlements: docs/specification/payouts.md#settlements. */
import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { camelListOf, pageQuery } from '../../../http/pagination.ts';
import { amountMinor, currency, text, uuid } from '../../../http/schemas.ts';
import { payoutsErrors } from '../open/payouts-errors.ts';
import { payoutResource } from '../payouts/payouts-operations.ts';

const path = '/api/v1/members/{userId}/settlements';
const group = 'Payout';
const params = z.strictObject({ userId: uuid.meta({ description: 'The member' }) });

export const createSettlement = defineOperation({
  method: 'post',
  path,
  operationId: 'createSettlement',
  group,
  summary: 'Enter money that was paid to a member outside the service',
  description:
    'A payout in no run, paid at once: whole cleared commissions of the member are paid, what takes back first and then the oldest first, none of which another payout holds. They must come to the amount exactly: otherwise it is 422 `AMOUNT_NOT_SETTLEABLE` with `details` {`clearedMinor`, `nearestBelowMinor`, `nearestAboveMinor`}. The same reference twice for a member is 409 `STATE_CONFLICT`, with `details.payoutId`; so is a test member in LIVE, who is paid nothing. What came back is told by `POST /payouts/{id}/return`.',
  scope: 'payouts:execute',
  hands: 'neutral',
  params,
  body: z
    .strictObject({
      currency,
      amountMinor: amountMinor
        .refine((amount) => amount > 0n, 'must be more than 0')
        .meta({ override: { minimum: 1 }, description: 'What was paid, in minor units' }),
      reference: text(255).meta({ description: 'Under which the bank knows the payment: write nothing of the person into it' }),
    })
    .meta({ example: { currency: 'USD', amountMinor: 12_500, reference: 'WIRE-2026-0042' } }),
  success: [{ status: 201, meaning: 'Entered: the payout, which is paid' }],
  response: payoutResource,
  errors: ['USER_NOT_FOUND', 'STATE_CONFLICT', payoutsErrors.AMOUNT_NOT_SETTLEABLE, payoutsErrors.PAYOUTS_FROZEN],
});

export const listSettlements = defineOperation({
  method: 'get',
  path,
  operationId: 'listSettlements',
  group,
  summary: 'List the settlements of a member, newest first',
  description: 'They are among the payouts of `GET /payouts` too.',
  scope: 'payouts:read',
  params,
  query: z.strictObject(pageQuery),
  success: [{ status: 200, meaning: 'One page' }],
  response: camelListOf(payoutResource),
  errors: ['USER_NOT_FOUND'],
});
