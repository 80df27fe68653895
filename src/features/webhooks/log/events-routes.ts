import { camelCursor } from '../../../http/pagination.ts';
import { type Route, route } from '../../../http/route.ts';
import { shownEvent } from '../open/event-body.ts';
import { getWebhookEvent, listWebhookEvents } from './events-operations.ts';
import type { EventsService } from './events-service.ts';

export function eventsRoutes(events: EventsService): Route[] {
  return [
    route(
      listWebhookEvents,
      ({ query, ...context }) => events.list(context, query),
      ({ rows, nextCursor, lastSequence }) => ({
        status: 200,
        body: { data: rows.map(shownEvent), ...camelCursor(nextCursor), lastSequence: Number(lastSequence) },
      }),
    ),
    route(
      getWebhookEvent,
      ({ params, ...context }) => events.read(context, params.eventId),
      (event) => ({ status: 200, body: shownEvent(event) }),
    ),
  ];
}
