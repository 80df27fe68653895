/** The public contract of endpoints: docs/specification/webhooks.md#endpoints. */
import { z } from 'zod';
import { defineOperation } from '../../../http/operation.ts';
import { camelListOf, pageQuery } from '../../../http/pagination.ts';
import { instant, namedActor, text, timestamp, uuid } from '../../../http/schemas.ts';
import { MAX_ADDRESS_LENGTH } from '../../../outgoing/address-form.ts';
import { webhooksErrors } from '../open/webhooks-errors.ts';
import { MOST_HEADERS } from './own-headers.ts';

export const MAX_ENDPOINTS = 50;

export const DISABLED_REASONS = ['by_hand', 'gone', 'failing'] as const;

const hour = z
  .object({
    from: timestamp.meta({ description: 'Begin of the hour' }),
    delivered: z.int().meta({ description: 'Attempts that arrived' }),
    failed: z.int().meta({ description: 'Attempts that failed' }),
  })
  .meta({ id: 'WebhookHour' });

export const webhookEndpoint = z
  .object({
    id: uuid.meta({ description: 'Of the endpoint' }),
    url: z.string().meta({ description: 'Where events are posted to' }),
    eventTypes: z.array(z.string()).meta({ description: 'What it hears: types, first words as `payout.*`, or `*`' }),
    description: z.string().nullable().meta({ description: 'To tell endpoints apart; null: none' }),
    enabled: z.boolean().meta({ description: 'Whether events are sent to it' }),
    disabledReason: z.enum(DISABLED_REASONS).nullable().meta({
      description:
        '`by_hand`: by a request. `gone`: it answered 410. `failing`: nothing arrived for five days. Null: it is enabled',
    }),
    disabledAt: timestamp.nullable().meta({ description: 'Since when it is disabled; null: it is not' }),
    headerNames: z.array(z.string()).meta({ description: 'Of the headers of its own; their values are shown to nobody' }),
    hiddenTypes: z.array(z.string()).meta({
      description:
        'Types that it hears and whose objects it is not sent, for who made it, or last changed its address, types or headers or enabled it, may not read them: `data` is null, and `leftOut` names it',
    }),
    failingSince: timestamp.nullable().meta({ description: 'The first failure since the last success; null while it is well' }),
    oldSecretUntil: timestamp.nullable().meta({ description: 'Until then two secrets sign, behind a rotation; null: one does' }),
    createdBy: namedActor.meta({ description: 'Who made it' }),
    rightsOf: namedActor.meta({
      description: 'Whose rights it has: of who made it, or last changed its address, types or headers or enabled it',
    }),
    createdAt: timestamp.meta({ description: 'When it was made' }),
    updatedAt: timestamp.meta({ description: 'When it was last changed' }),
    hours: z.array(hour).optional().meta({ description: 'With `with=hours`: the last 24, by the real clock, the oldest first' }),
  })
  .meta({ id: 'WebhookEndpoint' });

const secret = z.string().nullable().meta({
  description: 'Signs what is sent, as `whsec_…`. Shown this once: null in the repeat of a request with an Idempotency-Key',
});

const withSecret = webhookEndpoint.extend({ secret }).meta({ id: 'WebhookEndpointWithSecret' });

/** Whether they stand for a type at all, the service says: it knows the types. */
const eventTypes = z
  .array(z.string().min(1).max(100))
  .min(1)
  .max(100)
  .transform((types) => [...new Set(types)])
  .meta({
    override: { type: 'array', items: { type: 'string', minLength: 1, maxLength: 100 }, minItems: 1, maxItems: 100 },
    description: 'Types of events; `*` stands for all, also for those added later, and `payout.*` for all of payouts',
  });

const url = text(MAX_ADDRESS_LENGTH).meta({ description: 'An https:// address of the public internet, which takes a POST' });
const description = text(500).nullish().meta({ description: 'To tell endpoints apart' });
const enabled = z.boolean().nullish().meta({ description: 'Whether events are sent to it; default `true`' });
const headers = z
  .record(z.string().max(100), z.string().max(1_000))
  .refine((given) => Object.keys(given).length <= MOST_HEADERS, `must be at most ${MOST_HEADERS} headers`)
  .nullish()
  .meta({ description: `Sent along, at most ${MOST_HEADERS}, as a gateway may ask for; never shown again` });

const params = z.strictObject({ endpointId: uuid.meta({ description: 'Id of the endpoint' }) });
const withHours = { with: z.enum(['hours']).optional().meta({ description: '`hours`: how the last 24 went' }) };

export const createWebhookEndpoint = defineOperation({
  method: 'post',
  path: '/api/v1/webhook-endpoints',
  operationId: 'createWebhookEndpoint',
  group: 'Webhooks',
  summary: 'Create an endpoint',
  description: `Events are posted to it from now on, signed by the rules of Standard Webhooks. An environment has at most ${MAX_ENDPOINTS}: one more is 409 \`STATE_CONFLICT\`.`,
  scope: 'webhooks:write',
  stepUp: 'in LIVE',
  hands: 'neutral',
  body: z
    .strictObject({ url, eventTypes, description, enabled, headers })
    .meta({ example: { url: 'https://shop.example/hooks', eventTypes: ['payout.*', 'member.created'] } }),
  success: [{ status: 201, meaning: 'Created; `secret` is shown this once' }],
  response: withSecret,
  secrets: ['secret'],
  errors: ['STATE_CONFLICT'],
});

export const listWebhookEndpoints = defineOperation({
  method: 'get',
  path: '/api/v1/webhook-endpoints',
  operationId: 'listWebhookEndpoints',
  group: 'Webhooks',
  summary: 'List endpoints, oldest first',
  scope: 'webhooks:read',
  query: z.strictObject({ ...withHours, ...pageQuery }),
  success: [{ status: 200, meaning: 'One page' }],
  response: camelListOf(webhookEndpoint),
  errors: [],
});

export const getWebhookEndpoint = defineOperation({
  method: 'get',
  path: '/api/v1/webhook-endpoints/{endpointId}',
  operationId: 'getWebhookEndpoint',
  group: 'Webhooks',
  summary: 'Read an endpoint',
  scope: 'webhooks:read',
  params,
  query: z.strictObject(withHours),
  success: [{ status: 200, meaning: 'The endpoint' }],
  response: webhookEndpoint,
  errors: ['NOT_FOUND'],
});

export const updateWebhookEndpoint = defineOperation({
  method: 'patch',
  path: '/api/v1/webhook-endpoints/{endpointId}',
  operationId: 'updateWebhookEndpoint',
  group: 'Webhooks',
  summary: 'Change an endpoint',
  description:
    'What is sent, and nothing else. Enabled again it gets what waited, and hears of what happens from then on. `headers` replaces all of them; null takes them away. With another address they must be sent again, where there are some. Whoever changes the address, the types or the headers, or enables the endpoint again, gives it their own rights.',
  scope: 'webhooks:write',
  stepUp: 'in LIVE',
  hands: 'neutral',
  params,
  body: z
    .strictObject({
      url: url.optional(),
      eventTypes: eventTypes.optional(),
      description,
      enabled: z.boolean().optional().meta({ description: '`false`: what happens meanwhile is not sent' }),
      headers,
    })
    .meta({ example: { eventTypes: ['*'] } }),
  success: [{ status: 200, meaning: 'The endpoint as it is now' }],
  response: webhookEndpoint,
  errors: ['NOT_FOUND'],
});

export const deleteWebhookEndpoint = defineOperation({
  method: 'delete',
  path: '/api/v1/webhook-endpoints/{endpointId}',
  operationId: 'deleteWebhookEndpoint',
  group: 'Webhooks',
  summary: 'Delete an endpoint',
  description: 'For good. What waited for it is sent to nobody; its deliveries can be read for 30 days.',
  scope: 'webhooks:write',
  stepUp: 'in LIVE',
  hands: 'neutral',
  params,
  success: [{ status: 200, meaning: 'Deleted' }],
  response: z.object({ id: params.shape.endpointId, deleted: z.literal(true).meta({ description: 'It is gone' }) }),
  errors: ['NOT_FOUND'],
});

export const rotateWebhookSecret = defineOperation({
  method: 'post',
  path: '/api/v1/webhook-endpoints/{endpointId}/rotate-secret',
  operationId: 'rotateWebhookSecret',
  group: 'Webhooks',
  summary: 'Give an endpoint a new secret',
  description:
    'During the overlap each event is signed with both secrets, so a receiver that knows either of them takes it. A rotation within an overlap ends it: the secret of before stands beside the new one then.',
  scope: 'webhooks:write',
  stepUp: 'in LIVE',
  hands: 'neutral',
  params,
  body: z
    .strictObject({
      overlapHours: z
        .int()
        .min(0)
        .max(72)
        .nullish()
        .meta({ description: 'How long the secret of before signs, too; default 24' }),
    })
    .optional()
    .meta({ example: { overlapHours: 24 } }),
  success: [{ status: 200, meaning: 'The endpoint; `secret` is the new one, shown this once' }],
  response: withSecret,
  secrets: ['secret'],
  errors: ['NOT_FOUND'],
});

const tested = z.object({ eventId: uuid.meta({ description: 'The event that is sent' }) });

export const testWebhookEndpoint = defineOperation({
  method: 'post',
  path: '/api/v1/webhook-endpoints/{endpointId}/test',
  operationId: 'testWebhookEndpoint',
  group: 'Webhooks',
  summary: 'Send an example to an endpoint',
  description:
    "An event of that type with the example's object and the object id `test`, to this endpoint alone, whatever it hears otherwise.",
  scope: 'webhooks:write',
  hands: 'neutral',
  params,
  body: z
    .strictObject({ type: z.string().min(1).max(100).meta({ description: 'Of the event, as `payout.paid`' }) })
    .meta({ example: { type: 'payout.paid' } }),
  success: [{ status: 202, meaning: 'Written down, and sent as any other', response: tested }],
  response: tested,
  errors: ['NOT_FOUND', webhooksErrors.ENDPOINT_DISABLED],
});

const replayed = z.object({ count: z.int().meta({ description: 'Events that are sent again' }) });

export const MAX_REPLAYED = 10_000;

export const replayWebhookEvents = defineOperation({
  method: 'post',
  path: '/api/v1/webhook-endpoints/{endpointId}/replay',
  operationId: 'replayWebhookEvents',
  group: 'Webhooks',
  summary: 'Send events of the log again',
  description:
    'Those that happened from `from` to just before `to`, delivered or not, under their ids; those of a type that the endpoint hears now and, where `types` is sent, that is among these, too. `to` may lie ahead: what happens until then comes anyway. At most 10,000 at once, and none while more than 10,000 wait for the endpoint already; what the log is about to forget is left out.',
  scope: 'webhooks:write',
  stepUp: 'in LIVE',
  hands: 'neutral',
  params,
  body: z
    .strictObject({
      from: instant.meta({ description: 'Happened at this instant or later' }),
      to: instant.meta({ description: 'Happened before this instant' }),
      types: eventTypes.nullish().meta({ description: 'Only these types; default all that the endpoint hears' }),
      onlyFailed: z.boolean().nullish().meta({
        description:
          'Only those that have failed to arrive at this endpoint: for good, or so far. The latter are sent at once, in place of their next attempt',
      }),
    })
    .refine(({ from, to }) => Date.parse(from) < Date.parse(to), { path: ['to'], message: 'must be after from' })
    .meta({ example: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z', onlyFailed: true } }),
  success: [{ status: 202, meaning: 'They are sent as others are', response: replayed }],
  response: replayed,
  errors: ['NOT_FOUND', webhooksErrors.ENDPOINT_DISABLED, webhooksErrors.TOO_MANY_EVENTS],
});
