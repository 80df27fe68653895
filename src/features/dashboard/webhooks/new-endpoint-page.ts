/** A new endpoint: where to, what it hears, and its secret, once. */
import { definePage } from '../../../pages/define-page.ts';
import { createWebhookEndpoint } from '../../webhooks/endpoints/endpoints-operations.ts';
import { listWebhookEventTypes } from '../../webhooks/log/events-operations.ts';
import { besideItsField, eventTypesOf, headersOf } from './endpoint-fields.ts';
import { drawNewEndpoint, drawSecret } from './new-endpoint-view.ts';

export const newEndpointPage = definePage({
  path: '/webhooks/endpoints/new',
  title: 'New endpoint',
  below: '/webhooks',
  needs: [createWebhookEndpoint, listWebhookEventTypes],
  async get(page) {
    const { data } = await page.invoke(listWebhookEventTypes);
    return drawNewEndpoint(page, data);
  },
  actions: {
    create: {
      needs: [createWebhookEndpoint],
      async run(page, form) {
        const eventTypes = eventTypesOf(form);
        const headers = headersOf(form);
        const body = {
          url: form.text('url') ?? '',
          eventTypes,
          description: form.text('description'),
          ...(headers && { headers }),
        };
        const made = await besideItsField(form, eventTypes, () => page.invoke(createWebhookEndpoint, { body }));
        return { shownOnce: drawSecret(page, made) };
      },
    },
  },
});
