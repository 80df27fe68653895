/** The third step of a run: a second person approves it, or somebody cancels it. */
import { AppError } from '../../../errors.ts';
import { definePage } from '../../../pages/define-page.ts';
import { memberNames } from '../../../pages/parts/member-names.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import { getPayoutFreeze } from '../../payouts/reconcile/freeze-operations.ts';
import { reviewPayoutRun } from '../../payouts/review/review-operations.ts';
import { approvePayoutRun, cancelPayoutRun, getPayoutRun } from '../../payouts/runs/runs-operations.ts';
import { drawApprove } from './approve-view.ts';
import { paramsOf } from './run-steps.ts';

export const approvePage = definePage({
  path: '/payouts/runs/:runId/approve',
  title: 'Approve a payout run',
  below: '/payouts',
  needs: [getPayoutRun, reviewPayoutRun, getPayoutFreeze],
  uses: [listMembers],
  async get(page) {
    const params = paramsOf(page);
    const [run, review, freeze] = await Promise.all([
      page.invoke(getPayoutRun, { params }),
      page.invoke(reviewPayoutRun, { params }),
      page.invoke(getPayoutFreeze),
    ]);
    const changed = [...review.changedSinceDraft.first, ...(review.difference?.largestChanges ?? [])];
    const names = await memberNames(
      page,
      changed.map(({ userId }) => userId),
      (ids) => page.invokeIfAllowed(listMembers, { query: { ids, limit: '100' } }),
    );
    return drawApprove(page, { run, freeze, review, names });
  },
  actions: {
    approve: {
      needs: [approvePayoutRun],
      async run(page) {
        const params = paramsOf(page);
        // The form may be of a moment at which the books were equal.
        const { ledger } = await page.invoke(reviewPayoutRun, { params });
        if (!ledger.equal) throw new AppError('STATE_CONFLICT', 'The books differ: the run is not approved');
        await page.invoke(approvePayoutRun, { params });
        return {
          to: page.at(`/payouts/runs/${params.runId}/watch`),
          said: 'The run is approved. It is paid once somebody executes it.',
        };
      },
    },
    cancel: {
      needs: [cancelPayoutRun],
      async run(page) {
        await page.invoke(cancelPayoutRun, { params: paramsOf(page) });
        return { to: page.at('/payouts'), said: 'The run is cancelled. Its commissions are free for the next one.' };
      },
    },
  },
});
