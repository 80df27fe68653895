/** The third step of a run as a document: what has changed since the draft, who may approve it, and the deed. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { actor, auditOf } from '../../../pages/parts/actor.ts';
import { beside, card } from '../../../pages/parts/card.ts';
import { dialog, opensDialog } from '../../../pages/parts/dialog.ts';
import type { MemberNames } from '../../../pages/parts/member-names.ts';
import type { reviewPayoutRun } from '../../payouts/review/review-operations.ts';
import { approvePayoutRun, cancelPayoutRun } from '../../payouts/runs/runs-operations.ts';
import { TIE_DAYS } from '../../two-hands/open/approval-tie.ts';
import type { TwoHandsRule } from '../../two-hands/open/two-hands-rule.ts';
import { counted, totalText } from './amounts.ts';
import type { Freeze } from './freeze-view.ts';
import { drawBooks, drawChanged, drawDifference } from './review-view.ts';
import { isScheduled, queuedOf, type Run, type RunLook, runHead } from './run-steps.ts';

interface ApproveFacts {
  run: Run;
  freeze: Freeze;
  review: AnswerOf<typeof reviewPayoutRun>;
  names: MemberNames;
}

export function drawApprove(page: RunLook, facts: ApproveFacts): PageView {
  const { run, review, names } = facts;
  const { head, ...top } = runHead(page, facts, 'approve');
  const isOpen = run.status === 'draft' || run.status === 'approved';
  const cancel = isOpen && page.can(cancelPayoutRun);
  return {
    ...top,
    actions: html`${auditOf(page, 'payout_run', run.id)}${cancel && opensDialog('cancel-run', 'Cancel the run…')}`,
    body: html`${head}${beside(
      html`${drawDeed(page, run, review)}${isOpen && drawChanged(page, run, review, names)}`,
      html`${drawBooks(page, run, review)}${drawDifference(page, run, review, names)}`,
    )}${cancel && cancelDialog(page, run)}`,
  };
}

function drawDeed(page: RunLook, run: Run, review: ApproveFacts['review']): Html {
  const { at, format } = page;
  const watch = html`<p><a class="button button-main" href="${at(`/payouts/runs/${run.id}/watch`)}">Go on</a></p>`;
  if (run.status === 'cancelled')
    return card({ title: 'Approval', body: html`<p>The run was cancelled. Nobody is paid by it.</p>` });
  if (run.status !== 'draft') return card({ title: 'Approval', body: html`<p>The run is approved.</p>${watch}` });
  const about = html`${whoMay(page, run)}${review.stale && html`<div class="notice notice-waiting"><p>This draft is older than a day. <a href="${at(`/payouts/runs/${run.id}`)}">Look at it, and draw it again</a>.</p></div>`}`;
  if (!review.ledger.equal)
    return card({
      title: 'Approval',
      body: html`${about}<p>It is not offered for approval: the books differ.</p>`,
    });
  // It would be refused.
  if (isOfOwnHands(page, run)) return card({ title: 'Approval', body: about });
  const queued = queuedOf(run);
  const form = page.form('approve', {
    submit: `Approve ${totalText(format, queued, run.currency)} to ${counted(format, queued.count, 'member')}`,
    note: 'Approving moves no money. You are asked for your second factor.',
  });
  return card({ title: 'Approval', body: html`${about}${form}` });
}

/** Whether dual control asks for somebody else than the reader, whose hands are the first pair. */
function isOfOwnHands({ person }: RunLook, { dualControl, createdBy, firstHands }: Run): boolean {
  return (
    (dualControl ?? 'none') !== 'none' && [createdBy, firstHands].some(({ kind, id }) => kind === 'staff' && id === person.id)
  );
}

function ownDeed({ person }: RunLook, run: Run): string {
  if (isScheduled(run)) return 'You set the schedule that drafted this run';
  return run.createdBy.id === person.id ? 'You drafted this run' : 'A key of yours drafted this run';
}

const RULES: Readonly<Record<TwoHandsRule, string>> = {
  none: 'It was drafted without dual control: unless that is on now, whoever may approve runs may approve it.',
  keys: 'Another person, or a key of another root than that of the drafter, approves it.',
  persons: 'Another person approves it, with a fresh second factor. A key cannot.',
} as const;

/** Said before somebody tries, so that nobody is led to a refusal. */
function whoMay(page: RunLook, run: Run): Html {
  const rule = run.dualControl ?? 'none';
  const roles = 'Owners and people of finance may approve runs.';
  if (isOfOwnHands(page, run))
    return html`<div class="notice notice-waiting"><p><strong>${ownDeed(page, run)}, so somebody else approves it.</strong> ${roles} Nobody whom you invited, or gave a factor, within the last ${TIE_DAYS} days counts as somebody else. Send them the address of this page.</p></div>`;
  const first =
    rule !== 'none' &&
    isScheduled(run) &&
    html` It is drafted by the schedule that <bdi>${actor(page, run.firstHands)}</bdi> set, who counts as its drafter.`;
  if (!page.can(approvePayoutRun))
    return html`<p>Your role does not approve runs. ${roles}</p><p class="muted">${RULES[rule]}${first}</p>`;
  return html`<p class="muted">${RULES[rule]}${first}</p>`;
}

function cancelDialog(page: RunLook, run: Run): Html {
  return dialog({
    id: 'cancel-run',
    title: 'Cancel this run?',
    body: page.form('cancel', {
      note: `Nobody is paid by it. The commissions of ${totalText(page.format, run, run.currency)} are free for the next run.`,
      submit: 'Cancel the run',
      tone: 'danger',
    }),
  });
}
