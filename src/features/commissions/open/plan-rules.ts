/**
 * Rules of a plan: on which facts of a sale a level is paid otherwise. The schema holds the shape.
 * Source: docs/specification/rates.md.
 */
import { z } from 'zod';
import { byCurrency, text } from '../../../http/schemas.ts';
import { MAX_AMOUNT_MINOR } from '../../../money.ts';
import { ladderKey } from './plan-ladders.ts';

/** What a test may ask for, and what is compared there: a text, an integer, or an amount in the currency of the sale. */
export const FACTS = {
  'sale.type': 'text',
  'sale.currency': 'text',
  'sale.source': 'text',
  'sale.amountMinor': 'amount',
  'sale.baseMinor': 'amount',
  'sale.discountCode': 'text',
  'item.sku': 'text',
  'item.category': 'text',
  'customer.country': 'text',
  'customer.isMember': 'integer',
  'customer.purchaseNumber': 'integer',
  'customer.monthsSinceFirst': 'integer',
  'credited.group': 'text',
  'credited.tier': 'text',
  'credited.ageDays': 'integer',
  'member.group': 'text',
  'member.tier': 'text',
  'member.ageDays': 'integer',
  'member.kycApproved': 'integer',
  'member.activeDirects': 'integer',
  'member.salesMinor': 'amount',
  'member.salesCount': 'integer',
} as const satisfies Record<string, FactKind>;

export type FactKind = 'text' | 'integer' | 'amount';

/** Behind it stands the name of a field that the shop sends; a text or an integer. */
export const METADATA = 'sale.metadata.';

/** Facts of a part of the sale, line items of one product, begin so. */
const ITEM = 'item.';

/** What a person can be found by, or a shop may write anything into: only what tests say of it is kept with a sale. */
const isKeptAsVerdict = (fact: string): boolean =>
  fact.startsWith(METADATA) || fact === 'sale.discountCode' || fact === 'customer.country';

export const isOfItem = (fact: string): boolean => fact.startsWith(ITEM);

const FACT_PATTERN = `^(${Object.keys(FACTS)
  .map((name) => name.replace('.', '\\.'))
  .join('|')}|sale\\.metadata\\.[A-Za-z0-9_-]{1,40})$`;

/** Exactly one of the four: a text among these, at least, less than, or there at all. */
export interface RuleTest {
  fact: string;
  in?: string[] | undefined;
  gte?: number | Record<string, number> | undefined;
  lt?: number | Record<string, number> | undefined;
  exists?: true | undefined;
}

/** Exactly one form: a test, or others joined. */
export type RuleCondition = RuleTest | { all: RuleCondition[] } | { any: RuleCondition[] } | { not: RuleCondition };

const RULE_KEY = '^[a-z0-9-]{1,40}$';
const MOST_RULES = 50;
const MOST_TESTS_OF_RULE = 30;
const MOST_TESTS = 200;
const MOST_METADATA = 5;

const minor = z.int().min(0).max(Number(MAX_AMOUNT_MINOR));
const bound = z
  .union([minor, byCurrency(minor)])
  .meta({ id: 'RuleBound', description: 'A whole number; of an amount minor units by currency' });

const factName = z
  .string()
  .regex(new RegExp(FACT_PATTERN), 'is not a fact that rules know')
  .meta({ id: 'RuleFact', description: 'What is asked for', override: { type: 'string', pattern: FACT_PATTERN } });

const OPERATORS = ['in', 'gte', 'lt', 'exists'] as const;
const OPERATORS_OF: Record<FactKind, readonly string[]> = {
  text: ['in', 'exists'],
  integer: ['gte', 'lt', 'exists'],
  amount: ['gte', 'lt', 'exists'],
};

const testFields = {
  fact: factName,
  in: z.array(text(100)).min(1).max(100).meta({ id: 'RuleTexts', description: 'Of a text: it is one of these' }),
  gte: bound.meta({ description: 'It is at least this' }),
  lt: bound.meta({ description: 'It is less than this' }),
  exists: z.literal(true).meta({ description: 'It is there' }),
};

interface Loose extends Partial<RuleTest> {
  all?: Loose[] | undefined;
  any?: Loose[] | undefined;
  not?: Loose | undefined;
}

function faultOf(condition: Loose): { path: string[]; message: string } | undefined {
  const forms = (['fact', 'all', 'any', 'not'] as const).filter((form) => condition[form] !== undefined);
  const operators = OPERATORS.filter((operator) => condition[operator] !== undefined);
  if (forms.length !== 1) return { path: [], message: 'must have exactly one of fact, all, any and not' };
  const { fact } = condition;
  if (fact === undefined) {
    return operators.length === 0 ? undefined : { path: [operators[0] ?? ''], message: 'stands beside a fact only' };
  }
  const [operator] = operators;
  if (operator === undefined || operators.length > 1)
    return { path: [], message: 'must have exactly one of in, gte, lt and exists' };
  const kind = kindOf(fact);
  if (kind !== undefined && !OPERATORS_OF[kind].includes(operator)) {
    return { path: [operator], message: `cannot be asked of ${fact}, which has ${OPERATORS_OF[kind].join(', ')}` };
  }
  const limit = condition.gte ?? condition.lt;
  if (limit === undefined || (typeof limit === 'object') === (kind === 'amount')) return undefined;
  return { path: [operator], message: kind === 'amount' ? 'must name amounts by currency' : 'must be a whole number' };
}

/** Undefined of a field that the shop sends. */
export function kindOf(fact: string): FactKind | undefined {
  return (FACTS as Readonly<Record<string, FactKind>>)[fact];
}

function conditionOf(id: string, inner: z.ZodType | undefined, description: string): z.ZodType<RuleCondition, RuleCondition> {
  const many = inner && z.array(inner).min(1).max(20);
  const schema = z
    .strictObject({
      ...Object.fromEntries(Object.entries(testFields).map(([name, field]) => [name, field.optional()])),
      ...(many && {
        all: many.optional().meta({ description: 'All of these hold' }),
        any: many.optional().meta({ description: 'One of these holds at least' }),
        not: inner.optional().meta({ description: 'This does not hold' }),
      }),
    })
    .superRefine((condition, context) => {
      const fault = faultOf(condition as Loose);
      if (fault) context.addIssue({ code: 'custom', ...fault });
    })
    .meta({ id, description });
  return schema as unknown as z.ZodType<RuleCondition, RuleCondition>;
}

const test = conditionOf('RuleTest', undefined, 'One test of one fact');
const ofTests = conditionOf('RuleTests', test, 'A test, or tests joined');
const inner = conditionOf('RuleTestsJoined', ofTests, 'A condition within another');
const condition = conditionOf('RuleCondition', inner, 'A test, or conditions joined, at most three deep');

/** What is paid in place of what a level pays. */
export const rulePay = z
  .strictObject({
    rateBps: z.int().min(0).max(10_000).optional().meta({ description: 'Hundredths of a per cent of the base; 0 pays nothing' }),
    flatMinor: byCurrency(minor).optional().meta({ description: 'A fixed amount, minor units by currency' }),
    per: z
      .enum(['sale', 'unit'])
      .optional()
      .meta({ description: 'Of a fixed amount: `sale`: it is paid once; `unit`: for each piece. Default `sale`' }),
  })
  .refine((pay) => (pay.rateBps === undefined) !== (pay.flatMinor === undefined), 'must have either rateBps or flatMinor')
  .refine((pay) => pay.per === undefined || pay.flatMinor !== undefined, {
    path: ['per'],
    message: 'stands beside flatMinor only',
  })
  .meta({ id: 'RatePay', description: 'A rate or a sum, exactly one' });

const ruleOrLadder = z
  .strictObject({ ...rulePay.shape, ladder: ladderKey.optional() })
  .refine(({ rateBps, flatMinor, ladder }) => [rateBps, flatMinor, ladder].filter((one) => one !== undefined).length === 1, {
    message: 'must have exactly one of rateBps, flatMinor and ladder',
  })
  .refine((pay) => pay.per === undefined || pay.flatMinor !== undefined, {
    path: ['per'],
    message: 'stands beside flatMinor only',
  })
  .meta({ id: 'RulePay', description: 'A rate, a sum or a ladder, exactly one' });

const rule = z.strictObject({
  id: z
    .string()
    .regex(new RegExp(RULE_KEY), 'must have 1 to 40 characters: small letters, digits and hyphens')
    .meta({ description: 'Names the rule in explanations', override: { type: 'string', pattern: RULE_KEY } }),
  levels: z
    .union([z.literal('all'), z.array(z.int().min(1).max(50)).min(1).max(50)])
    .meta({ description: 'Paid levels that it is for, or `all`' }),
  final: z
    .boolean()
    .default(false)
    .meta({ description: 'Final rules are asked first, and what was agreed with a member does not come before them' }),
  when: condition.meta({ description: 'When it holds' }),
  pay: ruleOrLadder,
});

export type PlanRule = z.output<typeof rule>;

export const planRules = z
  .array(rule)
  .max(MOST_RULES)
  .superRefine((rules, context) => {
    // What is wrong with a condition itself is told already.
    if (!rules.every(({ when }) => testsOf(when).every(({ fact }) => typeof fact === 'string'))) return;
    const fault = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message });
    const counts = rules.map(({ when }) => testsOf(when).length);
    for (const [index, { id }] of rules.entries()) {
      if (rules.findIndex((other) => other.id === id) < index) fault([index, 'id'], 'is the id of another rule of the plan');
      if ((counts[index] ?? 0) > MOST_TESTS_OF_RULE) fault([index, 'when'], `must have at most ${MOST_TESTS_OF_RULE} tests`);
    }
    if (counts.reduce((sum, count) => sum + count, 0) > MOST_TESTS) fault([], `must have at most ${MOST_TESTS} tests in all`);
    if (metadataNames(rules).size > MOST_METADATA) fault([], `must name at most ${MOST_METADATA} fields of sale.metadata`);
  });

/** All tests of a condition, in the order written. */
export function testsOf(when: RuleCondition): RuleTest[] {
  if ('all' in when && when.all !== undefined) return when.all.flatMap(testsOf);
  if ('any' in when && when.any !== undefined) return when.any.flatMap(testsOf);
  if ('not' in when && when.not !== undefined) return testsOf(when.not);
  return [when as RuleTest];
}

/** Tests of the sale of which only whether they hold is kept with it, each once, in the order written. */
export function verdictTests(rules: readonly PlanRule[]): RuleTest[] {
  return eachOnce(rules, isKeptAsVerdict);
}

/** The same of its parts. */
export function itemTests(rules: readonly PlanRule[]): RuleTest[] {
  return eachOnce(rules, isOfItem);
}

/** Whether what a level is paid goes by the products of a sale: by which they are, or by how many. */
export function asksForParts(rules: readonly PlanRule[]): boolean {
  return itemTests(rules).length > 0 || rules.some(({ pay }) => pay.per === 'unit');
}

function metadataNames(rules: readonly PlanRule[]): Set<string> {
  const facts = verdictTests(rules).map(({ fact }) => fact);
  return new Set(facts.filter((fact) => fact.startsWith(METADATA)));
}

function eachOnce(rules: readonly PlanRule[], isWanted: (fact: string) => boolean): RuleTest[] {
  const known = new Map<string, RuleTest>();
  for (const { when } of rules) {
    for (const one of testsOf(when)) if (isWanted(one.fact)) known.set(keyOf(one), known.get(keyOf(one)) ?? one);
  }
  return [...known.values()];
}

/** Equal tests have equal keys. */
export function keyOf({ fact, in: texts, gte, lt, exists }: RuleTest): string {
  return JSON.stringify([fact, texts ?? null, gte ?? null, lt ?? null, exists ?? null]);
}
