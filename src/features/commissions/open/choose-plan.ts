/** Which plan a purchase is paid by, of those in force for it. A pure function. */
import { planCovers } from './evaluate-plan.ts';
import type { PlanDefinition } from './plan-definition.ts';

export interface PlanCandidate {
  /** Of the version. */
  id: string;
  planId: string;
  /** Null: from the beginning of time. */
  effectiveFrom: Date | null;
  definition: PlanDefinition;
}

/**
 * `versions` are those in force when the sale took place. A plan speaks with its latest one; of the
 * plans that cover the purchase the highest priority wins, of equal ones the later version. Undefined
 * when no plan covers it.
 */
export function choosePlan<Candidate extends PlanCandidate>(
  versions: readonly Candidate[],
  type: string,
  lineItems: readonly { sku: string; category: string | null }[],
): Candidate | undefined {
  const latest = new Map<string, Candidate>();
  for (const version of versions) {
    const known = latest.get(version.planId);
    if (!known || isLater(version, known)) latest.set(version.planId, version);
  }
  return leadingPlan([...latest.values()].filter(({ definition }) => planCovers(definition, type, lineItems)));
}

/** Of versions of different plans the one with the highest priority, of equal ones the later. */
export function leadingPlan<Candidate extends PlanCandidate>(versions: readonly Candidate[]): Candidate | undefined {
  return versions.reduce<Candidate | undefined>(
    (best, version) => (best && !winsOver(version, best) ? best : version),
    undefined,
  );
}

function winsOver(a: PlanCandidate, b: PlanCandidate): boolean {
  const difference = a.definition.scope.priority - b.definition.scope.priority;
  return difference === 0 ? isLater(a, b) : difference > 0;
}

function isLater(a: PlanCandidate, b: PlanCandidate): boolean {
  const [from, other] = [a, b].map(({ effectiveFrom }) => effectiveFrom?.getTime() ?? -Infinity);
  if (from === undefined || other === undefined || from === other) return a.id > b.id;
  return from > other;
}
