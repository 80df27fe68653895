/** Whether what is agreed takes two pairs of hands, and how far plans let it count. Source: docs/specification/rates.md#overrides. */
import type { Direction } from '../../http/held-back.ts';
import type { PlanDefinition } from '../commissions/open/plan-definition.ts';
import type { PlanRule } from '../commissions/open/plan-rules.ts';

type Pay = PlanRule['pay'];

/** `before` is what counts for the same now, null where nothing does. What is new or more weakens; less tightens. */
export function handsOfPay(pay: Pay, before: Pay | null): Direction {
  if (before === null) return 'weakens';
  const [now, then] = [amountsOf(pay), amountsOf(before)];
  if (kindOf(pay) !== kindOf(before)) return 'weakens';
  if ([...now].some(([name, amount]) => amount > (then.get(name) ?? -1))) return 'weakens';
  return [...then].some(([name, amount]) => amount > (now.get(name) ?? -1)) ? 'tightens' : 'neutral';
}

const kindOf = ({ rateBps, per = 'sale' }: Pay): string => (rateBps === undefined ? per : 'rate');

const amountsOf = ({ rateBps, flatMinor = {} }: Pay): Map<string, number> =>
  new Map(rateBps === undefined ? Object.entries(flatMinor) : [['rate', rateBps]]);

export interface RateWarning {
  code: 'NO_PLAN_LETS_IT_COUNT' | 'CUT_TO_PLAN_MAXIMUM';
  message: string;
}

export interface AgreedTerms {
  planId: string | null;
  level: number;
  pay: Pay;
}

/** By the plans in force when it begins. */
export function warnOfOverride(
  { planId, level, pay }: AgreedTerms,
  plans: readonly { planId: string; definition: Pick<PlanDefinition, 'overrides' | 'mode'> }[],
): RateWarning[] {
  const allowing = plans.flatMap(({ planId: id, definition: { overrides, mode } }) => {
    if (overrides === null || !overrides.levels.includes(level) || (planId !== null && id !== planId)) return [];
    const { rateBps, flatMinor = {} } = pay;
    if (rateBps !== undefined) return [{ isCut: rateBps > overrides.maxRateBps }];
    const counting = Object.entries(flatMinor).filter(([currency]) => overrides.maxFlatMinor[currency] !== undefined);
    if (counting.length === 0 || mode === 'differential') return [];
    return [{ isCut: counting.some(([currency, sum]) => sum > (overrides.maxFlatMinor[currency] ?? 0)) }];
  });
  if (allowing.length === 0) {
    return [{ code: 'NO_PLAN_LETS_IT_COUNT', message: 'no plan in force then lets it count: see overrides of the plan' }];
  }
  return allowing.some(({ isCut }) => isCut)
    ? [{ code: 'CUT_TO_PLAN_MAXIMUM', message: 'a plan in force then lets less count, and cuts it to that' }]
    : [];
}
