/** Payouts as a list. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { stateChip } from '../../../pages/parts/chips.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { filters } from '../../../pages/parts/filters.ts';
import type { MemberNames } from '../../../pages/parts/member-names.ts';
import { pagerOf, table } from '../../../pages/parts/table.ts';
import { ago } from '../../../pages/parts/time.ts';
import { PAYOUT_STATUSES } from '../../payouts/open/payout-states.ts';
import { RECONCILED_AS } from '../../payouts/open/reconciled-as.ts';
import type { listPayouts } from '../../payouts/payouts/payouts-operations.ts';
import { amountOf } from './amounts.ts';
import { failureWords } from './reasons.ts';
import { drawJudged, JUDGED } from './reconciled.ts';
import { tabs } from './tabs.ts';

type Payouts = AnswerOf<typeof listPayouts>;
type Page = Pick<PageContext, 'at' | 'can' | 'here' | 'opens' | 'format' | 'query'>;

/** Names of the filters in the address. */
export const FILTERS = ['status', 'userId', 'currency', 'from', 'to', 'runId', 'reconciled'];

const SORTS = [
  { value: 'createdAt', label: 'Oldest first' },
  { value: '-amount', label: 'Largest first' },
  { value: 'amount', label: 'Smallest first' },
];

const FIRST = "curl -H 'x-tenant-api-key: $KEY' '$URL/api/v1/payouts?sort=-createdAt'";

interface PayoutsFacts {
  payouts: Payouts;
  names: MemberNames;
  isUnknown: boolean;
}

export function drawPayouts(page: Page, { payouts, names, isUnknown }: PayoutsFacts): PageView {
  const { at, format, query } = page;
  const judged = RECONCILED_AS.find((one) => one === query['reconciled']);
  const isFiltered = FILTERS.some((name) => query[name]);
  const bar = filters({
    address: at('/payouts/all'),
    fields: [
      { name: 'userId', label: 'Member', type: 'search', value: query['userId'], placeholder: 'Email, name or id' },
      {
        name: 'status',
        label: 'State',
        type: 'select',
        value: query['status'],
        choices: PAYOUT_STATUSES.map((value) => ({ value, label: value })),
      },
      { name: 'currency', label: 'Currency', type: 'text', value: query['currency'], placeholder: 'EUR' },
      { name: 'from', label: 'Drafted from', type: 'date', value: query['from'] },
      { name: 'to', label: 'Drafted until', type: 'date', value: query['to'] },
      { name: 'runId', label: 'Id of the run', type: 'text', value: query['runId'] },
      {
        name: 'reconciled',
        label: 'After a restore',
        type: 'select',
        value: query['reconciled'],
        choices: RECONCILED_AS.map((value) => ({ value, label: JUDGED[value] })),
      },
      {
        name: 'sort',
        label: 'Order',
        type: 'select',
        value: query['sort'] === '-createdAt' ? undefined : query['sort'],
        choices: SORTS,
        any: 'Newest first',
      },
    ],
  });
  const list = table<Payouts['data'][number]>({
    caption: 'Payouts',
    rows: payouts.data,
    link: ({ id }) => at(`/payouts/${id}`),
    columns: [
      { title: 'Member', cell: ({ userId }) => html`<bdi class="break">${names.text(userId)}</bdi>` },
      { title: 'State', cell: ({ status }) => stateChip(status) },
      { title: 'Why not', secondary: true, cell: ({ failureCode }) => failureCode && failureWords(failureCode) },
      {
        title: 'Run',
        secondary: true,
        cell: ({ runId }) => (runId === null ? 'by hand' : html`<a href="${at(`/payouts/runs/${runId}`)}">Run</a>`),
      },
      { title: 'Drafted', secondary: true, cell: ({ createdAt }) => ago(format, createdAt) },
      { title: 'Amount', number: true, cell: (payout) => amountOf(format, payout, payout.currency) },
    ],
    empty: empty({
      what: 'Payouts appear here as runs are drafted',
      why: isUnknown
        ? 'No single member has this id, email, name or external id.'
        : isFiltered
          ? 'None matches these filters.'
          : 'No run was drafted yet.',
      ...(!isFiltered && { curl: FIRST }),
      action: isFiltered ? { href: at('/payouts/all'), label: 'All payouts' } : { href: at('/payouts'), label: 'Runs' },
    }),
  });
  return {
    body: html`${tabs(page, '/payouts/all')}${bar}${judged && drawJudged(page, judged)}${card({ flush: true, body: html`${list}${pagerOf(page, payouts.nextCursor)}` })}`,
  };
}
