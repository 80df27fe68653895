/** The last step of a run: paying it, and watching what becomes of each payout. */
import { definePage, type PageContext } from '../../../pages/define-page.ts';
import { html } from '../../../pages/html.ts';
import { memberNames } from '../../../pages/parts/member-names.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import { listPayouts, retryPayout, returnPayout, settlePayout } from '../../payouts/payouts/payouts-operations.ts';
import { getPayoutFreeze } from '../../payouts/reconcile/freeze-operations.ts';
import { retryPayoutRun } from '../../payouts/runs/retry-run-operations.ts';
import { exportPayoutRun } from '../../payouts/runs/run-csv-operations.ts';
import { executePayoutRun, getPayoutRun } from '../../payouts/runs/runs-operations.ts';
import { drawByHand } from './by-hand-view.ts';
import { drawFailed } from './failed-view.ts';
import { paidAtOf } from './paid-at.ts';
import { paramsOf } from './run-steps.ts';
import { countOf, drawProgress } from './watch-parts.ts';
import { drawWatch } from './watch-view.ts';

const FAILED_SHOWN = '100';
const BY_HAND_SHOWN = '25';

export const watchPage = definePage({
  path: '/payouts/runs/:runId/watch',
  title: 'Pay and watch',
  below: '/payouts',
  needs: [getPayoutRun, listPayouts, getPayoutFreeze],
  uses: [listMembers],
  async get(page) {
    const params = paramsOf(page);
    const run = await page.invoke(getPayoutRun, { params });
    const listed = (status: 'failed' | 'processing', query: Record<string, string | undefined>) =>
      countOf(run, status) === 0
        ? { data: [], nextCursor: null }
        : page.invoke(listPayouts, { query: { runId: run.id, status, ...query } });
    const readFailed = () => listed('failed', { limit: FAILED_SHOWN });
    const readByHand = async () => {
      const { data, nextCursor } = await listed('processing', { limit: BY_HAND_SHOWN, cursor: page.query['cursor'] });
      return { data: data.filter(({ provider }) => provider === 'manual'), nextCursor };
    };
    const namesOf = (payouts: readonly { userId: string }[]) =>
      memberNames(
        page,
        payouts.map(({ userId }) => userId),
        (ids) => page.invokeIfAllowed(listMembers, { query: { ids, limit: '100' } }),
      );
    if (page.part === 'progress') {
      const [{ data: failed }, byHand] = await Promise.all([readFailed(), readByHand()]);
      const facts = { run, failed, byHand, names: await namesOf([...failed, ...byHand.data]) };
      return { part: html`${drawProgress(page, run)}${drawFailed(page, facts)}${drawByHand(page, facts)}` };
    }
    const [failed, byHand, freeze] = await Promise.all([readFailed(), readByHand(), page.invoke(getPayoutFreeze)]);
    const names = await namesOf([...failed.data, ...byHand.data]);
    return drawWatch(page, { run, failed: failed.data, byHand, freeze, names });
  },
  actions: {
    execute: {
      needs: [executePayoutRun],
      async run(page) {
        await page.invoke(executePayoutRun, { params: paramsOf(page) });
        return { to: page.here(), said: 'The run is executing. Its payouts are carried out one by one.' };
      },
    },
    retryAll: {
      needs: [retryPayoutRun],
      async run(page) {
        const params = paramsOf(page);
        let answer = await page.invoke(retryPayoutRun, { params });
        const refused = [...answer.refused];
        // Those that are refused stay in front of the others.
        while (answer.retried === 0 && answer.remaining > 0 && answer.lastPayoutId !== null) {
          answer = await page.invoke(retryPayoutRun, { params, body: { afterPayoutId: answer.lastPayoutId } });
          refused.push(...answer.refused);
        }
        return { to: page.here(), said: toldOf(page, { ...answer, refused }) };
      },
    },
    retry: {
      needs: [retryPayout],
      async run(page, form) {
        await page.invoke(retryPayout, { params: { payoutId: form.raw('payoutId') } });
        return { to: page.here(), said: 'The payout is tried again.' };
      },
    },
    settle: {
      needs: [settlePayout],
      async run(page, form) {
        const body = { reference: form.raw('reference').trim(), paidAt: paidAtOf(page, form) };
        await page.invoke(settlePayout, { params: { payoutId: form.raw('payoutId') }, body });
        return { to: page.here(), said: 'The payout is paid.' };
      },
    },
    return: {
      needs: [returnPayout],
      async run(page, form) {
        await page.invoke(returnPayout, {
          params: { payoutId: form.raw('payoutId') },
          body: { reason: form.raw('reason').trim() },
        });
        return { to: page.here(), said: 'The payout has failed. Its commissions are cleared again.' };
      },
    },
    file: {
      needs: [exportPayoutRun],
      run: async (page) => ({ file: await page.invokeFile(exportPayoutRun, { params: paramsOf(page) }) }),
    },
  },
});

interface Retried {
  retried: number;
  refused: readonly { message: string }[];
  remaining: number;
}

function toldOf({ format }: PageContext, { retried, refused, remaining }: Retried): string {
  const parts = [`${format.count(retried)} tried again.`];
  const [first] = refused;
  if (first) parts.push(`${format.count(refused.length)} refused: ${first.message}`);
  if (remaining > 0) parts.push(`${format.count(remaining)} more have failed: press again.`);
  return parts.join(' ');
}
