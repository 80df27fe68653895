/**
 * Events that a SANDBOX has its simulated payment vendor send: the part of POST /sandbox/vendor-events.
 * Source: docs/specification/sandbox.md#vendor-events.
 */

import { z } from 'zod';
import { uuid } from '../../../http/schemas.ts';
import { accountStatus, payoutStatus } from './payout-state-schemas.ts';

export const simulatedPayoutEvent = z
  .strictObject({
    kind: z.literal('payout').meta({ description: "A payout's event" }),
    payoutId: uuid.meta({ description: 'A payout that the simulated vendor is sending' }),
    outcome: z
      .enum(['paid', 'failed', 'returned'])
      .meta({ description: '`failed` before it was paid, `returned` after: its commissions are cleared again' }),
  })
  .meta({ id: 'SimulatedPayoutEventBody' });

export const simulatedAccountEvent = z
  .strictObject({
    kind: z.literal('payout_account').meta({ description: "A payout account's event" }),
    accountId: uuid.meta({ description: "One of the member's accounts" }),
    outcome: z
      .enum(['active', 'action_required', 'rejected'])
      .meta({ description: 'Of all accounts of the member in the country: `active`, `action_required`, or `rejected` for good' }),
  })
  .meta({ id: 'SimulatedPayoutAccountEventBody' });

const effect = z.enum(['applied', 'no_change']).meta({ description: '`no_change`: it does not follow from how it stands' });

export const simulatedPayoutAnswer = z
  .object({
    kind: z.literal('payout').meta({ description: 'As asked for' }),
    payoutId: uuid.meta({ description: 'The payout' }),
    status: payoutStatus.meta({ description: 'How the payout stands now' }),
    effect,
  })
  .meta({ id: 'SimulatedPayoutEvent' });

export const simulatedAccountAnswer = z
  .object({
    kind: z.literal('payout_account').meta({ description: 'As asked for' }),
    accountId: uuid.meta({ description: 'The account' }),
    status: accountStatus.meta({ description: 'How the account stands now' }),
    effect,
  })
  .meta({ id: 'SimulatedPayoutAccountEvent' });
