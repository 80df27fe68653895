/** What an approver has to see of a run: the books, the former run, the largest, and what has changed. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import { type Html, html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import { chip } from '../../../pages/parts/chips.ts';
import { facts } from '../../../pages/parts/facts.ts';
import type { MemberNames } from '../../../pages/parts/member-names.ts';
import { money } from '../../../pages/parts/money.ts';
import { table } from '../../../pages/parts/table.ts';
import { dateOf } from '../../../pages/parts/time.ts';
import type { reviewPayoutRun } from '../../payouts/review/review-operations.ts';
import { amountOf, counted, exactOf, totalOf } from './amounts.ts';
import { refusalWords } from './reasons.ts';
import type { Run, RunLook } from './run-steps.ts';

type Review = AnswerOf<typeof reviewPayoutRun>;
type Look = Pick<RunLook, 'at' | 'format' | 'opens'>;

/** What is cleared by the ledger, and where each part of it is. */
export function drawBooks({ at, format, opens }: Look, { id, currency, status }: Run, { ledger }: Review): Html {
  const line = (minor: number | null, exact: string | undefined, href?: string) =>
    money(format, exactOf(minor, exact), currency, href);
  const queued = (of: Record<string, string>) => at('/payouts/all', { status: 'queued', ...of });
  const blocked = `${at(`/payouts/runs/${id}`)}#blocked`;
  const changed = BigInt(exactOf(ledger.changedMinor, ledger.changedMinorExact)) !== 0n;
  const sums = facts([
    { name: 'This run', value: line(ledger.runMinor, ledger.runMinorExact, queued({ runId: id })) },
    { name: 'Left out', value: line(ledger.blockedMinor, ledger.blockedMinorExact, blocked) },
    { name: 'In other runs', value: line(ledger.elsewhereMinor, ledger.elsewhereMinorExact, queued({ currency })) },
    { name: 'Cleared later', value: line(ledger.laterMinor, ledger.laterMinorExact) },
    changed && { name: 'Changed since the draft', value: line(ledger.changedMinor, ledger.changedMinorExact) },
    {
      name: 'Cleared, by the ledger',
      value: line(ledger.ledgerMinor, ledger.ledgerMinorExact, opens('/ledger') ? at('/ledger') : undefined),
    },
  ]);
  const verdict = ledger.equal
    ? html`<p>${chip('Equal to the last unit', 'good')}</p>`
    : html`<div class="notice notice-bad" role="alert"><p><strong>The books differ by ${line(ledger.differenceMinor, ledger.differenceMinorExact)}.</strong> This run must not be approved. Have the ledger verified, and tell your operator.</p></div>`;
  return card({
    title: 'Against the ledger',
    id: 'books',
    lead: status === 'draft' ? 'All that is cleared must be told here.' : 'All that is cleared now, and where it is.',
    body: html`${sums}${verdict}`,
  });
}

export function drawDifference(page: Look, run: Run, { previous, difference }: Review, names: MemberNames): Html {
  const { at, format } = page;
  const { currency } = run;
  if (!previous || !difference)
    return card({
      title: 'Against the last run',
      body: html`<p class="muted">No run in ${currency} has paid anybody before it.</p>`,
    });
  const { joined, gone, more, less, largestChanges } = difference;
  const sums = facts([
    {
      name: 'Last run',
      value: html`<a href="${at(`/payouts/runs/${previous.runId}`)}">${dateOf(format, previous.createdAt)}</a>`,
    },
    {
      name: 'It drafted',
      value: html`${counted(format, previous.payouts.count, 'member')}, ${totalOf(format, previous.payouts, currency, at('/payouts/all', { runId: previous.runId }))}`,
    },
    { name: 'New here', value: html`${counted(format, joined.count, 'member')}, ${totalOf(format, joined, currency)}` },
    { name: 'Not any more', value: html`${counted(format, gone.count, 'member')}, ${totalOf(format, gone, currency)}` },
    { name: 'More than before', value: counted(format, more, 'member') },
    { name: 'Less than before', value: counted(format, less, 'member') },
  ]);
  const changes = table<(typeof largestChanges)[number]>({
    caption: 'Largest changes',
    rows: largestChanges,
    columns: [
      { title: 'Largest changes', cell: ({ userId }) => html`<bdi class="break">${names.link(userId)}</bdi>` },
      { title: 'Before', number: true, cell: (one) => money(format, exactOf(one.beforeMinor, one.beforeMinorExact), currency) },
      { title: 'Now', number: true, cell: (one) => money(format, exactOf(one.nowMinor, one.nowMinorExact), currency) },
    ],
    empty: html`<p class="muted">Nobody gets another amount than before.</p>`,
  });
  return card({ title: 'Against the last run', id: 'difference', body: html`${sums}${changes}` });
}

export function drawLargest({ at, format }: Look, { currency }: Run, { largest }: Review, names: MemberNames): Html | undefined {
  if (largest.length === 0) return undefined;
  const list = table<Review['largest'][number]>({
    caption: 'Largest payouts',
    rows: largest,
    link: ({ payoutId }) => at(`/payouts/${payoutId}`),
    columns: [
      { title: 'Member', cell: ({ userId }) => html`<bdi class="break">${names.text(userId)}</bdi>` },
      { title: 'Amount', number: true, cell: (payout) => amountOf(format, payout, currency) },
    ],
    empty: html``,
  });
  return card({ title: 'The ten largest', flush: true, body: list });
}

/** Payouts that would be cancelled if they were executed now. */
export function drawChanged({ at, format }: Look, { currency }: Run, review: Review, names: MemberNames): Html {
  const { count, first, ...sum } = review.changedSinceDraft;
  if (count === 0)
    return card({
      title: 'Since the draft',
      id: 'changed',
      body: html`<p>${chip('Nothing has changed', 'good')}</p><p class="muted">Every payout would be carried out as it was drafted.</p>`,
    });
  return card({
    title: 'Since the draft',
    id: 'changed',
    lead: html`${counted(format, count, 'payout')} of ${totalOf(format, sum, currency)} would be cancelled at the execution: each is carried out exactly as drafted, or not at all. Their commissions stay cleared for the next run.`,
    flush: true,
    body: html`${table<(typeof first)[number]>({
      caption: 'Payouts that would be cancelled',
      rows: first,
      link: ({ payoutId }) => at(`/payouts/${payoutId}`),
      columns: [
        { title: 'Member', cell: ({ userId }) => html`<bdi class="break">${names.text(userId)}</bdi>` },
        { title: 'Why', cell: ({ reason }) => refusalWords(reason) },
      ],
      empty: html``,
    })}${count > first.length && html`<p class="muted">The first ${first.length} of ${format.count(count)}.</p>`}`,
  });
}
