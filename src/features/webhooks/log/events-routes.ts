import { camelCursor } from '../../../http/pagination.ts';
import { type Route, route } from '../../../http/route.ts';
import { eventBody } from '../open/event-body.ts';
import type { EventLogService } from './event-log-service.ts';
import { getWebhookEvent, listWebhookEvents, listWebhookEventTypes } from './events-operations.ts';

export function eventLogRoutes(log: EventLogService): Route[] {
  return [
    route(
      listWebhookEvents,
      ({ query, ...context }) => log.list(context, query),
      ({ rows, nextCursor, lastSequence }) => ({
        status: 200,
        body: { data: rows.map(eventBody), ...camelCursor(nextCursor), lastSequence: Number(lastSequence) },
      }),
    ),
    route(
      getWebhookEvent,
      ({ params, ...context }) => log.read(context, params.eventId),
      (event) => ({ status: 200, body: eventBody(event) }),
    ),
    route(
      listWebhookEventTypes,
      async (context) => log.types(context),
      (types) => ({ status: 200, body: { data: types } }),
    ),
  ];
}
