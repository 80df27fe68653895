/**
 * What the groups that a plan names make of it: groups that there are not, groups that nobody pays any more, plans that
 * another one always comes before. Pure functions. Source: docs/specification/groups.md#linter.
 */
import type { PlanProblem } from './lint-plan.ts';
import { type PlanDefinition, purchaseTypes } from './open/plan-definition.ts';
import { testsOf } from './open/plan-rules.ts';

/** What a plan that names groups is judged beside. */
export interface GroupGround {
  /** Keys of the groups that members can be in, `default` among them. */
  open: readonly string[];
  /** Versions in force, of the other plans. */
  others: readonly PlanDefinition[];
}

/** Where a plan names groups: in its scope, and in tests of its rules. */
function namesOf({ scope: { groups }, rules }: PlanDefinition): { key: string; path: string }[] {
  const inScope = (groups ?? []).map((key, index) => ({ key, path: `scope.groups[${index}]` }));
  const inRules = rules.flatMap(({ when }, index) =>
    testsOf(when)
      .filter(({ fact }) => fact === 'credited.group' || fact === 'member.group')
      .flatMap((test) => (test.in ?? []).map((key) => ({ key, path: `rules[${index}].when` }))),
  );
  return [...inScope, ...inRules];
}

/** The keys of the groups that a plan names, each once. */
export function groupsNamed(plan: PlanDefinition): string[] {
  return [...new Set(namesOf(plan).map(({ key }) => key))];
}

/** None for a plan that names no groups. */
export function lintGroups(plan: PlanDefinition, open: readonly string[]): PlanProblem[] {
  return namesOf(plan)
    .filter(({ key }) => !open.includes(key))
    .map(({ key, path }) => ({ rule: 'GROUP_UNKNOWN', path, message: `there is no active group ${key}` }));
}

export function warnOfGroups(plan: PlanDefinition, { open, others }: GroupGround): PlanProblem[] {
  const named = plan.scope.groups;
  if (named === null) return [];
  const paidOtherwise = others.some(({ scope }) => scope.groups === null);
  const unpaid = paidOtherwise ? [] : open.filter((key) => ![plan, ...others].some(({ scope }) => scope.groups?.includes(key)));
  return [
    ...unpaid.map((key) => ({
      rule: 'GROUP_WITHOUT_PLAN' as const,
      path: 'scope.groups',
      message: `no plan in force pays sales of the group ${key}`,
    })),
    ...named.flatMap((key, index) =>
      others.some((other) => other.scope.groups?.includes(key) === true && comesBefore(other, plan))
        ? [
            {
              rule: 'PLAN_SHADOWED' as const,
              path: `scope.groups[${index}]`,
              message: `another plan of the group ${key} has a higher priority and covers all that this one covers`,
            },
          ]
        : [],
    ),
  ];
}

/** Of two plans of a group whether the one pays whatever the other covers. Of equal ones the plan that is published later does. */
function comesBefore(one: PlanDefinition, other: PlanDefinition): boolean {
  if (one.scope.priority <= other.scope.priority) return false;
  const { types, skus, categories } = one.scope;
  if (types !== null && !(other.scope.types ?? purchaseTypes).every((type) => types.includes(type))) return false;
  const paysAll = skus === null && categories === null;
  const coversAll = other.scope.skus === null && other.scope.categories === null;
  return paysAll || (!coversAll && holds(skus, other.scope.skus) && holds(categories, other.scope.categories));
}

/** Null is none here: a plan that names only categories names no article. */
function holds(wide: readonly string[] | null, narrow: readonly string[] | null): boolean {
  return narrow === null || narrow.every((one) => wide?.includes(one) === true);
}
