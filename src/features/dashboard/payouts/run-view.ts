/** The second step of a run as a document. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { auditOf } from '../../../pages/parts/actor.ts';
import { beside, card } from '../../../pages/parts/card.ts';
import { stateChip } from '../../../pages/parts/chips.ts';
import { empty } from '../../../pages/parts/empty.ts';
import { eventsOf } from '../../../pages/parts/events-of.ts';
import type { MemberNames } from '../../../pages/parts/member-names.ts';
import { pagerOf, table } from '../../../pages/parts/table.ts';
import { exactTime } from '../../../pages/parts/time.ts';
import type { BlockReason } from '../../payouts/open/payout-states.ts';
import type { listPayouts } from '../../payouts/payouts/payouts-operations.ts';
import type { getBlockedReasons, reviewPayoutRun } from '../../payouts/review/review-operations.ts';
import type { listBlockedMembers } from '../../payouts/runs/runs-operations.ts';
import { amountOf, counted } from './amounts.ts';
import type { Freeze } from './freeze-view.ts';
import { cureLink, REASONS } from './reasons.ts';
import { drawBooks, drawDifference, drawLargest } from './review-view.ts';
import { isOfNow, type Run, type RunLook, runHead } from './run-steps.ts';

type Reason = AnswerOf<typeof getBlockedReasons>['data'][number];
type Payouts = AnswerOf<typeof listPayouts>;
type Blocked = AnswerOf<typeof listBlockedMembers>;

/** What stands in the list: who is paid, or who is left out for a reason. */
export type Rows = { payouts: Payouts } | { blocked: Blocked };

export interface RunFacts {
  run: Run;
  freeze: Freeze;
  reasons: readonly Reason[];
  review: AnswerOf<typeof reviewPayoutRun>;
  rows: Rows;
  names: MemberNames;
}

export function drawRun(page: RunLook, facts: RunFacts): PageView {
  const { run, review } = facts;
  const { head, ...top } = runHead(page, facts, 'look');
  const list =
    'blocked' in facts.rows ? drawBlocked(page, facts, facts.rows.blocked) : drawPayouts(page, facts, facts.rows.payouts);
  const side = html`${drawBooks(page, run, review)}${drawReasons(page, facts)}${drawDifference(page, run, review, facts.names)}${drawLargest(page, run, review, facts.names)}`;
  return {
    ...top,
    actions: html`${auditOf(page, 'payout_run', run.id)}${eventsOf(page, run.id)}${next(page, run)}`,
    body: html`${head}${review.stale && drawStale(page, run)}${beside(list, side)}`,
  };
}

function next({ at }: RunLook, run: Run): Html | undefined {
  if (run.status === 'cancelled') return undefined;
  const path = `/payouts/runs/${run.id}`;
  return run.status === 'draft'
    ? html`<a class="button button-main" href="${at(`${path}/approve`)}">Approve…</a>`
    : html`<a class="button button-main" href="${at(`${path}/watch`)}">${run.status === 'approved' ? 'Pay…' : 'Watch'}</a>`;
}

function drawStale(page: RunLook, run: Run): Html {
  const form = page.form('redraw', { submit: 'Draw it again', inline: true });
  return html`<div class="notice notice-waiting run-notice"><p><strong>This draft is older than a day.</strong> It was drawn ${exactTime(page.format, run.createdAt)}. What has cleared since is not in it. Drawing it again cancels it and drafts ${isOfNow(run) ? 'what is due now' : html`what is due now of what had cleared by ${exactTime(page.format, run.cutoffAt)}`}. Whoever draws it again counts as its drafter: somebody else approves it.</p>${form}</div>`;
}

function drawReasons(page: RunLook, { run, reasons }: RunFacts): Html | undefined {
  if (reasons.length === 0) return undefined;
  const { format, here } = page;
  const items = reasons.map(({ reason, count, ...sum }) => {
    const { title, cure } = REASONS[reason];
    const members = here({ reason, cursor: undefined, trail: undefined, sort: undefined });
    return html`<li><p><strong>${title}</strong>: <a href="${members}">${counted(format, count, 'member')}</a>, ${amountOf(format, sum, run.currency)}</p><p class="muted">${cure} ${cureLink(page, reason, run.currency)}</p></li>`;
  });
  return card({
    title: 'Left out, and what cures it',
    id: 'blocked',
    lead: 'Each member with the first reason that applies, as drafted.',
    body: html`<ul class="reasons">${items}</ul>`,
  });
}

const ORDERS = [
  { value: '-amount', label: 'Largest first' },
  { value: 'amount', label: 'Smallest first' },
];

function orders({ here, query }: RunLook): Html {
  const chosen = query['sort'] || '-amount';
  const links = ORDERS.map(
    ({ value, label }) =>
      html`<a href="${here({ sort: value, cursor: undefined, trail: undefined })}"${value === chosen && html` aria-current="true"`}>${label}</a>`,
  );
  return html`<span class="orders">${links}</span>`;
}

function drawPayouts(page: RunLook, { run, names }: RunFacts, { data, nextCursor }: Payouts): Html {
  const { at, format } = page;
  const list = table<Payouts['data'][number]>({
    caption: 'Who gets what',
    rows: data,
    link: ({ id }) => at(`/payouts/${id}`),
    columns: [
      { title: 'Member', cell: ({ userId }) => html`<bdi class="break">${names.text(userId)}</bdi>` },
      { title: 'Commissions', number: true, secondary: true, cell: ({ commissionCount }) => format.count(commissionCount) },
      { title: 'State', secondary: true, cell: ({ status }) => stateChip(status) },
      { title: 'Amount', number: true, cell: (payout) => amountOf(format, payout, run.currency) },
    ],
    empty: empty({ what: 'Who is paid appears here', why: 'This run pays nobody: everybody is left out.', level: 3 }),
  });
  return card({ title: 'Who gets what', flush: true, actions: orders(page), body: html`${list}${pagerOf(page, nextCursor)}` });
}

function drawBlocked(page: RunLook, { run, names }: RunFacts, { data, nextCursor }: Blocked): Html {
  const { at, format, here, query, can, opens } = page;
  const reason = query['reason'] as BlockReason;
  const { title, cure } = REASONS[reason];
  const list = table<Blocked['data'][number]>({
    caption: `Left out: ${title}`,
    rows: data,
    ...(can('members:read') && { link: ({ userId }: { userId: string }) => at(`/members/${userId}`) }),
    columns: [
      { title: 'Member', cell: ({ userId }) => html`<bdi class="break">${names.text(userId)}</bdi>` },
      ...(reason === 'HELD'
        ? [
            {
              title: 'Hold',
              secondary: true,
              cell: ({ payoutHold }: Blocked['data'][number]) =>
                payoutHold ? html`<bdi class="break">${payoutHold.reason}</bdi>` : 'Lifted since',
            },
          ]
        : []),
      ...(reason === 'KYC_REQUIRED' && opens('/verification')
        ? [
            {
              title: 'Verification',
              secondary: true,
              cell: ({ userId }: Blocked['data'][number]) =>
                html`<a href="${at('/verification', { status: 'all', userId })}">Open</a>`,
            },
          ]
        : []),
      { title: 'Due', number: true, cell: (member) => amountOf(format, member, run.currency) },
    ],
    empty: empty({ what: 'Members who are left out appear here', why: 'Nobody was left out for this reason.', level: 3 }),
  });
  const back = here({ reason: undefined, cursor: undefined, trail: undefined, sort: undefined });
  return card({
    title: `Left out: ${title}`,
    lead: html`${cure} ${cureLink(page, reason, run.currency)}`,
    flush: true,
    actions: html`${orders(page)} <a href="${back}">Who gets what</a>`,
    body: html`${list}${pagerOf(page, nextCursor)}`,
  });
}
