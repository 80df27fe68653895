/** What is sent of a purchase: by itself, in a batch, and as a row of a file. */
import { z } from 'zod';
import { amountMinor, countryCode, currency, email, instant, text, uuid } from '../../../http/schemas.ts';
import { sentEventId } from './sent-event.ts';

export const PURCHASE_TYPES = ['one_time', 'subscription_initial', 'subscription_renewal'] as const;
export type PurchaseType = (typeof PURCHASE_TYPES)[number];

export const purchaseType = z.enum(PURCHASE_TYPES).meta({
  id: 'PurchaseType',
  description: '`one_time`; `subscription_initial`: the first of a subscription; `subscription_renewal`: each that follows',
});

const METADATA_BYTES = 10_240;

export const purchaseBody = z
  .strictObject({
    external_event_id: sentEventId.meta({
      description: "The order's id in the tenant's system: the same id pays once, for ever",
    }),
    type: purchaseType.nullish().meta({ description: 'Type of the sale; default `one_time`' }),
    occurred_at: instant
      .nullish()
      .meta({ description: 'When the sale took place; default now; at most 10 minutes ahead and 5 years back' }),
    amount_minor: amountMinor.meta({ description: 'Total paid, after discount, with tax and shipping' }),
    currency,
    tax_minor: amountMinor.nullish().meta({ description: 'Tax within the amount; default 0' }),
    shipping_minor: amountMinor.nullish().meta({ description: 'Shipping within the amount; default 0' }),
    discount_minor: amountMinor.nullish().meta({ description: 'For the record; already taken off amount_minor' }),
    customer: z.strictObject({
      external_id: text(255),
      email: email.nullish(),
      name: text(255).nullish(),
      country: countryCode.nullish().meta({ description: 'Where the customer is, ISO 3166-1 alpha-2: rules may ask for it' }),
    }),
    discount_code: text(64).nullish().meta({ description: 'Code of the discount that was given: rules may ask for it' }),
    buyer_user_id: uuid.nullish().meta({ description: 'Set when the buyer is a member' }),
    attribution: z
      .strictObject({
        user_id: uuid.nullish().meta({ description: 'Credits this member' }),
        referral_code: text(64).nullish().meta({ description: 'Code that the customer typed' }),
        link_id: uuid.nullish().meta({ description: 'Link that the customer came by' }),
        click_id: text(255).nullish().meta({ description: 'Click that the customer came by' }),
        lead_id: uuid.nullish().meta({ description: 'Lead that the customer was' }),
      })
      .nullish(),
    line_items: z
      .array(
        z.strictObject({
          sku: text(100).meta({ description: 'Article number' }),
          name: text(255).nullish().meta({ description: 'What it is called' }),
          category: text(100).nullish().meta({ description: 'Category of goods' }),
          quantity: z.int().min(1).max(1_000_000).nullish().meta({ description: 'Pieces; default 1' }),
          amount_minor: amountMinor.meta({ description: 'Minor units of the currency, for all pieces' }),
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
