/** The public contract of deliveries: docs/specification/webhooks.md#attempts. */
import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { camelListOf, pageQuery } from '../../../http/pagination.ts';
import { instant, timestamp, uuid } from '../../../http/schemas.ts';
import { eventBodySchema } from '../open/event-body.ts';
import { webhooksErrors } from '../open/webhooks-errors.ts';

export const DELIVERY_STATUSES = ['waiting', 'delivered', 'failed', 'cancelled'] as const;

const attempt = z
  .object({
    number: z.int(),
    at: timestamp,
    ms: z.int().meta({ description: 'How long it took' }),
    status: z.int().nullable().meta({ description: 'Of the answer; null where there was none' }),
    fault: z
      .string()
      .nullable()
      .meta({ description: 'Why there was no answer, or none that counts; null where the status tells' }),
    answer: z.string().nullable().meta({ description: 'The first 1,024 bytes of the answer' }),
  })
  .meta({ id: 'WebhookAttempt' });

export const webhookDelivery = z
  .object({
    id: uuid,
    endpointId: uuid,
    eventId: uuid,
    eventType: z.string(),
    objectId: z.string(),
    sequence: z.int(),
    status: z
      .enum(DELIVERY_STATUSES)
      .meta({ description: '`failed`: not tried again by itself. `cancelled`: its endpoint was deleted' }),
    attemptCount: z.int(),
    nextAttemptAt: timestamp.nullable().meta({ description: "While it waits, by the environment's clock" }),
    createdAt: timestamp,
    settledAt: timestamp.nullable(),
    lastAttempt: attempt.omit({ answer: true }).nullable().meta({ id: 'LastWebhookAttempt' }),
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
    endpointId: uuid.optional(),
    eventId: uuid.optional(),
    objectId: z.string().min(1).max(100).optional().meta({ description: 'Of events that happened to this object' }),
    type: z.string().min(1).max(100).optional(),
    status: z.enum(DELIVERY_STATUSES).optional(),
    from: instant.optional().meta({ description: 'Made at this instant or later' }),
    to: instant.optional().meta({ description: 'Made before this instant' }),
    ...pageQuery,
  }),
  success: [{ status: 200, meaning: 'One page' }],
  response: camelListOf(webhookDelivery),
  errors: [],
});

const params = z.strictObject({ deliveryId: uuid });

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
    .extend({ attempts: z.array(attempt).meta({ description: 'The first one first' }), body: eventBodySchema })
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
