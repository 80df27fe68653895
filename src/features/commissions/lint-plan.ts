/**
 * What a plan may not ask for although it is well formed: it would pay by accident, pay nobody, or
 * say something that is never read. A pure function; a plan with problems cannot be published.
 * Source: docs/specification/commissions.md#linter.
 */
import { membershipTier } from '../../http/schemas.ts';
import { toMajorText } from '../../money.ts';
import { highestRateBps } from './highest-rates.ts';
import { type LadderLint, lintLadders, warnOfLadders } from './lint-ladders.ts';
import { lintRules, type RuleLint, type Witness, warnOfRules } from './lint-rules.ts';
import { builtInMinimumMinor } from './open/minimum-payout.ts';
import type { PlanDefinition } from './open/plan-definition.ts';

export type LintRule =
  | 'LEVELS_MISSING'
  | 'LEVELS_IGNORED'
  | 'LEVELS_WITH_GAPS'
  | 'TIER_UNKNOWN'
  | 'TIER_MISSING'
  | 'TIER_RATE_MISSING'
  | 'TIER_RATE_IGNORED'
  | 'TIER_MULTIPLIER_IGNORED'
  | 'NOBODY_PAID'
  | 'RATES_OVER_CEILING'
  | 'SIGN_UP_ONLY'
  | 'CAP_OF_ZERO'
  | 'RECURRING_LIMIT_IGNORED'
  | 'RECOVERY_LIMIT_IGNORED'
  | 'MINIMUM_PAYOUT_MISSING'
  | 'GROUP_UNKNOWN'
  | 'GROUP_WITHOUT_PLAN'
  | 'PLAN_SHADOWED'
  | RuleLint
  | LadderLint;

export interface PlanProblem {
  rule: LintRule;
  /** Where in the definition: `levels[2].level`. */
  path: string;
  message: string;
  /** A sale that shows it. */
  witness?: Witness;
}

export interface LintContext {
  /** The tenant's. */
  defaultCurrency: string;
}

/** Every problem of a definition, in the order of its parts; none when it may be published. */
export function lintPlan(plan: PlanDefinition): PlanProblem[] {
  return [
    ...lintLevels(plan),
    ...lintTiers(plan),
    ...lintRateSum(plan),
    ...lintSignUp(plan),
    ...lintLimits(plan),
    ...lintRules(plan, plan.rules),
    ...lintLadders(plan),
  ];
}

/** What a definition leaves to the service, and may be published with all the same. */
export function warnOfPlan(plan: PlanDefinition, { defaultCurrency }: LintContext): PlanProblem[] {
  // The minimum payouts of a plan that names groups count for nobody.
  const minimums = plan.scope.groups === null ? lintMinimums(plan, defaultCurrency) : [];
  return [...minimums, ...warnOfRules(plan, plan.rules), ...warnOfLadders(plan)];
}

function lintLevels({ mode, levels }: PlanDefinition): PlanProblem[] {
  if (mode === 'differential') {
    return levels.length === 0 ? [] : [problem('LEVELS_IGNORED', 'levels', 'a differential plan pays by the rates of its tiers')];
  }
  if (levels.length === 0) return [problem('LEVELS_MISSING', 'levels', 'a unilevel plan needs at least one level')];
  return levels.flatMap(({ level }, index) =>
    level === index + 1
      ? []
      : [problem('LEVELS_WITH_GAPS', `levels[${index}].level`, `must be ${index + 1}: levels count from 1 without gaps`)],
  );
}

function lintTiers({ mode, tierRules }: PlanDefinition): PlanProblem[] {
  const problems: PlanProblem[] = [];
  const tiers: readonly string[] = membershipTier.options;
  for (const [tier, rule] of Object.entries(tierRules)) {
    const path = `tierRules.${tier}`;
    if (!tiers.includes(tier)) problems.push(problem('TIER_UNKNOWN', path, `is not a tier: ${tiers.join(', ')}`));
    if (mode === 'unilevel' && rule.rateBps !== undefined) {
      problems.push(problem('TIER_RATE_IGNORED', `${path}.rateBps`, 'only a differential plan pays by the rates of its tiers'));
    }
    if (mode === 'differential' && rule.rateBps === undefined) {
      problems.push(problem('TIER_RATE_MISSING', `${path}.rateBps`, 'a differential plan needs a rate for each tier'));
    }
    if (mode === 'differential' && rule.multiplierMilli !== 1000) {
      problems.push(problem('TIER_MULTIPLIER_IGNORED', `${path}.multiplierMilli`, 'only a unilevel plan multiplies'));
    }
  }
  const missing = tiers.filter((tier) => tierRules[tier] === undefined);
  problems.push(
    ...missing.map((tier) => problem('TIER_MISSING', `tierRules.${tier}`, 'needs a rule; maxDepth 0 pays a tier nothing')),
  );
  const rules = Object.values(tierRules);
  if (rules.length > 0 && rules.every(({ maxDepth }) => maxDepth === 0)) {
    problems.push(problem('NOBODY_PAID', 'tierRules', 'with maxDepth 0 for all tiers nobody can ever be paid'));
  }
  return problems;
}

/**
 * The highest rates that levels can get, from themselves and from rules, must fit below the event ceiling. Without one they must fit into the whole base, at
 * the highest multiplier, for then nothing else keeps a sale from paying out more than it brought in.
 */
function lintRateSum(plan: PlanDefinition): PlanProblem[] {
  const { mode, tierRules, caps } = plan;
  const rules = Object.values(tierRules);
  const sum = highestRateBps(plan, plan.rules).reduce((total, rateBps) => total + rateBps, 0);
  const path = mode === 'differential' ? 'tierRules' : 'levels';
  if (caps.perEventPayoutBps !== null) {
    const { perEventPayoutBps } = caps;
    // A ceiling of nothing is a problem of its own.
    return sum <= perEventPayoutBps || perEventPayoutBps === 0
      ? []
      : [
          problem(
            'RATES_OVER_CEILING',
            path,
            `rates of ${sum} basis points are over caps.perEventPayoutBps, ${perEventPayoutBps}`,
          ),
        ];
  }
  const multiplierMilli = mode === 'differential' ? 1000 : Math.max(1000, ...rules.map((rule) => rule.multiplierMilli));
  return sum * multiplierMilli <= 10_000 * 1000
    ? []
    : [
        problem(
          'RATES_OVER_CEILING',
          path,
          'rates at the highest multiplier are over the whole base; set caps.perEventPayoutBps',
        ),
      ];
}

/** A plan must pay for what is sold, not for joining. */
function lintSignUp({ levels, scope, recurring }: PlanDefinition): PlanProblem[] {
  const problems: PlanProblem[] = [];
  const { types } = scope;
  const paysRenewals = recurring.enabled && types?.includes('subscription_renewal') === true;
  if (types?.includes('subscription_initial') === true && !types.includes('one_time') && !paysRenewals) {
    problems.push(problem('SIGN_UP_ONLY', 'scope.types', 'pays for the start of a subscription and for nothing after it'));
  }
  const rates = levels.flatMap(({ rateBps }) => (rateBps === undefined ? [] : [rateBps]));
  if (rates.length > 0 && rates.length < levels.length && rates.every((rateBps) => rateBps === 0)) {
    problems.push(problem('SIGN_UP_ONLY', 'levels', 'pays flat amounts only, for all its rates are 0'));
  }
  return problems;
}

function lintLimits({ caps, recurring, reversal }: PlanDefinition): PlanProblem[] {
  const problems: PlanProblem[] = [];
  const zero = (path: string) => problems.push(problem('CAP_OF_ZERO', path, 'pays nobody anything; null sets no cap'));
  if (caps.perEventPayoutBps === 0) zero('caps.perEventPayoutBps');
  for (const cap of ['perMemberPeriodMinor', 'perCustomerLifetimeMinor'] as const) {
    for (const [currency, amount] of Object.entries(caps[cap] ?? {})) if (amount === 0) zero(`caps.${cap}.${currency}`);
  }
  for (const limit of ['maxMonths', 'maxEvents'] as const) {
    if (recurring.enabled || recurring[limit] === null) continue;
    problems.push(problem('RECURRING_LIMIT_IGNORED', `recurring.${limit}`, 'limits what recurring.enabled false does not pay'));
  }
  for (const limit of ['floorMinor', 'writeOffAfterDays'] as const) {
    if (reversal.recoverAfterPayout !== 'write_off' || reversal[limit] === null) continue;
    problems.push(
      problem('RECOVERY_LIMIT_IGNORED', `reversal.${limit}`, 'limits what recoverAfterPayout write_off never lets a member owe'),
    );
  }
  return problems;
}

/** Used: the tenant's currency and each that the plan names an amount in. */
function lintMinimums(plan: PlanDefinition, defaultCurrency: string): PlanProblem[] {
  const maps = [
    ...plan.levels.map(({ flatMinor }) => flatMinor),
    plan.qualification.minPersonalSalesMinor,
    plan.caps.perMemberPeriodMinor,
    plan.caps.perCustomerLifetimeMinor,
    plan.reversal.floorMinor,
  ];
  const used = new Set([defaultCurrency, ...maps.flatMap((map) => Object.keys(map ?? {}))]);
  return [...used]
    .filter((currency) => plan.minimumPayoutMinor[currency] === undefined)
    .map((currency) => {
      const builtIn = builtInMinimumMinor(currency);
      const otherwise =
        builtIn === undefined ? 'nothing is paid out in it' : `the built-in one of ${toMajorText(builtIn, currency)} counts`;
      return problem(
        'MINIMUM_PAYOUT_MISSING',
        `minimumPayoutMinor.${currency}`,
        `a currency in use has no minimum payout: ${otherwise}`,
      );
    });
}

function problem(rule: LintRule, path: string, message: string): PlanProblem {
  return { rule, path, message };
}
