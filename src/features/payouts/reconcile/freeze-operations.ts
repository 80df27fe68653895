/** The public contract of what a tenant may know of frozen payouts: docs/specification/payouts.md#freeze. */
import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';

export const getPayoutFreeze = defineOperation({
  method: 'get',
  path: '/api/v1/payouts/freeze',
  operationId: 'getPayoutFreeze',
  group: 'Payout',
  summary: 'Whether payouts are frozen, and what is still to be matched',
  description: "While frozen nobody is paid: the operator matches what was paid with the vendor's and the bank's records.",
  scope: 'payouts:read',
  success: [{ status: 200, meaning: 'How it stands' }],
  response: z
    .object({
      frozen: z.boolean().meta({ description: 'Whether executing and retrying are `PAYOUTS_FROZEN`' }),
      reason: z.enum(['by_hand', 'other_server', 'other_timeline']).nullable().meta({
        description:
          '`by_hand`: by the operator; `other_server`: the database is on another server; `other_timeline`: it was restored, or a replica took over; null: not frozen',
      }),
      message: z.string().nullable().meta({ description: 'The same in words; null: not frozen' }),
      vendor: z
        .enum(['none', 'open', 'matched'])
        .meta({ description: 'Transfers of the vendor. `none`: there are none to match; `open`: to be matched; `matched`' }),
      bank: z
        .enum(['none', 'open', 'matched'])
        .meta({ description: "The tenant's own bank. `none`: nothing to match; `open`: to be matched; `matched`" }),
      unanswered: z.int().meta({ description: 'Payouts begun of which no transfer is known; they go on by themselves' }),
      accepted: z.int().meta({ description: 'Payments that could not be matched and that a person has judged' }),
    })
    .meta({ id: 'PayoutFreeze' }),
  errors: [],
});
