/** The last step of a run as a document. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageView } from '../../../pages/define-page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { auditOf } from '../../../pages/parts/actor.ts';
import { card } from '../../../pages/parts/card.ts';
import { eventsOf } from '../../../pages/parts/events-of.ts';
import { table } from '../../../pages/parts/table.ts';
import { type listPayouts, retryPayout } from '../../payouts/payouts/payouts-operations.ts';
import type { getPayoutFreeze } from '../../payouts/reconcile/freeze-operations.ts';
import { executePayoutRun } from '../../payouts/runs/runs-operations.ts';
import { amountOf, counted, totalText } from './amounts.ts';
import { type ByHand, drawByHand } from './by-hand-view.ts';
import { drawFreeze } from './freeze-view.ts';
import { failureWords } from './reasons.ts';
import { queuedOf, type Run, type RunLook, runHead } from './run-steps.ts';
import { countOf, drawProgress } from './watch-parts.ts';

type Payout = AnswerOf<typeof listPayouts>['data'][number];

export interface WatchFacts extends ByHand {
  /** The first of those that have failed. */
  failed: readonly Payout[];
  freeze: AnswerOf<typeof getPayoutFreeze>;
}

export function drawWatch(page: RunLook, facts: WatchFacts): PageView {
  const { run, freeze } = facts;
  const { head, ...top } = runHead(page, run, 'watch');
  const hasBegun = run.executedAt !== null;
  return {
    ...top,
    actions: html`${auditOf(page, 'payout_run', run.id)}${eventsOf(page, run.id)}`,
    ...(run.status === 'executing' && { scripts: ['progress'] }),
    body: html`${head}${drawFreeze(page, freeze)}<div class="stack">${!hasBegun && drawPay(page, run)}${hasBegun && drawProgress(page, run)}${drawFailed(page, facts)}${hasBegun && drawByHand(page, facts)}</div>`,
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

function drawFailed(page: RunLook, { run, failed, names }: WatchFacts): Html | undefined {
  const count = countOf(run, 'failed');
  const sum = run.byStatus.find(({ status }) => status === 'failed');
  if (count === 0 || !sum) return undefined;
  const { at, format } = page;
  const groups = Map.groupBy(failed, ({ failureCode, failureMessage }) => JSON.stringify([failureCode, failureMessage]));
  const lists = [...groups.values()].map((some) => {
    const { failureCode, failureMessage } = some[0] ?? {};
    const said = failureCode ? failureWords(failureCode) : 'It failed';
    return html`<div class="failures"><h3>${said} <span class="muted">${counted(format, some.length, 'payout')}</span></h3>${failureMessage && html`<p class="break"><bdi>${failureMessage}</bdi></p>`}${failureCode && html`<p class="muted"><code>${failureCode}</code></p>`}${table<Payout>(
      {
        caption: said,
        rows: some,
        link: ({ id }) => at(`/payouts/${id}`),
        columns: [
          { title: 'Member', cell: ({ userId }) => html`<bdi class="break">${names.text(userId)}</bdi>` },
          { title: 'Attempts', number: true, secondary: true, cell: ({ attempt }) => format.count(attempt) },
          { title: 'Amount', number: true, cell: (payout) => amountOf(format, payout, run.currency) },
          ...(page.can(retryPayout)
            ? [
                {
                  title: 'Try again',
                  cell: ({ id, ...payout }: Payout) =>
                    page.form('retry', {
                      key: id,
                      hidden: { payoutId: id },
                      inline: true,
                      tone: 'plain' as const,
                      submit: `Retry ${totalText(format, { totalMinor: payout.amountMinor, totalMinorExact: payout.amountMinorExact }, run.currency)}`,
                    }),
                },
              ]
            : []),
        ],
        empty: html``,
      },
    )}</div>`;
  });
  const all = page.form('retryAll', {
    submit: `Retry ${format.count(count)} failed: ${totalText(format, sum, run.currency)}`,
    inline: true,
  });
  return card({
    title: 'Failed',
    id: 'failed',
    lead: html`${counted(format, count, 'payout')} ${count === 1 ? 'was' : 'were'} not paid. The commissions are cleared again, and free for another run.${count > failed.length && html` The first ${failed.length} are shown; <a href="${at('/payouts/all', { runId: run.id, status: 'failed' })}">all of them</a>.`}`,
    actions: all,
    body: html`<div class="stack">${lists}</div>`,
  });
}
