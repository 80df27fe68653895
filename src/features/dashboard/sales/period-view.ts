/** What the service gave a member for a period: its top-ups, each with its sale. Source: docs/specification/pages.md#explain. */
import type { PageContext } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { stateChip } from '../../../pages/parts/chips.ts';
import { facts } from '../../../pages/parts/facts.ts';
import type { MemberNames } from '../../../pages/parts/member-names.ts';
import { money } from '../../../pages/parts/money.ts';
import { table } from '../../../pages/parts/table.ts';
import { exactTime } from '../../../pages/parts/time.ts';
import { type SettledPeriod, settledPeriod } from '../../events/open/settled-period.ts';
import type { Explanation, SaleEvent } from './walk-view.ts';

type Look = Pick<PageContext, 'at' | 'can' | 'format'>;

/** What a ladder was settled by; undefined of what was settled otherwise. */
function settledOf({ period }: Explanation): SettledPeriod | undefined {
  return settledPeriod.safeParse(period).data;
}

export function periodFacts({ format }: Look, event: SaleEvent, why: Explanation, sum: Html, names: MemberNames): Html {
  const { user_id } = event.attribution;
  const settled = settledOf(why);
  return facts(
    [
      { name: 'Commissions', value: sum },
      { name: 'Member', value: user_id !== null && html`<bdi>${names.link(user_id)}</bdi>` },
      settled && { name: 'Ladder', value: `${settled.ladder}, ${settled.from_day} up to ${settled.to_day}` },
      settled && { name: 'Sold in it', value: soldText(format, settled) },
      settled && { name: 'Reached', value: `step ${settled.step + 1}: ${settled.rate_bps / 100}%` },
      { name: 'State', value: stateChip(event.status) },
      { name: 'Recorded', value: exactTime(format, event.recorded_at) },
    ],
    { row: true },
  );
}

function soldText(format: Look['format'], { measure, sum, currency }: SettledPeriod): Html | string {
  return measure === 'sales' ? `${sum} sales` : money(format, sum, currency);
}

export function drawTopUps({ at, can, format }: Look, { commissions }: SaleEvent, why: Explanation): Html {
  const settled = settledOf(why);
  const comesFrom = (line: SaleEvent['commissions'][number]) =>
    settled?.top_ups.find(
      (one) => one.purchase_event_id === line.about_event_id && one.level === line.level && one.paid_level === line.paid_level,
    );
  return card({
    title: 'What each sale gets more',
    lead: 'What the sale would have paid with the rate of the whole period, less what it has paid.',
    flush: true,
    body: table({
      caption: 'Top-ups',
      rows: commissions,
      ...(can('commissions:read') && { link: ({ id }: SaleEvent['commissions'][number]) => at(`/commissions/${id}`) }),
      columns: [
        {
          title: 'For',
          cell: ({ about_event_id: sale }) =>
            sale === undefined ? 'a refund of before' : html`<a href="${at(`/sales/${sale}`)}">a sale</a>`,
        },
        {
          title: 'Paid at first',
          number: true,
          cell: (line) => paidText(format, comesFrom(line)),
        },
        {
          title: 'Comes to',
          number: true,
          cell: (line) => {
            const from = comesFrom(line);
            return from && money(format, from.settled.amount_minor, from.currency);
          },
        },
        { title: 'State', cell: ({ status }) => stateChip(status) },
        { title: 'Amount', number: true, cell: ({ amount_minor, currency }) => money(format, amount_minor, currency) },
      ],
      empty: html`<p class="muted">Nothing.</p>`,
    }),
  });
}

function paidText(format: Look['format'], from: SettledPeriod['top_ups'][number] | undefined): Html | undefined {
  if (!from) return undefined;
  const { paid, topped_up_before_minor, currency } = from;
  return html`${money(format, paid.amount_minor, currency)}, step ${paid.step + 1}${
    topped_up_before_minor !== 0 && html`, and ${money(format, topped_up_before_minor, currency)} since`
  }`;
}
