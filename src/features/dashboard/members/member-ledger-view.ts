/** The entries of a member in the ledger, each with the balances after it. */
import type { z } from 'zod';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Drawn, html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { label } from '../../../pages/parts/chips.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { nameOf } from '../../../pages/parts/member-name.ts';
import { money } from '../../../pages/parts/money.ts';
import { pagerOf, table } from '../../../pages/parts/table.ts';
import { exactTime } from '../../../pages/parts/time.ts';
import type { listMemberLedger } from '../../ledger/ledger-operations.ts';

type Entry = z.output<(typeof listMemberLedger)['response']>['data'][number];

interface Ledger {
  user: { id: string; name: string | null; email: string };
  currency: string;
  data: readonly Entry[];
  nextCursor: string | null;
}

export function drawMemberLedger(
  page: Pick<PageContext, 'at' | 'here' | 'query' | 'format'>,
  { user, currency, data, nextCursor }: Ledger,
): PageView {
  const { at, format } = page;
  const name = nameOf(user);
  const cause = ({ causeType, causeId }: Entry): Drawn => {
    const word = causeType.replaceAll('_', ' ');
    return causeType === 'event' ? html`<a href="${at(`/sales/${causeId}`)}">${word}</a>` : word;
  };
  return {
    title: `Ledger of ${name}`,
    lead: `In ${currency}, oldest first: each entry with the balances after it.`,
    crumbs: [
      { label: 'Members', href: at('/members') },
      { label: name, href: at(`/members/${user.id}`) },
    ],
    crumb: 'Ledger',
    body: card({
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
          action: { href: at(`/members/${user.id}`), label: 'Back to the member' },
        }),
      })}${pagerOf(page, nextCursor)}`,
    }),
  };
}
