/** The entries of a member in the ledger, each with the balances after it. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Drawn, type Html, html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { label } from '../../../pages/parts/chips.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { FIRST_SALE } from '../../../pages/parts/first-sale.ts';
import { nameOf } from '../../../pages/parts/member-name.ts';
import { money } from '../../../pages/parts/money.ts';
import { pagerOf, table } from '../../../pages/parts/table.ts';
import { exactTime } from '../../../pages/parts/time.ts';
import type { getMemberBalances, listMemberLedger } from '../../ledger/ledger-operations.ts';

type Entry = AnswerOf<typeof listMemberLedger>['data'][number];
type Balance = AnswerOf<typeof getMemberBalances>['balances'][number];
type Page = Pick<PageContext, 'at' | 'here' | 'query' | 'format' | 'can'>;

interface Ledger {
  user: { id: string; name: string | null; email: string };
  currency: string;
  /** In each currency of the member. */
  balances: readonly Balance[];
  data: readonly Entry[];
  nextCursor: string | null;
}

export function drawMemberLedger(page: Page, { user, currency, balances, data, nextCursor }: Ledger): PageView {
  const { at, can, format } = page;
  const others = balances.filter((balance) => balance.currency !== currency);
  const name = nameOf(user);
  const cause = ({ causeType, causeId }: Entry): Drawn => {
    const word = causeType.replaceAll('_', ' ');
    return causeType === 'event' && can('events:read') ? html`<a href="${at(`/sales/${causeId}`)}">${word}</a>` : word;
  };
  return {
    title: `Ledger of ${name}`,
    lead: `In ${currency}, oldest first: each entry with the balances after it.`,
    crumbs: [
      { label: 'Members', href: at('/members') },
      { label: name, href: at(`/members/${user.id}`) },
    ],
    crumb: 'Ledger',
    actions: html`${others.map((other) => html`<a class="button" href="${at(`/members/${user.id}/ledger`, { currency: other.currency })}">In ${other.currency}</a>`)}`,
    body: html`${drawBalances(
      page,
      balances.find((balance) => balance.currency === currency),
    )}${card({
      title: 'Postings',
      flush: true,
      body: html`${table({
        caption: `Ledger of ${name} in ${currency}`,
        id: 'member-ledger',
        rows: data,
        columns: [
          { title: 'Booked', cell: ({ recordedAt }) => exactTime(format, recordedAt) },
          { title: 'For', secondary: true, cell: cause },
          { title: 'Account', secondary: true, cell: ({ account }) => label(account) },
          { title: 'Of', secondary: true, cell: ({ occurredAt }) => format.date(occurredAt) },
          {
            title: 'Amount',
            number: true,
            cell: (entry) => money(format, entry.amountMinor ?? entry.amountMinorExact ?? 0, currency),
          },
          {
            title: 'Account after',
            number: true,
            secondary: true,
            cell: (entry) => money(format, entry.accountBalanceMinor ?? entry.accountBalanceMinorExact ?? 0, currency),
          },
          {
            title: 'Total after',
            number: true,
            secondary: true,
            cell: (entry) => money(format, entry.totalBalanceMinor ?? entry.totalBalanceMinorExact ?? 0, currency),
          },
        ],
        empty: empty({
          what: 'Entries appear here as commissions are made and paid',
          why: `There is none in ${currency}.`,
          curl: FIRST_SALE,
          action: { href: at(`/members/${user.id}`), label: 'Back to the member' },
        }),
      })}${pagerOf(page, nextCursor)}`,
    })}`,
  };
}

/** What the postings come to. */
function drawBalances({ format }: Page, balance: Balance | undefined): Html | undefined {
  if (!balance) return undefined;
  const { currency } = balance;
  const of = (name: 'pending' | 'cleared' | 'processing' | 'paid' | 'total' | 'owed'): Html =>
    money(format, balance[`${name}Minor`] ?? balance[`${name}MinorExact`] ?? 0, currency);
  const owed = balance.owedMinor ?? balance.owedMinorExact ?? 0;
  const list = [
    { name: 'Pending', value: of('pending') },
    { name: 'Cleared', value: of('cleared') },
    { name: 'Processing', value: of('processing') },
    { name: 'Paid', value: of('paid') },
    { name: 'Total', value: of('total') },
    BigInt(owed) > 0n && { name: 'Owed by the member', value: of('owed') },
  ];
  return card({ title: `Balances in ${currency}`, body: facts(list, { row: true }) });
}
