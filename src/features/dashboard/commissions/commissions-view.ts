/** The list of commissions, with the sums they are part of. */
import type { PageView } from '../../../pages/define-page.ts';
import { html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { stateChip } from '../../../pages/parts/chips.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { filters as drawFilters } from '../../../pages/parts/filters.ts';
import { FIRST_SALE } from '../../../pages/parts/first-sale.ts';
import { money } from '../../../pages/parts/money.ts';
import { monthChoices } from '../../../pages/parts/months.ts';
import { pagerOf, table } from '../../../pages/parts/table.ts';
import { ago } from '../../../pages/parts/time.ts';
import { LINE_KINDS, LINE_STATUSES } from '../../commissions/open/commission-line.ts';
import type { CommissionFilters, CommissionsFacts, Look } from './commissions-facts.ts';
import { drawLevels, drawStates } from './sums-view.ts';

const words = (values: readonly string[]) => values.map((value) => ({ value, label: value.replaceAll('_', ' ') }));

const SORTS = [
  { value: 'createdAt', label: 'Oldest first' },
  { value: '-amount', label: 'Largest first' },
  { value: 'amount', label: 'Smallest first' },
];

export function drawCommissions(page: Look, facts: CommissionsFacts): PageView {
  const { member, names, filters } = facts;
  const sale = filters.eventId ?? '';
  const lead =
    member.id !== undefined
      ? html`Of <bdi>${names.link(member.id)}</bdi>`
      : sale !== '' && page.can('events:read') && html`Of <a href="${page.at(`/sales/${sale}`)}">one sale, explained</a>`;
  return {
    ...(lead && { lead }),
    body: html`${drawFilters({ address: page.at('/commissions'), fields: fieldsOf(page, filters) })}${drawStates(page, facts)}${drawLevels(page, facts)}${drawList(page, facts)}`,
  };
}

function fieldsOf({ format, now, query }: Look, { currency, eventId, sort }: CommissionFilters) {
  const { userId, status, kind, level, period } = query;
  return [
    { name: 'userId', label: 'Member', type: 'search', value: userId, placeholder: 'Email, name or id' },
    { name: 'status', label: 'State', type: 'select', value: status, choices: words(LINE_STATUSES) },
    {
      name: 'period',
      label: 'Month of the sale',
      type: 'select',
      value: period,
      choices: monthChoices(format, now, { chosen: period }),
    },
    { name: 'currency', label: 'Currency', type: 'text', value: currency, placeholder: 'EUR' },
    { name: 'kind', label: 'Kind', type: 'select', value: kind, choices: words(LINE_KINDS) },
    { name: 'level', label: 'Level', type: 'text', value: level },
    {
      name: 'sort',
      label: 'Order',
      type: 'select',
      value: sort === '-createdAt' ? undefined : sort,
      choices: SORTS,
      any: 'Newest first',
    },
    ...(eventId === undefined || eventId === ''
      ? []
      : [{ name: 'eventId', label: 'Id of the sale', type: 'text', value: eventId } as const]),
  ] as const;
}

/** Names of the filters in the address. */
export const FILTERS = ['userId', 'eventId', 'status', 'kind', 'level', 'currency', 'period'];

function drawList(page: Look, { lines, nextCursor, member, names }: CommissionsFacts) {
  const { at, can, format, query } = page;
  const isFiltered = FILTERS.some((name) => (query[name] ?? '') !== '');
  const why = member.isUnknown
    ? 'No single member has this id, email, name or external id.'
    : isFiltered
      ? 'None matches these filters.'
      : 'No sale of this environment has paid anybody yet.';
  const list = table({
    caption: 'Commissions',
    rows: lines,
    link: ({ id }) => at(`/commissions/${id}`),
    columns: [
      { title: 'Member', cell: ({ userId }) => html`<bdi class="break">${names.text(userId)}</bdi>` },
      {
        title: 'Sale',
        secondary: true,
        cell: ({ eventId, externalEventId }) =>
          can('events:read')
            ? html`<a class="break" href="${at(`/sales/${eventId}`)}"><bdi>${externalEventId}</bdi></a>`
            : html`<bdi class="break">${externalEventId}</bdi>`,
      },
      { title: 'Level', secondary: true, cell: ({ level }) => (level === 0 ? 'by hand' : level) },
      { title: 'Kind', secondary: true, cell: ({ kind }) => kind.replaceAll('_', ' ') },
      { title: 'State', secondary: true, cell: ({ status }) => stateChip(status) },
      { title: 'Made', secondary: true, cell: ({ createdAt }) => ago(format, createdAt) },
      { title: 'Amount', number: true, cell: ({ amountMinor, currency }) => money(format, amountMinor, currency) },
    ],
    empty: empty({
      what: 'Commissions appear here as sales are recorded',
      why,
      ...(!isFiltered && !member.isUnknown && { curl: FIRST_SALE }),
      action: isFiltered
        ? { href: at('/commissions'), label: 'All commissions' }
        : can('events:read') && { href: at('/sales'), label: 'Sales, and how to send the first' },
    }),
  });
  return card({ flush: true, body: html`${list}${pagerOf(page, nextCursor)}` });
}
