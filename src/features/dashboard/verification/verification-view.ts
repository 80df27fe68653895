/** The queue of verifications as a document. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { actorName } from '../../../pages/parts/actor.ts';
import { card } from '../../../pages/parts/card.ts';
import { stateChip } from '../../../pages/parts/chips.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { filters } from '../../../pages/parts/filters.ts';
import { drawnName } from '../../../pages/parts/member-name.ts';
import { pagerOf, table } from '../../../pages/parts/table.ts';
import type { KYC_STATUSES } from '../../kyc/open/kyc-states.ts';
import type { listKycReviews } from '../../kyc/review/kyc-queue-operations.ts';
import { waitedWords } from './document-words.ts';
import { ALL, FILTERS, kept } from './queue-query.ts';

type Queue = AnswerOf<typeof listKycReviews>;
type Item = Queue['data'][number];
type Look = Pick<PageContext, 'at' | 'can' | 'format' | 'here' | 'query' | 'person'>;

const WORDS: Readonly<Record<string, string>> = {
  pending: 'Waiting for a review',
  resubmit_required: 'Waiting for the member',
  approved: 'Approved',
  rejected: 'Rejected',
  not_started: 'Without documents',
};
const ORDER = [
  'pending',
  'resubmit_required',
  'approved',
  'rejected',
  'not_started',
] as const satisfies (typeof KYC_STATUSES)[number][];
const PROVIDERS = [
  { value: 'manual', label: 'Reviewed here' },
  { value: 'kycvendor', label: 'By the vendor' },
];

export function providerWords(provider: string): string {
  return PROVIDERS.find(({ value }) => value === provider)?.label ?? provider;
}

export function drawVerification(page: Look, { data, countsByStatus, nextCursor }: Queue): PageView {
  const { at, query } = page;
  const isFiltered = FILTERS.some((name) => (query[name] ?? '') !== '');
  const list = table<Item>({
    caption: 'Verifications, the longest waiting first',
    rows: data,
    link: ({ id }) => at(`/verification/${id}`, kept(page)),
    columns: [
      { title: 'Member', cell: ({ user }) => html`<span class="break">${drawnName(user)}</span>` },
      { title: 'Email', secondary: true, cell: ({ user }) => html`<bdi class="break">${user.email}</bdi>` },
      { title: 'State', cell: ({ status }) => stateChip(status) },
      { title: 'For', cell: ({ waitingSeconds }) => waitedWords(waitingSeconds) },
      { title: 'Provider', secondary: true, cell: ({ provider }) => providerWords(provider) },
      { title: 'Assigned to', secondary: true, cell: ({ assignedTo }) => html`<bdi class="break">${assignedTo ?? '–'}</bdi>` },
      {
        title: 'Taken by',
        secondary: true,
        cell: ({ takenBy }) => (takenBy === null ? '–' : html`<bdi class="break">${takerOf(page, takenBy)}</bdi>`),
      },
    ],
    empty: empty({
      what: 'Members who wait to be verified appear here',
      why: isFiltered ? 'None matches these filters.' : 'Nobody waits for a review in this environment.',
      action: isFiltered && { href: at('/verification'), label: 'Those that wait' },
    }),
  });
  const form = filters({
    address: at('/verification'),
    fields: [
      {
        name: 'status',
        label: 'State',
        type: 'select',
        value: query['status'],
        any: WORDS['pending'] ?? '',
        choices: [...ORDER.slice(1), ALL].map((value) => ({ value, label: WORDS[value] ?? 'Any' })),
      },
      { name: 'provider', label: 'Provider', type: 'select', value: query['provider'], choices: PROVIDERS },
      { name: 'assignedTo', label: 'Assigned to', type: 'text', value: query['assignedTo'] },
      { name: 'userId', label: 'Id of the member', type: 'text', value: query['userId'] },
    ],
  });
  const start = at('/verification', { ...kept(page), start: 'yes' });
  return {
    lead: 'The longest waiting first. Whoever opens a record has it for 15 minutes.',
    actions: html`<a class="button" href="${at('/verification', { assignedTo: page.person.email })}">Assigned to me</a><a class="button button-main" href="${start}">Start reviewing</a>`,
    body: html`${query['start'] === 'yes' && html`<div class="notice notice-waiting" role="status"><p>Nothing waits that nobody else has taken.</p></div>`}${drawCounts(page, countsByStatus)}${form}${card({ flush: true, body: html`${list}${pagerOf(page, nextCursor)}` })}`,
  };
}

function drawCounts({ at, format, query }: Look, counts: Queue['countsByStatus']): Html {
  const now = query['status'] || 'pending';
  const links = ORDER.map((status) => {
    const href = at('/verification', { ...kept({ query }), status: status === 'pending' ? undefined : status });
    return html`<a href="${href}"${status === now && html` aria-current="page"`}>${WORDS[status]} <strong>${format.count(counts[status])}</strong></a>`;
  });
  return html`<nav class="tabs" aria-label="By state">${links}</nav>`;
}

function takerOf({ person }: Look, taker: NonNullable<Item['takenBy']>): string {
  return taker.id === person.id ? 'you' : actorName(taker);
}
