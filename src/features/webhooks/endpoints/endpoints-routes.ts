import { camelList } from '../../../http/pagination.ts';
import { type Route, route } from '../../../http/route.ts';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  replayWebhookEvents,
  rotateWebhookSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
} from './endpoints-operations.ts';
import type { EndpointsService } from './endpoints-service.ts';
import type { ResendingService } from './resending-service.ts';

export function endpointsRoutes(endpoints: EndpointsService, resending: ResendingService): Route[] {
  return [
    route(
      createWebhookEndpoint,
      ({ body, ...context }) => endpoints.create(context, body),
      (endpoint) => ({ status: 201, body: endpoint, headers: { Location: `/api/v1/webhook-endpoints/${endpoint.id}` } }),
    ),
    route(listWebhookEndpoints, ({ query, ...context }) => endpoints.list(context, query), camelList()),
    route(getWebhookEndpoint, ({ params, query, ...context }) =>
      endpoints.read(context, params.endpointId, query.with === 'hours'),
    ),
    route(updateWebhookEndpoint, ({ params, body, ...context }) => endpoints.update(context, params.endpointId, body)),
    route(
      deleteWebhookEndpoint,
      ({ params, ...context }) => endpoints.remove(context, params.endpointId),
      (id) => ({ status: 200, body: { id, deleted: true as const } }),
    ),
    route(rotateWebhookSecret, ({ params, body, ...context }) => endpoints.rotate(context, params.endpointId, body)),
    route(
      testWebhookEndpoint,
      ({ params, body, ...context }) => resending.test(context, params.endpointId, body.type),
      (tested) => ({ status: 202, body: tested }),
    ),
    route(
      replayWebhookEvents,
      ({ params, body, ...context }) => resending.replay(context, params.endpointId, body),
      (replayed) => ({ status: 202, body: replayed }),
    ),
  ];
}
