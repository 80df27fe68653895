/** The list of deliveries. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Drawn, type Html, html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { stateChip } from '../../../pages/parts/chips.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { filters } from '../../../pages/parts/filters.ts';
import { shortId } from '../../../pages/parts/id.ts';
import { pagerOf, table } from '../../../pages/parts/table.ts';
import { ago, exactTime } from '../../../pages/parts/time.ts';
import { DELIVERY_STATUSES, type listWebhookDeliveries } from '../../webhooks/deliveries/deliveries-operations.ts';
import { type Endpoint, endpointName } from './endpoints-view.ts';
import { answerChip, whyNot } from './fault-words.ts';
import { objectOf } from './json.ts';
import { tabs } from './tabs.ts';

type Deliveries = AnswerOf<typeof listWebhookDeliveries>;
export type Delivery = Deliveries['data'][number];

/** Names of the filters in the address. */
export const FILTERS = ['endpointId', 'type', 'status', 'objectId', 'eventId', 'from', 'to'];

type TableLook = Pick<PageContext, 'at' | 'format' | 'opens'>;
type Look = TableLook & Pick<PageContext, 'can' | 'here' | 'query'>;

export function drawDeliveries(
  page: Look,
  { deliveries, endpoints }: { deliveries: Deliveries; endpoints: readonly Endpoint[] },
): PageView {
  const { at, query } = page;
  const objectId = query['objectId'] ?? '';
  const isFiltered = FILTERS.some((name) => (query[name] ?? '') !== '');
  const names = new Map(endpoints.map((endpoint) => [endpoint.id, endpointName(endpoint)]));
  const list = deliveriesTable(page, deliveries.data, {
    endpoint: ({ endpointId }) => {
      const name = names.get(endpointId);
      if (name === undefined)
        return html`<code title="${endpointId}">${shortId(endpointId)}</code> <span class="muted">deleted</span>`;
      return html`<a href="${at(`/webhooks/endpoints/${endpointId}`)}"><bdi class="break">${name}</bdi></a>`;
    },
    empty: empty({
      what: 'Each event for each endpoint that hears it appears here',
      why: isFiltered ? 'None of the last 30 days matches these filters.' : 'There was none in the last 30 days.',
      action: isFiltered
        ? { href: at('/webhooks/deliveries'), label: 'All deliveries' }
        : { href: at('/webhooks'), label: 'Endpoints' },
    }),
  });
  const bar = filters({
    address: at('/webhooks/deliveries'),
    fields: [
      {
        name: 'endpointId',
        label: 'To',
        type: 'select',
        value: query['endpointId'],
        choices: [...names].map(([value, label]) => ({ value, label })),
      },
      { name: 'type', label: 'Type', type: 'text', value: query['type'], placeholder: 'payout.paid' },
      {
        name: 'status',
        label: 'State',
        type: 'select',
        value: query['status'],
        choices: DELIVERY_STATUSES.map((value) => ({ value, label: value })),
      },
      { name: 'objectId', label: 'Id of the object', type: 'text', value: query['objectId'] },
      { name: 'eventId', label: 'Id of the event', type: 'text', value: query['eventId'] },
      { name: 'from', label: 'From', type: 'date', value: query['from'] },
      { name: 'to', label: 'Until', type: 'date', value: query['to'] },
    ],
  });
  return {
    lead: 'Newest first, of the last 30 days. A delivery is one event for one endpoint.',
    crumbs: [{ label: 'Webhooks', href: at('/webhooks') }],
    crumb: 'Deliveries',
    actions: objectId !== '' && html`<a class="button" href="${at('/webhooks/events', { objectId })}">In the log</a>`,
    body: html`${tabs(page, '/webhooks/deliveries')}${bar}${card({ flush: true, body: html`${list}${pagerOf(page, deliveries.nextCursor)}` })}`,
  };
}

export interface TableOfDeliveries {
  empty: Html;
  /** Where they are of several. */
  endpoint?(delivery: Delivery): Drawn;
}

export function deliveriesTable(page: TableLook, rows: readonly Delivery[], { empty, endpoint }: TableOfDeliveries): Html {
  const { at, format } = page;
  return table<Delivery>({
    caption: 'Deliveries',
    rows,
    link: ({ id }) => at(`/webhooks/deliveries/${id}`),
    columns: [
      { title: 'Event', cell: ({ eventType }) => html`<code class="break">${eventType}</code>` },
      { title: 'State', cell: ({ status }) => stateChip(status) },
      ...(endpoint ? [{ title: 'To', secondary: true, cell: endpoint }] : []),
      {
        title: 'Object',
        secondary: true,
        cell: ({ eventType, objectId }) => objectOf(page, eventType, objectId),
      },
      { title: 'Attempts', number: true, secondary: true, cell: ({ attemptCount }) => format.count(attemptCount) },
      { title: 'Last answer', secondary: true, cell: ({ lastAttempt }) => lastWords(lastAttempt) },
      {
        title: 'Next try',
        secondary: true,
        cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? '–' : exactTime(format, nextAttemptAt)),
      },
      { title: 'Made', secondary: true, cell: ({ createdAt }) => ago(format, createdAt) },
    ],
    empty,
  });
}

function lastWords(last: Delivery['lastAttempt']): Drawn {
  if (last === null) return 'not tried yet';
  return html`${answerChip(last)} ${whyNot(last)}`;
}
