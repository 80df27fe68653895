/**
 * What a member earns by a plan, level by level, as far as that can be said without a sale: a pure function.
 * Source: docs/specification/rates.md#of-a-member.
 */
import { type AgreedRate, agreedOf } from '../commissions/open/agreed-rates.ts';
import {
  chooseRate,
  type JudgedMember,
  type LadderStep,
  NO_FACTS,
  type RateChoice,
  type RatePay,
  testHolds,
} from '../commissions/open/choose-rate.ts';
import { multiplierOf } from '../commissions/open/pay-parts.ts';
import type { PlanDefinition } from '../commissions/open/plan-definition.ts';
import { type Ladder, startOf } from '../commissions/open/plan-ladders.ts';
import type { PlanRule, RuleCondition, RuleTest } from '../commissions/open/plan-rules.ts';

export interface LevelRate {
  level: number;
  /** What the level pays by itself. */
  own: RatePay;
  /** What pays where nothing in `insteadOn` does. */
  choice: RateChoice;
  multiplierMilli: number;
  /** Where a ladder pays. */
  climb?: Climb;
  /** Sources that come first on some sales, in the order in which they are asked. */
  insteadOn: Instead[];
}

/** Where a member stands on a ladder. Sums are minor units, or numbers of sales. */
export interface Climb {
  id: string;
  measure: Ladder['measure'];
  period: Ladder['period'];
  /** What it has sold in the period so far. */
  sum: bigint;
  step: number;
  rateBps: number;
  /** Null on the last step, and where no further one names the currency. */
  next: { from: number; rateBps: number; missing: bigint } | null;
}

export interface Instead {
  source: RateChoice['source'];
  id: string;
  pay: PlanRule['pay'];
  /** The condition of a rule; null of what was agreed. */
  when: RuleCondition | null;
}

/**
 * Of a unilevel plan each level that the member's tier is paid; of a differential one its own rate, as level 1. `agreed` are
 * all that count at the time: of the member, its links and its codes; those with `parts` name products.
 */
export function ratesOf(
  plan: PlanDefinition,
  member: JudgedMember,
  agreed: readonly AgreedRate[],
  currency: string,
): LevelRate[] {
  const own = plan.tierRules[member.tier];
  const levels =
    plan.mode === 'differential'
      ? [{ level: 1, rateBps: own?.rateBps ?? 0, flatMinor: undefined, ladder: undefined }]
      : plan.levels.filter(({ level }) => level <= (own?.maxDepth ?? 0));
  return levels.map(({ level, ...pay }) => {
    const rules = plan.rules.map((rule) => ({ rule, holds: ruleHolds(rule, level, member) }));
    const settled = rules.filter(({ holds }) => holds === true).map(({ rule }) => ({ ...rule, when: ALWAYS }));
    const known = { facts: NO_FACTS, currency, paidLevel: level, ladder: pay.ladder };
    const always = agreed.filter(({ target, parts }) => target === 'member' && !parts);
    const choice = chooseRate({ ...plan, rules: settled }, { ...known, member: { ...member, agreed: always } });
    const maybe = (isFinal: boolean): Instead[] =>
      rules.filter(({ rule, holds }) => holds === undefined && rule.final === isFinal).map(({ rule }) => ofRule(rule));
    const ofSome = agreedOf(agreed).flatMap((one) => {
      if (always.includes(one)) return [];
      // As a sale finds it that its link, its code or its products are of.
      const { parts: _parts, ...whole } = one;
      const alone = chooseRate({ ...plan, rules: [] }, { ...known, member: { ...member, agreed: [whole] } });
      return alone.id === one.id && alone.pay ? [{ source: one.target, id: one.id, pay: alone.pay, when: null }] : [];
    });
    const asked = [...maybe(true), ...ofSome, ...maybe(false)];
    const place = placesOf(plan, agreedOf(agreed));
    return {
      level,
      own: { rateBps: pay.rateBps, flatMinor: pay.flatMinor },
      choice,
      ...(choice.ladder && { climb: climbOf(plan, choice.ladder, currency) }),
      multiplierMilli: plan.mode === 'differential' ? 1000 : multiplierOf(choice, own?.multiplierMilli ?? 1000),
      insteadOn: asked.filter((one) => place(one) < place(choice)),
    };
  });
}

/** Sources in the order in which they are asked: a smaller number first. `agreed` is in its order. */
function placesOf(
  { rules }: PlanDefinition,
  agreed: readonly AgreedRate[],
): (source: Pick<RateChoice, 'source' | 'id'>) => number {
  return ({ source, id }) => {
    const rule = rules.findIndex((one) => one.id === id);
    if (source === 'final_rule') return rule;
    if (source === 'rule') return rules.length + agreed.length + rule;
    if (source === 'level' || source === 'ladder') return Number.POSITIVE_INFINITY;
    return rules.length + agreed.findIndex((one) => one.id === id);
  };
}

function climbOf({ ladders }: PlanDefinition, { id, step, sum = 0n }: LadderStep, currency: string): Climb {
  const ladder = ladders.find((one) => one.id === id);
  if (!ladder) throw new Error('a plan in force pays a ladder that it has not');
  const next = ladder.steps
    .slice(step + 1)
    .flatMap((one) => {
      const from = startOf(one, currency);
      return from === undefined ? [] : [{ from, rateBps: one.rateBps, missing: BigInt(from) - sum }];
    })
    .at(0);
  const { measure, period, steps } = ladder;
  return { id, measure, period, sum, step, rateBps: steps[step]?.rateBps ?? 0, next: next ?? null };
}

/** A condition that holds where no fact is there. */
const ALWAYS: RuleCondition = { not: { fact: 'sale.baseMinor', exists: true } };

const ofRule = ({ id, final, pay, when }: PlanRule): Instead => ({ source: final ? 'final_rule' : 'rule', id, pay, when });

/** Undefined where it depends on the sale. */
function ruleHolds({ levels, when }: PlanRule, level: number, member: JudgedMember): boolean | undefined {
  if (levels !== 'all' && !levels.includes(level)) return false;
  return conditionHolds(when, level, member);
}

function conditionHolds(condition: RuleCondition, level: number, member: JudgedMember): boolean | undefined {
  const each = (parts: readonly RuleCondition[]) => parts.map((part) => conditionHolds(part, level, member));
  if ('all' in condition && condition.all !== undefined) {
    const held = each(condition.all);
    return held.includes(false) ? false : held.includes(undefined) ? undefined : true;
  }
  if ('any' in condition && condition.any !== undefined) {
    const held = each(condition.any);
    return held.includes(true) ? true : held.includes(undefined) ? undefined : false;
  }
  if ('not' in condition && condition.not !== undefined) {
    const held = conditionHolds(condition.not, level, member);
    return held === undefined ? undefined : !held;
  }
  return knownHolds(condition as RuleTest, level, member);
}

/** The member's group, tier and age are known; at level 1 it is the credited one, too. */
function knownHolds(test: RuleTest, level: number, { tier, group, ageDays }: JudgedMember): boolean | undefined {
  const [whose, name] = test.fact.split('.');
  if (whose !== 'member' && !(whose === 'credited' && level === 1)) return undefined;
  if (name === 'tier' || name === 'group') return testHolds(test, name === 'tier' ? tier : group, '');
  return name === 'ageDays' ? testHolds(test, ageDays === undefined ? undefined : BigInt(ageDays), '') : undefined;
}
