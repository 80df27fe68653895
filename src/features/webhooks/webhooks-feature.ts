/** Events to tenants: the log of what happened, who hears of it, and its deliveries. */
import type { Outbox } from '../../db/telling.ts';
import { defineFeature } from '../../house/feature.ts';
import type { DescribedEvent } from '../../http/document/events.ts';
import { deliveriesRoutes } from './deliveries/deliveries-routes.ts';
import { createDeliveriesService } from './deliveries/deliveries-service.ts';
import { endpointsSealed } from './endpoints/endpoint-sealed.ts';
import { endpointsRoutes } from './endpoints/endpoints-routes.ts';
import { createEndpointsService } from './endpoints/endpoints-service.ts';
import { createWebhookSettingsPart, webhookSettingsDeclaration } from './endpoints/event-log-settings-part.ts';
import { createResendingService } from './endpoints/resending-service.ts';
import { listenCommand } from './listen/listen-command.ts';
import { describeEvents } from './log/describe-events.ts';
import { createEventLogService } from './log/event-log-service.ts';
import { eventLogRoutes } from './log/events-routes.ts';
import { CLEAR_ENDPOINTS, clearEndpoints, FORGET_WEBHOOKS, forgetWebhooks } from './log/forget-events.ts';
import { KEPT_DAYS } from './log/kept-days.ts';
import { createOutbox } from './log/outbox.ts';
import { createScopeOfType } from './open/event-rights.ts';
import { webhooksErrors } from './open/webhooks-errors.ts';
import { createSendLoop } from './sending/send-loop.ts';
import { MAKE_SNAPSHOT, REMOVE_SNAPSHOTS } from './snapshot/event-snapshot.ts';
import { createSnapshotJob, SNAPSHOT_REPEATS } from './snapshot/make-snapshot.ts';
import { createSnapshotRemoval, createSnapshotSweep } from './snapshot/remove-snapshots.ts';
import { openSnapshotKinds } from './snapshot/snapshot-kinds.ts';
import { snapshotRoutes } from './snapshot/snapshot-routes.ts';
import { createSnapshotService } from './snapshot/snapshot-service.ts';
import { webhooksAudits } from './webhooks-audits.ts';
import { webhooksPersonal } from './webhooks-personal.ts';

export interface WebhooksOffers {
  /** Where every frame writes what it tells. */
  outbox: Outbox;
  /** All types, for the document; once all features are open. */
  described(): DescribedEvent[];
}

export const webhooksFeature = defineFeature({
  name: 'webhooks',
  commands: listenCommand,
  errors: webhooksErrors,
  scopes: {
    'webhooks:read': 'Read endpoints, deliveries and the log of events, which show what they happened to',
    'webhooks:write': 'Make, change and delete endpoints, rotate their secrets, send events again',
  },
  groups: { Webhooks: 'Events to the tenant: endpoints, deliveries, the log' },
  events: {
    'webhook_endpoint.disabled': {
      meaning: 'An endpoint is sent nothing any more, for it answered 410 or failed for five days.',
      shows: 'getWebhookEndpoint',
    },
  },
  faultPoints: ['event:told', 'webhook:leased', 'webhook:sent', 'webhook:stored', 'snapshot:stored'],
  sealed: endpointsSealed,
  settings: webhookSettingsDeclaration,
  audits: webhooksAudits,
  tables: [
    'webhook_attempt',
    'webhook_hour',
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
  kept: ['webhook_endpoint', 'webhook_hearing', 'webhook_settings', 'outgoing_head', 'event_snapshot'],
  // Numbers go on where they were, so none is given twice.
  beforeErasure: [
    "update outgoing_head set forgotten = sequence where tenant_id = erased_tenant and environment = 'SANDBOX'",
    // Their files go right after: by the sweep.
    "update event_snapshot set status = 'expired', remove_at = now() where tenant_id = erased_tenant and environment = 'SANDBOX' and status <> 'expired'",
  ],
  due: {
    [CLEAR_ENDPOINTS]: [
      { table: 'webhook_endpoint', where: 'deleted_at is not null and cancelled_at is null' },
      { table: 'webhook_endpoint', where: 'old_secret_until is not null', at: 'old_secret_until', clock: 'database' },
    ],
    [FORGET_WEBHOOKS]: [
      { table: 'outgoing_sequence', at: 'sealed_at', keptDays: KEPT_DAYS, clock: 'database' },
      { table: 'webhook_hour', at: 'starts_at', keptDays: KEPT_DAYS, clock: 'database' },
      {
        table: 'webhook_endpoint',
        where: 'cancelled_at is not null',
        at: 'cancelled_at',
        keptDays: KEPT_DAYS,
        clock: 'database',
      },
    ],
    [REMOVE_SNAPSHOTS]: [{ table: 'event_snapshot', at: 'remove_at', clock: 'database' }],
  },
  jobs: [
    { name: MAKE_SNAPSHOT, kind: 'leased', retryLimit: SNAPSHOT_REPEATS, longestSeconds: 3_600 },
    { name: REMOVE_SNAPSHOTS, kind: 'leased' },
  ],
  personal: webhooksPersonal,
  open({ logger, house, cipher, outgoing, frames, cursors, queue, documents: { storage } }) {
    const names = new Set(house.events.keys());
    const scopeOfType = createScopeOfType(house);
    const endpoints = createEndpointsService({ frames, cursors, cipher, outgoing, types: names, scopeOfType });
    return {
      offers: {
        outbox: createOutbox({ logger, events: house.events, routeOf: house.routeOf, enqueue: queue.enqueue }),
        described: () => describeEvents(house),
      } satisfies WebhooksOffers,
      routes: [
        ...endpointsRoutes(endpoints, createResendingService({ frames, types: names })),
        ...deliveriesRoutes(createDeliveriesService({ frames, cursors, scopeOfType })),
        ...eventLogRoutes(createEventLogService({ frames, cursors, events: house.events, scopeOfType })),
        ...snapshotRoutes(createSnapshotService({ frames, queue, storage })),
      ],
      settings: createWebhookSettingsPart(),
      sweeps: [
        clearEndpoints,
        forgetWebhooks,
        createSnapshotSweep((db, scope) => queue.enqueue(db, scope, REMOVE_SNAPSHOTS, {})),
      ],
      handlers: [createSnapshotJob({ storage, kinds: openSnapshotKinds(house) }), createSnapshotRemoval({ storage, logger })],
      loops: [createSendLoop({ cipher, outgoing, logger, scopeOfType })],
    };
  },
});
