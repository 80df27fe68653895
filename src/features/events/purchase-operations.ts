/** The public contract of purchases: api-decisions §3. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { amountMinor, currency, email, instant, text, uuid } from '../../http/schemas.ts';
import { attribution, eventCommission, eventStatus, purchaseType } from './event-schemas.ts';

const METADATA_BYTES = 10_240;

export const purchaseBody = z
  .strictObject({
    external_event_id: text(200),
    type: purchaseType.nullish().meta({ description: 'Default one_time' }),
    occurred_at: instant.nullish().meta({ description: 'Default now; at most 10 minutes ahead and 5 years back' }),
    amount_minor: amountMinor.meta({ description: 'Total paid, after discount, with tax and shipping' }),
    currency,
    tax_minor: amountMinor.nullish().meta({ description: 'Default 0' }),
    shipping_minor: amountMinor.nullish().meta({ description: 'Default 0' }),
    discount_minor: amountMinor.nullish().meta({ description: 'For the record; already taken off amount_minor' }),
    customer: z.strictObject({ external_id: text(255), email: email.nullish(), name: text(255).nullish() }),
    buyer_user_id: uuid.nullish().meta({ description: 'Set when the buyer is a member' }),
    attribution: z
      .strictObject({
        user_id: uuid.nullish(),
        referral_code: text(64).nullish(),
        link_id: uuid.nullish(),
        click_id: text(255).nullish(),
        lead_id: uuid.nullish(),
      })
      .nullish(),
    line_items: z
      .array(
        z.strictObject({
          sku: text(100),
          name: text(255).nullish(),
          category: text(100).nullish(),
          quantity: z.int().min(1).max(1_000_000).nullish(),
          amount_minor: amountMinor,
        }),
      )
      .max(100)
      .nullish(),
    metadata: z
      .record(z.string(), z.unknown())
      .refine(
        (value) => Buffer.byteLength(JSON.stringify(value)) <= METADATA_BYTES,
        `must be at most ${METADATA_BYTES} bytes of JSON`,
      )
      .nullish(),
  })
  .refine((body) => (body.tax_minor ?? 0n) + (body.shipping_minor ?? 0n) <= body.amount_minor, {
    path: ['amount_minor'],
    message: 'must cover tax_minor and shipping_minor',
    when: ({ issues }) => issues.length === 0,
  })
  .meta({
    example: {
      external_event_id: 'order-1001',
      amount_minor: 12000,
      currency: 'USD',
      tax_minor: 1000,
      shipping_minor: 500,
      customer: { external_id: 'customer-77', email: 'kim@shop.example' },
      attribution: { referral_code: 'F9DZ3HZQDS' },
    },
  });

export type PurchaseInput = z.output<typeof purchaseBody>;

export const purchaseReceipt = z
  .object({
    event_id: uuid,
    external_event_id: z.string(),
    status: eventStatus,
    attribution,
    commissions: z.array(eventCommission),
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
  errors: ['EVENT_ID_REUSED', 'EXCHANGE_RATE_MISSING'],
});
