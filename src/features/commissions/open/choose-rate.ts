/**
 * What a member is paid for a level: by the first final rule that holds, else by what was agreed for the link or code that
 * brought the sale, else by what was agreed with the member, else by the first other rule that holds, else by the level's
 * own rate. Pure functions. Source: docs/specification/rates.md#order.
 */
import type { z } from 'zod';
import { type AgreedRate, agreedOf, type RateCut } from './agreed-rates.ts';
import type { PlanDefinition } from './plan-definition.ts';
import { type Ladder, stepAt } from './plan-ladders.ts';
import {
  itemTests,
  keyOf,
  kindOf,
  METADATA,
  type PlanRule,
  type RuleCondition,
  type RuleTest,
  type rulePay,
  testsOf,
  verdictTests,
} from './plan-rules.ts';
import type { SalePart } from './sale-parts.ts';

/** What rules are judged by of the sale, its customer and the credited member, as of the sale. */
export interface SaleFacts {
  /** Facts that the plan asks for; one that is absent has no entry. Amounts are of the sale's currency. */
  values: Readonly<Record<string, string | bigint>>;
  /** Tests that hold of those that are kept as a verdict, by their number in `verdictTests`. */
  holds: readonly number[];
  /** Where the plan asks for them; at least one. */
  parts?: readonly JudgedPart[];
}

/** What of a part of the sale is kept: not which product it is. */
export interface JudgedPart {
  baseMinor: bigint;
  /** Pieces. */
  quantity: number;
  /** Tests that hold, by their number in `itemTests`. */
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
  /** What it has sold in the local month before the sale, without own purchases. */
  salesMinor?: bigint;
  salesCount?: number;
  /** What it has sold before the sale, by ladder. */
  ladderSums?: Readonly<Record<string, bigint>>;
  /** What was agreed with it and may count for the sale, the latest first; read only for plans that allow it. */
  agreed?: readonly AgreedRate[];
}

export interface RateSubject {
  facts: SaleFacts;
  currency: string;
  /** The beneficiary; undefined of a level that nobody takes, which no test of the member holds for. */
  member: JudgedMember | undefined;
  paidLevel: number;
  /** The ladder that the level pays by itself. */
  ladder?: string | undefined;
  /** With its number; undefined where nothing asks for parts. */
  part?: (JudgedPart & { number: number }) | undefined;
}

/** Why a source does not pay a level. */
export const RATE_PASSED = [
  'LEVEL_NOT_NAMED',
  'FALSE',
  'NO_OVERRIDE',
  'PRODUCT_NOT_NAMED',
  'SUM_NOT_ALLOWED',
  'CURRENCY_NOT_NAMED',
  'OUTRANKED',
] as const;
export type RatePassed = (typeof RATE_PASSED)[number];

export const RATE_SOURCES = ['final_rule', 'link', 'code', 'member', 'rule', 'ladder', 'level'] as const;
export type RateSource = (typeof RATE_SOURCES)[number];

export interface RateConsidered {
  source: RateSource;
  /** The id of the rule, of what was agreed or of the level's ladder; null of the level's own rate, and where nothing was agreed. */
  id: string | null;
  why: RatePassed;
  /** Of one whose condition does not hold the first part of it that decides so, as `when.all[1]`. */
  at: string | null;
}

export type RatePay = z.output<typeof rulePay>;

export interface LadderStep {
  id: string;
  /** Number of the step, from 0. */
  step: number;
  /** What the member has sold before the sale; undefined of a level that nobody takes. */
  sum: bigint | undefined;
}

export interface RateChoice {
  source: RateSource;
  /** The id of the rule, of what was agreed or of the level's ladder; null of the level's own rate. */
  id: string | null;
  /** Where a ladder pays: which step of it. */
  ladder?: LadderStep;
  /** Undefined: what the level pays by itself. */
  pay: RatePay | undefined;
  /** What was agreed, where the plan allows less. */
  cut?: RateCut;
  /** The others, in the order in which they are asked. */
  considered: RateConsidered[];
}

/** A source with why it does not pay; or with what it pays. */
type Asked = { source: RateSource; id: string | null } & (
  | { why: RatePassed; at: string | null }
  | { why: undefined; pay: RatePay; cut?: RateCut; ladder?: LadderStep }
);

/** Whether what the member is paid for a level can be anything but the level's own rate. */
export function hasSources({ rules, ladders, overrides }: RatePlan, member: JudgedMember | undefined): boolean {
  return rules.length > 0 || ladders.length > 0 || (overrides !== null && (member?.agreed ?? []).length > 0);
}

export type RatePlan = Pick<PlanDefinition, 'rules' | 'ladders' | 'overrides' | 'mode'>;

/** Which source pays: the first that is for the level and holds; at last the level itself. */
export function chooseRate(plan: RatePlan, subject: RateSubject): RateChoice {
  const { rules } = plan;
  const judged = (final: boolean): Asked[] =>
    rules.filter((rule) => rule.final === final).map((rule) => judgeRule(plan, rule, subject));
  const asked = [...judged(true), ...judgeAgreed(plan, subject), ...judged(false)];
  const first = asked.find((one) => one.why === undefined);
  const considered = asked
    .filter((one) => one !== first)
    .map(({ source, id, ...one }) => {
      const isBehind = one.why === undefined;
      return { source, id, why: isBehind ? ('OUTRANKED' as const) : one.why, at: isBehind ? null : one.at };
    });
  const own = { source: subject.ladder === undefined ? ('level' as const) : ('ladder' as const), id: subject.ladder ?? null };
  if (first?.why !== undefined || !first) {
    return {
      ...own,
      ...(subject.ladder === undefined ? { pay: undefined } : payOfLadder(plan, subject.ladder, subject)),
      considered,
    };
  }
  considered.push({ ...own, why: 'OUTRANKED', at: null });
  const { source, id, pay, cut, ladder } = first;
  return { source, id, pay, ...(cut && { cut }), ...(ladder && { ladder }), considered };
}

/** The rate of the step that the member has reached; of a level that nobody takes the first. */
function payOfLadder({ ladders }: RatePlan, id: string, { member, currency }: RateSubject): { pay: RatePay; ladder: LadderStep } {
  // A definition that is only tried out may name one that there is not.
  const { steps } = ladders.find((one) => one.id === id) ?? { steps: [] };
  const sum = member?.ladderSums?.[id];
  const step = stepAt({ steps }, sum ?? 0n, currency);
  return { pay: { rateBps: steps[step]?.rateBps ?? 0 }, ladder: { id, step, sum } };
}

function judgeRule(plan: RatePlan, rule: PlanRule, subject: RateSubject): Asked {
  const named = { source: rule.final ? ('final_rule' as const) : ('rule' as const), id: rule.id };
  if (rule.levels !== 'all' && !rule.levels.includes(subject.paidLevel)) return { ...named, why: 'LEVEL_NOT_NAMED', at: null };
  const at = whyFalse(rule.when, subject, numbersOf(plan.rules), 'when');
  if (at !== undefined) return { ...named, why: 'FALSE', at };
  const { ladder, ...pay } = rule.pay;
  return { ...named, why: undefined, ...(ladder === undefined ? { pay } : payOfLadder(plan, ladder, subject)) };
}

/** In the order in which they are asked. Nothing of a plan that does not allow it, and of a level that nobody takes. */
function judgeAgreed({ overrides, mode }: RatePlan, { member, currency, paidLevel, part }: RateSubject): Asked[] {
  if (overrides === null || member === undefined) return [];
  const agreed = agreedOf(member.agreed ?? []);
  if (agreed.length === 0 && overrides.levels.includes(paidLevel)) {
    return [{ source: 'member', id: null, why: 'NO_OVERRIDE', at: null }];
  }
  return agreed.map(({ id, target, level, parts, pay }): Asked => {
    const named = { source: target, id };
    const pass = (why: RatePassed): Asked => ({ ...named, why, at: null });
    if (level !== paidLevel || !overrides.levels.includes(paidLevel)) return pass('LEVEL_NOT_NAMED');
    if (parts && !(part && parts.includes(part.number))) return pass('PRODUCT_NOT_NAMED');
    const { rateBps, flatMinor } = pay;
    if (rateBps !== undefined) {
      if (rateBps <= overrides.maxRateBps) return { ...named, why: undefined, pay };
      return { ...named, why: undefined, pay: { rateBps: overrides.maxRateBps }, cut: { from: rateBps } };
    }
    const sum = flatMinor?.[currency];
    const most = overrides.maxFlatMinor[currency];
    if (sum === undefined) return pass('CURRENCY_NOT_NAMED');
    if (most === undefined || mode === 'differential') return pass('SUM_NOT_ALLOWED');
    if (sum <= most) return { ...named, why: undefined, pay };
    return { ...named, why: undefined, pay: { ...pay, flatMinor: { [currency]: most } }, cut: { from: sum } };
  });
}

/** The numbers of tests that are kept as a verdict. Equal tests have one. */
interface Numbers {
  verdicts: ReadonlyMap<RuleTest, number>;
  items: ReadonlyMap<RuleTest, number>;
}

const numbered = new WeakMap<readonly PlanRule[], Numbers>();

/** Once for each version: its rules are parsed once. */
function numbersOf(rules: readonly PlanRule[]): Numbers {
  const known = numbered.get(rules);
  if (known) return known;
  const tests = rules.flatMap(({ when }) => testsOf(when));
  const numbers = { verdicts: numberEach(tests, verdictTests(rules)), items: numberEach(tests, itemTests(rules)) };
  numbered.set(rules, numbers);
  return numbers;
}

function numberEach(tests: readonly RuleTest[], kept: readonly RuleTest[]): Map<RuleTest, number> {
  const keys = new Map(kept.map((test, index) => [keyOf(test), index]));
  return new Map(
    tests.flatMap((test) => [keys.get(keyOf(test))].flatMap((index) => (index === undefined ? [] : [[test, index]]))),
  );
}

/** Undefined where the condition holds; else the path of the part that decides: of `all` the first that does not hold. */
function whyFalse(condition: RuleCondition, subject: RateSubject, numbers: Numbers, path: string): string | undefined {
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
function holds(test: RuleTest, { facts, part, member, currency }: RateSubject, numbers: Numbers): boolean {
  const { fact } = test;
  const item = numbers.items.get(test);
  if (item !== undefined) return part?.holds.includes(item) ?? false;
  const verdict = numbers.verdicts.get(test);
  if (verdict !== undefined) return facts.holds.includes(verdict);
  return testHolds(test, fact.startsWith('member.') ? ofMember(fact, member) : facts.values[fact], currency);
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
  if (fact === 'member.salesMinor') return member.salesMinor ?? 0n;
  if (fact === 'member.salesCount') return BigInt(member.salesCount ?? 0);
  return BigInt(member.activeDirects ?? 0);
}

/** What the shop sends of a sale that is kept as verdicts alone. */
export interface SaidOfSale {
  metadata: unknown;
  discountCode: string | null;
  customerCountry: string | null;
}

/** Which of `verdictTests` hold. Of `metadata` texts count, and integers that are not below nothing. */
export function verdictsOf(rules: readonly PlanRule[], { metadata, discountCode, customerCountry }: SaidOfSale): number[] {
  const fields = typeof metadata === 'object' && metadata !== null ? (metadata as Record<string, unknown>) : {};
  const saidOf = (fact: string): unknown => {
    if (!fact.startsWith(METADATA)) return (fact === 'customer.country' ? customerCountry : discountCode) ?? undefined;
    const name = fact.slice(METADATA.length);
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return typeof field === 'number' && Number.isSafeInteger(field) && field >= 0 ? BigInt(field) : field;
  };
  return verdictTests(rules).flatMap((test, index) => {
    const value = saidOf(test.fact);
    const isKnown = typeof value === 'string' || typeof value === 'bigint';
    return isKnown && testHolds(test, value, '') ? [index] : [];
  });
}

/** The part as it is kept, with which of `itemTests` hold. */
export function judgePart(rules: readonly PlanRule[], { sku, category, quantity, baseMinor }: SalePart): JudgedPart {
  const holds = itemTests(rules).flatMap((test, index) => {
    const value = test.fact === 'item.sku' ? sku : category;
    return testHolds(test, value ?? undefined, '') ? [index] : [];
  });
  return { baseMinor, quantity, holds };
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

/** Periods that what members have sold is asked for of: those of ladders that pay, and the month of rules. */
export function salesAsked({ rules, ladders, levels }: Pick<PlanDefinition, 'rules' | 'ladders' | 'levels'>): Ladder['period'][] {
  const used = new Set([...levels.map(({ ladder }) => ladder), ...rules.map(({ pay }) => pay.ladder)]);
  const periods = ladders.filter(({ id }) => used.has(id)).map(({ period }) => period);
  const asked = factsAsked(rules);
  const ofMonth = asked.has('member.salesMinor') || asked.has('member.salesCount');
  return [...new Set(ofMonth ? [...periods, 'month' as const] : periods)];
}
