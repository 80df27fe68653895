/** Publishing of a draft: what it changes, for which sales, and ahead of which other plans. */
import { AppError } from '../../../errors.ts';
import { definePage, type PageContext } from '../../../pages/define-page.ts';
import { instantOf } from '../../../pages/instants.ts';
import { commissionsErrors } from '../../commissions/open/commissions-errors.ts';
import { getCommissionPlan, listCommissionPlans, publishCommissionPlan } from '../../commissions/plans-operations.ts';
import { listPendingChanges } from '../../pending-changes/pending-changes-operations.ts';
import { drawPublish } from './publish-plan-view.ts';
import { isChangedPlan } from './refusals.ts';
import type { Rival } from './rivals.ts';

export const publishPlanPage = definePage({
  path: '/plans/:planId/publish',
  title: 'Publish a plan',
  below: '/plans',
  needs: [getCommissionPlan, publishCommissionPlan],
  uses: [listCommissionPlans, listPendingChanges],
  async get(page) {
    const params = paramsOf(page);
    const [plan, rivals, open] = await Promise.all([
      page.invoke(getCommissionPlan, { params }),
      readRivals(page),
      page.invokeIfAllowed(listPendingChanges, { query: { status: 'open', limit: '100' } }),
    ]);
    const field = `commissionPlans.${plan.id}`;
    const pending = open?.data.find(({ fields }) => fields.some((one) => one.field === field));
    return drawPublish(page, { plan, pending, ...rivals });
  },
  actions: {
    publish: {
      needs: [publishCommissionPlan],
      async run(page, form) {
        const { timeZone } = page.tenant;
        const body = {
          effectiveFrom: instantOf(timeZone, 'effectiveFrom', form.text('effectiveFrom')),
          effectiveTo: instantOf(timeZone, 'effectiveTo', form.text('effectiveTo')),
          expectedUpdatedAt: form.raw('shownAt'),
          expectedVersion: form.number('version'),
        };
        const { version, effectiveFrom } = await page
          .invoke(publishCommissionPlan, { params: paramsOf(page), body })
          .catch(sayUnseen);
        const from = effectiveFrom === null ? '' : ` It pays sales from ${page.format.time(effectiveFrom)} on, in ${timeZone}.`;
        return { to: page.at(`/plans/${paramsOf(page).planId}`), said: `Version ${version} is published.${from}` };
      },
    },
  },
});

const paramsOf = ({ params }: PageContext) => ({ planId: params['planId'] ?? '' });

/** The page then shows the difference that there is now. */
function sayUnseen(thrown: unknown): never {
  if (!isChangedPlan(thrown)) throw thrown;
  throw new AppError(
    commissionsErrors.PLAN_CHANGED,
    'The plan was changed meanwhile, and nothing was published. Look at what is different now, and publish again.',
  );
}

/** The other plans that pay sales now or later, and whether there are more than are looked at. */
async function readRivals(page: PageContext): Promise<{ rivals: Rival[]; hasMore: boolean }> {
  const listed = await page.invoke(listCommissionPlans, { query: { limit: '100' } });
  const others = listed.data.filter(({ id }) => id !== paramsOf(page).planId);
  const rivals = others.flatMap(({ name, covers }) =>
    covers.map(({ scope, effectiveFrom }) => {
      const isLater = effectiveFrom !== null && new Date(effectiveFrom) > page.now;
      return { name, scope, ...(isLater && { from: page.format.time(effectiveFrom) }) };
    }),
  );
  return { rivals, hasMore: listed.nextCursor !== null };
}
