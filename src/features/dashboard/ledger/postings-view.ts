/** A member's balances and postings as a document. */
import type { z } from 'zod';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { stateChip } from '../../../pages/parts/chips.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { id } from '../../../pages/parts/id.ts';
import { money } from '../../../pages/parts/money.ts';
import { pagerOf, table } from '../../../pages/parts/table.ts';
import { exactTime } from '../../../pages/parts/time.ts';
import type { getMemberBalances, listMemberLedger } from '../../ledger/ledger-operations.ts';

type Balance = z.output<(typeof getMemberBalances)['response']>['balances'][number];
type Entries = z.output<(typeof listMemberLedger)['response']>;
type Entry = Entries['data'][number];
type Page = Pick<PageContext, 'at' | 'here' | 'can' | 'format' | 'query'>;

export interface Postings {
  userId: string;
  currency: string;
  balances: readonly Balance[];
  entries: Entries;
}

export function drawPostings(page: Page, { userId, currency, balances, entries }: Postings): PageView {
  const { at, format } = page;
  const now = balances.find((balance) => balance.currency === currency);
  const others = balances.filter((balance) => balance.currency !== currency);
  const amount = (minor: number | null, exact: string | undefined) => money(format, minor ?? exact ?? 0, currency);
  const balance =
    now &&
    facts(
      [
        { name: 'Pending', value: amount(now.pendingMinor, now.pendingMinorExact) },
        { name: 'Cleared', value: amount(now.clearedMinor, now.clearedMinorExact) },
        { name: 'Processing', value: amount(now.processingMinor, now.processingMinorExact) },
        { name: 'Paid', value: amount(now.paidMinor, now.paidMinorExact) },
        { name: 'Total', value: amount(now.totalMinor, now.totalMinorExact) },
        Number(now.owedMinor) > 0 && { name: 'Owes', value: amount(now.owedMinor, now.owedMinorExact) },
      ],
      { row: true },
    );
  const list = table<Entry>({
    caption: 'Postings',
    rows: entries.data,
    columns: [
      { title: 'Posted', cell: ({ recordedAt }) => exactTime(format, recordedAt) },
      { title: 'For', cell: (entry) => causeOf(page, entry) },
      { title: 'Account', cell: ({ account }) => stateChip(account) },
      { title: 'Amount', number: true, cell: ({ amountMinor, amountMinorExact }) => amount(amountMinor, amountMinorExact) },
      {
        title: 'Of this account',
        number: true,
        secondary: true,
        cell: ({ accountBalanceMinor, accountBalanceMinorExact }) => amount(accountBalanceMinor, accountBalanceMinorExact),
      },
      {
        title: 'Of all',
        number: true,
        secondary: true,
        cell: ({ totalBalanceMinor, totalBalanceMinorExact }) => amount(totalBalanceMinor, totalBalanceMinorExact),
      },
    ],
    empty: empty({ what: `Postings in ${currency} appear here`, why: 'There are none yet for this member.' }),
  });
  return {
    crumbs: [{ label: 'Ledger', href: at('/ledger') }],
    crumb: id(userId),
    actions: html`<a class="button" href="${at(`/members/${userId}`)}">The member</a>${others.map((other) => html`<a class="button" href="${at(`/ledger/members/${userId}`, { currency: other.currency })}">${other.currency}</a>`)}`,
    body: html`${card({ title: `Balances in ${currency}`, body: balance })}${card({ title: 'Postings', lead: 'Oldest first, each with the balances after it.', flush: true, body: html`${list}${pagerOf(page, entries.nextCursor)}` })}`,
  };
}

function causeOf({ at, can }: Page, { causeType, causeId }: Entry) {
  const word = causeType.replaceAll('_', ' ');
  if (causeType === 'event' && can('events:read')) return html`<a href="${at(`/sales/${causeId}`)}">${word}</a>`;
  return html`${word} ${id(causeId)}`;
}
