/** A new plan, as the default one or as a copy of another. */
import { invalidField } from '../../../errors.ts';
import { definePage, type PageContext } from '../../../pages/define-page.ts';
import { defaultPlanFor, type PlanDefinition } from '../../commissions/open/plan-definition.ts';
import { createCommissionPlan, getCommissionPlan, listCommissionPlans } from '../../commissions/plans-operations.ts';
import { drawNewPlan } from './new-plan-view.ts';

export const newPlanPage = definePage({
  path: '/plans/new',
  title: 'New plan',
  below: '/plans',
  needs: [createCommissionPlan],
  uses: [listCommissionPlans, getCommissionPlan],
  async get(page) {
    const plans = await page.invokeIfAllowed(listCommissionPlans, { query: { limit: '100' } });
    return drawNewPlan(page, plans?.data ?? []);
  },
  actions: {
    create: {
      needs: [createCommissionPlan],
      async run(page, form) {
        const definition = await definitionOf(page, form.text('like'));
        const { id } = await page.invoke(createCommissionPlan, { body: { name: form.text('name'), definition } });
        return { to: page.at(`/plans/${id}/edit`), said: 'The plan is made, as a draft.' };
      },
    },
  },
});

async function definitionOf(page: PageContext, planId: string | undefined): Promise<PlanDefinition> {
  if (planId === undefined) return defaultPlanFor(page.tenant.currency);
  const plan = await page.invokeIfAllowed(getCommissionPlan, { params: { planId } });
  const definition = plan?.draft ?? plan?.versions[0]?.definition;
  if (!definition) throw invalidField('like', 'must be a plan that you may read');
  return definition;
}
