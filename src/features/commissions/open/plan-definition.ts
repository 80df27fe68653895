/**
 * The plan model: what a plan draft and a published plan version say.
 * Source: docs/specification/commissions.md#the-plan. The schema holds the shape; what a plan may not ask for
 * although it is well formed is the linter's (lint-plan.ts).
 */
import { z } from 'zod';
import { byCurrency, text } from '../../../http/schemas.ts';
import { currencyDigits, MAX_AMOUNT_MINOR } from '../../../money.ts';
import { groupKey } from '../../groups/open/group-key.ts';
import { ladderKey, planLadders } from './plan-ladders.ts';
import { planRules } from './plan-rules.ts';

const minor = z.int().min(0).max(Number(MAX_AMOUNT_MINOR));
const bps = z.int().min(0).max(10_000);

/** Minor units by currency. */
const amounts = byCurrency(minor).meta({
  id: 'AmountsByCurrencyInput',
  outputId: 'AmountsByCurrency',
  description: 'Minor units by currency',
});

const level = z
  .strictObject({
    level: z.int().min(1).max(50).meta({ description: '1 is the credited member' }),
    rateBps: bps.optional().meta({ description: 'Hundredths of a per cent of the base' }),
    flatMinor: amounts.optional().meta({ description: 'A fixed amount by currency, in place of a rate' }),
    ladder: ladderKey.optional().meta({ description: 'Id of a ladder of the plan, in place of a rate' }),
  })
  .refine(
    ({ rateBps, flatMinor, ladder }) => [rateBps, flatMinor, ladder].filter((one) => one !== undefined).length === 1,
    'must have either rateBps or flatMinor, or a ladder',
  );

const tierRule = z.strictObject({
  multiplierMilli: z.int().min(0).max(100_000).default(1000).meta({ description: 'Thousandths; unilevel only' }),
  maxDepth: z.int().min(0).max(256).default(256).meta({ description: 'Deepest level this tier is paid for' }),
  rateBps: bps.optional().meta({ description: 'Own rate; differential only' }),
});

export const purchaseTypes = ['one_time', 'subscription_initial', 'subscription_renewal'] as const;

export const planDefinition = z
  .strictObject({
    mode: z
      .enum(['unilevel', 'differential'])
      .meta({ description: '`unilevel`: each level its rate; `differential`: each tier what those below have not got' }),
    base: z.enum(['gross', 'net_of_tax', 'net_of_tax_shipping', 'line_items']).meta({
      description:
        'What commissions are worked out on: `gross`: what was paid; `net_of_tax`: less tax; `net_of_tax_shipping`: less shipping too; `line_items`: the sum of the line items that the scope names',
    }),
    levels: z.array(level).max(50).meta({ description: 'What each level pays' }),
    tierRules: z.record(z.string().min(1).max(50), tierRule).meta({ description: 'Rules by tier' }),
    qualification: z
      .strictObject({
        active: z.boolean().default(true).meta({ description: 'Whether only active members are paid' }),
        kycApproved: z.boolean().default(false).meta({ description: 'Whether only verified members are paid' }),
        minPersonalSalesMinor: z
          .union([amounts, z.literal(0)])
          .transform((value) => (value === 0 ? {} : value))
          .pipe(amounts)
          .default({})
          .meta({ description: "Purchases credited to the member in the sale's month, by currency; 0 for none" }),
        minActiveDirects: z.int().min(0).max(100_000).default(0).meta({ description: 'Active recruits that a member needs' }),
        window: z.literal('month').default('month').meta({ description: 'The local month of the sale' }),
      })
      .prefault({}),
    compression: z
      .enum(['none', 'roll_up', 'compress'])
      .meta({ description: '`none`: a place is lost; `roll_up`, `compress`: the next above takes it' }),
    personalPurchase: z.enum(['none', 'self_rebate', 'sponsor_first']).meta({
      description:
        "A member's own purchase: `none`: pays nobody; `self_rebate`: the member; `sponsor_first`: from the sponsor up",
    }),
    recurring: z
      .strictObject({
        enabled: z.boolean().default(true).meta({ description: 'Whether renewals are paid' }),
        maxMonths: z
          .int()
          .min(1)
          .max(1200)
          .nullable()
          .default(null)
          .meta({ description: 'Months that renewals are paid; null: without end' }),
        maxEvents: z
          .int()
          .min(1)
          .max(100_000)
          .nullable()
          .default(null)
          .meta({ description: 'Renewals that are paid; null: all' }),
      })
      .prefault({}),
    holding: z.strictObject({
      days: z.int().min(0).max(365).meta({ description: 'Days that a commission is held' }),
      appliesTo: z
        .enum(['all_levels', 'level_1'])
        .default('all_levels')
        .meta({ description: '`all_levels` wait, or `level_1` alone' }),
    }),
    caps: z
      .strictObject({
        perEventPayoutBps: bps
          .nullable()
          .default(null)
          .meta({ description: 'Most that one sale pays, in basis points; null: no limit' }),
        perMemberPeriodMinor: amounts.nullable().default(null),
        perCustomerLifetimeMinor: amounts.nullable().default(null),
      })
      .prefault({}),
    rounding: z
      .strictObject({
        mode: z.literal('half_up').default('half_up').meta({ description: 'Half up, once a line' }),
        residual: z.literal('company').default('company').meta({ description: 'Who keeps what rounding leaves' }),
      })
      .prefault({}),
    fx: z
      .strictObject({
        payCurrency: z
          .enum(['member', 'purchase'])
          .default('purchase')
          .meta({ description: 'In the currency of the `member`, or of the `purchase`' }),
        rateAt: z
          .literal('occurred_at')
          .default('occurred_at')
          .meta({ description: 'The latest rate that is not after the sale' }),
      })
      .prefault({}),
    reversal: z
      .strictObject({
        policy: z.literal('proportional').default('proportional').meta({ description: 'How refunds take back' }),
        recoverAfterPayout: z.enum(['carry_forward', 'write_off']).default('carry_forward').meta({
          description: 'What is taken back after payout: `carry_forward`: the member owes it; `write_off`: the company bears it',
        }),
        floorMinor: amounts
          .nullable()
          .default(null)
          .meta({ description: 'The most a member can come to owe, by currency; the company bears the rest' }),
        writeOffAfterDays: z
          .int()
          .min(1)
          .max(3650)
          .nullable()
          .default(null)
          .meta({ description: 'What a member still owes of a clawback after so many days is written off' }),
      })
      .prefault({}),
    minimumPayoutMinor: amounts.default({}),
    rules: planRules.default([]).meta({ description: 'On which facts of a sale levels are paid otherwise, in the order asked' }),
    ladders: planLadders.default([]).meta({ description: 'Rates that rise with what a member has sold' }),
    overrides: z
      .strictObject({
        levels: z
          .array(z.int().min(1).max(5))
          .min(1)
          .max(5)
          .default([1])
          .meta({ description: 'Paid levels for which what was agreed counts' }),
        maxRateBps: bps.meta({ description: 'The most of it that counts, in basis points: a higher rate is cut to it' }),
        maxFlatMinor: amounts.default({}).meta({
          description: 'The same of sums, for a sale or a piece as they are; in other currencies sums do not count',
        }),
      })
      .nullable()
      .default(null)
      .meta({ description: 'How far rates that were agreed with members, for links or for codes count; null: not at all' }),
    scope: z
      .strictObject({
        priority: z.int().min(0).max(1000).default(0).meta({ description: 'Of several plans that match, the highest wins' }),
        types: z
          .array(z.enum(purchaseTypes).meta({ description: '`one_time`, `subscription_initial` or `subscription_renewal`' }))
          .min(1)
          .max(3)
          .nullable()
          .default(null)
          .meta({ description: 'Types of sales; null: all' }),
        skus: z.array(text(100)).min(1).max(500).nullable().default(null).meta({ description: 'Article numbers; null: all' }),
        groups: z.array(groupKey).min(1).max(100).nullable().default(null).meta({
          description: 'Keys of groups: sales credited to their members alone, ahead of plans that name none; null: all',
        }),
        categories: z.array(text(100)).min(1).max(500).nullable().default(null).meta({ description: 'Categories; null: all' }),
      })
      .prefault({}),
  })
  .meta({
    id: 'PlanDefinitionInput',
    outputId: 'PlanDefinition',
    example: {
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
    },
  });

export type PlanDefinition = z.output<typeof planDefinition>;
export type PlanDefinitionInput = z.input<typeof planDefinition>;

/** The plan of a new tenant, but for its minimum payout and what may be agreed with members. Source: docs/specification/commissions.md#defaults. */
export const DEFAULT_PLAN: PlanDefinition = planDefinition.parse({
  mode: 'unilevel',
  base: 'net_of_tax_shipping',
  levels: [
    { level: 1, rateBps: 1000 },
    { level: 2, rateBps: 500 },
    { level: 3, rateBps: 300 },
    { level: 4, rateBps: 200 },
    { level: 5, rateBps: 100 },
  ],
  tierRules: {
    ORDINARY: { multiplierMilli: 1000, maxDepth: 1 },
    SENIOR: { multiplierMilli: 1000, maxDepth: 3 },
    MANAGER: { multiplierMilli: 1000, maxDepth: 5 },
    DIRECTOR: { multiplierMilli: 1000, maxDepth: 10 },
  },
  compression: 'compress',
  personalPurchase: 'sponsor_first',
  holding: { days: 30 },
} satisfies PlanDefinitionInput);

/** With the minimum payout of 50.00 in the tenant's currency, and rates of up to 50 % for level 1 that may be agreed with members. */
export function defaultPlanFor(defaultCurrency: string): PlanDefinition {
  return {
    ...DEFAULT_PLAN,
    overrides: { levels: [1], maxRateBps: 5000, maxFlatMinor: {} },
    minimumPayoutMinor: { [defaultCurrency]: 50 * 10 ** currencyDigits(defaultCurrency) },
  };
}
