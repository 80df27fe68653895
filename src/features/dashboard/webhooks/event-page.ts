/** One event of the log, as it is sent. */
import { definePage } from '../../../pages/define-page.ts';
import { html } from '../../../pages/html.ts';
import { actorKind } from '../../../pages/parts/actor.ts';
import { card } from '../../../pages/parts/card.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { id } from '../../../pages/parts/id.ts';
import { exactTime } from '../../../pages/parts/time.ts';
import { listWebhookDeliveries } from '../../webhooks/deliveries/deliveries-operations.ts';
import { getWebhookEvent } from '../../webhooks/log/events-operations.ts';
import { objectOf, prettyJson } from './json.ts';

export const eventPage = definePage({
  path: '/webhooks/events/:webhookEventId',
  title: 'Event',
  below: '/webhooks',
  needs: [getWebhookEvent, listWebhookDeliveries],
  async get(page) {
    const { at, format } = page;
    const event = await page.invoke(getWebhookEvent, { params: { eventId: page.params['webhookEventId'] ?? '' } });
    return {
      title: event.type,
      crumbs: [
        { label: 'Webhooks', href: at('/webhooks') },
        { label: 'Log', href: at('/webhooks/events') },
      ],
      crumb: id(event.id),
      actions: html`<a class="button" href="${at('/webhooks/events', { objectId: event.objectId })}">Events of the object</a><a class="button" href="${at('/webhooks/deliveries', { eventId: event.id })}">Deliveries</a>`,
      body: html`${card({
        body: facts(
          [
            { name: 'Object', value: objectOf(page, event.type, event.objectId) },
            { name: 'Happened', value: exactTime(format, event.occurredAt) },
            { name: 'By', value: actorKind(event.actor.kind) },
            { name: 'Number in the log', value: format.count(event.sequence) },
          ],
          { row: true },
        ),
      })}${card({
        title: 'What is sent',
        lead: 'Laid out to be read: it is signed and sent without line breaks.',
        body: prettyJson(event),
      })}`,
    };
  },
});
