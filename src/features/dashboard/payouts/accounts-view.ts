/** The payout accounts of all members as a list. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { chip, label, stateChip } from '../../../pages/parts/chips.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { filters } from '../../../pages/parts/filters.ts';
import type { MemberNames } from '../../../pages/parts/member-names.ts';
import { pagerOf, table } from '../../../pages/parts/table.ts';
import { dateOf, exactTime } from '../../../pages/parts/time.ts';
import type { listAllPayoutAccounts } from '../../payouts/accounts/all-accounts-operations.ts';
import { NAME_MATCHES } from '../../payouts/open/holder-names.ts';
import { ACCOUNT_STATUSES } from '../../payouts/open/payout-states.ts';
import { tabs } from './tabs.ts';

type Accounts = AnswerOf<typeof listAllPayoutAccounts>;
type Account = Accounts['data'][number];
type Page = Pick<PageContext, 'at' | 'here' | 'opens' | 'form' | 'format' | 'query' | 'now'>;

/** Names of the filters in the address. */
export const FILTERS = ['userId', 'status', 'currency', 'nameMatch', 'shared', 'primary', 'onHold'];

const FIRST = "curl -H 'x-tenant-api-key: $KEY' '$URL/api/v1/payout-accounts?nameMatch=mismatch'";

const words = (values: readonly string[]) => values.map((value) => ({ value, label: value.replaceAll('_', ' ') }));
const YES_NO = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];

interface AccountsFacts {
  accounts: Accounts;
  names: MemberNames;
  /** Somebody was named who is no member. */
  isUnknown: boolean;
}

export function drawAccounts(page: Page, { accounts, names, isUnknown }: AccountsFacts): PageView {
  const { data, nextCursor } = accounts;
  const { at, format, query } = page;
  const isFiltered = FILTERS.some((name) => query[name]);
  const bar = filters({
    address: at('/payouts/accounts'),
    fields: [
      { name: 'userId', label: 'Member', type: 'search', value: query['userId'], placeholder: 'Email, name or id' },
      { name: 'status', label: 'State', type: 'select', value: query['status'], choices: words(ACCOUNT_STATUSES) },
      { name: 'nameMatch', label: 'Name', type: 'select', value: query['nameMatch'], choices: words(NAME_MATCHES) },
      { name: 'shared', label: 'Shared with another', type: 'select', value: query['shared'], choices: YES_NO },
      { name: 'primary', label: 'Primary', type: 'select', value: query['primary'], choices: YES_NO },
      { name: 'onHold', label: 'Member on hold', type: 'select', value: query['onHold'], choices: YES_NO },
      { name: 'currency', label: 'Currency', type: 'text', value: query['currency'], placeholder: 'EUR' },
    ],
  });
  const list = table<Account>({
    caption: 'Payout accounts',
    rows: data,
    columns: [
      { title: 'Member', cell: ({ userId }) => html`<bdi class="break">${names.link(userId)}</bdi>` },
      {
        title: 'Account',
        cell: (account) =>
          html`<bdi class="break">${account.displayName}</bdi> <span class="muted">${account.countryCode}, ${account.currency}</span>${account.isPrimary && html` ${label('primary')}`}`,
      },
      { title: 'State', secondary: true, cell: (account) => stateOf(account) },
      { title: 'To look at', cell: (account) => flags(page, account) },
      { title: 'Added', secondary: true, cell: ({ createdAt }) => dateOf(format, createdAt) },
    ],
    empty: empty({
      what: 'Accounts that members are paid to appear here',
      why: isUnknown
        ? 'No single member has this id, email, name or external id.'
        : isFiltered
          ? 'None matches these filters.'
          : 'No member has one yet.',
      ...(!isFiltered && { curl: FIRST }),
      action: isFiltered ? { href: at('/payouts/accounts'), label: 'All accounts' } : { href: at('/payouts'), label: 'Runs' },
    }),
  });
  return {
    lead: 'Newest first. Numbers are never shown whole.',
    body: html`${tabs(page, '/payouts/accounts')}${bar}${card({ flush: true, body: html`${list}${pagerOf(page, nextCursor)}` })}`,
  };
}

function stateOf({ status, statusReason }: Account): Html {
  return html`${stateChip(status)}${statusReason !== null && html` <bdi class="muted break">${statusReason}</bdi>`}`;
}

/** What keeps somebody from being paid to it, or should be looked at. */
function flags(page: Page, account: Account): Html {
  const { at, format, now, opens } = page;
  const { id, onHold, userId, nameMatch, sharedWithOthers, usableFrom, nameAcceptedBy } = account;
  const isCooling = usableFrom !== null && Date.parse(usableFrom) > now.getTime();
  const mismatch =
    nameMatch === 'mismatch' &&
    html`<p>${chip('held under another name', 'bad')}</p>${page.form('acceptName', {
      key: id,
      hidden: { userId, accountId: id },
      inline: true,
      tone: 'plain',
      submit: 'Accept the name',
    })}`;
  const accepted =
    nameMatch === 'accepted' &&
    html`<p>${chip('other name, accepted')}${nameAcceptedBy?.name && html` <bdi class="muted">by ${nameAcceptedBy.name}</bdi>`}</p>`;
  const shared = sharedWithOthers === true && html`<p>${chip('another member has it too', 'waiting')}</p>`;
  const cooling =
    isCooling && html`<p>${chip('cool-down', 'waiting')} <span class="muted">until ${exactTime(format, usableFrom)}</span></p>`;
  const held = chip('member on hold', 'waiting');
  const hold = onHold && html`<p>${opens('/payouts/holds') ? html`<a href="${at('/payouts/holds')}">${held}</a>` : held}</p>`;
  const drawn = html`${hold}${mismatch}${accepted}${shared}${cooling}`;
  return drawn.text === '' ? html`–` : drawn;
}
