/** The statements of the operations of webhooks. */
import { countStatements, read, write } from '../../support/statements/statement-row.ts';

export { snapshotStatements } from './statements-snapshots.ts';

import { plantLog } from './plant-log.ts';

const ENDPOINTS = '/api/v1/webhook-endpoints';

/** Events at night, which nobody plants. */
const NIGHT = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };

export const webhookStatements = countStatements(
  async ({ app, scope }) => {
    const log = await plantLog(app, scope);
    const doomed = await plantLog(app, scope);
    return {
      endpoint: `${ENDPOINTS}/${log.endpointId}`,
      doomed: `${ENDPOINTS}/${doomed.endpointId}`,
      delivery: `/api/v1/webhook-deliveries/${log.deliveryIds[0]}`,
      event: `/api/v1/webhook-events/${log.eventIds[0]}`,
    };
  },
  [
    [
      'createWebhookEndpoint',
      ({ client }) =>
        client.post(ENDPOINTS, { url: 'https://hooks.example/', eventTypes: ['webhook_endpoint.disabled'], enabled: false }),
      201,
      write(
        'webhooks_lock_new_endpoint',
        'webhooks_insert_endpoint',
        'webhooks_lock_hearing',
        'webhooks_refresh_hearing',
        'audit_insert',
      ),
    ],
    ['listWebhookEndpoints of 100', ({ client }) => client.get(`${ENDPOINTS}?limit=100`), 200, read('webhooks_list_endpoints')],
    [
      'listWebhookEndpoints with hours',
      ({ client }) => client.get(`${ENDPOINTS}?limit=100&with=hours`),
      200,
      read('webhooks_list_endpoints', 'webhooks_hours'),
    ],
    ['getWebhookEndpoint', ({ client, endpoint }) => client.get(endpoint), 200, read('webhooks_find_endpoint')],
    [
      'updateWebhookEndpoint',
      ({ client, endpoint }) => client.patch(endpoint, { description: 'x' }),
      200,
      write(
        'webhooks_lock_endpoint',
        'webhooks_update_endpoint',
        'webhooks_lock_hearing',
        'webhooks_refresh_hearing',
        'audit_insert',
      ),
    ],
    [
      'rotateWebhookSecret',
      ({ client, endpoint }) => client.post(`${endpoint}/rotate-secret`, {}),
      200,
      write('webhooks_rotate_secret', 'audit_insert'),
    ],
    [
      'testWebhookEndpoint',
      ({ client, endpoint }) => client.post(`${endpoint}/test`, { type: 'member.created' }),
      202,
      write('webhooks_lock_endpoint', 'webhooks_insert_events', 'audit_insert'),
    ],
    [
      'replayWebhookEvents',
      ({ client, endpoint }) => client.post(`${endpoint}/replay`, NIGHT),
      202,
      write('webhooks_lock_endpoint', 'webhooks_waits_for_more', 'webhooks_replay', 'audit_insert'),
    ],
    ['listWebhookDeliveries of 100', ({ client }) => client.get('/api/v1/webhook-deliveries?limit=100'), 200, read('built')],
    [
      'getWebhookDelivery',
      ({ client, delivery }) => client.get(delivery),
      200,
      read('webhooks_find_delivery', 'webhooks_attempts', 'webhooks_find_event'),
    ],
    [
      'retryWebhookDelivery',
      ({ client, delivery }) => client.post(`${delivery}/retry`, {}),
      200,
      write('webhooks_retry_delivery', 'webhooks_find_delivery', 'audit_insert'),
    ],
    [
      'listWebhookEvents of 100',
      ({ client }) => client.get('/api/v1/webhook-events?limit=100'),
      200,
      read('webhooks_head', 'built'),
    ],
    ['getWebhookEvent', ({ client, event }) => client.get(event), 200, read('webhooks_find_event')],
    ['listWebhookEventTypes', ({ client }) => client.get('/api/v1/webhook-event-types'), 200, []],
    [
      'deleteWebhookEndpoint',
      ({ client, doomed }) => client.delete(doomed),
      200,
      write('webhooks_delete_endpoint', 'webhooks_lock_hearing', 'webhooks_refresh_hearing', 'audit_insert'),
    ],
  ],
);
