/** The list of sales, with what of them is looked for. */
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { stateChip } from '../../../pages/parts/chips.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { filters } from '../../../pages/parts/filters.ts';
import type { MemberNames } from '../../../pages/parts/member-names.ts';
import { money } from '../../../pages/parts/money.ts';
import { pagerOf, table } from '../../../pages/parts/table.ts';
import { ago } from '../../../pages/parts/time.ts';
import { whatHappened } from './taken-back-view.ts';
import type { SaleEvent } from './walk-view.ts';

export interface SalesFacts {
  events: readonly SaleEvent[];
  nextCursor: string | null;
  names: MemberNames;
}

const KINDS = [
  { value: 'purchase', label: 'Sale' },
  { value: 'refund', label: 'Refund' },
  { value: 'chargeback', label: 'Dispute' },
  { value: 'commission', label: 'Commission by hand' },
];

const STATES = ['accepted', 'unattributed', 'held'].map((value) => ({ value, label: value }));

export function drawSales(
  page: Pick<PageContext, 'at' | 'format' | 'here' | 'query'>,
  { events, nextCursor, names }: SalesFacts,
): PageView {
  const { at, format, query } = page;
  const isFiltered = ['order', 'kind', 'status', 'customer', 'member'].some((name) => (query[name] ?? '') !== '');
  const list = table({
    caption: 'Sales',
    rows: events,
    link: ({ event_id }) => at(`/sales/${event_id}`),
    columns: [
      { title: 'Order', cell: ({ external_event_id }) => html`<span class="break">${external_event_id}</span>` },
      { title: 'Kind', secondary: true, cell: (event) => (event.kind === 'purchase' ? 'Sale' : whatHappened(event)) },
      { title: 'State', cell: ({ status }) => stateChip(status) },
      { title: 'Credited to', secondary: true, cell: ({ attribution }) => names.link(attribution.user_id) },
      { title: 'When', secondary: true, cell: ({ occurred_at }) => ago(format, occurred_at) },
      { title: 'Amount', number: true, cell: ({ amount_minor, currency }) => money(format, amount_minor, currency) },
    ],
    empty: empty({
      what: 'Sales, refunds and disputes appear here as they are recorded',
      why: isFiltered ? 'None matches these filters.' : 'There are none yet in this environment.',
      curl: `curl -X POST -H 'x-tenant-api-key: $KEY' -H 'content-type: application/json' $URL/api/v1/events/purchase -d '{"external_event_id": "order-1", "amount_minor": 4956, "currency": "EUR", "customer": {"external_id": "customer-1"}}'`,
      action: isFiltered && { href: at('/sales'), label: 'All sales' },
    }),
  });
  const form = filters({
    address: at('/sales'),
    fields: [
      { name: 'order', label: 'Order', type: 'search', value: query['order'] },
      { name: 'kind', label: 'Kind', type: 'select', value: query['kind'], choices: KINDS },
      { name: 'status', label: 'State', type: 'select', value: query['status'], choices: STATES },
      { name: 'customer', label: 'Customer id', type: 'text', value: query['customer'] },
      { name: 'member', label: 'Id of the credited member', type: 'text', value: query['member'] },
    ],
  });
  return { body: html`${form}${card({ flush: true, body: list })}${pagerOf(page, nextCursor)}` };
}
