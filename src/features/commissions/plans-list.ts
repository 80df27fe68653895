/** The plans of a tenant, each with what it covers: what there is to choose from, without the plans themselves. */
import type { Db, Scope } from '../../db/scope.ts';
import { type PlanDefinition, planDefinition } from './open/plan-definition.ts';
import { listCovers, type StoredCover } from './plans-list-queries.ts';
import { type ListedPlan, listPlans } from './plans-queries.ts';

export interface PlanInList extends ListedPlan {
  /** Versions that pay sales of now or later, the next first. */
  covers: (Omit<StoredCover, 'planId' | 'scope'> & { scope: PlanDefinition['scope'] })[];
}

export async function listPlansWithCovers(
  db: Db,
  scope: Scope,
  afterId: string | undefined,
  count: number,
): Promise<PlanInList[]> {
  const plans = await listPlans(db, scope, afterId, count);
  const published = plans.filter(({ latestVersion }) => latestVersion !== null).map(({ id }) => id);
  const covers = published.length === 0 ? [] : await listCovers(db, scope, published);
  const byPlan = Map.groupBy(covers, ({ planId }) => planId);
  return plans.map((plan) => ({
    ...plan,
    covers: (byPlan.get(plan.id) ?? []).map(({ planId: _planId, scope: stored, ...cover }) => ({
      ...cover,
      scope: planDefinition.shape.scope.parse(stored ?? undefined),
    })),
  }));
}
