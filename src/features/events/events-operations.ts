/** The public contract of the Events group: api-decisions §3. */
import { z } from 'zod';
import { defineOperation } from '../../http/operation.ts';
import { amountMinor, amountMinorOut, currency, email, emailOut, instant, text, timestamp, uuid } from '../../http/schemas.ts';

const purchaseType = z.enum(['one_time', 'subscription_initial', 'subscription_renewal']);
const eventStatus = z.enum(['accepted', 'unattributed', 'held']).meta({
  description: '`unattributed`: nobody to credit, nothing was paid',
});
const METADATA_BYTES = 10_240;

const attribution = z
  .object({
    user_id: uuid.nullable().meta({ description: 'The member credited as level 1' }),
    rule: z.enum(['explicit_user', 'referral_code', 'personal_purchase', 'none']),
    receipt_id: uuid.nullable(),
  })
  .meta({ id: 'Attribution' });

const commission = z
  .object({
    id: uuid,
    user_id: uuid,
    level: z.int().meta({ description: 'Real distance from the sale; 1 is the attributed member' }),
    paid_level: z.int().meta({ description: 'Plan level paid; below `level` when somebody in between did not qualify' }),
    rate_bps: z.int().meta({ description: 'Hundredths of a per cent' }),
    multiplier_milli: z.int().meta({ description: 'Tier multiplier in thousandths' }),
    base_minor: amountMinorOut,
    amount_minor: amountMinorOut,
    currency,
    status: z.enum(['pending', 'held', 'cleared', 'processing', 'paid', 'reversed']),
    clears_at: timestamp,
  })
  .meta({ id: 'EventCommission' });

export const purchaseReceipt = z
  .object({
    event_id: uuid,
    external_event_id: z.string(),
    status: eventStatus,
    attribution,
    commissions: z.array(commission),
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
    'An explicit `attribution.user_id` wins over `attribution.referral_code`. A `buyer_user_id` makes it a personal purchase, which the plan alone attributes (default: the sponsor is level 1).',
    'Upline, tiers and activity are read as of `occurred_at`.',
  ].join('\n\n'),
  scope: 'events:write',
  body: z
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
      attribution: z.strictObject({ user_id: uuid.nullish(), referral_code: text(64).nullish() }).nullish(),
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
    }),
  success: [
    { status: 201, meaning: 'Recorded' },
    { status: 200, meaning: 'Recorded before with the same content; the first answer' },
  ],
  response: purchaseReceipt,
  errors: ['EVENT_ID_REUSED'],
});

export const eventResource = z
  .object({
    event_id: uuid,
    external_event_id: z.string(),
    kind: z.enum(['purchase']),
    type: purchaseType,
    status: eventStatus,
    occurred_at: timestamp,
    recorded_at: timestamp,
    amount_minor: amountMinorOut,
    currency,
    tax_minor: amountMinorOut,
    shipping_minor: amountMinorOut,
    discount_minor: amountMinorOut,
    base_minor: amountMinorOut.meta({ description: 'What commissions were calculated on' }),
    customer: z.object({ external_id: z.string(), email: emailOut.nullable(), name: z.string().nullable() }),
    buyer_user_id: uuid.nullable(),
    attribution,
    plan_version_id: uuid,
    commissions: z.array(commission),
    line_items: z.array(z.record(z.string(), z.unknown())).nullable(),
    metadata: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'Event' });

export type EventAnswer = z.input<typeof eventResource>;

export const getEvent = defineOperation({
  method: 'get',
  path: '/api/v1/events/{event_id}',
  operationId: 'getEvent',
  group: 'Events',
  summary: 'Read an event with its commissions as they stand now',
  scope: 'events:read',
  params: z.strictObject({ event_id: uuid }),
  success: [{ status: 200, meaning: 'The event' }],
  response: eventResource,
  errors: ['NOT_FOUND'],
});
