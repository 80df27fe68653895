/** Deliveries: which event went where, and did it arrive? */
import { definePage } from '../../../pages/define-page.ts';
import { dayFrom, dayTo } from '../../../pages/instants.ts';
import { listWebhookDeliveries } from '../../webhooks/deliveries/deliveries-operations.ts';
import { listWebhookEndpoints } from '../../webhooks/endpoints/endpoints-operations.ts';
import { drawDeliveries, FILTERS } from './deliveries-view.ts';

export const deliveriesPage = definePage({
  path: '/webhooks/deliveries',
  title: 'Deliveries',
  below: '/webhooks',
  needs: [listWebhookDeliveries, listWebhookEndpoints],
  filters: FILTERS,
  async get(page) {
    const { endpointId, eventId, objectId, type, status, from, to, cursor } = page.query;
    const { timeZone } = page.tenant;
    const days = { from: dayFrom(timeZone, from), to: dayTo(timeZone, to) };
    const query = { endpointId, eventId, objectId, type, status, ...days, cursor, limit: '50' };
    const [deliveries, endpoints] = await Promise.all([
      page.invoke(listWebhookDeliveries, { query }),
      page.invoke(listWebhookEndpoints, { query: { limit: '100' } }),
    ]);
    return drawDeliveries(page, { deliveries, endpoints: endpoints.data });
  },
});
