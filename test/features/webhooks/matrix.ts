/** The access matrix of endpoints, deliveries and the log of events. */
import { randomUUID } from 'node:crypto';
import {
  cursorOf,
  cursorReference,
  emptyList,
  type MatrixRow,
  type PlantOnSide,
  type Reference,
  tooLong,
  uuidReference,
} from '../../support/matrix/matrix-row.ts';
import type { Side, World } from '../../support/matrix/matrix-world.ts';
import { plantEndpoint } from '../../support/webhooks/plant-webhooks.ts';
import { HOOK, type PlantedLog, plantLog } from './plant-log.ts';

const ENDPOINTS = '/api/v1/webhook-endpoints';

const planted = new WeakMap<Side, PlantedLog & { objectId: string }>();
const NONE = { endpointId: '', eventIds: [], deliveryIds: [], objectId: '' };
const logOf = (side: Side) => planted.get(side) ?? NONE;
const first = (ids: readonly string[]): string => ids[0] ?? '';

export const plantOnSide: PlantOnSide = async (app, side) => {
  const objectId = randomUUID();
  const log = await plantLog(app, side, { objectId, data: { name: side.canaries[0] ?? 'canary' } });
  await plantEndpoint(app, side, { url: HOOK });
  planted.set(side, { ...log, objectId });
  side.canaries.push(log.endpointId, objectId, ...log.eventIds, ...log.deliveryIds);
};

const newEndpoint = async ({ app }: World, side: Side): Promise<string> =>
  (await plantEndpoint(app, side, { url: `${HOOK}-spare` })).id;

/** Fifty are all that a side may have. */
async function removeSpare({ app }: World, { tenantId, environment }: Side): Promise<void> {
  await app.database.asSuperuser(
    `delete from webhook_endpoint e where e.tenant_id = $1 and e.environment = $2 and e.url <> $3
       and not exists (select from webhook_delivery d where d.endpoint_id = e.id)`,
    [tenantId, environment, HOOK],
  );
}

const unknown = { status: 404, code: 'NOT_FOUND' };
const endpointId: Reference = {
  at: 'path.endpointId',
  object: (_world, side) => logOf(side).endpointId,
  ...uuidReference,
  own: { status: 200 },
  foreign: unknown,
};
const eventId: Reference = { ...endpointId, at: 'path.eventId', object: (_world, side) => first(logOf(side).eventIds) };
const deliveryId: Reference = { ...endpointId, at: 'path.deliveryId', object: (_world, side) => first(logOf(side).deliveryIds) };
const ofEndpoint = (side: Side) => ({ path: { endpointId: logOf(side).endpointId } });
const ofDelivery = (side: Side) => ({ path: { deliveryId: first(logOf(side).deliveryIds) } });

const filters = (list: (side: Side) => PlantedLog & { objectId: string }): Reference[] => [
  {
    at: 'query.objectId',
    object: (_world, side) => list(side).objectId,
    absent: () => randomUUID(),
    malformed: tooLong(100),
    own: { status: 200, check: (body) => !emptyList(body) },
    foreign: { status: 200, check: emptyList },
  },
];

export const webhookRows: Record<string, MatrixRow> = {
  createWebhookEndpoint: {
    request: () => ({ body: { url: `${HOOK}-new`, eventTypes: ['payout.*'] } }),
    status: 201,
    readBack: (body) => `${ENDPOINTS}/${String(body['id'])}`,
    restore: removeSpare,
    neverByChance: true,
    references: [],
  },
  listWebhookEndpoints: {
    request: () => ({ query: { limit: '1' } }),
    status: 200,
    showsRequestsOf: ['createWebhookEndpoint', 'updateWebhookEndpoint'],
    references: [
      { at: 'query.cursor', object: (world, side) => cursorOf(world, side, `${ENDPOINTS}?limit=1`), ...cursorReference },
    ],
  },
  getWebhookEndpoint: {
    request: ofEndpoint,
    status: 200,
    neverByChance: true,
    showsRequestsOf: ['createWebhookEndpoint', 'updateWebhookEndpoint'],
    references: [endpointId],
  },
  updateWebhookEndpoint: {
    request: (side) => ({ ...ofEndpoint(side), body: { description: 'changed' } }),
    fresh: async (side) => ({ ...ofEndpoint(side), body: { description: randomUUID() } }),
    status: 200,
    neverByChance: true,
    references: [endpointId],
  },
  deleteWebhookEndpoint: {
    request: ofEndpoint,
    fresh: async (side, world) => ({ path: { endpointId: await newEndpoint(world, side) } }),
    status: 200,
    repeatedStatus: 404,
    neverByChance: true,
    references: [{ ...endpointId, object: newEndpoint }],
  },
  rotateWebhookSecret: {
    request: (side) => ({ ...ofEndpoint(side), body: {} }),
    status: 200,
    neverByChance: true,
    references: [endpointId],
  },
  testWebhookEndpoint: {
    request: (side) => ({ ...ofEndpoint(side), body: { type: 'member.created' } }),
    status: 202,
    neverByChance: true,
    references: [{ ...endpointId, own: { status: 202 } }],
  },
  replayWebhookEvents: {
    request: (side) => ({
      ...ofEndpoint(side),
      body: { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z', onlyFailed: true },
    }),
    status: 202,
    neverByChance: true,
    references: [{ ...endpointId, own: { status: 202 } }],
  },
  listWebhookDeliveries: {
    request: () => ({ query: { limit: '1' } }),
    status: 200,
    references: [
      {
        at: 'query.endpointId',
        object: (_world, side) => logOf(side).endpointId,
        ...uuidReference,
        own: { status: 200, check: (body) => !emptyList(body) },
        foreign: { status: 200, check: emptyList },
      },
      {
        at: 'query.eventId',
        object: (_world, side) => first(logOf(side).eventIds),
        ...uuidReference,
        own: { status: 200, check: (body) => !emptyList(body) },
        foreign: { status: 200, check: emptyList },
      },
      ...filters(logOf),
      {
        at: 'query.cursor',
        object: (world, side) => cursorOf(world, side, '/api/v1/webhook-deliveries?limit=1'),
        ...cursorReference,
      },
    ],
  },
  getWebhookDelivery: { request: ofDelivery, status: 200, neverByChance: true, references: [deliveryId] },
  retryWebhookDelivery: {
    request: (side) => ({ ...ofDelivery(side), body: {} }),
    status: 200,
    neverByChance: true,
    references: [deliveryId],
  },
  listWebhookEvents: {
    request: () => ({ query: { limit: '1' } }),
    status: 200,
    references: [
      ...filters(logOf),
      {
        at: 'query.cursor',
        object: (world, side) => cursorOf(world, side, '/api/v1/webhook-events?limit=1'),
        ...cursorReference,
      },
    ],
  },
  getWebhookEvent: {
    request: (side) => ({ path: { eventId: first(logOf(side).eventIds) } }),
    status: 200,
    neverByChance: true,
    references: [eventId],
  },
  listWebhookEventTypes: { request: () => ({}), status: 200, references: [] },
};
