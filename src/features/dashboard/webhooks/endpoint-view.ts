/** One endpoint as a document. */
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { actor, auditOf } from '../../../pages/parts/actor.ts';
import { beside, card } from '../../../pages/parts/card.ts';
import { opensDialog } from '../../../pages/parts/dialog.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { eventsOf } from '../../../pages/parts/events-of.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { hourBars } from '../../../pages/parts/hour-bars.ts';
import { id } from '../../../pages/parts/id.ts';
import { exactTime } from '../../../pages/parts/time.ts';
import {
  deleteWebhookEndpoint,
  replayWebhookEvents,
  rotateWebhookSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
} from '../../webhooks/endpoints/endpoints-operations.ts';
import { type Delivery, deliveriesTable } from './deliveries-view.ts';
import { drawDialogs } from './endpoint-dialogs.ts';
import { descriptionField, type EventTypes, typeFields, urlField } from './endpoint-fields.ts';
import { type Endpoint, endpointName, stateOf } from './endpoints-view.ts';

export interface EndpointFacts {
  endpoint: Endpoint;
  types: EventTypes;
  /** Its latest. */
  deliveries: readonly Delivery[];
}

type Look = Pick<PageContext, 'at' | 'can' | 'form' | 'format' | 'here' | 'now' | 'opens' | 'query'>;

export function drawEndpoint(page: Look, { endpoint, types, deliveries }: EndpointFacts): PageView {
  const { at, can, format } = page;
  const { enabled, hours } = endpoint;
  const latest = card({
    title: 'Latest deliveries',
    actions: html`<a class="button" href="${at('/webhooks/deliveries', { endpointId: endpoint.id })}">All of them</a><a class="button" href="${at('/webhooks/deliveries', { endpointId: endpoint.id, status: 'failed' })}">Failed</a>`,
    flush: true,
    body: deliveriesTable(page, deliveries, {
      empty: empty({ what: 'What was sent appears here', why: 'It was sent nothing yet.', level: 3 }),
    }),
  });
  const mayChange = can(updateWebhookEndpoint);
  const buttons = html`${enabled && can(testWebhookEndpoint) && opensDialog('test', 'Send a test…')}${enabled && can(replayWebhookEvents) && opensDialog('replay', 'Send again…')}${mayChange && html`${opensDialog('headers', 'Headers…')}${opensDialog('switch', enabled ? 'Disable…' : 'Enable…')}`}${can(rotateWebhookSecret) && opensDialog('rotate', 'Rotate the secret…')}${can(deleteWebhookEndpoint) && opensDialog('delete', 'Delete…')}`;
  return {
    title: endpointName(endpoint),
    crumbs: [{ label: 'Webhooks', href: at('/webhooks') }],
    crumb: id(endpoint.id),
    actions: html`${auditOf(page, 'webhook_endpoint', endpoint.id)}${eventsOf(page, endpoint.id, { label: 'Events about it' })}${buttons}`,
    body: html`${trouble(page, endpoint)}${card({
      title: 'The last 24 hours',
      body: hours === undefined ? undefined : hourBars(format, hours),
    })}${latest}${beside(mayChange ? changeCard(page, endpoint, types) : hearsCard(endpoint), aboutCard(page, endpoint))}${drawDialogs(page, endpoint, types)}`,
  };
}

/** Why it is sent nothing, and what to do about it. */
function trouble({ format }: Look, { enabled, disabledReason, failingSince }: Endpoint): Html | false {
  if (enabled) {
    return (
      failingSince !== null &&
      html`<div class="notice notice-waiting"><p>Nothing was delivered since ${exactTime(format, failingSince)}. It is disabled after five days of that.</p></div>`
    );
  }
  const why = {
    by_hand: 'It was disabled by hand.',
    gone: 'It answered 410 Gone, and was disabled for that.',
    failing: 'Nothing was delivered for five days, and it was disabled for that.',
  }[disabledReason ?? 'by_hand'];
  return html`<div class="notice notice-bad"><p>${why} What waits is sent when it is enabled again; what happens until then is not.</p></div>`;
}

function changeCard(page: Look, endpoint: Endpoint, types: EventTypes): Html {
  const form = page.form('change', {
    fields: [urlField(endpoint.url), descriptionField(endpoint.description), ...typeFields(types, endpoint.eventTypes)],
    submit: 'Keep the changes',
  });
  return card({ title: 'Change', body: form });
}

function hearsCard({ eventTypes }: Endpoint): Html {
  return card({
    title: 'It hears',
    body: html`<ul class="plain">${eventTypes.map((type) => html`<li><code>${type}</code></li>`)}</ul>`,
  });
}

function aboutCard(page: Look, endpoint: Endpoint): Html {
  const { format } = page;
  const { headerNames, hiddenTypes, oldSecretUntil, disabledAt } = endpoint;
  return card({
    title: 'About',
    body: facts([
      { name: 'State', value: stateOf(endpoint) },
      { name: 'Address', value: html`<span class="break">${endpoint.url}</span>` },
      disabledAt !== null && { name: 'Disabled', value: exactTime(format, disabledAt) },
      {
        name: 'Headers of its own',
        value:
          headerNames.length > 0 &&
          html`<ul class="plain">${headerNames.map((name) => html`<li><code class="break">${name}</code></li>`)}</ul>`,
      },
      hiddenTypes.length > 0 && {
        name: 'Without their object',
        value: html`<ul class="plain">${hiddenTypes.map((type) => html`<li><code>${type}</code></li>`)}</ul>`,
      },
      oldSecretUntil !== null && { name: 'Two secrets until', value: exactTime(format, oldSecretUntil) },
      { name: 'Made by', value: actor(page, endpoint.createdBy) },
      { name: 'Made', value: exactTime(format, endpoint.createdAt) },
      { name: 'Changed', value: exactTime(format, endpoint.updatedAt) },
    ]),
  });
}
