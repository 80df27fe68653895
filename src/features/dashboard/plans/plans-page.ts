/** Plans: what is paid to whom, and what waits to be published? */
import { definePage } from '../../../pages/define-page.ts';
import { listCommissionPlans } from '../../commissions/plans-operations.ts';
import { drawPlans } from './plans-view.ts';

export const plansPage = definePage({
  path: '/plans',
  title: 'Plans',
  nav: { group: 'Money', icon: 'plan', key: 'n' },
  needs: [listCommissionPlans],
  async get(page) {
    return drawPlans(page, await page.invoke(listCommissionPlans, { query: { cursor: page.query['cursor'], limit: '50' } }));
  },
});
