/** The list of leads. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { html } from '../../../pages/html.ts';
import { ruleInWords } from '../../../pages/parts/candidates.ts';
import { card } from '../../../pages/parts/card.ts';
import { stateChip } from '../../../pages/parts/chips.ts';
import type { ChosenMember } from '../../../pages/parts/chosen-member.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { filters } from '../../../pages/parts/filters.ts';
import type { MemberNames } from '../../../pages/parts/member-names.ts';
import { pagerOf, table } from '../../../pages/parts/table.ts';
import { ago } from '../../../pages/parts/time.ts';
import type { listLeads } from '../../leads/leads-operations.ts';

export type Lead = AnswerOf<typeof listLeads>['data'][number];

export interface LeadsFacts {
  leads: readonly Lead[];
  nextCursor: string | null;
  /** Whose leads are asked for. */
  referrer: ChosenMember;
  names: MemberNames;
}

type Look = Pick<PageContext, 'at' | 'can' | 'format' | 'here' | 'query'>;

const STATES = ['captured', 'qualified', 'converted', 'disqualified', 'expired'].map((value) => ({ value, label: value }));

/** Names of the filters in the address. */
export const FILTERS = ['email', 'conversion_status', 'referrer_user_id', 'source', 'from', 'to'];

const FIRST_LEAD = `curl -X POST -H 'x-tenant-api-key: $KEY' -H 'content-type: application/json' $URL/api/v1/leads/capture -d '{"email": "lea@example.com", "name": "Lea", "referral_code": "F9DZ3HZQDS"}'`;

export function drawLeads(page: Look, { leads, nextCursor, referrer, names }: LeadsFacts): PageView {
  const { at, format, query } = page;
  const isFiltered = FILTERS.some((name) => (query[name] ?? '') !== '');
  const why = referrer.isUnknown
    ? 'No single member has this id, email, name or external id.'
    : isFiltered
      ? 'None matches these filters.'
      : 'Nobody was captured yet in this environment.';
  const list = table<Lead>({
    caption: 'Leads',
    rows: leads,
    link: ({ id }) => at(`/leads/${id}`),
    columns: [
      { title: 'Lead', cell: ({ name, email }) => html`<bdi class="break">${name ?? email}</bdi>` },
      { title: 'Email', secondary: true, cell: ({ email }) => html`<bdi class="break">${email}</bdi>` },
      { title: 'State', cell: ({ conversion_status: state }) => stateChip(state) },
      {
        title: 'Referred by',
        secondary: true,
        cell: ({ referrer_user_id: id }) => (id === null ? 'nobody' : html`<bdi>${names.link(id)}</bdi>`),
      },
      { title: 'By', secondary: true, cell: ({ attribution_rule: rule }) => ruleInWords(rule) },
      {
        title: 'Source',
        secondary: true,
        cell: ({ source, utm_source }) => html`<bdi class="break">${source ?? utm_source ?? '–'}</bdi>`,
      },
      { title: 'Captured', secondary: true, cell: ({ created_at }) => ago(format, created_at) },
    ],
    empty: empty({
      what: 'Leads appear here as they are captured',
      why,
      ...(!isFiltered && { curl: FIRST_LEAD }),
      action: isFiltered
        ? { href: at('/leads'), label: 'All leads' }
        : page.can('referrals:read') && { href: at('/links'), label: 'The links that bring them' },
    }),
  });
  const form = filters({
    address: at('/leads'),
    fields: [
      { name: 'email', label: 'Email, whole', type: 'search', value: query['email'] },
      {
        name: 'referrer_user_id',
        label: 'Referred by',
        type: 'search',
        value: query['referrer_user_id'],
        placeholder: 'Email, name or id',
      },
      { name: 'conversion_status', label: 'State', type: 'select', value: query['conversion_status'], choices: STATES },
      { name: 'source', label: 'Source', type: 'text', value: query['source'] },
      { name: 'from', label: 'Captured from', type: 'date', value: query['from'] },
      { name: 'to', label: 'To', type: 'date', value: query['to'] },
    ],
  });
  return {
    ...(referrer.id !== undefined && { lead: html`Referred by <bdi>${names.link(referrer.id)}</bdi>` }),
    body: html`${form}${card({ flush: true, body: html`${list}${pagerOf(page, nextCursor)}` })}`,
  };
}
