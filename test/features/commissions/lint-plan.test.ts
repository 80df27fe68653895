/** The linter (docs/specification/commissions.md#linter): each rule has a plan that breaks it and nothing else. */
import { describe, expect, test } from 'vitest';
import { type LintRule, lintPlan, warnOfPlan } from '../../../src/features/commissions/lint-plan.ts';
import {
  defaultPlanFor,
  type PlanDefinition,
  type PlanDefinitionInput,
  planDefinition,
} from '../../../src/features/commissions/open/plan-definition.ts';

const plan = { ...defaultPlanFor('USD'), overrides: null };
const faults = (change: object): string[] =>
  lintPlan(planDefinition.parse({ ...plan, ...change })).map(({ rule, path }) => `${rule} ${path}`);
const warnings = (change: object, defaultCurrency = 'USD'): string[] =>
  warnOfPlan(planDefinition.parse({ ...plan, ...change }), { defaultCurrency }).map(({ rule, path }) => `${rule} ${path}`);

const caps = (change: Partial<PlanDefinition['caps']>) => ({ caps: { ...plan.caps, ...change } });
const tiers = (change: Partial<PlanDefinition['tierRules'][string]>) => ({
  tierRules: Object.fromEntries(Object.entries(plan.tierRules).map(([tier, rule]) => [tier, { ...rule, ...change }])),
});
const differential = (rateBps: number) => ({ mode: 'differential', levels: [], ...tiers({ rateBps }) });
const scope = (...types: string[]) => ({ scope: { ...plan.scope, types } });
const disabled = { recurring: { enabled: false } };

/** The plan of docs/specification/commissions.md#example, word for word. */
const example: PlanDefinitionInput = {
  mode: 'unilevel',
  base: 'net_of_tax_shipping',
  levels: [
    { level: 1, rateBps: 1000 },
    { level: 2, rateBps: 500 },
    { level: 3, rateBps: 250 },
  ],
  tierRules: {
    ORDINARY: { multiplierMilli: 1000, maxDepth: 1 },
    SENIOR: { multiplierMilli: 1000, maxDepth: 3 },
    MANAGER: { multiplierMilli: 1100, maxDepth: 5 },
    DIRECTOR: { multiplierMilli: 1250, maxDepth: 10 },
  },
  qualification: { active: true, kycApproved: false, minPersonalSalesMinor: 0, minActiveDirects: 0, window: 'month' },
  compression: 'compress',
  personalPurchase: 'sponsor_first',
  recurring: { enabled: true, maxMonths: 12, maxEvents: null },
  holding: { days: 30, appliesTo: 'all_levels' },
  caps: { perEventPayoutBps: 4000, perMemberPeriodMinor: { USD: 500000 }, perCustomerLifetimeMinor: null },
  rounding: { mode: 'half_up', residual: 'company' },
  fx: { payCurrency: 'member', rateAt: 'occurred_at' },
  reversal: { policy: 'proportional', recoverAfterPayout: 'carry_forward', floorMinor: null, writeOffAfterDays: 365 },
  minimumPayoutMinor: { USD: 5000, EUR: 5000, HKD: 40000 },
};

describe('a good plan has no problem', () => {
  test.each<[label: string, change: object]>([
    ['the default plan', {}],
    ['the example of the specification', example],
    ['a differential plan', differential(2000)],
    ['a flat plan', { levels: [{ level: 1, flatMinor: { USD: 100 } }] }],
    [
      'a level without a rate among others',
      {
        levels: [
          { level: 1, rateBps: 0 },
          { level: 2, rateBps: 1 },
        ],
      },
    ],
    ['a plan that pays nothing for some products', { levels: [{ level: 1, rateBps: 0 }], scope: { skus: ['book'] } }],
    ['line items', { base: 'line_items' }],
    ['holding of the first level only', { holding: { days: 30, appliesTo: 'level_1' } }],
    ['rates exactly at the ceiling', caps({ perEventPayoutBps: 2100 })],
    [
      'rates of the whole base',
      {
        levels: [
          { level: 1, rateBps: 6000 },
          { level: 2, rateBps: 4000 },
        ],
      },
    ],
    [
      'multipliers over the whole base below a ceiling',
      { ...tiers({ multiplierMilli: 5000 }), ...caps({ perEventPayoutBps: 3000 }) },
    ],
    ['some tiers that are never paid', { tierRules: { ...plan.tierRules, ORDINARY: { maxDepth: 0 } } }],
    ['renewals only', scope('subscription_renewal')],
    ['subscriptions from the start', scope('subscription_initial', 'subscription_renewal')],
    ['sign-up and single sales', scope('subscription_initial', 'one_time')],
    ['no renewals', disabled],
    ['a minimum payout of nothing', { minimumPayoutMinor: { USD: 0 } }],
    [
      'recovery with a floor',
      { reversal: { recoverAfterPayout: 'carry_forward', floorMinor: { USD: 100 }, writeOffAfterDays: 30 } },
    ],
    ['recovery by write-off', { reversal: { recoverAfterPayout: 'write_off' } }],
  ])('%s', (_label, change) => {
    expect(faults(change)).toEqual([]);
  });

  test.each([
    ['USD', 5_000],
    ['JPY', 50],
    ['KWD', 50_000],
  ])('the default plan of a tenant in %s has a minimum payout of %s', (currency, minimum) => {
    expect(defaultPlanFor(currency).minimumPayoutMinor).toEqual({ [currency]: minimum });
    expect(lintPlan(defaultPlanFor(currency))).toEqual([]);
    expect(warnOfPlan(defaultPlanFor(currency), { defaultCurrency: currency })).toEqual([]);
  });
});

const broken: [rule: LintRule, path: string, change: object][] = [
  ['LEVELS_MISSING', 'levels', { levels: [] }],
  ['LEVELS_IGNORED', 'levels', { ...differential(100), levels: plan.levels }],
  [
    'LEVELS_WITH_GAPS',
    'levels[1].level',
    {
      levels: [
        { level: 1, rateBps: 1 },
        { level: 3, rateBps: 1 },
      ],
    },
  ],
  ['LEVELS_WITH_GAPS', 'levels[0].level', { levels: [{ level: 2, rateBps: 1 }] }],
  [
    'LEVELS_WITH_GAPS',
    'levels[1].level',
    {
      levels: [
        { level: 1, rateBps: 1 },
        { level: 1, rateBps: 1 },
      ],
    },
  ],
  ['TIER_UNKNOWN', 'tierRules.BARON', { tierRules: { ...plan.tierRules, BARON: { maxDepth: 1 } } }],
  ['TIER_UNKNOWN', 'tierRules.director', { tierRules: { ...plan.tierRules, director: { maxDepth: 1 } } }],
  ['TIER_MISSING', 'tierRules.SENIOR', { tierRules: { ...plan.tierRules, SENIOR: undefined } }],
  [
    'TIER_RATE_MISSING',
    'tierRules.SENIOR.rateBps',
    { ...differential(100), tierRules: { ...differential(100).tierRules, SENIOR: { maxDepth: 3 } } },
  ],
  ['TIER_RATE_IGNORED', 'tierRules.SENIOR.rateBps', { tierRules: { ...plan.tierRules, SENIOR: { maxDepth: 3, rateBps: 0 } } }],
  [
    'TIER_MULTIPLIER_IGNORED',
    'tierRules.SENIOR.multiplierMilli',
    { ...differential(100), tierRules: { ...differential(100).tierRules, SENIOR: { rateBps: 100, multiplierMilli: 1100 } } },
  ],
  ['NOBODY_PAID', 'tierRules', tiers({ maxDepth: 0 })],
  ['RATES_OVER_CEILING', 'levels', caps({ perEventPayoutBps: 2099 })],
  [
    'RATES_OVER_CEILING',
    'levels',
    {
      levels: [
        { level: 1, rateBps: 6000 },
        { level: 2, rateBps: 4001 },
      ],
    },
  ],
  ['RATES_OVER_CEILING', 'levels', tiers({ multiplierMilli: 5000 })],
  ['RATES_OVER_CEILING', 'tierRules', { ...differential(2000), ...caps({ perEventPayoutBps: 1999 }) }],
  ['SIGN_UP_ONLY', 'scope.types', scope('subscription_initial')],
  ['SIGN_UP_ONLY', 'scope.types', { ...scope('subscription_initial', 'subscription_renewal'), ...disabled }],
  [
    'SIGN_UP_ONLY',
    'levels',
    {
      levels: [
        { level: 1, flatMinor: { USD: 100 } },
        { level: 2, rateBps: 0 },
      ],
    },
  ],
  ['CAP_OF_ZERO', 'caps.perEventPayoutBps', caps({ perEventPayoutBps: 0 })],
  ['CAP_OF_ZERO', 'caps.perMemberPeriodMinor.USD', caps({ perMemberPeriodMinor: { USD: 0 } })],
  ['CAP_OF_ZERO', 'caps.perCustomerLifetimeMinor.USD', caps({ perCustomerLifetimeMinor: { USD: 0 } })],
  ['RECURRING_LIMIT_IGNORED', 'recurring.maxMonths', { recurring: { enabled: false, maxMonths: 12 } }],
  ['RECURRING_LIMIT_IGNORED', 'recurring.maxEvents', { recurring: { enabled: false, maxEvents: 1 } }],
  ['RECOVERY_LIMIT_IGNORED', 'reversal.floorMinor', { reversal: { recoverAfterPayout: 'write_off', floorMinor: { USD: 1 } } }],
  [
    'RECOVERY_LIMIT_IGNORED',
    'reversal.writeOffAfterDays',
    { reversal: { recoverAfterPayout: 'write_off', writeOffAfterDays: 1 } },
  ],
];

describe('a minimum payout that is missing is a warning, for a currency in use', () => {
  test.each<[string, object]>([
    ['USD', { minimumPayoutMinor: {} }],
    ['JPY', { levels: [{ level: 1, flatMinor: { JPY: 100 } }] }],
    ['JPY', { qualification: { minPersonalSalesMinor: { JPY: 1 } } }],
    ['JPY', caps({ perMemberPeriodMinor: { JPY: 1 } })],
    ['JPY', caps({ perCustomerLifetimeMinor: { JPY: 1 } })],
    ['JPY', { reversal: { floorMinor: { JPY: 1 } } }],
  ])('%s of %j', (currency, change) => {
    const definition = JSON.parse(JSON.stringify({ ...plan, ...change })) as object;
    expect(warnings(definition)).toEqual([`MINIMUM_PAYOUT_MISSING minimumPayoutMinor.${currency}`]);
    expect(faults(definition)).toEqual([]);
  });

  test("the tenant's currency decides", () => {
    expect(warnings({}, 'EUR')).toEqual(['MINIMUM_PAYOUT_MISSING minimumPayoutMinor.EUR']);
  });
});

describe('each rule is broken alone', () => {
  test.each(broken)('%s at %s', (rule, path, change) => {
    const definition = JSON.parse(JSON.stringify({ ...plan, ...change })) as object;
    expect(faults(definition)).toEqual([`${rule} ${path}`]);
  });
});

test('all problems of a plan are told at once, each with words', () => {
  const bad = planDefinition.parse({
    ...plan,
    levels: [
      { level: 1, rateBps: 9000 },
      { level: 4, rateBps: 9000 },
    ],
    recurring: { enabled: false, maxMonths: 1, maxEvents: 1 },
    minimumPayoutMinor: {},
  });
  const problems = lintPlan(bad);
  expect(problems.map(({ rule }) => rule)).toEqual([
    'LEVELS_WITH_GAPS',
    'RATES_OVER_CEILING',
    'RECURRING_LIMIT_IGNORED',
    'RECURRING_LIMIT_IGNORED',
  ]);
  expect(problems.every(({ message }) => message.length > 10)).toBe(true);
});
