/** What is to be paid by hand of a run. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import { type Html, html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import type { MemberNames } from '../../../pages/parts/member-names.ts';
import { pagerOf, table } from '../../../pages/parts/table.ts';
import { type listPayouts, returnPayout, settlePayout } from '../../payouts/payouts/payouts-operations.ts';
import { amountOf, totalText } from './amounts.ts';
import type { Run, RunLook } from './run-steps.ts';

type Payout = AnswerOf<typeof listPayouts>['data'][number];

export interface ByHand {
  run: Run;
  /** That the tenant makes by itself. */
  byHand: { data: readonly Payout[]; nextCursor: string | null };
  names: MemberNames;
}

/**
 * Payouts that the tenant makes by itself: the bank's file, and what became of each. It comes with the progress of a run,
 * whose script puts it in the place of the one before when other payouts stand in it.
 */
export function drawByHand(page: RunLook, facts: ByHand): Html {
  const { data } = facts.byHand;
  const shown = data.map(({ id }) => id).join(' ');
  return html`<div class="stack" id="by-hand-list" data-with-progress="${shown}">${data.length > 0 && drawList(page, facts)}</div>`;
}

function drawList(page: RunLook, { run, byHand, names }: ByHand): Html {
  const { at, format } = page;
  const file = page.form('file', { submit: 'CSV for the bank', inline: true, tone: 'plain' });
  const list = table<Payout>({
    caption: 'To be paid by hand',
    rows: byHand.data,
    link: ({ id }) => at(`/payouts/${id}`),
    columns: [
      { title: 'Member', cell: ({ userId }) => html`<bdi class="break">${names.text(userId)}</bdi>` },
      { title: 'Amount', number: true, cell: (payout) => amountOf(format, payout, run.currency) },
      ...(page.can(settlePayout) ? [{ title: 'Paid', cell: (payout: Payout) => settleForm(page, payout) }] : []),
      ...(page.can(returnPayout) ? [{ title: 'Or', cell: (payout: Payout) => notArrived(page, payout) }] : []),
    ],
    empty: html``,
  });
  return card({
    title: 'To be paid by hand',
    id: 'by-hand',
    lead: 'Pay these at your bank, then say here under which reference. Each file with bank details stands in the audit log.',
    actions: file,
    flush: true,
    body: html`${list}${pagerOf(page, byHand.nextCursor)}`,
  });
}

function settleForm(page: RunLook, { id, amountMinor, amountMinorExact, currency }: Payout): Html {
  return page.form('settle', {
    key: id,
    hidden: { payoutId: id },
    inline: true,
    fields: [
      { name: 'reference', label: 'Reference', required: true, maxLength: 255 },
      { name: 'paidAt', label: 'Paid on', type: 'date' },
    ],
    tone: 'plain',
    submit: `Paid ${totalText(page.format, { totalMinor: amountMinor, totalMinorExact: amountMinorExact }, currency)}`,
  });
}

function notArrived(page: RunLook, { id }: Payout): Html {
  const form = page.form('return', {
    key: id,
    hidden: { payoutId: id },
    fields: [{ name: 'reason', label: 'Why', required: true, maxLength: 500 }],
    tone: 'danger',
    submit: 'It did not arrive',
  });
  return html`<details><summary>Not arrived…</summary>${form}</details>`;
}
