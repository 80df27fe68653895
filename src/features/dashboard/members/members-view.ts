/** The list of members: a search as one types, and below it the members found. */
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { label, stateChip } from '../../../pages/parts/chips.ts';
import { empty } from '../../../pages/parts/empty.ts';
import type { FoundBy } from '../../../pages/parts/find-members.ts';
import { drawnName, isolated } from '../../../pages/parts/member-name.ts';
import { pagerOf, table } from '../../../pages/parts/table.ts';
import { dateOf } from '../../../pages/parts/time.ts';
import type { ListedMember } from './find-members.ts';

type Page = Pick<PageContext, 'at' | 'here' | 'query' | 'format' | 'can'>;

export interface MemberList {
  data: readonly ListedMember[];
  nextCursor: string | null;
  by: FoundBy | undefined;
  /** Of sponsors, by id. */
  names: ReadonlyMap<string, string>;
}

/** The part of the page that is asked for alone while somebody types. */
export const LIST = 'members';

/** Names of the filters in the address; the last is the order. */
export const FILTERS = ['q', 'tier', 'isActive', 'sponsorId', 'joinedFrom', 'joinedTo', 'sort'];

export const TIERS = ['ORDINARY', 'SENIOR', 'MANAGER', 'DIRECTOR'] as const;

const SORTS: readonly [string, string][] = [
  ['', 'Oldest first'],
  ['-joined', 'Newest first'],
  ['name', 'Name'],
  ['-downline', 'Largest team first'],
];

const FOUND_BY: Readonly<Record<FoundBy, string>> = {
  ids: 'by id',
  email: 'by the beginning of the email',
  name: 'by the beginning of the name',
  externalId: 'by external id',
};

export function drawMembers(page: Page, list: MemberList): PageView {
  return {
    lead: 'Who is this, and how are they doing?',
    body: html`${drawSearch(page, list)}<div id="${LIST}">${drawMemberRows(page, list)}</div>`,
    scripts: ['htmx'],
  };
}

/** The filters as a form; with script the list is drawn again as one types. */
function drawSearch({ at, query }: Page, { names }: MemberList): Html {
  const { q = '', tier = '', isActive = '', sponsorId, sort = '' } = query;
  const option = (value: string, word: string, chosen: string): Html =>
    html`<option value="${value}"${value === chosen && html` selected`}>${word}</option>`;
  const sponsor =
    sponsorId !== undefined &&
    html`<input type="hidden" name="sponsorId" value="${sponsorId}"><p class="filter-set">Recruits of <a href="${at(`/members/${sponsorId}`)}">${names.get(sponsorId) ?? 'one member'}</a></p>`;
  const days = (['joinedFrom', 'joinedTo'] as const).map((name) => ({ name, day: query[name] ?? '' }));
  const joined = days.map(
    ({ name, day }) =>
      html`<div class="field"><label for="members-${name}">${name === 'joinedFrom' ? 'Joined from' : 'Joined until'}</label><input id="members-${name}" name="${name}" type="date" value="${day}"></div>`,
  );
  const isSet = FILTERS.some((name) => (query[name] ?? '') !== '');
  return html`<form class="filters" method="get" action="${at('/members')}" role="search" aria-label="Members" hx-get="${at('/members')}" hx-trigger="input delay:200ms, change, submit" hx-target="#members" hx-swap="innerHTML" hx-replace-url="true" hx-sync="this:replace"><div class="field field-wide"><label for="members-q">Search</label><input id="members-q" name="q" type="search" value="${q}" placeholder="Email, name or id" autocomplete="off" spellcheck="false"></div><div class="field"><label for="members-tier">Tier</label><select id="members-tier" name="tier">${option('', 'Any', tier)}${TIERS.map((one) => option(one, one, tier))}</select></div><div class="field"><label for="members-state">State</label><select id="members-state" name="isActive">${option('', 'Any', isActive)}${option('true', 'active', isActive)}${option('false', 'inactive', isActive)}</select></div><div class="field"><label for="members-sort">Order</label><select id="members-sort" name="sort">${SORTS.map(([value, word]) => option(value, word, sort))}</select></div>${days.some(({ day }) => day !== '') && joined}${sponsor}<div class="filters-end"><button class="button" type="submit">Show</button>${isSet && html`<a href="${at('/members')}">Clear</a>`}</div></form>`;
}

export function drawMemberRows(page: Page, { data, nextCursor, by, names }: MemberList): Html {
  const { at, format } = page;
  const rows = table({
    caption: 'Members',
    rows: data,
    link: ({ id }) => at(`/members/${id}`),
    columns: [
      { title: 'Member', cell: (member) => drawnName(member) },
      { title: 'Email', secondary: true, cell: ({ email }) => isolated(email) },
      {
        title: 'Tier',
        secondary: true,
        cell: ({ membershipTier, isTestUser }) => html`${label(membershipTier)}${isTestUser && html` ${label('test')}`}`,
      },
      { title: 'State', cell: ({ isActive }) => stateChip(isActive ? 'active' : 'inactive') },
      {
        title: 'Sponsor',
        secondary: true,
        cell: ({ sponsorId }) =>
          sponsorId === null
            ? html`<span class="muted">none</span>`
            : html`<a href="${at(`/members/${sponsorId}`)}">${isolated(names.get(sponsorId) ?? 'Sponsor')}</a>`,
      },
      { title: 'Code', secondary: true, cell: ({ referralCode }) => html`<code>${referralCode}</code>` },
      { title: 'Joined', number: true, secondary: true, cell: ({ joinedAt }) => dateOf(format, joinedAt) },
    ],
    empty: noMembers(page),
  });
  const here: Page['here'] = (query) => page.here({ ...query, by });
  const found = by !== undefined && data.length > 0 && html`<p class="muted list-note">Found ${FOUND_BY[by]}.</p>`;
  return html`${card({ flush: true, body: html`${rows}${pagerOf({ query: page.query, here }, nextCursor)}` })}${found}`;
}

function noMembers({ query, at, can }: Page): Html {
  const isFiltered = FILTERS.some((name) => name !== 'sort' && (query[name] ?? '') !== '');
  if (isFiltered) {
    return empty({
      what: 'Nobody is found',
      why: 'No member has an email or a name that begins so, or such an id, and all that the other filters ask for.',
      action: { href: at('/members'), label: 'Show all members' },
    });
  }
  return empty({
    what: 'Members appear here as they join',
    why: 'There are none yet in this environment.',
    curl: 'curl -X POST -H \'x-tenant-api-key: $KEY\' -H \'content-type: application/json\' $URL/api/v1/users -d \'{"email": "ada@shop.example", "name": "Ada Example"}\'',
    action: can('members:write') && { href: at('/imports'), label: 'Import a file of members' },
  });
}
