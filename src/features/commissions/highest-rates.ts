/** The most that levels of a plan can pay, whatever the sale. Source: docs/specification/rates.md#linter. */
import type { PlanDefinition } from './open/plan-definition.ts';
import type { PlanRule } from './open/plan-rules.ts';

/**
 * By paid level the highest rate of the plan, of its rules and ladders, and of what it lets count of what was agreed. Of a
 * differential plan it is one number: there all levels together are paid no more than the highest rate.
 */
export function highestRateBps(
  { mode, levels, tierRules, overrides, ladders }: PlanDefinition,
  rules: readonly PlanRule[],
): number[] {
  const agreed = overrides?.maxRateBps ?? 0;
  const rateOf = ({ rateBps = 0, ladder }: { rateBps?: number | undefined; ladder?: string | undefined }): number =>
    Math.max(rateBps, ...(ladders.find(({ id }) => id === ladder)?.steps ?? []).map((step) => step.rateBps));
  const highest = (rates: readonly number[]): number => Math.max(0, ...rates);
  if (mode === 'differential') {
    return [highest([...Object.values(tierRules).map(rateOf), ...rules.map(({ pay }) => rateOf(pay)), agreed])];
  }
  return levels.map((own) => {
    const ofRules = rules.filter((rule) => isFor(rule, own.level)).map(({ pay }) => rateOf(pay));
    return highest([rateOf(own), ...ofRules, ...(overrides?.levels.includes(own.level) ? [agreed] : [])]);
  });
}

/** Whether a rule is for a paid level. */
export const isFor = ({ levels }: PlanRule, level: number): boolean => levels === 'all' || levels.includes(level);
