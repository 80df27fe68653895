/** The public contract of events that a SANDBOX has its simulated vendors send: docs/specification/sandbox.md#vendor-events. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { simulatedKycAnswer, simulatedKycEvent } from '../kyc/open/simulated-kyc-event.ts';
import {
  simulatedAccountAnswer,
  simulatedAccountEvent,
  simulatedPayoutAnswer,
  simulatedPayoutEvent,
} from '../payouts/open/simulated-events.ts';

export const sendVendorEvent = defineOperation({
  method: 'post',
  path: '/api/v1/sandbox/vendor-events',
  operationId: 'sendVendorEvent',
  group: 'Sandbox',
  summary: 'Have a simulated vendor decide, and send its event',
  description:
    "In a SANDBOX without a vendor account. `kyc`: for members whose verification was started with the automated provider. The event goes the way that the real vendor's go, and from then on the simulated vendor stands by it. `on_hold` leaves the record pending; `reset` takes back what was decided, by staff too. What staff has decided is changed by nothing else: `effect` is `held_by_staff` then. `payout` ends a payout that the simulated vendor is sending, and `payout_account` says how a member's account stands there.",
  scope: 'sandbox:write',
  effects: [
    { operationId: 'approveKyc', when: 'for the kind `kyc`', has: ({ body }) => body.kind === 'kyc' },
    { operationId: 'settlePayout', when: 'for the kind `payout`', has: ({ body }) => body.kind === 'payout' },
    {
      operationId: 'createPayoutAccount',
      when: 'for the kind `payout_account`',
      has: ({ body }) => body.kind === 'payout_account',
    },
  ],
  body: z.discriminatedUnion('kind', [simulatedKycEvent, simulatedPayoutEvent, simulatedAccountEvent]),
  success: [{ status: 200, meaning: 'The event was received' }],
  response: z.discriminatedUnion('kind', [simulatedKycAnswer, simulatedPayoutAnswer, simulatedAccountAnswer]),
  errors: ['ENVIRONMENT_MISMATCH', 'NOT_FOUND', 'USER_NOT_FOUND', 'STATE_CONFLICT'],
});
