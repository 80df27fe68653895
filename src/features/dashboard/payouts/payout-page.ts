/** One payout: what it pays, how it went, and what can be done with it. */
import { definePage, type PageContext } from '../../../pages/define-page.ts';
import { memberNames } from '../../../pages/parts/member-names.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import {
  cancelPayout,
  getPayout,
  listPayoutCommissions,
  retryPayout,
  returnPayout,
  settlePayout,
} from '../../payouts/payouts/payouts-operations.ts';
import { paidAtOf } from './paid-at.ts';
import { drawPayout } from './payout-view.ts';

const paramsOf = ({ params }: PageContext) => ({ payoutId: params['payoutId'] ?? '' });

export const payoutPage = definePage({
  path: '/payouts/:payoutId',
  title: 'Payout',
  below: '/payouts',
  needs: [getPayout, listPayoutCommissions],
  uses: [listMembers],
  async get(page) {
    const params = paramsOf(page);
    const [payout, commissions] = await Promise.all([
      page.invoke(getPayout, { params }),
      page.invoke(listPayoutCommissions, { params, query: { cursor: page.query['cursor'], limit: '50' } }),
    ]);
    const names = await memberNames(page, [payout.userId], (ids) =>
      page.invokeIfAllowed(listMembers, { query: { ids, limit: '100' } }),
    );
    return drawPayout(page, { payout, commissions, names });
  },
  actions: {
    retry: {
      needs: [retryPayout],
      async run(page) {
        await page.invoke(retryPayout, { params: paramsOf(page) });
        return { to: page.here(), said: 'The payout is tried again.' };
      },
    },
    settle: {
      needs: [settlePayout],
      async run(page, form) {
        const body = { reference: form.raw('reference').trim(), paidAt: paidAtOf(page, form) };
        await page.invoke(settlePayout, { params: paramsOf(page), body });
        return { to: page.here(), said: 'The payout is paid.' };
      },
    },
    return: {
      needs: [returnPayout],
      async run(page, form) {
        const { status } = await page.invoke(returnPayout, {
          params: paramsOf(page),
          body: { reason: form.raw('reason').trim() },
        });
        const word = status === 'returned' ? 'came back' : 'has failed';
        return { to: page.here(), said: `The payout ${word}. Its commissions are cleared again.` };
      },
    },
    cancel: {
      needs: [cancelPayout],
      async run(page) {
        await page.invoke(cancelPayout, { params: paramsOf(page) });
        return { to: page.here(), said: 'The payout is cancelled. Its commissions are free for the next run.' };
      },
    },
  },
});
