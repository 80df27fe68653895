/** The most that levels of a plan can pay, whatever the sale. Source: docs/specification/rates.md#linter. */
import type { PlanDefinition } from './open/plan-definition.ts';
import type { PlanRule } from './open/plan-rules.ts';

/**
 * By paid level the highest rate of the plan, of its rules and of what it lets count of what was agreed. Of a differential plan it is one number: there all levels together
 * are paid no more than the highest rate.
 */
export function highestRateBps({ mode, levels, tierRules, overrides }: PlanDefinition, rules: readonly PlanRule[]): number[] {
  const highest = (rates: readonly { rateBps?: number | undefined }[]) => Math.max(0, ...rates.map(({ rateBps = 0 }) => rateBps));
  const agreed = { rateBps: overrides?.maxRateBps ?? 0 };
  if (mode === 'differential') return [highest([...Object.values(tierRules), ...rules.map(({ pay }) => pay), agreed])];
  const agreedAt = (level: number) => (overrides?.levels.includes(level) ? [agreed] : []);
  return levels.map((own) =>
    highest([own, ...agreedAt(own.level), ...rules.filter((rule) => isFor(rule, own.level)).map(({ pay }) => pay)]),
  );
}

/** Whether a rule is for a paid level. */
export const isFor = ({ levels }: PlanRule, level: number): boolean => levels === 'all' || levels.includes(level);
