/** The second step of a run: who gets what, who is left out and why, and whether the books agree. */

import { AppError } from '../../../errors.ts';
import type { AnswerOf } from '../../../pages/answer-of.ts';
import { definePage } from '../../../pages/define-page.ts';
import { memberNames } from '../../../pages/parts/member-names.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import { listPayouts } from '../../payouts/payouts/payouts-operations.ts';
import { getPayoutFreeze } from '../../payouts/reconcile/freeze-operations.ts';
import { getBlockedReasons, reviewPayoutRun } from '../../payouts/review/review-operations.ts';
import { cancelPayoutRun, createPayoutRun, getPayoutRun, listBlockedMembers } from '../../payouts/runs/runs-operations.ts';
import { isOfNow, paramsOf } from './run-steps.ts';
import { drawRun, type Rows } from './run-view.ts';

const LIMIT = '50';

export const runPage = definePage({
  path: '/payouts/runs/:runId',
  title: 'Payout run',
  below: '/payouts',
  needs: [getPayoutRun, getBlockedReasons, reviewPayoutRun, listPayouts, listBlockedMembers, getPayoutFreeze],
  uses: [listMembers],
  async get(page) {
    const params = paramsOf(page);
    const { reason, cursor } = page.query;
    const sort = page.query['sort'] || '-amount';
    const rows = async (): Promise<Rows> =>
      reason === undefined || reason === ''
        ? { payouts: await page.invoke(listPayouts, { query: { runId: params.runId, sort, cursor, limit: LIMIT } }) }
        : { blocked: await page.invoke(listBlockedMembers, { params, query: { reason, sort, cursor, limit: LIMIT } }) };
    const [run, reasons, review, shown, freeze] = await Promise.all([
      page.invoke(getPayoutRun, { params }),
      page.invoke(getBlockedReasons, { params }),
      page.invoke(reviewPayoutRun, { params }),
      rows(),
      page.invoke(getPayoutFreeze),
    ]);
    const names = await memberNames(page, idsOf(review, shown), (ids) =>
      page.invokeIfAllowed(listMembers, { query: { ids, limit: '100' } }),
    );
    return drawRun(page, { run, freeze, reasons: reasons.data, review, rows: shown, names });
  },
  actions: {
    redraw: {
      needs: [cancelPayoutRun, createPayoutRun],
      uses: [getPayoutRun],
      async run(page) {
        const params = paramsOf(page);
        const run = await page.invoke(getPayoutRun, { params });
        const { currency, status } = run;
        // Somebody may have approved it since the page was drawn.
        if (status === 'approved') throw new AppError('STATE_CONFLICT', 'The run is approved by now: it is not drawn again');
        await page.invoke(cancelPayoutRun, { params });
        const cutoffAt = isOfNow(run) ? undefined : run.cutoffAt;
        const { id } = await page.invoke(createPayoutRun, { body: { currency, cutoffAt } }).catch((error: unknown) => {
          if (!(error instanceof AppError)) throw error;
          throw new AppError('STATE_CONFLICT', `The old draft is cancelled, and no new one was made: ${error.message}`, {
            cause: error,
          });
        });
        return { to: page.at(`/payouts/runs/${id}`), said: 'The old draft is cancelled. This is the new one.' };
      },
    },
  },
});

function idsOf({ largest, difference }: AnswerOf<typeof reviewPayoutRun>, rows: Rows): string[] {
  const shown = 'payouts' in rows ? rows.payouts.data : rows.blocked.data;
  return [...shown, ...largest, ...(difference?.largestChanges ?? [])].map(({ userId }) => userId);
}
