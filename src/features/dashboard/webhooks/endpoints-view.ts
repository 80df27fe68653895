/** The list of endpoints, with how their last 24 hours went. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { chip, stateChip } from '../../../pages/parts/chips.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { hourBars } from '../../../pages/parts/hour-bars.ts';
import { pagerOf, table } from '../../../pages/parts/table.ts';
import { ago } from '../../../pages/parts/time.ts';
import { createWebhookEndpoint, type listWebhookEndpoints } from '../../webhooks/endpoints/endpoints-operations.ts';
import { tabs } from './tabs.ts';

type Endpoints = AnswerOf<typeof listWebhookEndpoints>;
export type Endpoint = Endpoints['data'][number];

type Look = Pick<PageContext, 'at' | 'can' | 'environment' | 'format' | 'here' | 'query'>;

const FIRST_ENDPOINT = `curl -X POST -H 'x-tenant-api-key: $KEY' -H 'content-type: application/json' $URL/api/v1/webhook-endpoints -d '{"url": "https://shop.example/hooks", "eventTypes": ["payout.*", "member.created"]}'`;

export function drawEndpoints(page: Look, { data, nextCursor }: Endpoints): PageView {
  const { at, can, environment, format } = page;
  const mayMake = can(createWebhookEndpoint);
  const list = table<Endpoint>({
    caption: 'Endpoints',
    rows: data,
    link: ({ id }) => at(`/webhooks/endpoints/${id}`),
    columns: [
      { title: 'Endpoint', cell: (endpoint) => html`<bdi class="break">${endpointName(endpoint)}</bdi>` },
      { title: 'State', cell: (endpoint) => stateOf(endpoint) },
      { title: 'Last 24 hours', secondary: true, cell: ({ hours }) => hours !== undefined && hourBars(format, hours) },
      { title: 'Hears', secondary: true, cell: ({ eventTypes }) => hearsWords(eventTypes) },
      { title: 'Address', secondary: true, cell: ({ url }) => html`<span class="break">${url}</span>` },
      { title: 'Made', secondary: true, cell: ({ createdAt }) => ago(format, createdAt) },
    ],
    empty: empty({
      what: 'Endpoints, to which events are posted, appear here',
      why: `There is none in ${environment} yet.`,
      curl: FIRST_ENDPOINT,
      action: mayMake && { href: at('/webhooks/endpoints/new'), label: 'Make an endpoint' },
    }),
  });
  return {
    lead: `Of ${environment}. Each event is posted to whoever hears its type, signed, and tried again for days.`,
    ...(mayMake && {
      actions: html`<a class="button button-main" href="${at('/webhooks/endpoints/new')}">New endpoint</a>`,
    }),
    body: html`${tabs(page, '/webhooks')}${card({ flush: true, body: html`${list}${pagerOf(page, nextCursor)}` })}`,
  };
}

export function endpointName({ description, url }: Pick<Endpoint, 'description' | 'url'>): string {
  return description ?? URL.parse(url)?.host ?? url;
}

/** One that fails is still tried. */
export function stateOf({ enabled, disabledReason, failingSince }: Endpoint): Html {
  if (!enabled) return disabledReason === 'by_hand' || disabledReason === null ? stateChip('disabled') : chip('disabled', 'bad');
  return failingSince === null ? stateChip('enabled') : chip('fails', 'waiting');
}

export function hearsWords(eventTypes: readonly string[]): string {
  if (eventTypes.includes('*')) return 'everything';
  return eventTypes.length <= 2 ? eventTypes.join(', ') : `${eventTypes[0]} and ${eventTypes.length - 1} more`;
}
