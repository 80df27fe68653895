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
import type { SaleEvent } from './walk-view.ts';

type Look = Pick<PageContext, 'at' | 'can' | 'format'>;

export function periodFacts({ format }: Look, event: SaleEvent, sum: Html, names: MemberNames): Html {
  const { user_id } = event.attribution;
  return facts(
    [
      { name: 'Commissions', value: sum },
      { name: 'Member', value: user_id !== null && html`<bdi>${names.link(user_id)}</bdi>` },
      { name: 'State', value: stateChip(event.status) },
      { name: 'Recorded', value: exactTime(format, event.recorded_at) },
    ],
    { row: true },
  );
}

export function drawTopUps({ at, can, format }: Look, { commissions }: SaleEvent): Html {
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
        { title: 'State', cell: ({ status }) => stateChip(status) },
        { title: 'Amount', number: true, cell: ({ amount_minor, currency }) => money(format, amount_minor, currency) },
      ],
      empty: html`<p class="muted">Nothing.</p>`,
    }),
  });
}
