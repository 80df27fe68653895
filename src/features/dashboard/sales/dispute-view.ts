/** The form of a stage of a dispute, with what it would do. */
import { toMajorText } from '../../../money.ts';
import type { PageContext, PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { beside, card } from '../../../pages/parts/card.ts';
import { stateChip } from '../../../pages/parts/chips.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { money } from '../../../pages/parts/money.ts';
import { table } from '../../../pages/parts/table.ts';
import { exactTime } from '../../../pages/parts/time.ts';
import { changeInWords, drawPreview, previewFacts } from './preview-view.ts';
import { markOf, type Preview, type ReversalGround } from './reversal-ground.ts';

const STAGES = [
  { value: 'opened', label: 'opened' },
  { value: 'lost', label: 'lost' },
  { value: 'won', label: 'won' },
];

/** What may follow. */
const NEXT: Readonly<Record<string, readonly string[]>> = { opened: ['won', 'lost'], lost: ['won'], won: [] };

const DEEDS: Readonly<Record<string, string>> = {
  opened: 'Open the dispute about',
  lost: 'Record as lost:',
  won: 'Record as won:',
};

export function drawDispute(page: PageContext, ground: ReversalGround): PageView {
  const { at } = page;
  const { sale, preview } = ground;
  const look = preview
    ? html`${card({ body: previewFacts(page, preview, sale.amount_minor) })}${beside(drawPreview(page, { preview, names: ground.names }), confirmation(page, preview))}`
    : undefined;
  return {
    lead: 'Opened puts unpaid lines on hold, lost takes back the amount, won releases the lines. It is shown before it is recorded.',
    crumbs: [
      { label: 'Sales', href: at('/sales') },
      { label: sale.external_event_id, href: at(`/sales/${sale.event_id}`) },
    ],
    crumb: 'Dispute',
    body: html`${stageForm(page, ground)}${look ?? drawDisputes(page, ground)}`,
  };
}

function stageForm({ at, query }: PageContext, { sale, fault, preview }: ReversalGround): Html {
  const { currency } = sale;
  const here = at(`/sales/${sale.event_id}/dispute`);
  const dispute = query['dispute'] ?? '';
  const stage = query['stage'] ?? 'opened';
  const shown = query['amount'] ?? (preview ? toMajorText(BigInt(preview.amount_minor), currency) : '');
  const wrong = fault !== undefined && html` aria-describedby="dispute-fault"`;
  const options = STAGES.map(
    ({ value, label }) => html`<option value="${value}"${value === stage && html` selected`}>${label}</option>`,
  );
  return html`<form class="filters" method="get" action="${here}" aria-label="What happened"><div class="field"><label for="dispute-id">Id of the dispute</label><input id="dispute-id" name="dispute" type="text" value="${dispute}" maxlength="200" required${wrong}></div><div class="field"><label for="dispute-stage">It is</label><select id="dispute-stage" name="stage">${options}</select></div><div class="field"><label for="dispute-amount">Amount in ${currency}</label><input id="dispute-amount" name="amount" type="text" inputmode="decimal" value="${shown}" placeholder="what is left"${wrong}></div><div class="filters-end"><button class="button" type="submit">Look</button></div></form>${fault !== undefined && html`<div class="notice notice-bad" id="dispute-fault" role="alert">${fault}</div>`}`;
}

/** The disputes that there are, each with what may follow. */
function drawDisputes({ at, format }: PageContext, { sale, before }: ReversalGround): Html {
  const firstOf = (id: string | null): number => before.findIndex((event) => event.dispute_id === id);
  const latest = before.filter(({ dispute_id: id }, nr) => id !== null && firstOf(id) === nr);
  return card({
    flush: true,
    body: table({
      caption: 'Disputes of this sale',
      rows: latest,
      columns: [
        { title: 'Dispute', cell: ({ dispute_id }) => html`<bdi class="break">${dispute_id}</bdi>` },
        { title: 'State', cell: ({ stage }) => stateChip(stage ?? '') },
        { title: 'Since', secondary: true, cell: ({ occurred_at }) => exactTime(format, occurred_at) },
        {
          title: 'Next',
          cell: ({ dispute_id, stage: now }) =>
            html`<span class="actions">${(NEXT[now ?? ''] ?? []).map((stage) => html`<a class="button" href="${at(`/sales/${sale.event_id}/dispute`, { dispute: dispute_id ?? '', stage })}">${stage}…</a>`)}</span>`,
        },
        { title: 'Amount', number: true, cell: ({ amount_minor, currency }) => money(format, amount_minor, currency) },
      ],
      empty: empty({
        what: 'Disputes of this sale appear here',
        why: 'There are none. Its id is the one that your payment provider gave it.',
        action: { href: at(`/sales/${sale.event_id}`), label: 'Back to the sale' },
      }),
    }),
  });
}

function confirmation(page: PageContext, preview: Preview): Html {
  const { format } = page;
  const { dispute_id: id, stage, amount_minor, currency } = preview;
  const change = changeInWords(page, preview);
  const amount = format.money(amount_minor, currency);
  const taken = change === undefined ? '' : stage === 'won' ? `, give back ${change}` : `, take back ${change}`;
  return card({
    title: `Dispute ${stage ?? ''}`,
    body: page.form('dispute', {
      hidden: {
        amount_minor: String(amount_minor),
        dispute_id: id ?? '',
        stage: stage ?? '',
        mark: markOf(preview),
      },
      fields: [
        {
          name: 'external_event_id',
          label: 'Your id of this event',
          value: `${id ?? ''}-${stage ?? ''}`.slice(0, 200),
          required: true,
          maxLength: 200,
          mono: true,
          hint: 'The same id is never recorded twice.',
        },
        { name: 'reason', label: 'Why', maxLength: 500 },
      ],
      submit: `${DEEDS[stage ?? ''] ?? 'Record'} ${amount}${taken}`,
      tone: 'danger',
    }),
  });
}
