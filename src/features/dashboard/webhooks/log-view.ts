/** The log of events as a document. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { html } from '../../../pages/html.ts';
import { actorKind } from '../../../pages/parts/actor.ts';
import { card } from '../../../pages/parts/card.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { filters } from '../../../pages/parts/filters.ts';
import { pager, table } from '../../../pages/parts/table.ts';
import { exactTime } from '../../../pages/parts/time.ts';
import type { listWebhookEvents } from '../../webhooks/log/events-operations.ts';
import { objectOf } from './json.ts';
import { tabs } from './tabs.ts';

export type WebhookEvent = AnswerOf<typeof listWebhookEvents>['data'][number];

/** Names of the filters in the address. */
export const FILTERS = ['type', 'objectId', 'from', 'to'];

export interface LogFacts {
  /** With filters they stand in the order of the log, without the newest is first. */
  isFiltered: boolean;
  events: readonly WebhookEvent[];
  /** Addresses of the pages beside this one. */
  before?: string;
  behind?: string;
}

type Look = Pick<PageContext, 'at' | 'can' | 'environment' | 'format' | 'opens' | 'query'>;

export function drawLog(page: Look, { isFiltered, events, before, behind }: LogFacts): PageView {
  const { at, format, query } = page;
  const list = table<WebhookEvent>({
    caption: 'Events',
    rows: events,
    link: ({ id }) => at(`/webhooks/events/${id}`),
    columns: [
      { title: 'Event', cell: ({ type }) => html`<code class="break">${type}</code>` },
      { title: 'Number', number: true, cell: ({ sequence }) => format.count(sequence) },
      { title: 'Happened', secondary: true, cell: ({ occurredAt }) => exactTime(format, occurredAt) },
      { title: 'Object', secondary: true, cell: ({ type, objectId }) => objectOf(page, type, objectId) },
      { title: 'By', secondary: true, cell: ({ actor }) => actorKind(actor.kind) },
    ],
    empty: empty({
      what: 'What happens appears here, as it is told to endpoints',
      why: isFiltered
        ? 'Nothing of the last 30 days matches these filters.'
        : 'Nothing was written down in the last 30 days. It is where an endpoint hears of it, or the setting webhooks.eventLog says so.',
      action: isFiltered
        ? { href: at('/webhooks/events'), label: 'The whole log' }
        : { href: at('/webhooks'), label: 'Endpoints' },
    }),
  });
  const bar = filters({
    address: at('/webhooks/events'),
    fields: [
      { name: 'type', label: 'Type', type: 'text', value: query['type'], placeholder: 'payout.paid' },
      { name: 'objectId', label: 'Id of the object', type: 'text', value: query['objectId'] },
      { name: 'from', label: 'From', type: 'date', value: query['from'] },
      { name: 'to', label: 'Until', type: 'date', value: query['to'] },
    ],
  });
  return {
    lead: isFiltered ? 'The oldest first, of the last 30 days.' : 'The newest first, of the last 30 days. Numbers have no gaps.',
    crumbs: [{ label: 'Webhooks', href: at('/webhooks') }],
    crumb: 'Log',
    body: html`${tabs(page, '/webhooks/events')}${bar}${card({ flush: true, body: html`${list}${isFiltered ? alongTheLog(before, behind) : pager({ newer: before, older: behind })}` })}`,
  };
}

function alongTheLog(before: string | undefined, behind: string | undefined) {
  if (before === undefined && behind === undefined) return undefined;
  return html`<nav class="pager" aria-label="Pages">${before !== undefined && html`<a class="button" rel="first" href="${before}">From the beginning</a>`}${behind !== undefined && html`<a class="button" rel="next" href="${behind}">Further</a>`}</nav>`;
}
