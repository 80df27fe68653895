/** The list of sales, with what of them is looked for. */
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { stateChip } from '../../../pages/parts/chips.ts';
import type { ChosenMember } from '../../../pages/parts/chosen-member.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { filters } from '../../../pages/parts/filters.ts';
import { FIRST_SALE } from '../../../pages/parts/first-sale.ts';
import type { MemberNames } from '../../../pages/parts/member-names.ts';
import { money } from '../../../pages/parts/money.ts';
import { pagerOf, table } from '../../../pages/parts/table.ts';
import { ago } from '../../../pages/parts/time.ts';
import { whatHappened } from './taken-back-view.ts';
import type { SaleEvent } from './walk-view.ts';

export interface SalesFacts {
  events: readonly SaleEvent[];
  nextCursor: string | null;
  /** Whose sales are asked for. */
  credited: ChosenMember;
  names: MemberNames;
}

const KINDS = [
  { value: 'purchase', label: 'Sale' },
  { value: 'refund', label: 'Refund' },
  { value: 'chargeback', label: 'Dispute' },
  { value: 'commission', label: 'Commission by hand' },
  { value: 'period', label: 'Period' },
];

const STATES = ['accepted', 'unattributed', 'held'].map((value) => ({ value, label: value }));

/** Names of the filters in the address. */
export const FILTERS = ['order', 'kind', 'status', 'customer', 'user_id', 'currency', 'from', 'to'];

export function drawSales(
  page: Pick<PageContext, 'at' | 'can' | 'format' | 'here' | 'query'>,
  { events, nextCursor, credited, names }: SalesFacts,
): PageView {
  const { at, format, query } = page;
  const isFiltered = FILTERS.some((name) => (query[name] ?? '') !== '');
  const why = credited.isUnknown
    ? 'No single member has this id, email, name or external id.'
    : isFiltered
      ? 'None matches these filters.'
      : 'There are none yet in this environment.';
  const list = table<SaleEvent>({
    caption: 'Sales',
    rows: events,
    link: ({ event_id }) => at(`/sales/${event_id}`),
    columns: [
      { title: 'Order', cell: ({ external_event_id: id }) => html`<bdi class="break">${id}</bdi>` },
      { title: 'Kind', secondary: true, cell: whatHappened },
      { title: 'State', secondary: true, cell: ({ status }) => stateChip(status) },
      {
        title: 'Credited to',
        secondary: true,
        cell: ({ attribution: { user_id } }) => (user_id === null ? '–' : html`<bdi>${names.link(user_id)}</bdi>`),
      },
      { title: 'When', secondary: true, cell: ({ occurred_at }) => ago(format, occurred_at) },
      { title: 'Amount', number: true, cell: ({ amount_minor, currency }) => money(format, amount_minor, currency) },
    ],
    empty: empty({
      what: 'Sales, refunds and disputes appear here as they are recorded',
      why,
      ...(!isFiltered && { curl: FIRST_SALE }),
      action: isFiltered
        ? { href: at('/sales'), label: 'All sales' }
        : page.can('admin:keys') && { href: at('/keys/new'), label: 'Make a key for the shop' },
    }),
  });
  const form = filters({
    address: at('/sales'),
    fields: [
      { name: 'order', label: 'Order', type: 'search', value: query['order'] },
      { name: 'user_id', label: 'Credited to', type: 'search', value: query['user_id'], placeholder: 'Email, name or id' },
      { name: 'customer', label: 'Customer id', type: 'search', value: query['customer'] },
      { name: 'kind', label: 'Kind', type: 'select', value: query['kind'], choices: KINDS },
      { name: 'status', label: 'State', type: 'select', value: query['status'], choices: STATES },
      { name: 'from', label: 'From', type: 'date', value: query['from'] },
      { name: 'to', label: 'To', type: 'date', value: query['to'] },
    ],
  });
  return {
    ...(credited.id !== undefined && { lead: html`Credited to <bdi>${names.link(credited.id)}</bdi>` }),
    body: html`${form}${card({ flush: true, body: html`${list}${pagerOf(page, nextCursor)}` })}`,
  };
}
