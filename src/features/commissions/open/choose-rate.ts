/**
 * What a member is paid for a level: by the first final rule that holds, else by the first other rule that does, else by
 * the level's own rate. Pure functions. Source: docs/specification/rates.md#order.
 */
import {
  keyOf,
  kindOf,
  METADATA,
  metadataTests,
  type PlanRule,
  type RuleCondition,
  type RuleTest,
  testsOf,
} from './plan-rules.ts';

/** What rules are judged by of the sale, its customer and the credited member, as of the sale. */
export interface SaleFacts {
  /** Facts that the plan asks for; one that is absent has no entry. Amounts are of the sale's currency. */
  values: Readonly<Record<string, string | bigint>>;
  /** Tests of `sale.metadata` that hold, by their number in `metadataTests`: the fields themselves are not kept. */
  holds: readonly number[];
}

export const NO_FACTS: SaleFacts = { values: {}, holds: [] };

/** Of who would be paid what rules may ask for. */
export interface JudgedMember {
  tier: string;
  group?: string;
  /** Absent of a sale from before it joined. */
  ageDays?: number;
  kycApproved?: boolean;
  activeDirects?: number;
}

export interface RateSubject {
  facts: SaleFacts;
  currency: string;
  /** The beneficiary; undefined of a level that nobody takes, which no test of the member holds for. */
  member: JudgedMember | undefined;
  paidLevel: number;
}

/** Why a source does not pay a level. */
export const RATE_PASSED = ['LEVEL_NOT_NAMED', 'FALSE', 'OUTRANKED'] as const;
export type RatePassed = (typeof RATE_PASSED)[number];

export const RATE_SOURCES = ['final_rule', 'rule', 'level'] as const;
export type RateSource = (typeof RATE_SOURCES)[number];

export interface RateConsidered {
  source: RateSource;
  /** The rule's id; null of the level's own rate. */
  id: string | null;
  why: RatePassed;
  /** Of one whose condition does not hold the first part of it that decides so, as `when.all[1]`. */
  at: string | null;
}

export interface RateChoice {
  source: RateSource;
  rule: PlanRule | undefined;
  /** The others, in the order in which they are asked. */
  considered: RateConsidered[];
}

/** In the order in which they are asked. */
export function ranked(rules: readonly PlanRule[]): PlanRule[] {
  return [...rules.filter(({ final }) => final), ...rules.filter(({ final }) => !final)];
}

/** Which rule pays, or the level itself. */
export function chooseRate(rules: readonly PlanRule[], subject: RateSubject): RateChoice {
  let rule: PlanRule | undefined;
  const considered: RateConsidered[] = [];
  const numbers = numbersOf(rules);
  for (const one of ranked(rules)) {
    const pass = (why: RatePassed, at: string | null = null): void => {
      considered.push({ source: sourceOf(one), id: one.id, why, at });
    };
    if (rule) pass('OUTRANKED');
    else if (one.levels !== 'all' && !one.levels.includes(subject.paidLevel)) pass('LEVEL_NOT_NAMED');
    else {
      const at = whyFalse(one.when, subject, numbers, 'when');
      if (at === undefined) rule = one;
      else pass('FALSE', at);
    }
  }
  if (rule) considered.push({ source: 'level', id: null, why: 'OUTRANKED', at: null });
  return { source: rule ? sourceOf(rule) : 'level', rule, considered };
}

const sourceOf = ({ final }: PlanRule): RateSource => (final ? 'final_rule' : 'rule');

const numbered = new WeakMap<readonly PlanRule[], ReadonlyMap<string, number>>();

/** Once for each version: its rules are parsed once. */
function numbersOf(rules: readonly PlanRule[]): ReadonlyMap<string, number> {
  const known = numbered.get(rules);
  if (known) return known;
  const numbers = new Map(metadataTests(rules).tests.map((test, index) => [keyOf(test), index]));
  numbered.set(rules, numbers);
  return numbers;
}

/** Undefined where the condition holds; else the path of the part that decides: of `all` the first that does not hold. */
function whyFalse(
  condition: RuleCondition,
  subject: RateSubject,
  numbers: ReadonlyMap<string, number>,
  path: string,
): string | undefined {
  if ('all' in condition && condition.all !== undefined) {
    for (const [index, one] of condition.all.entries()) {
      const at = whyFalse(one, subject, numbers, `${path}.all[${index}]`);
      if (at !== undefined) return at;
    }
    return undefined;
  }
  if ('any' in condition && condition.any !== undefined) {
    const holds = condition.any.some((one) => whyFalse(one, subject, numbers, path) === undefined);
    return holds ? undefined : `${path}.any`;
  }
  if ('not' in condition && condition.not !== undefined) {
    return whyFalse(condition.not, subject, numbers, path) === undefined ? `${path}.not` : undefined;
  }
  return holds(condition as RuleTest, subject, numbers) ? undefined : path;
}

/** A test of what is absent does not hold. */
function holds(test: RuleTest, subject: RateSubject, numbers: ReadonlyMap<string, number>): boolean {
  const { fact } = test;
  if (fact.startsWith(METADATA)) return subject.facts.holds.includes(numbers.get(keyOf(test)) ?? -1);
  const value = fact.startsWith('member.') ? ofMember(fact, subject.member) : subject.facts.values[fact];
  return testHolds(test, value, subject.currency);
}

/** Whether one value passes; undefined is absent. */
export function testHolds(test: RuleTest, value: string | bigint | undefined, currency: string): boolean {
  if (value === undefined) return false;
  if (test.exists !== undefined) return true;
  if (test.in !== undefined) return typeof value === 'string' && test.in.includes(value);
  const limit = test.gte ?? test.lt;
  const bound = typeof limit === 'object' ? limit[currency] : limit;
  if (bound === undefined || typeof value !== 'bigint') return false;
  return test.gte === undefined ? value < BigInt(bound) : value >= BigInt(bound);
}

function ofMember(fact: string, member: JudgedMember | undefined): string | bigint | undefined {
  if (!member) return undefined;
  if (fact === 'member.tier') return member.tier;
  if (fact === 'member.group') return member.group;
  if (fact === 'member.ageDays') return member.ageDays === undefined ? undefined : BigInt(member.ageDays);
  if (fact === 'member.kycApproved') return member.kycApproved === true ? 1n : 0n;
  return BigInt(member.activeDirects ?? 0);
}

/** Which tests of `sale.metadata` hold for what the shop sent: texts, and integers that are not below nothing. */
export function metadataHolds(rules: readonly PlanRule[], metadata: unknown): number[] {
  const fields = typeof metadata === 'object' && metadata !== null ? (metadata as Record<string, unknown>) : {};
  return metadataTests(rules).tests.flatMap((test, index) => {
    const name = test.fact.slice(METADATA.length);
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const value = typeof field === 'number' && Number.isSafeInteger(field) && field >= 0 ? BigInt(field) : field;
    const isKnown = typeof value === 'string' || typeof value === 'bigint';
    return isKnown && testHolds(test, value, '') ? [index] : [];
  });
}

const asked = new WeakMap<readonly PlanRule[], ReadonlySet<string>>();

/** The facts that the rules ask for, `sale.metadata` aside. */
export function factsAsked(rules: readonly PlanRule[]): ReadonlySet<string> {
  const known = asked.get(rules);
  if (known) return known;
  const facts = rules.flatMap(({ when }) => testsOf(when).map(({ fact }) => fact));
  const found = new Set(facts.filter((fact) => kindOf(fact) !== undefined));
  asked.set(rules, found);
  return found;
}
