/** The public contract of the log of events: docs/specification/webhooks.md#log. */
import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { camelListOf, pageQuery } from '../../../http/pagination.ts';
import { instant, queryInteger, uuid } from '../../../http/schemas.ts';
import { eventBodySchema } from '../open/event-body.ts';
import { webhooksErrors } from '../open/webhooks-errors.ts';

export const listWebhookEvents = defineOperation({
  method: 'get',
  path: '/api/v1/webhook-events',
  operationId: 'listWebhookEvents',
  group: 'Webhooks',
  summary: 'List events by their sequence',
  description:
    'Of the last 30 days, as they are sent. Ask with `afterSequence`, the last number that was seen, to follow the log; a new event has its number within a second or so. What was written down depends on the setting `webhooks.eventLog` and on the endpoints of then.',
  scope: 'webhooks:read',
  query: z.strictObject({
    type: z.string().min(1).max(100).optional().meta({ description: 'Only this type, as `payout.paid`' }),
    objectId: z.string().min(1).max(100).optional().meta({ description: 'Only what happened to this object' }),
    from: instant.optional().meta({ description: 'Happened at this instant or later' }),
    to: instant.optional().meta({ description: 'Happened before this instant' }),
    afterSequence: queryInteger(0, Number.MAX_SAFE_INTEGER).optional().meta({ description: 'Only events with a larger number' }),
    ...pageQuery,
  }),
  success: [{ status: 200, meaning: 'One page' }],
  response: camelListOf(eventBodySchema).extend({
    lastSequence: z.int().meta({ description: 'The last number that was given; 0 before the first' }),
  }),
  errors: [webhooksErrors.EVENTS_FORGOTTEN],
});

export const getWebhookEvent = defineOperation({
  method: 'get',
  path: '/api/v1/webhook-events/{eventId}',
  operationId: 'getWebhookEvent',
  group: 'Webhooks',
  summary: 'Read an event',
  scope: 'webhooks:read',
  params: z.strictObject({ eventId: uuid.meta({ description: 'Id of the event' }) }),
  success: [{ status: 200, meaning: 'The event, as it is sent' }],
  response: eventBodySchema,
  errors: ['NOT_FOUND'],
});

export const listWebhookEventTypes = defineOperation({
  method: 'get',
  path: '/api/v1/webhook-event-types',
  operationId: 'listWebhookEventTypes',
  group: 'Webhooks',
  summary: 'List the types of events, with an example of each',
  scope: 'webhooks:read',
  success: [{ status: 200, meaning: 'All of them' }],
  response: z.object({
    data: z
      .array(
        z.object({
          type: z.string().meta({ description: 'As endpoints name it, as `payout.paid`' }),
          meaning: z.string().meta({ description: 'What has happened, as a sentence' }),
          example: eventBodySchema.meta({ description: 'A body as it would be sent' }),
        }),
      )
      .meta({ description: 'All types' }),
  }),
  errors: [],
});
