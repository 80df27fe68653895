/** Events to tenants: the log of what happened, who hears of it, and its deliveries. */
import type { Outbox } from '../../db/telling.ts';
import { defineFeature } from '../../house/feature.ts';
import { deliveriesRoutes } from './deliveries/deliveries-routes.ts';
import { createDeliveriesService } from './deliveries/deliveries-service.ts';
import { endpointsSealed } from './endpoints/endpoint-sealed.ts';
import { eventsRoutes } from './log/events-routes.ts';
import { createEventsService } from './log/events-service.ts';
import { createOutbox } from './log/outbox.ts';
import { webhooksErrors } from './open/webhooks-errors.ts';
import { createSendLoop } from './sending/send-loop.ts';

export interface WebhooksOffers {
  /** Where every frame writes what it tells. */
  outbox: Outbox;
}

export const webhooksFeature = defineFeature({
  name: 'webhooks',
  scopes: {
    'webhooks:read': 'Read endpoints, deliveries and the log of events',
    'webhooks:write': 'Change endpoints, and have events sent again',
  },
  groups: ['Webhooks'],
  errors: webhooksErrors,
  faultPoints: ['event:told', 'webhook:leased', 'webhook:sent', 'webhook:stored'],
  sealed: endpointsSealed,
  tables: [
    'webhook_attempt',
    'webhook_delivery',
    'outgoing_sequence',
    'outgoing_unsealed',
    'outgoing_event',
    'outgoing_head',
    'webhook_endpoint',
    'webhook_hearing',
    'webhook_settings',
    'event_snapshot',
  ],
  kept: ['webhook_endpoint', 'webhook_hearing', 'webhook_settings', 'outgoing_head'],
  // Numbers go on where they were, so none is given twice.
  beforeErasure: ["update outgoing_head set forgotten = sequence where tenant_id = erased_tenant and environment = 'SANDBOX'"],
  open({ frames, cursors, logger, house, cipher, outgoing }) {
    return {
      offers: { outbox: createOutbox({ logger, events: house.events, routeOf: house.routeOf }) } satisfies WebhooksOffers,
      routes: [
        ...deliveriesRoutes(createDeliveriesService({ frames, cursors })),
        ...eventsRoutes(createEventsService({ frames, cursors })),
      ],
      loops: [createSendLoop({ cipher, outgoing, logger })],
    };
  },
});
