/** One plan: its versions, its draft, and what is different between any two of them. */
import { definePage, type PageContext } from '../../../pages/define-page.ts';
import {
  deleteCommissionPlan,
  getCommissionPlan,
  publishCommissionPlan,
  updateCommissionPlan,
} from '../../commissions/plans-operations.ts';
import { drawPlan } from './plan-view.ts';

export const planPage = definePage({
  path: '/plans/:planId',
  title: 'Plan',
  below: '/plans',
  needs: [getCommissionPlan],
  uses: [publishCommissionPlan],
  get: async (page) => drawPlan(page, await page.invoke(getCommissionPlan, { params: paramsOf(page) })),
  actions: {
    rename: {
      needs: [updateCommissionPlan],
      async run(page, form) {
        await page.invoke(updateCommissionPlan, { params: paramsOf(page), body: { name: form.text('name') } });
        return { to: page.here(), said: 'The plan has another name.' };
      },
    },
    delete: {
      needs: [deleteCommissionPlan],
      async run(page) {
        await page.invoke(deleteCommissionPlan, { params: paramsOf(page) });
        return { to: page.at('/plans'), said: 'The plan is deleted.' };
      },
    },
  },
});

const paramsOf = ({ params }: PageContext) => ({ planId: params['planId'] ?? '' });
