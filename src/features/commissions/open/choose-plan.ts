/**
 * Which plan a purchase is paid by, of those in force for it. A pure function.
 * Source: docs/specification/groups.md#choice.
 */
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

/** Why a plan that covers the type and the products of a purchase does not pay it. */
export const PASSED_OVER = ['GROUP_NOT_NAMED', 'PRIORITY', 'OLDER'] as const;
export type PassedOver = (typeof PASSED_OVER)[number];

export interface PlanChoice<Candidate extends PlanCandidate> {
  /** Undefined when no plan covers the purchase. */
  plan: Candidate | undefined;
  /** The others that cover its type and products, in the order in which they would have come. */
  passedOver: { plan: Candidate; why: PassedOver }[];
}

export interface PurchaseToPay {
  type: string;
  lineItems: readonly { sku: string; category: string | null }[];
  /** The credited member's, as of the sale; null where nobody is credited. */
  group: string | null;
}

/**
 * `versions` are those in force when the sale took place. A plan speaks with its latest one. Of the plans that cover the
 * purchase those that name the group of the credited member come first and those that name other groups do not count;
 * then the highest priority wins, of equal ones the later version.
 */
export function choosePlan<Candidate extends PlanCandidate>(
  versions: readonly Candidate[],
  { type, lineItems, group }: PurchaseToPay,
): PlanChoice<Candidate> {
  const latest = new Map<string, Candidate>();
  for (const version of versions) {
    const known = latest.get(version.planId);
    if (!known || isLater(version, known)) latest.set(version.planId, version);
  }
  const covering = [...latest.values()]
    .filter(({ definition }) => planCovers(definition, type, lineItems))
    .map((candidate) => ({ candidate, rank: rankOf(candidate, group) }))
    .toSorted((a, b) => b.rank - a.rank || (winsOver(a.candidate, b.candidate) ? -1 : 1));
  const [best] = covering;
  if (!best || best.rank === OTHER_GROUPS)
    return { plan: undefined, passedOver: covering.map(({ candidate }) => lost(candidate)) };
  return {
    plan: best.candidate,
    passedOver: covering.slice(1).map(({ candidate, rank }) => {
      if (rank !== best.rank) return lost(candidate);
      const { priority } = candidate.definition.scope;
      return { plan: candidate, why: priority < best.candidate.definition.scope.priority ? 'PRIORITY' : 'OLDER' };
    }),
  };
}

const OTHER_GROUPS = 0;

/** Plans for the group, plans for all, plans for others. */
function rankOf({ definition: { scope } }: PlanCandidate, group: string | null): number {
  if (scope.groups === null) return 1;
  return group !== null && scope.groups.includes(group) ? 2 : OTHER_GROUPS;
}

const lost = <Candidate>(plan: Candidate) => ({ plan, why: 'GROUP_NOT_NAMED' as const });

/**
 * Of versions of different plans the one with the highest priority, of equal ones the later. For what no sale decides:
 * plans that name groups are asked only where there are no others.
 */
export function leadingPlan<Candidate extends PlanCandidate>(versions: readonly Candidate[]): Candidate | undefined {
  const forAll = versions.filter(({ definition }) => definition.scope.groups === null);
  return (forAll.length > 0 ? forAll : versions).reduce<Candidate | undefined>(
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
