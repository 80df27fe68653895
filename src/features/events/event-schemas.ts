/** Schemas that the operations of the Events group share: docs/specification/events.md. */
import { z } from 'zod';
import { amountMinorOut, currencyOut, namedActor, timestamp, uuid } from '../../http/schemas.ts';
import { attributionRule } from '../attribution/open/candidate-schemas.ts';
import { lineKind, lineStatus, paySource } from '../commissions/open/line-schemas.ts';
import { EVENT_KINDS, MANUAL_TYPES, SENT_KINDS, STAGES } from './event-kinds.ts';
import { PURCHASE_TYPES } from './open/purchase-body.ts';

export const eventKind = z.enum(EVENT_KINDS).meta({
  id: 'EventKind',
  description:
    '`purchase`; `refund`, `chargeback`: take a purchase back; `commission`: granted by hand; `period`: by the service, for a period',
});

export const sentKind = z.enum(SENT_KINDS).meta({ description: '`purchase`, `refund`, `chargeback` or `commission`' });

export const eventType = z.enum([...PURCHASE_TYPES, ...MANUAL_TYPES]).meta({
  id: 'EventType',
  description:
    'Of a purchase `one_time`, `subscription_initial` or `subscription_renewal`; of a manual commission `bonus`, `adjustment`, `correction` or `write_off`',
});

export const eventStatus = z.enum(['accepted', 'unattributed', 'held']).meta({
  id: 'EventStatus',
  description:
    '`accepted`; `unattributed`: nobody to credit, nothing was paid; `held`: a commission was held when it was recorded',
});

export const manualType = z.enum(MANUAL_TYPES).meta({
  id: 'ManualCommissionType',
  description:
    '`bonus`: for something else than a sale; `adjustment`, `correction`: changes what was paid; `write_off`: lets a member off what it owes',
});

export const reversalKind = z
  .enum(['refund', 'chargeback'])
  .meta({ id: 'ReversalKind', description: '`refund`: the shop gives back; `chargeback`: the customer disputes the payment' });

export const disputeStage = z.enum(STAGES).meta({
  id: 'DisputeStage',
  description: '`opened`: the lines of the purchase are held; `won`: they are released; `lost`: they are taken back',
});

/** The purchase that an event takes back. */
export const reversedPurchase = z
  .object({ event_id: uuid, external_event_id: z.string() })
  .meta({ id: 'ReversedPurchase', description: 'The purchase that is taken back' });

/** A signed amount of minor units in an answer. */
export const signedMinorOut = z.int().meta({ description: 'Minor units; negative for what takes back' });

export const attribution = z
  .object({
    user_id: uuid.nullable().meta({ description: 'The member credited as level 1' }),
    rule: attributionRule,
    receipt_id: uuid
      .nullable()
      .meta({ description: 'Who was considered, and why each won or lost; null for events before receipts' }),
  })
  .meta({ id: 'Attribution' });

export const eventCommission = z
  .object({
    id: uuid.meta({ description: 'Id' }),
    user_id: uuid.meta({ description: 'The member' }),
    kind: lineKind,
    level: z.int().meta({ description: 'Real distance from the sale; 1 is the attributed member, 0 is no sale' }),
    paid_level: z.int().meta({ description: 'Plan level paid; below `level` when somebody in between did not qualify' }),
    rate_bps: z.int().meta({ description: 'Hundredths of a per cent' }),
    flat_minor: amountMinorOut.nullable().meta({ description: 'The fixed amount of a level that has one in place of a rate' }),
    multiplier_milli: z.int().meta({ description: 'Tier multiplier in thousandths' }),
    base_minor: amountMinorOut,
    amount_minor: signedMinorOut.meta({ description: 'Minor units' }),
    currency: currencyOut,
    source_amount_minor: signedMinorOut.nullable().meta({ description: 'Before conversion; null when it was not converted' }),
    source_currency: currencyOut.nullable(),
    exchange_rate_id: uuid.nullable().meta({ description: 'Rate that it was converted by; null: not converted' }),
    capped_minor: amountMinorOut.meta({ description: 'What a cap took off, in the currency of the purchase' }),
    cap: z.string().nullable().meta({ description: 'member_period, customer_lifetime, or both joined by +' }),
    pay_source: paySource
      .nullable()
      .meta({ description: 'What the rate is of; null of plans that have but levels, and of lines that no sale made' }),
    status: lineStatus,
    clears_at: timestamp.meta({ description: 'When the holding time ends' }),
    reverses_commission_id: uuid.nullable().meta({ description: 'The line that this one takes back or reinstates' }),
    about_event_id: uuid.optional().meta({ description: 'The purchase that it tops up' }),
  })
  .meta({ id: 'EventCommission' });

export type EventCommissionAnswer = z.input<typeof eventCommission>;

export const createdBy = namedActor
  .nullable()
  .meta({ description: 'Who recorded it; null of events recorded before this was kept' });
