/** Events to tenants: the log of what happened, who hears of it, and its deliveries. */
import type { Outbox } from '../../db/telling.ts';
import { defineFeature } from '../../house/feature.ts';
import { endpointsSealed } from './endpoints/endpoint-sealed.ts';
import { createOutbox } from './log/outbox.ts';
import { createSendLoop } from './sending/send-loop.ts';

export interface WebhooksOffers {
  /** Where every frame writes what it tells. */
  outbox: Outbox;
}

export const webhooksFeature = defineFeature({
  name: 'webhooks',
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
  open({ logger, house, cipher, outgoing }) {
    return {
      offers: { outbox: createOutbox({ logger, events: house.events, routeOf: house.routeOf }) } satisfies WebhooksOffers,
      loops: [createSendLoop({ cipher, outgoing, logger })],
    };
  },
});
