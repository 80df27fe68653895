/**
 * The linter of rules against every sale that there can be over a few facts (docs/specification/rates.md#linter): what it
 * says is so, and what is so it says.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lintRules, type RuleProblem, type Witness, warnOfRules } from '../../../src/features/commissions/lint-rules.ts';
import { DEFAULT_PLAN, type PlanDefinition } from '../../../src/features/commissions/open/plan-definition.ts';
import {
  keyOf,
  type PlanRule,
  type RuleCondition,
  type RuleTest,
  testsOf,
} from '../../../src/features/commissions/open/plan-rules.ts';
import { testPaths } from '../../../src/features/commissions/rule-boxes.ts';

type Value = string | number | null;
interface Sale {
  facts: Readonly<Record<string, Value>>;
  currency: string;
}

// The rules as docs/specification/rates.md#order tells them.

function passes(one: RuleTest, { facts, currency }: Sale): boolean {
  const value = one.fact === 'sale.currency' ? currency : (facts[one.fact] ?? null);
  if (value === null) return false;
  if (one.exists) return true;
  if (one.in) return one.in.some((text) => text === value);
  const limit = one.gte ?? one.lt;
  const bound = typeof limit === 'object' ? limit[currency] : limit;
  if (bound === undefined || typeof value === 'string') return false;
  return one.gte === undefined ? value < bound : value >= bound;
}

function holds(condition: RuleCondition, sale: Sale): boolean {
  if ('all' in condition) return condition.all.every((one) => holds(one, sale));
  if ('any' in condition) return condition.any.some((one) => holds(one, sale));
  if ('not' in condition) return !holds(condition.not, sale);
  return passes(condition, sale);
}

const isFor = ({ levels }: PlanRule, level: number) => levels === 'all' || levels.includes(level);

function chosen(rules: readonly PlanRule[], sale: Sale, level: number): PlanRule | undefined {
  const holding = rules.filter((rule) => isFor(rule, level) && holds(rule.when, sale));
  return holding.find(({ final }) => final) ?? holding[0];
}

/** What it pays in a currency: `r300`, `f500`, or nothing. */
function paid({ pay }: PlanRule, currency: string): string {
  if (pay.rateBps !== undefined) return pay.rateBps === 0 ? '' : `r${pay.rateBps}`;
  const flat = pay.flatMinor?.[currency] ?? 0;
  return flat === 0 ? '' : `f${flat}`;
}

// Facts, with every value that tells tests below apart: bounds are at most 4.

const small = (from: number): Value[] => Array.from({ length: 6 - from }, (_, index) => index + from);
const VALUES: Readonly<Record<string, readonly Value[]>> = {
  'sale.type': ['one_time', 'subscription_initial', 'subscription_renewal'],
  'sale.amountMinor': small(0),
  'sale.baseMinor': small(0),
  'customer.isMember': [0, 1],
  'customer.purchaseNumber': small(1),
  'customer.monthsSinceFirst': small(0),
  'credited.group': ['a', 'b', 'c', 'other'],
  'credited.ageDays': [null, ...small(0)],
  'member.tier': ['ORDINARY', 'SENIOR', 'MANAGER', 'DIRECTOR'],
  'member.kycApproved': [0, 1],
  'sale.metadata.x': [null, 'a', '1', 'c', 'other', ...small(0)],
};
const FACTS = Object.keys(VALUES);
const CURRENCIES = ['USD', 'EUR', 'GBP'];
const isAmount = (fact: string) => fact.endsWith('Minor');

const bound = fc.nat(4);
const some = (values: readonly string[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });
const byCurrency = fc.dictionary(fc.constantFrom('USD', 'EUR'), bound, { minKeys: 1, maxKeys: 2, noNullPrototype: true });

function testOf(fact: string): fc.Arbitrary<RuleTest> {
  const limit = isAmount(fact) ? byCurrency : bound;
  const texts = (VALUES[fact] ?? []).filter((value) => typeof value === 'string' && value !== 'other') as string[];
  const asText = fc.record({ fact: fc.constant(fact), in: some([...texts, 'c']) });
  const asNumber = [fc.record({ fact: fc.constant(fact), gte: limit }), fc.record({ fact: fc.constant(fact), lt: limit })];
  const there = fc.record({ fact: fc.constant(fact), exists: fc.constant(true as const) });
  const hasNumbers = VALUES[fact]?.some((value) => typeof value === 'number');
  return fc.oneof(
    ...(texts.length > 0 ? [{ weight: 4, arbitrary: asText }] : []),
    ...(hasNumbers ? asNumber.map((arbitrary) => ({ weight: 4, arbitrary })) : []),
    { weight: 1, arbitrary: there },
  );
}

const inCurrency: fc.Arbitrary<RuleTest> = fc.record({ fact: fc.constant('sale.currency'), in: some(['USD', 'EUR', 'DOLLAR']) });

function conditionOf(facts: readonly string[], depth: number): fc.Arbitrary<RuleCondition> {
  const one: fc.Arbitrary<RuleCondition> = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...facts).chain(testOf) },
    inCurrency,
  );
  if (depth === 0) return one;
  const inner = conditionOf(facts, depth - 1);
  const many = fc.array(inner, { minLength: 1, maxLength: 3 });
  return fc.oneof(one, fc.record({ all: many }), fc.record({ any: many }), fc.record({ not: inner }));
}

const levels = fc.oneof(
  fc.constant('all' as const),
  fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }),
);
const pay = fc.oneof(fc.record({ rateBps: fc.constantFrom(0, 100, 200) }), fc.record({ flatMinor: byCurrency }));

const rulesOver = (facts: readonly string[], depth: number, most: number): fc.Arbitrary<PlanRule[]> =>
  fc
    .array(fc.record({ levels, final: fc.boolean(), when: conditionOf(facts, depth), pay }), { minLength: 1, maxLength: most })
    .map((rules) => rules.map((rule, index) => ({ id: `r${index}`, ...rule })));

const unilevel: PlanDefinition = { ...DEFAULT_PLAN, levels: DEFAULT_PLAN.levels.slice(0, 3) };
const differential: PlanDefinition = { ...DEFAULT_PLAN, mode: 'differential', levels: [] };
const plans = fc.constantFrom(unilevel, unilevel, differential);
const levelsOf = ({ mode }: PlanDefinition) => (mode === 'unilevel' ? [1, 2, 3] : [1, 2, 3, 4, 60]);

const withBase = (facts: readonly string[]) => [...new Set([...facts, 'sale.baseMinor'])];
const apart = fc
  .uniqueArray(fc.constantFrom(...FACTS), { minLength: 1, maxLength: 3 })
  .chain((facts) => fc.tuple(fc.constant(withBase(facts)), rulesOver(facts, 3, 5), plans));
/** Rules that come in each other's way. */
const close = fc.constantFrom(...FACTS).chain((fact) => {
  const rules = rulesOver([fact], 1, 6).map((many) => many.map((rule) => ({ ...rule, levels: 'all' as const, final: false })));
  return fc.tuple(fc.constant(withBase([fact])), rules, plans);
});
const few = fc.oneof({ weight: 3, arbitrary: apart }, { weight: 2, arbitrary: close });

/** All sales over some facts. */
function allSales(facts: readonly string[]): Sale[] {
  let known: Record<string, Value>[] = [{}];
  for (const fact of facts)
    known = known.flatMap((before) => (VALUES[fact] ?? []).map((value) => ({ ...before, [fact]: value })));
  return CURRENCIES.flatMap((currency) => known.map((facts) => ({ facts, currency })));
}

const pathsOf = (problems: readonly RuleProblem[], rule: string) =>
  problems.filter((one) => one.rule === rule).map(({ path }) => path);
const ruleAt = (rules: readonly PlanRule[], path: string) => rules[Number(/\d+/.exec(path)?.[0])] as PlanRule;

/** Ids of rules. */
const namedIn = (message: string): string[] => message.match(/\br\d+\b/g) ?? [];

/** Facts that a witness does not name may be anything. */
const saleOf = ({ facts, currency }: Witness, otherwise: Sale): Sale => ({
  facts: { ...otherwise.facts, ...Object.fromEntries(facts.map(({ fact, value }) => [fact, value])) },
  currency: currency ?? otherwise.currency,
});

const anySale: fc.Arbitrary<Sale> = fc.record({
  facts: fc.record(Object.fromEntries(FACTS.map((fact) => [fact, fc.constantFrom(...(VALUES[fact] ?? []))]))),
  currency: fc.constantFrom(...CURRENCIES),
});

/** Quicker than what fast-check makes. */
function randomSales(seed: number, count: number): Sale[] {
  let state = seed;
  const next = <Item>(items: readonly Item[]): Item => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return items[(state >>> 16) % items.length] as Item;
  };
  return Array.from({ length: count }, () => ({
    facts: Object.fromEntries(FACTS.map((fact) => [fact, next(VALUES[fact] ?? [])])),
    currency: next(CURRENCIES),
  }));
}

const baseOf = ({ facts }: Sale) => Number(facts['sale.baseMinor']);

/** Of each rule the sales that it pays, with a level. */
function paidBy(
  rules: readonly PlanRule[],
  sales: readonly Sale[],
  at: readonly number[],
): Map<PlanRule, { sale: Sale; level: number }[]> {
  const by = new Map<PlanRule, { sale: Sale; level: number }[]>(rules.map((rule) => [rule, []]));
  for (const sale of sales) {
    for (const level of at) {
      const rule = chosen(rules, sale, level);
      if (rule) by.get(rule)?.push({ sale, level });
    }
  }
  return by;
}

describe('against every sale over a few facts', () => {
  test('a rule is never true, or unreachable, exactly when no sale says otherwise', () => {
    const seen = { never: 0, unreachable: 0, together: 0, reached: 0 };
    fc.assert(
      fc.property(few, ([facts, rules, plan]) => {
        const sales = allSales(facts);
        const at = levelsOf(plan);
        const by = paidBy(rules, sales, at);
        const paths = rules.map((_, index) => `rules[${index}]`);
        const never = paths.filter((_, index) => !sales.some((sale) => holds((rules[index] as PlanRule).when, sale)));
        const unreachable = paths.filter((path) => {
          const rule = ruleAt(rules, path);
          return !never.includes(path) && at.some((level) => isFor(rule, level)) && by.get(rule)?.length === 0;
        });
        const problems = lintRules(plan, rules);
        expect(pathsOf(problems, 'RULE_NEVER_TRUE')).toEqual(never.map((path) => `${path}.when`));
        expect(pathsOf(problems, 'RULE_UNREACHABLE')).toEqual(unreachable);
        expect(pathsOf(warnOfRules(plan, rules), 'NOT_PROVEN')).toEqual([]);
        for (const { rule: name, path, message } of problems) {
          if (name !== 'RULE_UNREACHABLE') continue;
          const rule = ruleAt(rules, path);
          const covering = namedIn(message).map((id) => rules.find((one) => one.id === id) as PlanRule);
          const isReached = (others: readonly PlanRule[]) =>
            sales.some((sale) => at.some((level) => chosen([...others, { ...rule, final: false }], sale, level)?.id === rule.id));
          expect(isReached(covering)).toBe(false);
          for (const one of covering) expect(isReached(covering.filter((other) => other !== one))).toBe(true);
          seen.together += covering.length > 1 ? 1 : 0;
        }
        seen.never += never.length;
        seen.unreachable += unreachable.length;
        seen.reached += [...by.values()].filter(({ length }) => length > 0).length;
      }),
      { numRuns: 400 },
    );
    // Else the property has tested nothing.
    expect(Math.min(seen.never, seen.unreachable, seen.reached)).toBeGreaterThan(50);
    expect(seen.together).toBeGreaterThan(0);
  });

  test('rules overlap exactly when a sale that one pays would be paid otherwise by a later one of its rank', () => {
    let overlaps = 0;
    fc.assert(
      fc.property(few, ([facts, rules, plan]) => {
        const by = paidBy(rules, allSales(facts), levelsOf(plan));
        const expected = rules.flatMap((later, index) =>
          rules.slice(0, index).flatMap((first) => {
            const isShown = by
              .get(first)
              ?.some(
                ({ sale, level }) =>
                  baseOf(sale) > 0 &&
                  isFor(later, level) &&
                  holds(later.when, sale) &&
                  paid(first, sale.currency) !== paid(later, sale.currency),
              );
            return first.final === later.final && isShown === true ? [`rules[${index}] ${first.id}`] : [];
          }),
        );
        const found = warnOfRules(plan, rules).filter(({ rule }) => rule === 'RULES_OVERLAP');
        expect(found.map(({ path, message }) => `${path} ${namedIn(message).join()}`)).toEqual(expected);
        overlaps += expected.length;
      }),
      { numRuns: 300 },
    );
    expect(overlaps).toBeGreaterThan(50);
  });

  test('a flat sum is over the base, or missing, exactly when a sale shows it', () => {
    const seen = { over: 0, missing: 0 };
    fc.assert(
      fc.property(few, ([facts, rules, plan]) => {
        const by = paidBy(rules, allSales(facts), levelsOf(plan));
        const named = new Set(JSON.stringify(rules).match(/USD|EUR/g));
        const over: string[] = [];
        const missing: string[] = [];
        for (const [index, rule] of rules.entries()) {
          const { flatMinor } = rule.pay;
          const sales = (by.get(rule) ?? []).map(({ sale }) => sale).filter((sale) => baseOf(sale) > 0);
          for (const [currency, flat] of Object.entries(flatMinor ?? {})) {
            const isOver = sales.some((sale) => sale.currency === currency && baseOf(sale) < flat);
            if (isOver) over.push(`rules[${index}].pay.flatMinor.${currency}`);
          }
          const lacks = sales.some(({ currency }) => named.has(currency) && flatMinor?.[currency] === undefined);
          if (flatMinor && lacks) missing.push(`rules[${index}].pay.flatMinor`);
        }
        const warnings = warnOfRules(plan, rules);
        expect(pathsOf(warnings, 'FLAT_OVER_BASE')).toEqual(over);
        expect(pathsOf(warnings, 'CURRENCY_MISSING').filter((path) => path.endsWith('flatMinor'))).toEqual(missing);
        seen.over += over.length;
        seen.missing += missing.length;
      }),
      { numRuns: 300 },
    );
    expect(Math.min(seen.over, seen.missing)).toBeGreaterThan(50);
  });
});

/** The condition, where some tests hold or not as is said. */
function holdsAs(condition: RuleCondition, sale: Sale, said: (one: RuleTest) => boolean | undefined): boolean {
  if ('all' in condition) return condition.all.every((one) => holdsAs(one, sale, said));
  if ('any' in condition) return condition.any.some((one) => holdsAs(one, sale, said));
  if ('not' in condition) return !holdsAs(condition.not, sale, said);
  return said(condition) ?? passes(condition, sale);
}

/** Where it matters whether a test holds that names no amount in the currency, with others like it holding or not. */
function matters({ when }: PlanRule, one: RuleTest, sales: readonly Sale[], currency: string): boolean {
  const lacking = testsOf(when).filter(({ gte, lt }) => {
    const bounds = gte ?? lt;
    return typeof bounds === 'object' && bounds[currency] === undefined;
  });
  const keys = [...new Set(lacking.map(keyOf))];
  const choices = Array.from({ length: 2 ** keys.length }, (_, choice) => choice);
  const said = (choice: number, verdict: boolean) => (other: RuleTest) => {
    if (other === one) return verdict;
    return lacking.includes(other) ? ((choice >> keys.indexOf(keyOf(other))) & 1) === 1 : undefined;
  };
  return sales.some(
    (sale) =>
      sale.currency === currency &&
      choices.some((choice) => holdsAs(when, sale, said(choice, true)) !== holdsAs(when, sale, said(choice, false))),
  );
}

test('an amount is missing exactly when it matters for some sale whether its test holds', () => {
  let missing = 0;
  const ofAmounts = fc.tuple(rulesOver(['sale.amountMinor', 'sale.baseMinor', 'sale.type'], 2, 3), plans);
  fc.assert(
    fc.property(ofAmounts, ([rules, plan]) => {
      const sales = allSales(['sale.amountMinor', 'sale.baseMinor', 'sale.type']);
      const named = [...new Set(JSON.stringify(rules).match(/USD|EUR/g))];
      const expected = rules.flatMap((rule, index) => {
        if (!levelsOf(plan).some((level) => isFor(rule, level))) return [];
        return testPaths(rule.when, `rules[${index}].when`).flatMap(({ test: one, path }) => {
          const bounds = one.gte ?? one.lt;
          const lacks = (currency: string) => typeof bounds === 'object' && bounds[currency] === undefined;
          const isMissing = named.some((currency) => lacks(currency) && matters(rule, one, sales, currency));
          return isMissing ? [`${path}.${one.gte === undefined ? 'lt' : 'gte'}`] : [];
        });
      });
      const found = pathsOf(warnOfRules(plan, rules), 'CURRENCY_MISSING');
      expect(found.filter((path) => !path.endsWith('flatMinor'))).toEqual(expected);
      missing += expected.length;
    }),
    { numRuns: 150 },
  );
  expect(missing).toBeGreaterThan(50);
});

describe('over many facts', () => {
  const many = fc.tuple(rulesOver(FACTS, 3, 8), plans);

  test('no sale comes to a rule that none is said to come to', () => {
    let sales = 0;
    let faulty = 0;
    fc.assert(
      fc.property(many, fc.nat(), ([rules, plan], seed) => {
        const random = randomSales(seed, 500);
        const problems = lintRules(plan, rules);
        const never = new Set(pathsOf(problems, 'RULE_NEVER_TRUE').map((path) => ruleAt(rules, path)));
        const unreachable = new Set(pathsOf(problems, 'RULE_UNREACHABLE').map((path) => ruleAt(rules, path)));
        for (const sale of random) {
          const came = levelsOf(plan).map((level) => chosen(rules, sale, level));
          expect([...never].some(({ when }) => holds(when, sale)) || came.some((rule) => rule && unreachable.has(rule))).toBe(
            false,
          );
        }
        sales += random.length;
        faulty += never.size + unreachable.size;
      }),
      { numRuns: 250 },
    );
    expect(sales).toBeGreaterThanOrEqual(100_000);
    expect(faulty).toBeGreaterThan(50);
  });

  /** Whether a sale shows what a problem says. */
  function shows(rules: readonly PlanRule[], { rule: name, path, message }: RuleProblem, sale: Sale, level: number): boolean {
    const rule = ruleAt(rules, path);
    const first = chosen(rules, sale, level);
    switch (name) {
      case 'RULE_UNREACHABLE':
        return isFor(rule, level) && holds(rule.when, sale) && first !== rule;
      case 'RULES_OVERLAP':
        return (
          namedIn(message).join() === first?.id &&
          isFor(rule, level) &&
          holds(rule.when, sale) &&
          paid(rule, sale.currency) !== paid(first, sale.currency)
        );
      case 'FLAT_OVER_BASE':
        return first === rule && path.endsWith(sale.currency) && baseOf(sale) < (rule.pay.flatMinor?.[sale.currency] ?? 0);
      case 'CURRENCY_MISSING':
        return message.includes(sale.currency) && (!path.endsWith('flatMinor') || first === rule);
      default:
        return false;
    }
  }

  test('a witness shows what it is for, whatever the facts are that it does not name', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(many, anySale, ([rules, plan], otherwise) => {
        for (const problem of [...lintRules(plan, rules), ...warnOfRules(plan, rules)]) {
          const { rule, witness } = problem;
          expect(witness === undefined).toBe(['RULE_NEVER_TRUE', 'RULE_LEVEL_UNKNOWN', 'RULE_MODE'].includes(rule));
          if (!witness) continue;
          expect(shows(rules, problem, saleOf(witness, otherwise), witness.level)).toBe(true);
          seen.set(rule, (seen.get(rule) ?? 0) + 1);
        }
      }),
      { numRuns: 400 },
    );
    expect(seen.size).toBe(4);
    expect(Math.min(...seen.values())).toBeGreaterThan(20);
  });
});
