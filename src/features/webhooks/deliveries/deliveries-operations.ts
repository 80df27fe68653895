/** The public contract of deliveries: docs/specification/webhooks.md#attempts. */
import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { camelListOf, pageQuery } from '../../../http/pagination.ts';
import { instant, timestamp, uuid } from '../../../http/schemas.ts';
import { eventBodySchema } from '../open/event-body.ts';
import { webhooksErrors } from '../open/webhooks-errors.ts';

export const DELIVERY_STATUSES = ['waiting', 'delivered', 'failed', 'cancelled'] as const;

const deliveryStatus = z.enum(DELIVERY_STATUSES).meta({
  id: 'WebhookDeliveryStatus',
  description:
    '`waiting`: for its first or next attempt; `delivered`: it arrived; `failed`: not tried again by itself; `cancelled`: its endpoint was deleted',
});

const attempt = z
  .object({
    number: z.int().meta({ description: 'Of the attempt, from 1' }),
    at: timestamp.meta({ description: 'When it was made' }),
    ms: z.int().meta({ description: 'How many milliseconds it took' }),
    status: z.int().nullable().meta({ description: 'Of the answer; null where there was none' }),
    fault: z
      .string()
      .nullable()
      .meta({ description: 'Why there was no answer, or none that counts; null where the status tells' }),
    answer: z
      .string()
      .nullable()
      .meta({ description: 'The first 1,024 bytes of the answer; null: none, or not for you to read' }),
  })
  .meta({ id: 'WebhookAttempt' });

export const webhookDelivery = z
  .object({
    id: uuid.meta({ description: 'Of the delivery' }),
    endpointId: uuid.meta({ description: 'Where it goes' }),
    eventId: uuid.meta({ description: 'What is sent' }),
    eventType: z.string().meta({ description: 'As `payout.paid`' }),
    objectId: z.string().meta({ description: 'Of the object that the event happened to' }),
    sequence: z.int().meta({ description: 'Number of the event in the environment' }),
    status: deliveryStatus,
    attemptCount: z.int().meta({ description: 'Attempts so far' }),
    nextAttemptAt: timestamp
      .nullable()
      .meta({ description: "While it waits, by the environment's clock; null: there is none to come" }),
    createdAt: timestamp.meta({ description: 'When it was queued' }),
    settledAt: timestamp.nullable().meta({ description: 'When it was delivered, failed or cancelled; null: it waits' }),
    lastAttempt: attempt
      .omit({ answer: true })
      .nullable()
      .meta({ id: 'LastWebhookAttempt', description: 'The latest attempt, without the answer; null: none yet' }),
  })
  .meta({ id: 'WebhookDelivery' });

export type DeliveryAnswer = z.input<typeof webhookDelivery>;

export const listWebhookDeliveries = defineOperation({
  method: 'get',
  path: '/api/v1/webhook-deliveries',
  operationId: 'listWebhookDeliveries',
  group: 'Webhooks',
  summary: 'List deliveries, newest first',
  description: 'Of the last 30 days. A delivery is one event for one endpoint.',
  scope: 'webhooks:read',
  query: z.strictObject({
    endpointId: uuid.optional().meta({ description: 'Only to this endpoint' }),
    eventId: uuid.optional().meta({ description: 'Only of this event' }),
    objectId: z.string().min(1).max(100).optional().meta({ description: 'Of events that happened to this object' }),
    type: z.string().min(1).max(100).optional().meta({ description: 'Only of this type of event, as `payout.paid`' }),
    status: deliveryStatus.optional().meta({ description: 'Only those in this status' }),
    from: instant.optional().meta({ description: 'Made at this instant or later' }),
    to: instant.optional().meta({ description: 'Made before this instant' }),
    ...pageQuery,
  }),
  success: [{ status: 200, meaning: 'One page' }],
  response: camelListOf(webhookDelivery),
  errors: [],
});

const params = z.strictObject({ deliveryId: uuid.meta({ description: 'Id of the delivery' }) });

export const getWebhookDelivery = defineOperation({
  method: 'get',
  path: '/api/v1/webhook-deliveries/{deliveryId}',
  operationId: 'getWebhookDelivery',
  group: 'Webhooks',
  summary: 'Read a delivery, with every attempt',
  scope: 'webhooks:read',
  params,
  success: [{ status: 200, meaning: 'The delivery' }],
  response: webhookDelivery
    .extend({
      attempts: z.array(attempt).meta({ description: 'The first one first' }),
      body: eventBodySchema.meta({ description: 'The event, as it is sent' }),
    })
    .meta({ id: 'WebhookDeliveryWithAttempts' }),
  errors: ['NOT_FOUND'],
});

export const retryWebhookDelivery = defineOperation({
  method: 'post',
  path: '/api/v1/webhook-deliveries/{deliveryId}/retry',
  operationId: 'retryWebhookDelivery',
  group: 'Webhooks',
  summary: 'Send an event once more',
  description: 'At once, delivered or not, under the same event id; when it fails, the attempts begin anew.',
  scope: 'webhooks:write',
  hands: 'neutral',
  params,
  body: z.strictObject({}).optional(),
  success: [{ status: 200, meaning: 'The delivery, which waits again' }],
  response: webhookDelivery,
  errors: ['NOT_FOUND', webhooksErrors.ENDPOINT_DISABLED],
});
