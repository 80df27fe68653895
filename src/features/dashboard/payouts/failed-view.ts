/** Payouts of a run that have failed, grouped by what the vendor says, and how they are tried again. */
import type { AnswerOf } from '../../../pages/answer-of.ts';
import { type Html, html } from '../../../pages/html.ts';
import { card } from '../../../pages/parts/card.ts';
import type { MemberNames } from '../../../pages/parts/member-names.ts';
import { table } from '../../../pages/parts/table.ts';
import { type listPayouts, retryPayout } from '../../payouts/payouts/payouts-operations.ts';
import { amountOf, counted, totalText } from './amounts.ts';
import { failureWords } from './reasons.ts';
import type { Run, RunLook } from './run-steps.ts';
import { countOf } from './watch-parts.ts';

type Payout = AnswerOf<typeof listPayouts>['data'][number];

export interface Failed {
  run: Run;
  /** The first of them. */
  failed: readonly Payout[];
  names: MemberNames;
}

/**
 * Those that have failed, in the vendor's words. It comes with the progress of a run, whose script puts it in the place of
 * the one before when their number has changed.
 */
export function drawFailed(page: RunLook, facts: Failed): Html {
  const count = countOf(facts.run, 'failed');
  return html`<div class="stack" id="failed-list" data-with-progress="${count}">${count > 0 && drawList(page, facts, count)}</div>`;
}

function drawList(page: RunLook, { run, failed, names }: Failed, count: number): Html {
  const sum = run.byStatus.find(({ status }) => status === 'failed') ?? { totalMinor: 0 };
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
