/** The public contract of manual commission events: docs/specification/events.md#manual. */
import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { currency, currencyOut, instant, text, uuid } from '../../../http/schemas.ts';
import { MAX_AMOUNT_MINOR } from '../../../money.ts';
import { ledgerErrors } from '../../ledger/open/ledger-errors.ts';
import { pendingChangesErrors } from '../../pending-changes/open/pending-changes-errors.ts';
import { whenHeldBackSnake } from '../../pending-changes/open/when-held-back.ts';
import { createdBy, eventCommission, eventStatus, manualType, signedMinorOut } from '../event-schemas.ts';
import { eventsErrors } from '../open/events-errors.ts';
import { sentEventId } from '../open/sent-event.ts';

const signedMinor = z
  .number()
  .int('must be a whole number of minor units, as 1050 for 10.50')
  .min(-Number(MAX_AMOUNT_MINOR), `must be at least -${MAX_AMOUNT_MINOR}`)
  .max(Number(MAX_AMOUNT_MINOR), `must be at most ${MAX_AMOUNT_MINOR}`)
  .refine((value) => value !== 0, 'must not be 0')
  .transform(BigInt)
  .meta({ override: { type: 'integer', minimum: -Number(MAX_AMOUNT_MINOR), maximum: Number(MAX_AMOUNT_MINOR) } });

export const manualBody = z
  .strictObject({
    external_event_id: sentEventId.meta({
      description: "The grant's id in the tenant's system: the same id pays once, for ever",
    }),
    type: manualType,
    user_id: uuid.meta({ description: 'The member who is credited or charged' }),
    amount_minor: signedMinor.meta({ description: 'Negative to charge; a bonus and a write_off are positive' }),
    currency,
    description: text(500).meta({ description: 'Why, for the member and the books' }),
    actor: text(200).meta({ description: 'A note of who decided it; who recorded it is in `created_by`' }),
    occurred_at: instant.nullish().meta({ description: 'Default now; at most 10 minutes ahead and 5 years back' }),
  })
  .meta({
    example: {
      external_event_id: 'bonus-2026-11-ann',
      type: 'bonus',
      user_id: '019a0000-0000-7000-8000-000000000000',
      amount_minor: 2500,
      currency: 'USD',
      description: 'Best newcomer of November',
      actor: 'kim@shop.example',
    },
  });
export type ManualInput = z.output<typeof manualBody>;

export const manualReceipt = z
  .object({
    event_id: uuid.meta({ description: 'The event' }),
    external_event_id: z.string().meta({ description: "The grant's id in the tenant's system: the same id pays once, for ever" }),
    kind: z.literal('commission').meta({ description: 'What kind it is' }),
    type: manualType,
    status: eventStatus,
    user_id: uuid.meta({ description: 'The member who gets it' }),
    amount_minor: signedMinorOut.meta({ description: 'Minor units' }),
    currency: currencyOut,
    description: z.string().meta({ description: 'What it is for' }),
    actor: z.string().meta({ description: 'Who granted it, as the tenant writes' }),
    created_by: createdBy,
    commissions: z.array(eventCommission).meta({ description: 'Commission lines that it made' }),
  })
  .meta({ id: 'ManualCommissionReceipt' });

export type ManualAnswer = z.input<typeof manualReceipt>;

export const recordManualCommission = defineOperation({
  method: 'post',
  path: '/api/v1/events/commission',
  operationId: 'recordManualCommission',
  group: 'Events',
  summary: 'Credit or charge a member by hand',
  description:
    'A positive bonus, adjustment or correction is held as long as the plan in force holds its lines; a negative one counts at once. A `write_off` forgives what the member owes, wholly or in part; more is 409 `STATE_CONFLICT`.\n\nMore than the setting `commissions.manualLimitMinor` names is 422 `BALANCE_LIMIT`. More than `commissions.manualSecondPairMinor` names waits, in LIVE with `payments.dualControl` on: the answer is 202, and another pair of hands confirms it.',
  scope: 'commissions:grant',
  hands: 'by value',
  body: manualBody,
  success: [
    { status: 201, meaning: 'Recorded' },
    { status: 200, meaning: 'Recorded before with the same content; the first answer' },
    whenHeldBackSnake,
  ],
  response: manualReceipt,
  errors: [eventsErrors.EVENT_ID_REUSED, 'STATE_CONFLICT', ledgerErrors.BALANCE_LIMIT, pendingChangesErrors.CHANGE_PENDING],
});
