/** The public contract of purchases: docs/specification/events.md#purchase. */
import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { uuid } from '../../../http/schemas.ts';
import { ledgerErrors } from '../../ledger/open/ledger-errors.ts';
import { attribution, eventCommission, eventStatus } from '../event-schemas.ts';
import { eventsErrors } from '../open/events-errors.ts';
import { purchaseBody } from '../open/purchase-body.ts';

export const purchaseReceipt = z
  .object({
    event_id: uuid.meta({ description: 'The event' }),
    external_event_id: z.string().meta({ description: "The event's id in the tenant's system" }),
    status: eventStatus,
    attribution,
    commissions: z.array(eventCommission).meta({ description: 'Commission lines that it made' }),
  })
  .meta({ id: 'PurchaseReceipt' });

export type PurchaseAnswer = z.input<typeof purchaseReceipt>;

export const recordPurchase = defineOperation({
  method: 'post',
  path: '/api/v1/events/purchase',
  operationId: 'recordPurchase',
  group: 'Events',
  summary: 'Record a purchase and pay its upline',
  description: [
    'Commission lines and their balanced journal are stored in the same transaction as the event.',
    '`external_event_id` is unique for ever: the same id with the same content answers 200 with the first answer, with other content 409 `EVENT_ID_REUSED`.',
    'The first of these that leads to somebody is credited: `attribution.user_id`, `referral_code`, `link_id`, the referrer of the customer’s first credited purchase, a lead (`lead_id`, or one with the customer’s email), a click (`click_id`, or those that were recorded for the customer) within the window of the settings. An unknown `user_id` is refused; any other reference that leads nowhere is not, and is in the receipt with the reason.',
    'A member who is credited explicitly, by code or by link is so while inactive, and is then an unqualified level 1; in the other cases inactive members are passed over. A `buyer_user_id` makes it a personal purchase, which the plan alone attributes (default: the sponsor is level 1).',
    'Without a `buyer_user_id`, commissions of the member who has the customer’s email are `held`, and so is the event, until somebody releases or voids them.',
    'The plan in force at `occurred_at` decides; of several that cover the purchase, the one of the highest priority. Upline, tiers and activity are read as of `occurred_at`.',
    'A plan that pays in the members’ currencies needs a stored exchange rate for each, else 422 `EXCHANGE_RATE_MISSING` and nothing is stored.',
  ].join('\n\n'),
  scope: 'events:write',
  body: purchaseBody,
  success: [
    { status: 201, meaning: 'Recorded' },
    { status: 200, meaning: 'Recorded before with the same content; the first answer' },
  ],
  response: purchaseReceipt,
  errors: [eventsErrors.EVENT_ID_REUSED, eventsErrors.EXCHANGE_RATE_MISSING, ledgerErrors.BALANCE_LIMIT],
});
