/** Payouts: what is paid next, and what blocks? */
import { definePage, type PageContext } from '../../../pages/define-page.ts';
import { getPayoutFreeze } from '../../payouts/reconcile/freeze-operations.ts';
import { createPayoutRun, listPayoutRuns } from '../../payouts/runs/runs-operations.ts';
import { getPayoutSchedule } from '../../payouts/schedule/schedule-operations.ts';
import { settingsOperations } from '../../tenants/settings-operations.ts';
import { drawRuns, FILTERS } from './runs-view.ts';
import { entryOf } from './schedule-form.ts';

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
      uses: [getPayoutSchedule],
      async run(page, form) {
        const entry = entryOf(form);
        const others = (await scheduleNow(page)).filter(({ currency }) => currency !== entry.currency);
        await page.invoke(updateSettings, { body: { payments: { schedule: [...others, entry] } } });
        return { to: page.at('/payouts'), said: `Runs in ${entry.currency} are drafted by themselves.` };
      },
    },
    unschedule: {
      needs: [updateSettings],
      uses: [getPayoutSchedule],
      async run(page, form) {
        const gone = form.raw('currency');
        const others = (await scheduleNow(page)).filter(({ currency }) => currency !== gone);
        await page.invoke(updateSettings, { body: { payments: { schedule: others.length === 0 ? null : others } } });
        return { to: page.at('/payouts'), said: `Runs in ${gone} are drafted by people alone.` };
      },
    },
  },
});

async function scheduleNow(page: PageContext) {
  const { data } = await page.invoke(getPayoutSchedule);
  return data.map(({ currency, cadence, days, localTime, cutoff }) => ({ currency, cadence, days, localTime, cutoff }));
}
