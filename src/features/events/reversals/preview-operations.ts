/** The public contract of the preview of a refund or chargeback: docs/specification/events.md#reversal-preview. */

import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { amountMinorOut, currencyOut, minorSumOut, text, uuid } from '../../../http/schemas.ts';
import { lineKind, lineStatus } from '../../commissions/open/line-schemas.ts';
import { ledgerErrors } from '../../ledger/open/ledger-errors.ts';
import { disputeStage, eventCommission, reversalKind, reversedPurchase, signedMinorOut } from '../event-schemas.ts';
import { eventsErrors } from '../open/events-errors.ts';
import { reversalFields } from './reversal-operations.ts';

/** Without it the balances of members stay out. */
export const READ_BALANCES = 'ledger:read';

const { external_event_id, amount_minor, currency, reason, occurred_at } = reversalFields;

export const previewBody = z
  .strictObject({
    kind: reversalKind,
    external_event_id: external_event_id
      .nullish()
      .meta({ description: 'Checked when it is given: 409 where an event of this id is recorded already' }),
    amount_minor,
    currency,
    reason,
    occurred_at,
    dispute_id: text(200).nullish().meta({ description: 'Of a chargeback, which needs it' }),
    stage: disputeStage.nullish().meta({ description: 'Of a chargeback, which needs it' }),
  })
  .superRefine((body, context) => {
    for (const field of ['dispute_id', 'stage'] as const) {
      const isGiven = body[field] != null;
      if (isGiven === (body.kind === 'chargeback')) continue;
      const message = isGiven ? 'is of chargebacks alone' : 'must be given for a chargeback';
      context.addIssue({ code: 'custom', path: [field], message });
    }
  })
  .meta({ example: { kind: 'refund', amount_minor: 6000 } });
export type PreviewInput = z.output<typeof previewBody>;

const reversedLine = z
  .object({
    commission_id: uuid.meta({ description: 'The commission line' }),
    user_id: uuid.meta({ description: 'The member' }),
    kind: lineKind,
    level: z.int().meta({ description: 'Level above the sale: 1 is the credited member' }),
    paid_level: z.int().meta({ description: 'Level that the plan pays, after compression' }),
    currency: currencyOut,
    amount_minor: signedMinorOut.meta({ description: 'What the sale paid' }),
    taken_before_minor: signedMinorOut.meta({ description: 'Taken back of it by earlier events' }),
    change_minor: signedMinorOut.meta({ description: 'What this event adds: negative takes back, positive reinstates' }),
    remaining_minor: signedMinorOut.meta({ description: 'What would be left of it' }),
    written_off_minor: signedMinorOut.meta({
      description: 'Of a clawback what the company bears; negative where it is recovered first',
    }),
    entry: z.enum(['reversal', 'clawback', 'reinstatement']).nullable().meta({
      description:
        'What the event would record for it, a `reversal`, `clawback` or `reinstatement`; null where no cent of it moves',
    }),
    status_before: lineStatus.meta({ description: 'Where the line stood' }),
    status_after: lineStatus.meta({ description: 'Where the line would stand' }),
    is_void: z.boolean().meta({ description: 'Voided: no refund can lessen it, nothing reinstates it' }),
  })
  .meta({ id: 'ReversedLine' });

const balance = z.object({
  user_id: uuid.meta({ description: 'The member' }),
  currency: currencyOut,
  ...minorSumOut('pending_before_minor'),
  ...minorSumOut('pending_after_minor'),
  ...minorSumOut('cleared_before_minor'),
  ...minorSumOut('cleared_after_minor', 'Below zero the member owes it'),
  becomes_negative: z.boolean().meta({ description: 'The cleared balance is below zero after the event and was not before' }),
});

export const reversalPreview = z
  .object({
    kind: reversalKind,
    purchase: reversedPurchase,
    dispute_id: z.string().nullable().meta({ description: "The dispute's id at the payment provider; null: none" }),
    stage: disputeStage.nullable().meta({ description: 'Stage of the dispute; null: no dispute' }),
    amount_minor: amountMinorOut.meta({ description: 'Minor units' }),
    currency: currencyOut,
    refunded_minor: amountMinorOut.meta({ description: 'Taken back of the purchase in all, after this event' }),
    remaining_minor: amountMinorOut.meta({ description: 'What could still be taken back' }),
    breakage_minor: signedMinorOut.meta({ description: 'What the event does to the breakage of the sale, in `currency`' }),
    lines: z.array(reversedLine).meta({ description: 'Every line of the sale, also those that keep all' }),
    commissions: z
      .array(eventCommission.omit({ id: true }))
      .meta({ description: 'The lines that the event would record, as its answer has them' }),
    moved_commission_ids: z.array(uuid).meta({ description: 'Lines that the dispute would put on hold or release' }),
    totals: z
      .array(
        z.object({
          currency: currencyOut,
          ...minorSumOut('before_minor', 'What the lines of the sale are worth now'),
          ...minorSumOut('change_minor'),
          ...minorSumOut('remaining_minor'),
          ...minorSumOut('written_off_minor'),
        }),
      )
      .meta({ description: 'Sums of `lines` by currency' }),
    balances: z
      .array(balance)
      .nullable()
      .meta({ description: 'Of the members whose balance the event changes; null without `ledger:read`' }),
  })
  .meta({ id: 'ReversalPreview' });

export type PreviewAnswer = z.input<typeof reversalPreview>;

export const previewReversal = defineOperation({
  method: 'post',
  path: '/api/v1/events/{event_id}/reversal-preview',
  operationId: 'previewReversal',
  group: 'Events',
  summary: 'What a refund or chargeback of a purchase would do, with nothing stored',
  description:
    'The event is recorded in full and undone: the amounts, the statuses and the refusals are those that recording it now would have. Times of the new lines are those of the preview.',
  scope: 'events:read',
  reveals: [{ scope: READ_BALANCES, what: 'the balances of the members before and after' }],
  writesNothing: 'It records an event and undoes it',
  params: z.strictObject({ event_id: uuid.meta({ description: 'The purchase' }) }),
  body: previewBody,
  success: [{ status: 200, meaning: 'The preview' }],
  response: reversalPreview,
  errors: [
    eventsErrors.EVENT_ID_REUSED,
    'NOT_FOUND',
    'STATE_CONFLICT',
    eventsErrors.CURRENCY_MISMATCH,
    eventsErrors.REFUND_EXCEEDS_PURCHASE,
    ledgerErrors.BALANCE_LIMIT,
  ],
});
