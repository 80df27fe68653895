/** Random rules of plans, and what they are judged by, as fast-check arbitraries. */
import fc from 'fast-check';
import { factsAsked, metadataHolds, type SaleFacts } from '../../../src/features/commissions/open/choose-rate.ts';
import type { EvaluationInput } from '../../../src/features/commissions/open/evaluate-plan.ts';
import type { PlanRule, RuleCondition, RuleTest } from '../../../src/features/commissions/open/plan-rules.ts';

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
};
const INTEGERS = [
  'customer.isMember',
  'customer.purchaseNumber',
  'customer.monthsSinceFirst',
  'credited.ageDays',
  'member.ageDays',
  'member.kycApproved',
  'member.activeDirects',
  'sale.metadata.pieces',
];
const AMOUNTS = ['sale.amountMinor', 'sale.baseMinor'];

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
        ),
      }),
      { maxLength: 5 },
    )
    .map((rules) => rules.map((rule, index) => ({ id: `rule-${index}`, ...rule })));

/** What the shop and the tree say: a value that is undefined is absent. */
export interface Ground {
  values: Record<string, string | bigint | undefined>;
  metadata: Record<string, unknown>;
  members: { group: string; ageDays: number | undefined }[];
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
  members: fc.array(fc.record({ group: fc.constantFrom(...GROUPS), ageDays: orAbsent(small) }), { minLength: 20, maxLength: 20 }),
});

/** The sale with all that its rules ask for, as deciding reads it. */
export function withRules(sale: EvaluationInput, amountMinor: bigint, { values, metadata, members }: Ground): EvaluationInput {
  const { rules } = sale.plan;
  if (rules.length === 0) return sale;
  const asked = factsAsked(rules);
  const known: Ground['values'] = {
    ...values,
    'sale.currency': sale.currency,
    'sale.amountMinor': amountMinor,
    'sale.baseMinor': sale.baseMinor,
  };
  const found = [...asked].flatMap((fact) => (known[fact] === undefined ? [] : [[fact, known[fact]] as const]));
  const facts: SaleFacts = { values: Object.fromEntries(found), holds: metadataHolds(rules, metadata) };
  const upline = sale.upline.map((member, index) => {
    const { group = 'default', ageDays } = members[index] ?? {};
    return {
      ...member,
      ...(asked.has('member.group') && { group }),
      ...(asked.has('member.ageDays') && ageDays !== undefined && { ageDays }),
    };
  });
  return { ...sale, facts, upline };
}
