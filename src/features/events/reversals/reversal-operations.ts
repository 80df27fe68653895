/**
 * The public contract of refunds and chargebacks: docs/specification/events.md#refund,
 * docs/specification/events.md#chargeback.
 */
import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { amountMinor, amountMinorOut, currency, currencyOut, instant, text, uuid } from '../../../http/schemas.ts';
import { ledgerErrors } from '../../ledger/open/ledger-errors.ts';
import { disputeStage, eventCommission, eventStatus, reversalKind, reversedPurchase } from '../event-schemas.ts';
import { eventsErrors } from '../open/events-errors.ts';
import { sentEventId } from '../open/sent-event.ts';

const positiveMinor = amountMinor
  .refine((value) => value > 0n, 'must be positive')
  .meta({ override: { type: 'integer', minimum: 1 } });

export const reversalFields = {
  external_event_id: sentEventId.meta({
    description: "The refund's or dispute's id in the tenant's system: the same id counts once, for ever",
  }),
  purchase_external_event_id: text(200).meta({ description: '`external_event_id` of the purchase' }),
  amount_minor: positiveMinor.nullish().meta({ description: 'Gross; default what is left of the purchase' }),
  currency: currency.nullish().meta({ description: 'For a check only: must be that of the purchase' }),
  reason: text(500).nullish().meta({ description: 'Why, for the record' }),
  occurred_at: instant.nullish().meta({ description: 'Default now; not before the purchase' }),
};

export const refundBody = z.strictObject(reversalFields).meta({
  example: { external_event_id: 'refund-1001', purchase_external_event_id: 'order-1001', amount_minor: 6000, reason: 'Returned' },
});
export type RefundInput = z.output<typeof refundBody>;

export const chargebackBody = z
  .strictObject({
    ...reversalFields,
    dispute_id: text(200).meta({ description: "The dispute's id, the same at each stage" }),
    stage: disputeStage,
  })
  .meta({
    example: {
      external_event_id: 'dispute-77-lost',
      purchase_external_event_id: 'order-1001',
      dispute_id: 'dispute-77',
      stage: 'lost',
    },
  });
export type ChargebackInput = z.output<typeof chargebackBody>;

export const reversalReceipt = z
  .object({
    event_id: uuid.meta({ description: 'The event' }),
    external_event_id: z
      .string()
      .meta({ description: "The refund's or dispute's id in the tenant's system: the same id counts once, for ever" }),
    kind: reversalKind,
    status: eventStatus,
    purchase: reversedPurchase,
    dispute_id: z.string().nullable().meta({ description: "The dispute's id at the payment provider; null: none" }),
    stage: disputeStage.nullable().meta({ description: 'Stage of the dispute' }),
    amount_minor: amountMinorOut.meta({ description: 'Minor units' }),
    currency: currencyOut,
    refunded_minor: amountMinorOut.meta({ description: 'Taken back of the purchase in all, after this event' }),
    remaining_minor: amountMinorOut.meta({ description: 'What can still be taken back' }),
    commissions: z
      .array(eventCommission)
      .meta({ description: 'The lines that take back, claw back, reinstate, write off or recover' }),
    moved_commission_ids: z.array(uuid).meta({ description: 'Lines that the dispute put on hold or released' }),
  })
  .meta({ id: 'ReversalReceipt' });

export type ReversalAnswer = z.input<typeof reversalReceipt>;

const success = [
  { status: 201, meaning: 'Recorded' },
  { status: 200, meaning: 'Recorded before with the same content; the first answer' },
] as const;

export const recordRefund = defineOperation({
  method: 'post',
  path: '/api/v1/events/refund',
  operationId: 'recordRefund',
  group: 'Events',
  summary: 'Refund a purchase, wholly or in part',
  description: [
    'Of each commission line the share `refunded / purchase` is taken back, rounded on the total: any split of a refund ends at the same amounts, and a full refund at exactly nothing. Rates and tiers of the sale count, never those of today.',
    'An unpaid line gets a negative line beside it that clears with it; a paid one a negative `clawback` that nets in the next payout.',
    'Where the plan of the sale lets a member owe nothing, or no more, a `write_off` line forgives what goes beyond; the company bears it.',
    'A refund that arrives before its purchase is a 404 and can be sent again later.',
  ].join('\n\n'),
  scope: 'events:write',
  body: refundBody,
  success,
  response: reversalReceipt,
  errors: [
    eventsErrors.EVENT_ID_REUSED,
    'NOT_FOUND',
    eventsErrors.CURRENCY_MISMATCH,
    eventsErrors.REFUND_EXCEEDS_PURCHASE,
    ledgerErrors.BALANCE_LIMIT,
  ],
});

export const recordChargeback = defineOperation({
  method: 'post',
  path: '/api/v1/events/chargeback',
  operationId: 'recordChargeback',
  group: 'Events',
  summary: 'Report a stage of a dispute about a purchase',
  description: [
    '`opened` puts the unpaid lines of the purchase on hold. `lost` takes back the disputed amount like a refund and releases what is left. `won` releases the lines and, after a `lost`, reinstates exactly what was taken back.',
    'A commission that was paid, clawed back and forgiven is not paid again when it is reinstated: a negative `write_off` recovers first what was forgiven.',
    'Stages: opened, then won or lost; lost, then won. A dispute may be reported as lost at once.',
  ].join('\n\n'),
  scope: 'events:write',
  body: chargebackBody,
  success,
  response: reversalReceipt,
  errors: [
    eventsErrors.EVENT_ID_REUSED,
    'NOT_FOUND',
    'STATE_CONFLICT',
    eventsErrors.CURRENCY_MISMATCH,
    eventsErrors.REFUND_EXCEEDS_PURCHASE,
    ledgerErrors.BALANCE_LIMIT,
  ],
});
