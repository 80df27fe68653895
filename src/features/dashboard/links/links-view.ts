/** The list of referral links. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { stateChip } from '../../../pages/parts/chips.ts';
import type { ChosenMember } from '../../../pages/parts/chosen-member.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { filters } from '../../../pages/parts/filters.ts';
import type { MemberNames } from '../../../pages/parts/member-names.ts';
import { pagerOf, table } from '../../../pages/parts/table.ts';
import { ago, dateOf } from '../../../pages/parts/time.ts';
import { createReferralLink, type listReferralLinks } from '../../referrals/links-operations.ts';

export type Link = AnswerOf<typeof listReferralLinks>['data'][number];

export interface LinksFacts {
  links: readonly Link[];
  nextCursor: string | null;
  /** Whose links are asked for. */
  owner: ChosenMember;
  names: MemberNames;
}

type Look = Pick<PageContext, 'at' | 'can' | 'format' | 'here' | 'now' | 'query'>;

const STATES = ['active', 'disabled'].map((value) => ({ value, label: value }));

/** Names of the filters in the address. */
export const FILTERS = ['user_id', 'status'];

const FIRST_LINK = `curl -X POST -H 'x-tenant-api-key: $KEY' -H 'content-type: application/json' $URL/api/v1/referrals/links -d '{"user_id": "…", "destination_url": "https://shop.example/spring"}'`;

export function drawLinks(page: Look, { links, nextCursor, owner, names }: LinksFacts): PageView {
  const { at, can, format, now, query } = page;
  const isFiltered = FILTERS.some((name) => (query[name] ?? '') !== '');
  const why = owner.isUnknown
    ? 'No single member has this id, email, name or external id.'
    : isFiltered
      ? 'None matches these filters.'
      : 'No member has a link yet. Links lead only to hosts that the settings name.';
  const list = table<Link>({
    caption: 'Links',
    rows: links,
    link: ({ id }) => at(`/links/${id}`),
    columns: [
      { title: 'Link', cell: ({ slug, name }) => html`<bdi class="break">${name ?? slug}</bdi>` },
      { title: 'Of', secondary: true, cell: ({ user_id }) => html`<bdi>${names.link(user_id)}</bdi>` },
      { title: 'Address', secondary: true, cell: ({ slug }) => html`<code class="break">/r/${slug}</code>` },
      { title: 'Leads to', secondary: true, cell: ({ destination_url: to }) => html`<span class="break">${to}</span>` },
      { title: 'State', cell: (link) => stateChip(stateOf(link, now)) },
      {
        title: 'Ends',
        secondary: true,
        cell: ({ expires_at }) => (expires_at === null ? 'never' : dateOf(format, expires_at)),
      },
      { title: 'Made', secondary: true, cell: ({ created_at }) => ago(format, created_at) },
    ],
    empty: empty({
      what: 'Links that credit a member appear here',
      why,
      ...(!isFiltered && { curl: FIRST_LINK }),
      action: isFiltered
        ? { href: at('/links'), label: 'All links' }
        : can(createReferralLink) && { href: at('/links/new'), label: 'Make a link' },
    }),
  });
  const form = filters({
    address: at('/links'),
    fields: [
      { name: 'user_id', label: 'Member', type: 'search', value: query['user_id'], placeholder: 'Email, name or id' },
      { name: 'status', label: 'State', type: 'select', value: query['status'], choices: STATES },
    ],
  });
  return {
    ...(owner.id !== undefined && { lead: html`Of <bdi>${names.link(owner.id)}</bdi>` }),
    ...(can(createReferralLink) && {
      actions: html`<a class="button button-main" href="${at('/links/new', { user_id: owner.id })}">New link</a>`,
    }),
    body: html`${form}${card({ flush: true, body: html`${list}${pagerOf(page, nextCursor)}` })}`,
  };
}

/** One that has ended leads nowhere, whatever it is called. */
export function stateOf({ status, expires_at }: Pick<Link, 'status' | 'expires_at'>, now: Date): string {
  return status === 'active' && expires_at !== null && new Date(expires_at) <= now ? 'expired' : status;
}
