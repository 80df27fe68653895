/** Publications of plans that wait for a second person, each with the plan that it is of. */
import { z } from 'zod';
import { AppError } from '../../../errors.ts';
import type { AnswerOf } from '../../../pages/answer-of.ts';
import type { PageContext } from '../../../pages/define-page.ts';
import { planDefinition } from '../../commissions/open/plan-definition.ts';
import { getCommissionPlan } from '../../commissions/plans-operations.ts';
import type { listPendingChanges } from '../../pending-changes/pending-changes-operations.ts';

type Plan = AnswerOf<typeof getCommissionPlan>;
export type Change = AnswerOf<typeof listPendingChanges>['data'][number];

const wanted = z.object({
  version: z.int(),
  effectiveFrom: z.string().nullable(),
  effectiveTo: z.string().nullable(),
  definition: planDefinition,
});
const FIELD = /^commissionPlans\.([\w-]+)$/;

export interface Publication extends z.output<typeof wanted> {
  planId: string;
  /** Undefined where it is gone, or the reader may not see it. */
  plan: Plan | undefined;
}

/** The publications among the changes, by the ids of the changes. */
export async function readPublications(page: PageContext, changes: readonly Change[]): Promise<Map<string, Publication>> {
  const found = changes.flatMap(({ id, fields: [field] }) => {
    const planId = FIELD.exec(field?.field ?? '')?.[1];
    const asked = wanted.safeParse(field?.to).data;
    return planId !== undefined && asked ? [{ id, planId, asked }] : [];
  });
  const ids = [...new Set(found.map(({ planId }) => planId))];
  const plans = new Map(await Promise.all(ids.map(async (planId) => [planId, await readPlan(page, planId)] as const)));
  return new Map(found.map(({ id, planId, asked }) => [id, { ...asked, planId, plan: plans.get(planId) }]));
}

async function readPlan(page: PageContext, planId: string): Promise<Plan | undefined> {
  try {
    return await page.invokeIfAllowed(getCommissionPlan, { params: { planId } });
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.status === 404) return undefined;
    throw thrown;
  }
}
