/**
 * A plan's definition as the fields of a form: texts by name, a name for each place of the definition. What the fields
 * cannot show stays in the definition that they were drawn from.
 */
import { membershipTier } from '../../../http/schemas.ts';
import type { PlanDefinition } from '../../commissions/open/plan-definition.ts';
import { type Amounts, amountsText, payText, percentText, stepsText, thousandthsText } from './cell-texts.ts';

/** As forms send them. */
export type Cells = Readonly<Record<string, readonly string[]>>;

/** The tiers that have a row: those that there are, and others that the definition names. */
export function tierNames({ tierRules }: Pick<PlanDefinition, 'tierRules'>): string[] {
  return [...new Set<string>([...membershipTier.options, ...Object.keys(tierRules)])];
}

export function toCells(plan: PlanDefinition): Cells {
  const cells: Record<string, readonly string[]> = {};
  const text = (name: string, value: string | number | null): void => {
    cells[name] = [value === null ? '' : String(value)];
  };
  const check = (name: string, on: boolean): void => {
    if (on) cells[name] = ['yes'];
  };
  const sums = (name: string, amounts: Readonly<Amounts> | null): void =>
    text(name, amounts === null ? '' : amountsText(amounts));
  const lines = (name: string, list: readonly string[] | null): void => text(name, (list ?? []).join('\n'));
  const { qualification, recurring, holding, caps, fx, reversal, overrides, scope } = plan;

  text('mode', plan.mode);
  text('base', plan.base);
  for (const [index, level] of plan.levels.entries()) {
    text(`levels[${index}].level`, level.level);
    text(`levels[${index}].pays`, payText(level));
  }
  for (const [index, tier] of tierNames(plan).entries()) {
    const rule = plan.tierRules[tier];
    text(`tiers[${index}].maxDepth`, rule?.maxDepth ?? null);
    text(`tiers[${index}].multiplierMilli`, rule ? thousandthsText(rule.multiplierMilli) : null);
    text(`tiers[${index}].rateBps`, rule?.rateBps === undefined ? null : percentText(rule.rateBps));
  }
  check('qualification.active', qualification.active);
  check('qualification.kycApproved', qualification.kycApproved);
  sums('qualification.minPersonalSalesMinor', qualification.minPersonalSalesMinor);
  text('qualification.minActiveDirects', qualification.minActiveDirects);
  text('compression', plan.compression);
  text('personalPurchase', plan.personalPurchase);
  check('recurring.enabled', recurring.enabled);
  text('recurring.maxMonths', recurring.maxMonths);
  text('recurring.maxEvents', recurring.maxEvents);
  text('holding.days', holding.days);
  text('holding.appliesTo', holding.appliesTo);
  text('caps.perEventPayoutBps', caps.perEventPayoutBps === null ? null : percentText(caps.perEventPayoutBps));
  sums('caps.perMemberPeriodMinor', caps.perMemberPeriodMinor);
  sums('caps.perCustomerLifetimeMinor', caps.perCustomerLifetimeMinor);
  text('fx.payCurrency', fx.payCurrency);
  text('reversal.recoverAfterPayout', reversal.recoverAfterPayout);
  sums('reversal.floorMinor', reversal.floorMinor);
  text('reversal.writeOffAfterDays', reversal.writeOffAfterDays);
  sums('minimumPayoutMinor', plan.minimumPayoutMinor);
  for (const [index, rule] of plan.rules.entries()) {
    text(`rules[${index}].id`, rule.id);
    text(`rules[${index}].levels`, rule.levels === 'all' ? 'all' : rule.levels.join(', '));
    check(`rules[${index}].final`, rule.final);
    text(`rules[${index}].when`, conditionText(rule.when));
    text(`rules[${index}].pay`, payText(rule.pay));
  }
  for (const [index, ladder] of plan.ladders.entries()) {
    text(`ladders[${index}].id`, ladder.id);
    text(`ladders[${index}].measure`, ladder.measure);
    check(`ladders[${index}].ownPurchases`, ladder.ownPurchases);
    text(`ladders[${index}].period`, ladder.period);
    text(`ladders[${index}].settle`, ladder.settle);
    text(`ladders[${index}].settleAfterDays`, ladder.settleAfterDays);
    text(`ladders[${index}].steps`, stepsText(ladder.steps));
  }
  check('overrides.on', overrides !== null);
  text('overrides.levels', overrides === null ? '1' : overrides.levels.join(', '));
  text('overrides.maxRateBps', overrides === null ? '' : percentText(overrides.maxRateBps));
  sums('overrides.maxFlatMinor', overrides?.maxFlatMinor ?? null);
  text('scope.priority', scope.priority);
  if (scope.types !== null) cells['scope.types'] = scope.types;
  lines('scope.skus', scope.skus);
  lines('scope.categories', scope.categories);
  lines('scope.groups', scope.groups);
  return cells;
}

/** A short condition stands in one line. */
function conditionText(when: unknown): string {
  const line = JSON.stringify(when);
  return line.length <= 72 ? line : JSON.stringify(when, null, 2);
}
