/** The form of a refund, with what it would do. */

import { toMajorText } from '../../../money.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { beside, card } from '../../../pages/parts/card.ts';
import { changeInWords, drawPreview, previewFacts } from './preview-view.ts';
import { markOf, type Preview, type ReversalGround } from './reversal-ground.ts';

export function drawRefund(page: PageContext, ground: ReversalGround): PageView {
  const { at } = page;
  const { sale, preview } = ground;
  const look = preview
    ? html`${card({ body: previewFacts(page, preview, sale.amount_minor) })}${beside(drawPreview(page, { preview, names: ground.names }), confirmation(page, ground, preview))}`
    : undefined;
  return {
    lead: 'What follows is what the refund would do. The money of the customer is not moved by it.',
    crumbs: [
      { label: 'Sales', href: at('/sales') },
      { label: sale.external_event_id, href: at(`/sales/${sale.event_id}`) },
    ],
    crumb: 'Refund',
    body: html`${amountForm(page, ground)}${look}`,
  };
}

function amountForm({ at, query }: PageContext, { sale, preview, fault }: ReversalGround): Html {
  const { currency } = sale;
  const shown = query['amount'] ?? (preview ? toMajorText(BigInt(preview.amount_minor), currency) : '');
  const here = at(`/sales/${sale.event_id}/refund`);
  const wrong = fault !== undefined;
  return html`<form class="filters" method="get" action="${here}" aria-label="How much"><div class="field"><label for="refund-amount">Amount in ${currency}</label><input id="refund-amount" name="amount" type="text" inputmode="decimal" value="${shown}"${wrong && html` aria-invalid="true" aria-describedby="refund-fault"`}></div><div class="filters-end"><button class="button" type="submit">Look</button><a href="${here}">All that is left</a></div></form>${wrong && html`<div class="notice notice-bad" id="refund-fault" role="alert">${fault}</div>`}`;
}

function confirmation(page: PageContext, { sale, before }: ReversalGround, preview: Preview): Html {
  const { format } = page;
  const amount = format.money(preview.amount_minor, preview.currency);
  const change = changeInWords(page, preview);
  return card({
    title: 'Refund',
    body: page.form('refund', {
      hidden: { amount_minor: String(preview.amount_minor), mark: markOf(preview) },
      fields: [
        {
          name: 'external_event_id',
          label: 'Your id of the refund',
          value: `refund-${sale.external_event_id}-${before.length + 1}`.slice(0, 200),
          required: true,
          maxLength: 200,
          mono: true,
          hint: 'The same id is never recorded twice.',
        },
        { name: 'reason', label: 'Why', maxLength: 500 },
      ],
      submit: change === undefined ? `Refund ${amount}` : `Refund ${amount}, take back ${change}`,
      tone: 'danger',
    }),
  });
}
