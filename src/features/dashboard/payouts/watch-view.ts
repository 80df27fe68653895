/** The last step of a run as a document. */
import type { PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { auditOf } from '../../../pages/parts/actor.ts';
import { card } from '../../../pages/parts/card.ts';
import { eventsOf } from '../../../pages/parts/events-of.ts';
import { executePayoutRun } from '../../payouts/runs/runs-operations.ts';
import { counted, totalText } from './amounts.ts';
import { type ByHand, drawByHand } from './by-hand-view.ts';
import { drawFailed, type Failed } from './failed-view.ts';
import type { Freeze } from './freeze-view.ts';
import { queuedOf, type Run, type RunLook, runHead } from './run-steps.ts';
import { drawProgress } from './watch-parts.ts';

export interface WatchFacts extends ByHand, Failed {
  freeze: Freeze;
}

export function drawWatch(page: RunLook, facts: WatchFacts): PageView {
  const { run } = facts;
  const { head, ...top } = runHead(page, facts, 'watch');
  const hasBegun = run.executedAt !== null;
  return {
    ...top,
    actions: html`${auditOf(page, 'payout_run', run.id)}${eventsOf(page, run.id)}`,
    ...(run.status === 'executing' && { scripts: ['progress'] }),
    body: html`${head}<div class="stack">${!hasBegun && drawPay(page, run)}${hasBegun && drawProgress(page, run)}${drawFailed(page, facts)}${hasBegun && drawByHand(page, facts)}</div>`,
  };
}

function drawPay(page: RunLook, run: Run): Html {
  const { at, format } = page;
  if (run.status === 'cancelled') return card({ title: 'Pay', body: html`<p>The run was cancelled. Nobody is paid by it.</p>` });
  if (run.status === 'draft')
    return card({
      title: 'Pay',
      body: html`<p>It is not approved yet.</p><p><a class="button" href="${at(`/payouts/runs/${run.id}/approve`)}">To the approval</a></p>`,
    });
  const queued = queuedOf(run);
  const form = page.form('execute', {
    submit: `Pay ${totalText(format, queued, run.currency)} to ${counted(format, queued.count, 'member')}`,
    note: 'Each payout is carried out as it was drafted. One whose commissions, account or member have changed since is cancelled. You are asked for your second factor.',
  });
  const other = !page.can(executePayoutRun) && html`<p>It is approved. Your role does not pay runs.</p>`;
  return card({ title: 'Pay', body: html`${form}${other}` });
}
