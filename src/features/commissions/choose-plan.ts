/** Which plan a purchase is paid by. Source: commissions.md (scope, priority). */
import { planCovers } from './evaluate-plan.ts';
import type { PlanDefinition } from './plan-definition.ts';

export interface PlanVersion {
  id: string;
  definition: PlanDefinition;
}

/** The highest priority among the plans that cover the purchase; of equal ones the first given. */
export function choosePlan<Version extends PlanVersion>(
  versions: readonly Version[],
  type: string,
  lineItems: readonly { sku: string; category: string | null }[],
): Version | undefined {
  return versions
    .filter(({ definition }) => planCovers(definition, type, lineItems))
    .toSorted((a, b) => b.definition.scope.priority - a.definition.scope.priority)[0];
}
