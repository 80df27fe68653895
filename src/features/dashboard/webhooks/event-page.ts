/** One event of the log, as it is sent. */
import { definePage } from '../../../pages/define-page.ts';
import { html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { id } from '../../../pages/parts/id.ts';
import { listWebhookDeliveries } from '../../webhooks/deliveries/deliveries-operations.ts';
import { getWebhookEvent } from '../../webhooks/log/events-operations.ts';
import { prettyJson } from './json.ts';

export const eventPage = definePage({
  path: '/webhooks/events/:webhookEventId',
  title: 'Event',
  below: '/webhooks',
  needs: [getWebhookEvent, listWebhookDeliveries],
  async get(page) {
    const { at } = page;
    const event = await page.invoke(getWebhookEvent, { params: { eventId: page.params['webhookEventId'] ?? '' } });
    return {
      title: event.type,
      crumbs: [
        { label: 'Webhooks', href: at('/webhooks') },
        { label: 'Log', href: at('/webhooks/events') },
      ],
      crumb: id(event.id),
      actions: html`<a class="button" href="${at('/webhooks/events', { objectId: event.objectId })}">Events of the object</a><a class="button" href="${at('/webhooks/deliveries', { eventId: event.id })}">Deliveries</a>`,
      body: card({
        lead: 'Laid out to be read: it is signed and sent without line breaks.',
        body: prettyJson(event),
      }),
    };
  },
});
