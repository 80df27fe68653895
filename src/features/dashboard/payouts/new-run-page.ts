/** The first step of a run: which currency, up to when, and what the draft would be. */
import { invalidField } from '../../../errors.ts';
import { definePage, type PageContext } from '../../../pages/define-page.ts';
import { instantIn, instantOf } from '../../../pages/instants.ts';
import { memberNames } from '../../../pages/parts/member-names.ts';
import { listMembers } from '../../members/member-list-operations.ts';
import { getPayoutFreeze } from '../../payouts/reconcile/freeze-operations.ts';
import { createPayoutRun } from '../../payouts/runs/runs-operations.ts';
import { drawNewRun } from './new-run-view.ts';

export const newRunPage = definePage({
  path: '/payouts/runs/new',
  title: 'New payout run',
  below: '/payouts',
  needs: [createPayoutRun],
  uses: [listMembers, getPayoutFreeze],
  async get(page) {
    const currency = page.query['currency']?.trim().toUpperCase();
    const freeze = await page.invokeIfAllowed(getPayoutFreeze);
    if (currency === undefined || currency === '') return drawNewRun(page, { freeze });
    // A draft that is not stored: nothing is written by looking.
    const plan = await page.invoke(createPayoutRun, { body: { currency, cutoffAt: cutoffOf(page), dryRun: true } });
    const ids = [...plan.payouts, ...plan.blocked].map(({ userId }) => userId);
    const names = await memberNames(page, ids, (some) =>
      page.invokeIfAllowed(listMembers, { query: { ids: some, limit: '100' } }),
    );
    return drawNewRun(page, { freeze, planned: { plan, names } });
  },
  actions: {
    draft: {
      needs: [createPayoutRun],
      async run(page, form) {
        const cutoffAt = instantOf(page.tenant.timeZone, 'cutoff', form.text('cutoff'));
        const { id } = await page.invoke(createPayoutRun, { body: { currency: form.text('currency'), cutoffAt } });
        if (id === null) throw new Error('a draft is stored');
        return {
          to: page.at(`/payouts/runs/${id}`),
          said: 'The run is drafted. Nothing moves before it is approved and executed.',
        };
      },
    },
  },
});

function cutoffOf({ query, tenant }: PageContext): string | undefined {
  const typed = query['cutoff'];
  if (typed === undefined || typed === '') return undefined;
  const instant = instantIn(tenant.timeZone, typed);
  if (instant === undefined) throw invalidField('cutoff', 'must be a time');
  return instant;
}
