/** Payouts: what is paid next, and what blocks? */
import { definePage, type PageContext } from '../../../pages/define-page.ts';
import { getPayoutFreeze } from '../../payouts/reconcile/freeze-operations.ts';
import { createPayoutRun, listPayoutRuns } from '../../payouts/runs/runs-operations.ts';
import { getPayoutSchedule } from '../../payouts/schedule/schedule-operations.ts';
import { settingsOperations } from '../../tenants/settings-operations.ts';
import { drawRuns, FILTERS } from './runs-view.ts';
import { drawnIn, type Entry, entryOf } from './schedule-form.ts';

// The parts of settings stand in the service's own description, by which a call is validated.
const { updateSettings } = settingsOperations([]);

export const runsPage = definePage({
  path: '/payouts',
  title: 'Payouts',
  nav: { group: 'Money', icon: 'payout', key: 'p', waiting: 'runsToApprove' },
  needs: [listPayoutRuns, getPayoutFreeze, getPayoutSchedule],
  uses: [createPayoutRun],
  filters: FILTERS,
  async get(page) {
    const { status, cursor } = page.query;
    const currency = page.query['currency']?.trim().toUpperCase();
    const [runs, drafts, freeze, schedule] = await Promise.all([
      page.invoke(listPayoutRuns, { query: { status, currency, cursor, limit: '25' } }),
      page.invoke(listPayoutRuns, { query: { status: 'draft', limit: '10' } }),
      page.invoke(getPayoutFreeze),
      page.invoke(getPayoutSchedule),
    ]);
    return drawRuns(page, { runs, drafts, freeze, schedule: schedule.data });
  },
  actions: {
    schedule: {
      needs: [updateSettings],
      async run(page, form) {
        const entry = entryOf(form);
        const drawn = drawnIn(form);
        const others = drawn.filter(({ currency }) => currency !== entry.currency);
        await changeSchedule(page, drawn, [...others, entry]);
        return { to: page.at('/payouts'), said: `Runs in ${entry.currency} are drafted by themselves.` };
      },
    },
    unschedule: {
      needs: [updateSettings],
      async run(page, form) {
        const gone = form.raw('currency');
        const drawn = drawnIn(form);
        await changeSchedule(
          page,
          drawn,
          drawn.filter(({ currency }) => currency !== gone),
        );
        return { to: page.at('/payouts'), said: `Runs in ${gone} are drafted by people alone.` };
      },
    },
  },
});

/** 409 where it is not any more what the form was drawn of: what somebody has stopped meanwhile does not come back. */
async function changeSchedule(page: PageContext, drawn: readonly Entry[], schedule: readonly Entry[]): Promise<void> {
  await page.invoke(updateSettings, { body: { payments: { schedule, expectedSchedule: drawn } } });
}
