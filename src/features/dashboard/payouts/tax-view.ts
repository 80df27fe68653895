/** The years in which a member was paid, each as a file. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { chip } from '../../../pages/parts/chips.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { filters } from '../../../pages/parts/filters.ts';
import type { MemberNames } from '../../../pages/parts/member-names.ts';
import { money } from '../../../pages/parts/money.ts';
import { table } from '../../../pages/parts/table.ts';
import type { listTaxDocuments } from '../../statements/tax-documents-operations.ts';
import { exactOf } from './amounts.ts';
import { tabs } from './tabs.ts';

type Documents = AnswerOf<typeof listTaxDocuments>;
type Document = Documents['data'][number];
type Page = Pick<PageContext, 'at' | 'opens' | 'form' | 'format' | 'query'>;

type TaxFacts =
  | { userId: string; documents: Documents; names: MemberNames; isUnknown: false }
  | { userId?: undefined; isUnknown: boolean };

export function drawTax(page: Page, facts: TaxFacts): PageView {
  const { at, query } = page;
  const bar = filters({
    address: at('/payouts/tax'),
    fields: [
      { name: 'member', label: 'Member', type: 'search', value: query['member'], placeholder: 'Email, name or id', wide: true },
    ],
  });
  const body = facts.userId === undefined ? nobodyChosen(facts.isUnknown) : drawYears(page, facts);
  return {
    lead: 'What a member was paid in a calendar year, as PDF and as CSV.',
    body: html`${tabs(page, '/payouts/tax')}${bar}${body}`,
  };
}

function nobodyChosen(isUnknown: boolean): Html {
  return card({
    flush: true,
    body: empty({
      what: 'The years in which a member was paid appear here',
      why: isUnknown ? 'No single member has this id, email, name or external id.' : 'Choose a member above.',
      curl: "curl -H 'x-tenant-api-key: $KEY' $URL/api/v1/members/{userId}/tax-documents",
    }),
  });
}

function drawYears(page: Page, { userId, documents, names }: Extract<TaxFacts, { userId: string }>): Html {
  const { format, at } = page;
  const files = ({ year, currency }: Document): Html => {
    const hidden = { userId, year: String(year), currency };
    const one = (action: string, submit: string) =>
      page.form(action, { key: `${year}-${currency}`, hidden, inline: true, tone: 'plain', submit });
    return html`<div class="files">${one('pdf', 'PDF')}${one('csv', 'CSV')}</div>`;
  };
  return card({
    title: names.text(userId),
    flush: true,
    lead: html`The latest first, by the days of ${documents.timeZone}. <a href="${at('/payouts/all', { userId, status: 'paid' })}">The payouts one by one</a>`,
    body: table<Document>({
      caption: 'Tax documents',
      rows: documents.data,
      columns: [
        { title: 'Year', cell: ({ year }) => year },
        {
          title: 'State',
          secondary: true,
          cell: ({ status }) =>
            chip(status === 'final' ? 'final' : 'grows until the year is over', status === 'final' ? 'good' : 'waiting'),
        },
        { title: 'Payouts', number: true, secondary: true, cell: ({ transactionCount }) => format.count(transactionCount) },
        {
          title: 'Paid',
          number: true,
          cell: (one) => money(format, exactOf(one.totalPaidMinor, one.totalPaidMinorExact), one.currency),
        },
        { title: 'Files', cell: files },
      ],
      empty: empty({
        what: 'The years in which the member was paid appear here',
        why: 'Nothing was paid to the member yet.',
        level: 3,
        action: { href: at('/payouts/all', { userId }), label: 'Payouts of the member' },
      }),
    }),
  });
}
