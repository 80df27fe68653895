/**
 * The public contract of reading events and recording many at once: docs/specification/events.md#reading,
 * docs/specification/events.md#batch.
 */

import { z } from 'zod';
import { errorResponse } from '../../http/error-handler.ts';
import { defineOperation } from '../../http/operation.ts';
import { pageQuery, snakeListOf } from '../../http/pagination.ts';
import { amountMinorOut, currency, emailOut, instant, text, timestamp, uuid } from '../../http/schemas.ts';
import { attributionRule } from '../attribution/open/candidate-schemas.ts';
import {
  attribution,
  createdBy,
  disputeStage,
  eventCommission,
  eventKind,
  eventStatus,
  eventType,
  reversedPurchase,
  sentKind,
} from './event-schemas.ts';
import { EVENT_SORTS } from './event-sorts.ts';

export const eventResource = z
  .object({
    event_id: uuid.meta({ description: 'The event' }),
    external_event_id: z.string().meta({ description: "The event's id in the tenant's system" }),
    kind: eventKind,
    type: eventType.nullable(),
    status: eventStatus,
    occurred_at: timestamp.meta({ description: 'When it took place' }),
    recorded_at: timestamp.meta({ description: 'When the service recorded it' }),
    amount_minor: amountMinorOut.meta({ description: 'Minor units' }),
    currency,
    tax_minor: amountMinorOut,
    shipping_minor: amountMinorOut,
    discount_minor: amountMinorOut,
    discount_code: z.string().nullable().meta({ description: 'Code of the discount; null: not sent' }),
    base_minor: amountMinorOut.meta({ description: 'What commissions were calculated on' }),
    breakage_minor: z
      .int()
      .nullable()
      .meta({ description: 'Levels that nobody qualified for, kept by the company; null for a bearer token' }),
    customer: z
      .object({
        external_id: z.string(),
        email: emailOut.nullable(),
        name: z.string().nullable(),
        country: z.string().nullable().meta({ description: 'ISO 3166-1 alpha-2, as the purchase had it; null: not sent' }),
      })
      .nullable()
      .meta({ description: 'Of a purchase' }),
    buyer_user_id: uuid.nullable().meta({ description: 'The member who bought; null: nobody of the tree' }),
    attribution: attribution.extend({ rule: attributionRule.nullable() }).meta({ description: 'Who is credited, and why' }),
    plan_version_id: uuid.nullable().meta({ description: 'Version of the plan that paid it; null: none' }),
    purchase: reversedPurchase.nullable(),
    dispute_id: z.string().nullable().meta({ description: "The dispute's id at the payment provider; null: none" }),
    stage: disputeStage.nullable().meta({ description: 'Stage of the dispute; null: no dispute' }),
    reason: z.string().nullable().meta({ description: 'Why, as whoever did it wrote; null: not given' }),
    description: z.string().nullable().meta({ description: 'What it is for; null: not given' }),
    actor: z.string().nullable().meta({ description: 'Who granted it, as the tenant wrote; null: not given' }),
    created_by: createdBy,
    commissions: z.array(eventCommission).meta({ description: 'Commission lines that it made' }),
    line_items: z.array(z.record(z.string(), z.unknown())).nullable().meta({ description: 'What was bought; null: not sent' }),
    metadata: z.record(z.string(), z.unknown()).nullable().meta({ description: "The tenant's own data; null: none" }),
  })
  .meta({ id: 'Event' });

export type EventAnswer = z.input<typeof eventResource>;

export const getEvent = defineOperation({
  method: 'get',
  path: '/api/v1/events/{event_id}',
  operationId: 'getEvent',
  group: 'Events',
  summary: 'Read an event with its commissions as they stand now',
  description:
    'With a bearer token: an event that the member has a commission of, with those commissions alone, and without the customer, what was bought, notes, breakage, and who else is credited.',
  scope: 'events:read',
  member: 'own',
  params: z.strictObject({ event_id: uuid }),
  success: [{ status: 200, meaning: 'The event' }],
  response: eventResource,
  errors: ['NOT_FOUND'],
});

const EVENT_COLUMNS = [
  'event_id',
  'external_event_id',
  'kind',
  'type',
  'status',
  'occurred_at',
  'recorded_at',
  'amount_minor',
  'currency',
  'tax_minor',
  'shipping_minor',
  'discount_minor',
  'discount_code',
  'base_minor',
  'breakage_minor',
  'customer.external_id',
  'customer.email',
  'customer.name',
  'customer.country',
  'buyer_user_id',
  'attribution.user_id',
  'attribution.rule',
  'attribution.receipt_id',
  'plan_version_id',
  'purchase.event_id',
  'purchase.external_event_id',
  'dispute_id',
  'stage',
  'reason',
  'description',
  'actor',
  'created_by.kind',
  'created_by.id',
  'created_by.name',
  'commissions',
  'line_items',
  'metadata',
];

export const listEvents = defineOperation({
  method: 'get',
  path: '/api/v1/events',
  operationId: 'listEvents',
  group: 'Events',
  summary: 'List events, in the order they were recorded unless sorted',
  scope: 'events:read',
  query: z.strictObject({
    external_event_id: text(200).optional().meta({ description: 'The one event of this id' }),
    kind: eventKind.optional().meta({ description: 'Events of this kind' }),
    type: eventType.optional().meta({ description: 'Events of this type' }),
    status: eventStatus.optional().meta({ description: 'Events in this status' }),
    user_id: uuid.optional().meta({ description: 'The credited member' }),
    customer_external_id: text(255).optional().meta({ description: "The customer's id in the tenant's system" }),
    purchase_event_id: uuid.optional().meta({ description: 'Refunds and chargebacks of this purchase' }),
    currency: currency.optional(),
    occurred_from: instant.optional().meta({ description: 'Took place at this instant or later' }),
    occurred_to: instant.optional().meta({ description: 'Took place before this instant' }),
    sort: z
      .enum(EVENT_SORTS)
      .optional()
      .meta({ description: '`recorded_at`: the first recorded first; `-recorded_at`: the last' }),
    ...pageQuery,
  }),
  success: [{ status: 200, meaning: 'One page' }],
  response: snakeListOf(eventResource),
  csv: { fileName: 'events.csv', columns: EVENT_COLUMNS },
  errors: [],
});

export const BATCH_MAX = 500;

export const batchBody = z
  .strictObject({
    validate_only: z.boolean().nullish().meta({ description: 'Check and calculate every event, store none' }),
    events: z
      .array(z.looseObject({ kind: sentKind }))
      .min(1)
      .max(BATCH_MAX)
      .meta({ description: 'Each with its `kind` and the fields of that operation' }),
  })
  .meta({
    example: {
      validate_only: true,
      events: [
        {
          kind: 'purchase',
          external_event_id: 'order-1002',
          amount_minor: 5000,
          currency: 'USD',
          customer: { external_id: 'customer-78' },
        },
        { kind: 'refund', external_event_id: 'refund-1002', purchase_external_event_id: 'order-1002' },
      ],
    },
  });

export const batchReceipt = z
  .object({
    recorded: z.int().meta({ description: 'Events recorded by this batch' }),
    repeated: z.int().meta({ description: 'Known before, with the same content' }),
    failed: z.int().meta({ description: 'Events that were refused' }),
    results: z.array(
      z.object({
        index: z.int().meta({ description: 'Position in `events`, from 0' }),
        external_event_id: z.string().nullable().meta({ description: "The event's id in the tenant's system" }),
        status: z.int().meta({ description: 'The HTTP status the event would have had alone' }),
        body: z
          .union([z.record(z.string(), z.unknown()), errorResponse])
          .meta({ description: 'The receipt it would have had alone, or the error' }),
      }),
    ),
  })
  .meta({ id: 'BatchReceipt' });

export const recordBatch = defineOperation({
  method: 'post',
  path: '/api/v1/events/batch',
  operationId: 'recordEventBatch',
  group: 'Events',
  summary: 'Record up to 500 events, each for itself',
  description: [
    'Events are taken in order, so a refund may follow its purchase. One that is refused changes nothing and does not stop the others; `results` has one entry each, in order.',
    'What is recorded is recorded together: after a lost answer either all of it is stored or nothing, and the batch can be sent again.',
    'With `validate_only` nothing is stored, and the receipts show what would be.',
  ].join('\n\n'),
  scope: 'events:write',
  effects: [
    {
      operationId: 'recordManualCommission',
      when: 'for each event of the kind `commission`, which is 403 in its place without it',
      has: 'asked later',
    },
  ],
  body: batchBody,
  bodyLimit: { bytes: 8_388_608, keys: 50_000 },
  success: [{ status: 207, meaning: 'Taken; each event has its own status' }],
  response: batchReceipt,
  errors: [],
});
