/** Random rules of plans, and what they are judged by, as fast-check arbitraries. */
import fc from 'fast-check';
import type { AgreedRate } from '../../../src/features/commissions/open/agreed-rates.ts';
import { factsAsked, judgePart, type SaleFacts, verdictsOf } from '../../../src/features/commissions/open/choose-rate.ts';
import { commissionParts, type EvaluationInput } from '../../../src/features/commissions/open/evaluate-plan.ts';
import type { PlanDefinition } from '../../../src/features/commissions/open/plan-definition.ts';
import {
  asksForParts,
  type PlanRule,
  type RuleCondition,
  type RuleTest,
} from '../../../src/features/commissions/open/plan-rules.ts';
import type { SoldItem } from '../../../src/features/commissions/open/sale-parts.ts';

const GROUPS = ['default', 'vip', 'staff'];
const TIERS = ['ORDINARY', 'SENIOR', 'MANAGER', 'DIRECTOR'];
const CURRENCIES = ['JPY', 'USD', 'KWD'];
const TEXTS: Record<string, string[]> = {
  'sale.type': ['one_time', 'subscription_initial', 'subscription_renewal'],
  'sale.currency': CURRENCIES,
  'sale.source': ['explicit', 'code', 'link'],
  'credited.group': GROUPS,
  'credited.tier': TIERS,
  'member.group': GROUPS,
  'member.tier': TIERS,
  'sale.metadata.shelf': ['top', 'low'],
  'sale.discountCode': ['SPRING', 'FALL'],
  'customer.country': ['DE', 'JP'],
  'item.sku': ['tea', 'cup'],
  'item.category': ['drinks', 'ware'],
};
const INTEGERS = [
  'customer.isMember',
  'customer.purchaseNumber',
  'customer.monthsSinceFirst',
  'credited.ageDays',
  'member.ageDays',
  'member.kycApproved',
  'member.activeDirects',
  'member.salesCount',
  'sale.metadata.pieces',
];
const AMOUNTS = ['sale.amountMinor', 'sale.baseMinor', 'member.salesMinor'];

const small = fc.nat(3);
const amounts = (max: number) =>
  fc.dictionary(fc.constantFrom(...CURRENCIES), fc.nat(max), { maxKeys: 3, noNullPrototype: true });
const ordered = <Bound>(facts: string[], bounds: fc.Arbitrary<Bound>): fc.Arbitrary<RuleTest> =>
  fc
    .tuple(fc.constantFrom(...facts), fc.boolean(), bounds)
    .map(([fact, isLower, bound]) => (isLower ? { fact, gte: bound } : { fact, lt: bound }) as RuleTest);

const test: fc.Arbitrary<RuleTest> = fc.oneof(
  fc
    .constantFrom(...Object.keys(TEXTS))
    .chain((fact) => fc.subarray(TEXTS[fact] ?? [], { minLength: 1 }).map((texts) => ({ fact, in: texts }))),
  ordered(INTEGERS, small),
  ordered(AMOUNTS, amounts(2_000)),
  fc.constantFrom(...Object.keys(TEXTS), ...INTEGERS, ...AMOUNTS).map((fact) => ({ fact, exists: true as const })),
);

function condition(depth: number): fc.Arbitrary<RuleCondition> {
  if (depth === 0) return test;
  const inner = condition(depth - 1);
  const some = fc.array(inner, { minLength: 1, maxLength: 3 });
  return fc.oneof(
    { weight: 2, arbitrary: test },
    some.map((all) => ({ all })),
    some.map((any) => ({ any })),
    inner.map((not) => ({ not })),
  );
}

/** Those of a differential plan pay rates alone. */
export const rulesArbitrary = (mode: string): fc.Arbitrary<PlanRule[]> =>
  fc
    .array(
      fc.record({
        levels: fc.oneof(fc.constant('all' as const), fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { minLength: 1 })),
        final: fc.boolean(),
        when: condition(3),
        pay: fc.oneof(
          { weight: 3, arbitrary: fc.constantFrom(0, 1, 333, 2_500, 6_000).map((rateBps) => ({ rateBps })) },
          (mode === 'differential' ? fc.constant({}) : amounts(900)).map((flatMinor) =>
            mode === 'differential' ? { rateBps: 777 } : { flatMinor },
          ),
          (mode === 'differential' ? fc.constant({}) : amounts(90)).map((flatMinor) =>
            mode === 'differential' ? { rateBps: 4_444 } : { flatMinor, per: 'unit' as const },
          ),
          fc.constantFrom('sums', 'counts').map((ladder) => (mode === 'differential' ? { rateBps: 2_222 } : { ladder })),
        ),
      }),
      { maxLength: 5 },
    )
    .map((rules) => rules.map((rule, index) => ({ id: `rule-${index}`, ...rule })));

/** Two, which rules and levels of unilevel plans may name. */
export const laddersArbitrary: fc.Arbitrary<PlanDefinition['ladders']> = fc
  .tuple(
    fc.array(fc.tuple(amounts(900), fc.constantFrom(0, 400, 1_200, 3_000)), { minLength: 1, maxLength: 3 }),
    fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.constantFrom(100, 900)), { minLength: 1, maxLength: 2 }),
  )
  .map(([sums, counts]) => [
    {
      id: 'sums',
      measure: 'base',
      ownPurchases: false,
      period: 'month',
      settle: 'next_sale',
      settleAfterDays: 10,
      steps: [{ from: {}, rateBps: 50 }, ...sums.map(([from, rateBps]) => ({ from, rateBps }))],
    },
    {
      id: 'counts',
      measure: 'sales',
      ownPurchases: true,
      period: 'lifetime',
      settle: 'next_sale',
      settleAfterDays: 10,
      steps: [{ from: 0, rateBps: 70 }, ...counts.map(([from, rateBps]) => ({ from, rateBps }))],
    },
  ]);

export const overridesArbitrary: fc.Arbitrary<PlanDefinition['overrides']> = fc.oneof(
  fc.constant(null),
  fc.record({
    levels: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 5 }),
    maxRateBps: fc.constantFrom(0, 1_000, 5_000, 10_000),
    maxFlatMinor: amounts(500),
  }),
);

const agreedArbitrary = fc.record({
  target: fc.constantFrom<AgreedRate['target'][]>('link', 'member', 'member'),
  level: fc.integer({ min: 1, max: 4 }),
  forPlan: fc.boolean(),
  pay: fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(0, 700, 2_000, 6_000).map((rateBps) => ({ rateBps })) },
    amounts(800).map((flatMinor) => ({ flatMinor })),
    amounts(80).map((flatMinor) => ({ flatMinor, per: 'unit' as const })),
  ),
  skus: fc.option(fc.subarray(['tea', 'cup', 'pot'], { minLength: 1 }), { nil: null }),
});

/** What the shop and the tree say: a value that is undefined is absent. */
export interface Ground {
  values: Record<string, string | bigint | undefined>;
  metadata: Record<string, unknown>;
  discountCode: string | null;
  customerCountry: string | null;
  members: {
    group: string;
    ageDays: number | undefined;
    agreed: (Omit<AgreedRate, 'id' | 'parts'> & { skus: string[] | null })[];
    salesMinor: bigint;
    salesCount: number;
    sums: bigint;
    counts: bigint;
  }[];
}

const whole = small.map(BigInt);
const orAbsent = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 4 });

export const groundArbitrary: fc.Arbitrary<Ground> = fc.record({
  values: fc.record({
    'sale.type': fc.constantFrom(...(TEXTS['sale.type'] ?? [])),
    'sale.source': fc.constantFrom(...(TEXTS['sale.source'] ?? [])),
    'customer.isMember': fc.constantFrom(0n, 1n),
    'customer.purchaseNumber': whole,
    'customer.monthsSinceFirst': whole,
    'credited.group': fc.constantFrom(...GROUPS),
    'credited.tier': fc.constantFrom(...TIERS),
    'credited.ageDays': orAbsent(whole),
  }),
  metadata: fc.record(
    { shelf: fc.constantFrom<unknown>('top', 'low', 7, null), pieces: fc.constantFrom<unknown>(0, 1, 2, 2.5, -1, 'two') },
    { requiredKeys: [] },
  ),
  discountCode: fc.constantFrom(null, 'SPRING', 'OTHER'),
  customerCountry: fc.constantFrom(null, 'DE', 'FR'),
  members: fc.array(
    fc.record({
      group: fc.constantFrom(...GROUPS),
      ageDays: orAbsent(small),
      agreed: fc.array(agreedArbitrary, { maxLength: 3 }),
      salesMinor: fc.bigInt({ min: -10n, max: 2_000n }),
      salesCount: small,
      sums: fc.bigInt({ min: -10n, max: 1_000n }),
      counts: fc.bigInt({ min: 0n, max: 4n }),
    }),
    { minLength: 20, maxLength: 20 },
  ),
});

/** The sale with all that its plan asks for, as deciding reads it. */
export function withRules(
  sale: EvaluationInput,
  { amountMinor, lineItems }: { amountMinor: bigint; lineItems: readonly SoldItem[] },
  { values, members, ...said }: Ground,
): EvaluationInput {
  const { rules, overrides } = sale.plan;
  if (rules.length === 0 && overrides === null && sale.plan.ladders.length === 0) return sale;
  const asked = factsAsked(rules);
  const known: Ground['values'] = {
    ...values,
    'sale.currency': sale.currency,
    'sale.amountMinor': amountMinor,
    'sale.baseMinor': sale.baseMinor,
  };
  const found = [...asked].flatMap((fact) => (known[fact] === undefined ? [] : [[fact, known[fact]] as const]));
  const agreedOf = (index: number) => (overrides === null ? [] : (members[index]?.agreed ?? []));
  const isInParts =
    asksForParts(rules) || sale.upline.some((_, index) => agreedOf(index).some(({ skus, pay }) => skus !== null || 'per' in pay));
  const parts = isInParts ? commissionParts(sale.plan, { lineItems }, sale.baseMinor) : undefined;
  const facts: SaleFacts = {
    values: Object.fromEntries(found),
    holds: verdictsOf(rules, said),
    ...(parts && { parts: parts.map((part) => judgePart(rules, part)) }),
  };
  const upline = sale.upline.map((member, index) => {
    const { group = 'default', ageDays, salesMinor = 0n, salesCount = 0, sums = 0n, counts = 0n } = members[index] ?? {};
    const agreed = agreedOf(index).map(({ skus, ...one }, n): AgreedRate => {
      const named = skus && (parts ?? []).flatMap(({ sku }, part) => (sku !== null && skus.includes(sku) ? [part] : []));
      return { id: `agreed-${index}-${n}`, ...one, ...(named && { parts: named }) };
    });
    return {
      ...member,
      ...(asked.has('member.group') && { group }),
      ...(asked.has('member.ageDays') && ageDays !== undefined && { ageDays }),
      ...((asked.has('member.salesMinor') || asked.has('member.salesCount')) && { salesMinor, salesCount }),
      ...(sale.plan.ladders.length > 0 && { ladderSums: { sums, counts } }),
      ...(agreed.length > 0 && { agreed }),
    };
  });
  return { ...sale, facts, upline };
}
