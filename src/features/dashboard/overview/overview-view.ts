/** The overview as a document: first what waits, then the last sales. */
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { stateChip } from '../../../pages/parts/chips.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { money } from '../../../pages/parts/money.ts';
import { table } from '../../../pages/parts/table.ts';
import { ago } from '../../../pages/parts/time.ts';

interface Sale {
  event_id: string;
  external_event_id: string;
  occurred_at: string;
  amount_minor: number;
  currency: string;
  status: string;
}

export interface OverviewFacts {
  changes: number;
  reviews: number;
  failedPayouts: number;
  /** Undefined where the role may not see them. */
  sales: readonly Sale[] | undefined;
}

export function drawOverview(page: Pick<PageContext, 'at' | 'format'>, facts: OverviewFacts): PageView {
  const { format, at } = page;
  const waits = [
    { count: facts.changes, what: 'changes wait for a second person', href: at('/pending-changes') },
    { count: facts.reviews, what: 'members wait for verification', href: at('/verification') },
    { count: facts.failedPayouts, what: 'payouts have failed', href: at('/payouts', { status: 'failed' }) },
  ].filter(({ count }) => count > 0);
  const todo =
    waits.length === 0
      ? html`<p class="muted">Nothing waits for you.</p>`
      : html`<ul class="todo">${waits.map(({ count, what, href }) => html`<li><span class="count">${count}</span><a href="${href}">${what}</a></li>`)}</ul>`;
  const sales =
    facts.sales &&
    card({
      title: 'Last sales',
      flush: true,
      body: table({
        caption: 'Last sales',
        rows: facts.sales,
        link: ({ event_id }) => at(`/sales/${event_id}`),
        columns: [
          { title: 'Order', cell: ({ external_event_id }) => external_event_id },
          { title: 'State', cell: ({ status }) => stateChip(status) },
          { title: 'When', secondary: true, cell: ({ occurred_at }) => ago(format, occurred_at) },
          { title: 'Amount', number: true, cell: ({ amount_minor, currency }) => money(format, amount_minor, currency) },
        ],
        empty: empty({
          what: 'Sales appear here as they are recorded',
          why: 'There are none yet in this environment.',
          curl: 'curl -X POST -H \'x-tenant-api-key: $KEY\' -H \'content-type: application/json\' $URL/api/v1/events/purchase -d \'{"external_event_id": "order-1", "amount_minor": 4956, "currency": "EUR"}\'',
        }),
      }),
    });
  return { body: html`${card({ title: 'What needs you', body: todo })}${sales}` };
}
