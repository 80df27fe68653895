/** Webhooks: did our systems hear of it? */
import { definePage } from '../../../pages/define-page.ts';
import { createWebhookEndpoint, listWebhookEndpoints } from '../../webhooks/endpoints/endpoints-operations.ts';
import { drawEndpoints } from './endpoints-view.ts';

export const endpointsPage = definePage({
  path: '/webhooks',
  title: 'Webhooks',
  nav: { group: 'Developers', icon: 'webhook', key: 'w', waiting: 'failingEndpoints' },
  needs: [listWebhookEndpoints],
  uses: [createWebhookEndpoint],
  async get(page) {
    const { cursor } = page.query;
    return drawEndpoints(page, await page.invoke(listWebhookEndpoints, { query: { with: 'hours', cursor, limit: '50' } }));
  },
});
