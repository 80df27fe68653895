/**
 * What the rules of a plan may not ask for although they are well formed: a rule that never holds or is never asked, levels
 * that there are not; and what is left to the tenant, with a sale that shows it. Pure functions.
 * Source: docs/specification/rates.md#linter.
 */
import { isFor } from './highest-rates.ts';
import type { PlanDefinition } from './open/plan-definition.ts';
import { type PlanRule, type RuleTest, testsOf } from './open/plan-rules.ts';
import {
  type Box,
  type Budget,
  baseWithin,
  currenciesOf,
  decides,
  type FactValue,
  type Formula,
  factsIn,
  findBox,
  formulaOf,
  join,
  type Space,
  type Spaces,
  spacesOf,
  testPaths,
} from './rule-boxes.ts';

export type RuleLint =
  | 'RULE_NEVER_TRUE'
  | 'RULE_UNREACHABLE'
  | 'RULE_LEVEL_UNKNOWN'
  | 'RULE_MODE'
  | 'RULES_OVERLAP'
  | 'NOT_PROVEN'
  | 'CURRENCY_MISSING'
  | 'FLAT_OVER_BASE';

/** A sale, and the member that takes a level of it, that show what a problem says. */
export interface Witness {
  /** What the rules in question ask for; null is absent. */
  facts: { fact: string; value: FactValue }[];
  /** Null: any, for no rule of the plan tells currencies apart. */
  currency: string | null;
  level: number;
}

export interface RuleProblem {
  rule: RuleLint;
  /** Where in the definition: `rules[2].levels[0]`. */
  path: string;
  message: string;
  witness?: Witness;
}

/** Cells that conditions name and that are looked at, each as often as it is, for a question about one rule. */
const MOST_CELLS = 250_000;

/** Times that for a question about all rules. */
const MOST_RULES_HARD = 4;

/** In a differential plan levels above the highest that a rule can name are alike. */
const LEVELS_APART = 51;

interface Judged {
  rule: PlanRule;
  path: string;
  /** What its condition asks for, each once. */
  facts: readonly string[];
  /** One of each kind of the plan's levels that it is for. */
  levels: readonly number[];
  /** By space: that its condition holds, and that it does not. */
  holds: readonly Formula[];
  fails: readonly Formula[];
}

interface Ground extends Spaces {
  plan: PlanDefinition;
  /** Currencies that the plan names. */
  named: readonly string[];
  /** As written. */
  written: readonly Judged[];
  /** As asked: final rules first. */
  asked: readonly Judged[];
  mostCells: number;
  /** What is left of each question about all rules: none takes from another, so errors and warnings agree. */
  left: Map<Question, Budget>;
}

type Question = 'reach' | 'cover' | 'overlap' | 'currency' | 'base';

interface Sale {
  level: number;
  space: Space;
  box: Box;
}

type Searched = Sale | 'none' | 'unknown';

/** Errors. */
export function lintRules(plan: PlanDefinition, rules: readonly PlanRule[], mostCells = MOST_CELLS): RuleProblem[] {
  const ground = groundOf(plan, rules, mostCells);
  return ground.written.flatMap((judged) => [lintLevels, lintMode, lintReach].flatMap((check) => check(ground, judged)));
}

/** What may be published with all the same. */
export function warnOfRules(plan: PlanDefinition, rules: readonly PlanRule[], mostCells = MOST_CELLS): RuleProblem[] {
  const ground = groundOf(plan, rules, mostCells);
  const checks = [warnOfReach, warnOfOverlaps, warnOfSums, warnOfAmounts, warnOfBase];
  return ground.written.flatMap((judged) => checks.flatMap((check) => check(ground, judged)));
}

function groundOf(plan: PlanDefinition, rules: readonly PlanRule[], mostCells: number): Ground {
  const tests = rules.flatMap(({ when }) => testsOf(when));
  const flats: Readonly<Record<string, number>>[] = rules.map(({ pay }) => pay.flatMinor ?? {});
  const named = new Set([...currenciesOf(tests), ...flats.flatMap((flat) => Object.keys(flat)), ...namedBy(plan)]);
  const { currencies, spaces } = spacesOf(tests, named, (currency) => flats.map((flat) => flat[currency] ?? null));
  const levels = levelsApart(plan, rules);
  const written = rules.map((rule, index) => ({
    rule,
    path: `rules[${index}]`,
    facts: [...new Set(testsOf(rule.when).map(({ fact }) => fact))],
    levels: levels.filter((level) => isFor(rule, level)),
    holds: spaces.map((space) => formulaOf(rule.when, space)),
    fails: spaces.map((space) => formulaOf(rule.when, space, false)),
  }));
  const asked = [...written.filter(({ rule }) => rule.final), ...written.filter(({ rule }) => !rule.final)];
  return { plan, named: [...named], currencies, spaces, written, asked, mostCells, left: new Map() };
}

/** Currencies of sales that the plan names beside its rules. Sums of payouts are in them where payouts are. */
function namedBy({ levels, qualification, caps, reversal, minimumPayoutMinor, fx }: PlanDefinition): string[] {
  const ofSales = [...levels.map(({ flatMinor }) => flatMinor), qualification.minPersonalSalesMinor];
  const ofCaps = [caps.perMemberPeriodMinor, caps.perCustomerLifetimeMinor];
  const ofPayouts = fx.payCurrency === 'purchase' ? [reversal.floorMinor, minimumPayoutMinor] : [];
  return [...ofSales, ...ofCaps, ...ofPayouts].flatMap((map) => Object.keys(map ?? {}));
}

/** The lowest of the plan's levels that the same rules are for. */
function levelsApart({ mode, levels }: PlanDefinition, rules: readonly PlanRule[]): number[] {
  const lowest = new Map<string, number>();
  const count = mode === 'differential' ? LEVELS_APART : levels.length;
  for (let level = count; level >= 1; level--) lowest.set(rules.map((rule) => isFor(rule, level)).join(), level);
  return [...lowest.values()].toSorted((a, b) => a - b);
}

function budgetOf({ left, mostCells }: Ground, question: Question): Budget {
  const whole = left.get(question) ?? { left: mostCells * MOST_RULES_HARD };
  left.set(question, whole);
  return { left: Math.max(0, Math.min(mostCells, whole.left)), whole };
}

const before = ({ asked }: Ground, judged: Judged): Judged[] => asked.slice(0, asked.indexOf(judged));

interface Wanted {
  /** Only of these levels. */
  levels?: readonly number[];
  /** Only of this currency. */
  currency?: string;
  /** What holds besides, in a space. */
  also?: (space: Space, index: number) => Formula;
}

const at = (formulas: readonly Formula[], space: number): Formula => formulas[space] ?? false;

/** A sale that some level is paid of as the rule says: it holds, and of `earlier` none does that is for that level. */
function whereAsked(ground: Ground, judged: Judged, earlier: readonly Judged[], budget: Budget, wanted: Wanted = {}): Searched {
  const { levels = judged.levels, currency, also = () => true } = wanted;
  const only = currency === undefined ? undefined : ground.currencies.get(currency);
  for (const level of levels) {
    // What is joined for a search costs as much as its first look.
    if (budget.left < 0) return 'unknown';
    const first = earlier.filter(({ rule }) => isFor(rule, level));
    for (const [index, space] of ground.spaces.entries()) {
      if (only !== undefined && only !== index) continue;
      const parts = [at(judged.holds, index), also(space, index), ...first.map(({ fails }) => at(fails, index))];
      const box = findBox(space, join('all', parts), budget);
      if (box === 'unknown') return box;
      if (box !== 'none') return { level, box, space: { ...space, currency: currency ?? space.currency } };
    }
  }
  return 'none';
}

function lintLevels({ plan }: Ground, { rule, path }: Judged): RuleProblem[] {
  if (plan.mode === 'differential' || rule.levels === 'all') return [];
  const { length } = plan.levels;
  const fault = (index: number) => problem('RULE_LEVEL_UNKNOWN', `${path}.levels[${index}]`, `the plan has ${length} levels`);
  return rule.levels.flatMap((level, index) => (level <= length ? [] : [fault(index)]));
}

function lintMode({ plan }: Ground, { rule, path }: Judged): RuleProblem[] {
  const [other] = Object.keys(rule.pay).filter((name) => name !== 'rateBps');
  if (plan.mode === 'unilevel' || other === undefined) return [];
  return [problem('RULE_MODE', `${path}.pay.${other}`, 'a differential plan pays by rates alone, less what is paid below')];
}

interface Reach {
  /** A sale that its condition holds for. */
  held: Searched;
  /** A sale that it pays; undefined without levels. */
  asked: Searched | undefined;
}

function reachOf(ground: Ground, judged: Judged): Reach {
  const budget = budgetOf(ground, 'reach');
  const held = whereAsked(ground, judged, [], budget, { levels: [judged.levels[0] ?? 1] });
  if (held === 'none' || judged.levels.length === 0) return { held, asked: undefined };
  return { held, asked: whereAsked(ground, judged, before(ground, judged), budget) };
}

function lintReach(ground: Ground, judged: Judged): RuleProblem[] {
  const { held, asked } = reachOf(ground, judged);
  if (held === 'none') return [problem('RULE_NEVER_TRUE', `${judged.path}.when`, 'holds for no sale')];
  if (asked !== 'none') return [];
  const ids = coveringRules(ground, judged).map(({ rule }) => rule.id);
  const why = ids.length === 1 ? `${ids.join()} comes first and holds` : `of ${ids.join(', ')}, which come first, one holds`;
  const witness = witnessOf(ground, held, [judged, ...before(ground, judged)]);
  return [problem('RULE_UNREACHABLE', judged.path, `never pays: ${why} wherever it does`, witness)];
}

/** One that covers the rule alone, if there is one; else several of which none can be left out. */
function coveringRules(ground: Ground, judged: Judged): readonly Judged[] {
  const budget = budgetOf(ground, 'cover');
  const cover = (rules: readonly Judged[]): boolean => whereAsked(ground, judged, rules, budget) === 'none';
  const earlier = before(ground, judged);
  const alone = earlier.find((one) => cover([one]));
  if (alone) return [alone];
  return earlier.reduceRight<readonly Judged[]>((left, one) => {
    const others = left.filter((other) => other !== one);
    return cover(others) ? others : left;
  }, earlier);
}

function warnOfReach(ground: Ground, judged: Judged): RuleProblem[] {
  const { held, asked } = reachOf(ground, judged);
  return held === 'unknown' || asked === 'unknown' ? [notProven(ground, judged, 'it ever pays')] : [];
}

/** With each earlier rule of its rank a sale that the earlier one pays, and that it would pay otherwise. */
function warnOfOverlaps(ground: Ground, judged: Judged): RuleProblem[] {
  const budget = budgetOf(ground, 'overlap');
  const { rule, path, levels, holds } = judged;
  return before(ground, judged).flatMap((first) => {
    if (first.rule.final !== rule.final || budget.left < 0) return [];
    const also = (space: Space, index: number): Formula =>
      payOf(first.rule, space) !== payOf(rule, space) && join('all', [baseWithin(space, 1), at(holds, index)]);
    const both = levels.filter((level) => isFor(first.rule, level));
    const found = whereAsked(ground, first, before(ground, first), budget, { levels: both, also });
    if (found === 'none') return [];
    if (found === 'unknown') return [notProven(ground, judged, `it overlaps with ${first.rule.id}`)];
    const witness = witnessOf(ground, found, [judged, first, ...before(ground, first)]);
    return [problem('RULES_OVERLAP', path, `holds for sales that ${first.rule.id}, which comes first, pays otherwise`, witness)];
  });
}

/** Equal where two rules pay the same in a currency. */
function payOf({ pay: { rateBps = 0, flatMinor, per = 'sale', ladder } }: PlanRule, { currency }: Space): string {
  const flat = flatMinor?.[currency] ?? 0;
  if (ladder !== undefined) return ladder;
  return flat === 0 ? `${rateBps}` : `${rateBps} ${flat} ${per}`;
}

/** Currencies that the plan names elsewhere and its flat sum does not, though sales in them come to the rule. */
function warnOfSums(ground: Ground, judged: Judged): RuleProblem[] {
  const sums = judged.rule.pay.flatMinor;
  if (sums === undefined) return [];
  const budget = budgetOf(ground, 'currency');
  const earlier = before(ground, judged);
  const also = (space: Space): Formula => baseWithin(space, 1);
  const search = (currency: string) => whereAsked(ground, judged, earlier, budget, { currency, also });
  return missingFrom(ground, [judged, ...earlier], sums, `${judged.path}.pay.flatMinor`, search, 'is paid nothing');
}

/** Currencies that the plan names elsewhere and a bound of an amount does not, though it matters there whether the test holds. */
function warnOfAmounts(ground: Ground, judged: Judged): RuleProblem[] {
  if (judged.levels.length === 0) return [];
  const budget = budgetOf(ground, 'currency');
  return testPaths(judged.rule.when, `${judged.path}.when`).flatMap(({ test, path }) => {
    const { gte, lt } = test;
    const bounds = gte ?? lt;
    if (typeof bounds !== 'object') return [];
    const search = (currency: string) => whereDecides(ground, judged, test, currency, budget);
    return missingFrom(ground, [judged], bounds, `${path}.${gte === undefined ? 'lt' : 'gte'}`, search, 'never passes');
  });
}

/** A sale that the condition holds for or not as one of its tests does. */
function whereDecides(ground: Ground, { rule, levels }: Judged, test: RuleTest, currency: string, budget: Budget): Searched {
  const known = ground.spaces[ground.currencies.get(currency) ?? 0];
  if (known === undefined) return 'none';
  const space = { ...known, currency };
  const box = findBox(space, decides(rule.when, test, space), budget);
  return typeof box === 'string' ? box : { level: levels[0] ?? 1, box, space };
}

/** One warning for a map, with a sale in the first currency that it lacks. */
function missingFrom(
  ground: Ground,
  rules: readonly Judged[],
  map: Readonly<Record<string, number>>,
  path: string,
  search: (currency: string) => Searched,
  fate: string,
): RuleProblem[] {
  const lacking = ground.named.filter((currency) => map[currency] === undefined);
  const missing = lacking.map((currency) => ({ currency, found: search(currency) })).filter(({ found }) => found !== 'none');
  const [first] = missing;
  if (!first) return [];
  const names = missing.map(({ currency }) => currency).join(', ');
  const witness = witnessOf(ground, first.found, rules);
  return [problem('CURRENCY_MISSING', path, `names no amount in ${names}: a sale in it ${fate}`, witness)];
}

/** Sales that it pays a flat sum of which is more than their base. */
function warnOfBase(ground: Ground, judged: Judged): RuleProblem[] {
  const budget = budgetOf(ground, 'base');
  const earlier = before(ground, judged);
  let isOut = false;
  return Object.entries(judged.rule.pay.flatMinor ?? {}).flatMap(([currency, flat]) => {
    if (isOut) return [];
    const below = (from: number) =>
      whereAsked(ground, judged, earlier, budget, { currency, also: (space) => baseWithin(space, Math.max(from, 1), flat) });
    // The base just below it says most.
    const closest = below(flat - 1);
    const found = closest === 'none' ? below(1) : closest;
    if (found === 'none') return [];
    isOut = found === 'unknown';
    if (found === 'unknown') return [notProven(ground, judged, `its sum in ${currency} is more than the base of a sale`)];
    const witness = witnessOf(ground, found, [judged, ...earlier], ['sale.baseMinor']);
    const path = `${judged.path}.pay.flatMinor.${currency}`;
    return [problem('FLAT_OVER_BASE', path, 'is more than the base of some sales that it is paid for', witness)];
  });
}

function witnessOf({ spaces }: Ground, found: Searched, rules: readonly Judged[], besides: string[] = []): Witness | undefined {
  if (typeof found === 'string') return undefined;
  const { level, space, box } = found;
  const asked = rules.filter(({ rule }) => isFor(rule, level)).flatMap(({ facts }) => facts);
  const names = [...new Set([...asked, ...besides])];
  const isAny = spaces.length === 1 && !names.includes('sale.currency');
  return { facts: factsIn(space, box, names), currency: isAny ? null : space.currency, level };
}

function notProven({ mostCells }: Ground, { path }: Judged, what: string): RuleProblem {
  return problem('NOT_PROVEN', path, `whether ${what} is not proven: that takes more than ${mostCells} cells of its facts`);
}

function problem(rule: RuleLint, path: string, message: string, witness?: Witness): RuleProblem {
  return { rule, path, message, ...(witness && { witness }) };
}
