/** Overview: what needs me today? */
import { definePage, type PageContext } from '../../../pages/define-page.ts';
import { monthOf } from '../../../pages/parts/months.ts';
import { listEvents } from '../../events/events-operations.ts';
import { getOverview } from '../../overview/overview-operations.ts';
import { getPayoutFreeze } from '../../payouts/reconcile/freeze-operations.ts';
import { listPayoutRuns } from '../../payouts/runs/runs-operations.ts';
import { listApiKeys } from '../../tenants/api-keys-operations.ts';
import { type BlockedRun, drawOverview, PERIODS } from './overview-view.ts';

export const overviewPage = definePage({
  path: '',
  title: 'Overview',
  nav: { group: null, icon: 'overview', key: 'o' },
  needs: [getOverview],
  uses: [listEvents, listApiKeys, getPayoutFreeze, listPayoutRuns],
  async get(page) {
    const [overview, sales, keys, freeze] = await Promise.all([
      page.invoke(getOverview, { query: { from: firstMonth(page), currency: currencyOf(page) } }),
      page.invokeIfAllowed(listEvents, { query: { kind: 'purchase', sort: '-recorded_at', limit: '5' } }),
      page.invokeIfAllowed(listApiKeys, { query: { limit: '1' } }),
      page.invokeIfAllowed(getPayoutFreeze),
    ]);
    const blockedRuns = (overview.waiting.blockedPayouts ?? 0) > 0 ? await lastRuns(page) : [];
    return drawOverview(page, {
      overview,
      sales: sales?.data,
      hasKeys: keys && keys.data.length > 0,
      isFrozen: freeze?.frozen === true,
      blockedRuns,
    });
  },
});

/** The last run of each currency that could not pay somebody, of the newest runs. */
async function lastRuns(page: PageContext): Promise<readonly BlockedRun[]> {
  const runs = await page.invokeIfAllowed(listPayoutRuns, { query: { limit: '50' } });
  const drafted = (runs?.data ?? []).filter(({ status }) => status !== 'cancelled');
  const newest = new Map(drafted.toReversed().map((run) => [run.currency, run]));
  return [...newest.values()].filter(({ blockedCount }) => blockedCount > 0);
}

/** What stands in an address may be anything: of what is no currency nothing is asked. */
function currencyOf({ query }: Pick<PageContext, 'query'>): string | undefined {
  const typed = query['currency']?.trim().toUpperCase();
  return typed !== undefined && /^[A-Z]{3}$/.test(typed) ? typed : undefined;
}

/** The first of the months asked for, up to the present one; undefined is the operation's own. */
function firstMonth({ query, now, tenant }: Pick<PageContext, 'query' | 'now' | 'tenant'>): string | undefined {
  const months = PERIODS.find((period) => String(period) === query['months']);
  if (months === undefined) return undefined;
  const [year = 0, month = 0] = monthOf(now, tenant.timeZone).split('-').map(Number);
  return new Date(Date.UTC(year, month - months, 1)).toISOString().slice(0, 7);
}
