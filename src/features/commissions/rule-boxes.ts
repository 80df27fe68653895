/**
 * Which sales conditions can hold for: each fact falls into cells that no test tells apart, and a search goes over boxes of
 * cells. Pure functions. Source: docs/specification/rates.md#linter.
 */
import { membershipTier } from '../../http/schemas.ts';
import { isCurrency, MAX_AMOUNT_MINOR } from '../../money.ts';
import { PURCHASE_RULES } from '../attribution/open/decide-attribution.ts';
import { purchaseTypes } from './open/plan-definition.ts';
import { keyOf, kindOf, METADATA, type RuleCondition, type RuleTest } from './open/plan-rules.ts';

/** Null is absent. */
export type FactValue = string | number | null;

/** Sales in one currency, or in any of several that no test tells apart. */
export interface Space {
  currency: string;
  /** By fact that is asked for. */
  cells: ReadonlyMap<string, Cells>;
}

interface Cells {
  /** One of each cell. */
  values: readonly FactValue[];
  /** Cells whose values pass a test. */
  passing: ReadonlyMap<RuleTest, bigint>;
}

/** That a fact is in one of some cells: a bit for each. */
interface Literal {
  fact: string;
  cells: bigint;
}

interface Joined {
  kind: 'all' | 'any';
  parts: readonly Open[];
  /** Literals within. */
  size: number;
}

type Open = Literal | Joined;

/** A condition without `not`; what holds always or never is true or false. */
export type Formula = boolean | Open;

/** Cells of the facts that matter; whatever is in them will do. */
export type Box = ReadonlyMap<string, bigint>;

/** Literals that searches may still look at. They are taken from those that others may look at besides. */
export interface Budget {
  left: number;
  whole?: Budget;
}

type Found = Box | 'none' | 'unknown';

const CLOSED: Readonly<Record<string, readonly string[]>> = {
  'sale.type': purchaseTypes,
  'sale.source': PURCHASE_RULES,
  'credited.tier': membershipTier.options,
  'member.tier': membershipTier.options,
};

/** From and to where it is not from 0 to the largest amount. */
const RANGES: Readonly<Record<string, readonly [from: number, to: number]>> = {
  'customer.isMember': [0, 1],
  'customer.purchaseNumber': [1, Number.MAX_SAFE_INTEGER],
  'member.kycApproved': [0, 1],
};

/** Texts that a sale may do without. */
const MAY_BE_ABSENT: readonly string[] = ['sale.discountCode', 'customer.country', 'item.sku', 'item.category'];

const AGES: readonly string[] = ['credited.ageDays', 'member.ageDays'];

/** Currencies that the tests name. */
export function currenciesOf(tests: readonly RuleTest[]): string[] {
  return tests.flatMap(({ fact, in: texts = [], gte, lt }) => {
    const limit = gte ?? lt;
    const named = typeof limit === 'object' ? Object.keys(limit) : [];
    return [...named, ...(fact === 'sale.currency' ? texts : [])].filter(isCurrency);
  });
}

export interface Spaces {
  /** In which space sales in a currency are: of those named, and of one other. */
  currencies: ReadonlyMap<string, number>;
  spaces: readonly Space[];
}

/** One space for all currencies that no test and no sum tells apart. `sumsIn` are sums that are asked about with the base. */
export function spacesOf(
  tests: readonly RuleTest[],
  named: ReadonlySet<string>,
  sumsIn: (currency: string) => readonly (number | null)[],
): Spaces {
  const byFact = new Map<string, RuleTest[]>([['sale.baseMinor', []]]);
  for (const test of tests) byFact.set(test.fact, [...(byFact.get(test.fact) ?? []), test]);
  const keys = new Map<string, number>();
  const currencies = new Map<string, number>();
  const spaces: Space[] = [];
  const other = Intl.supportedValuesOf('currency').filter((code) => isCurrency(code) && !named.has(code));
  for (const currency of [...named, ...other.slice(0, 1)]) {
    const sums = sumsIn(currency);
    const key = JSON.stringify([tellingOf(tests, currency), sums]);
    const index = keys.get(key) ?? spaces.length;
    if (index === spaces.length) spaces.push({ currency, cells: cellsOf(byFact, currency, sums.flatMap(basesOf), spaces[0]) });
    keys.set(key, index);
    currencies.set(currency, index);
  }
  return { currencies, spaces };
}

/** What tells a currency from others. */
function tellingOf(tests: readonly RuleTest[], currency: string): (number | boolean | null)[] {
  return tests
    .filter(({ fact }) => isOfCurrency(fact))
    .map((test) => (test.fact === 'sale.currency' ? passer(test, currency)(currency) : (boundOf(test, currency) ?? null)));
}

const isOfCurrency = (fact: string): boolean => fact === 'sale.currency' || kindOf(fact) === 'amount';

/** Bounds that questions about the base and a sum need. */
const basesOf = (sum: number | null): number[] => (sum === null ? [] : [sum - 1, sum].filter((bound) => bound > 0));

/** What the currency does not change is taken from `alike`. */
function cellsOf(
  byFact: ReadonlyMap<string, readonly RuleTest[]>,
  currency: string,
  bases: readonly number[],
  alike: Space | undefined,
): Map<string, Cells> {
  const cells = new Map<string, Cells>();
  for (const [fact, tests] of byFact) {
    const known = isOfCurrency(fact) ? undefined : alike?.cells.get(fact);
    // A base of nothing pays nothing, so it is a cell of its own.
    const values = known?.values ?? valuesOf(fact, tests, currency, [1, ...bases]);
    const passing = known?.passing ?? new Map(tests.map((test) => [test, cellsWith(values, passer(test, currency))]));
    cells.set(fact, { values, passing });
  }
  return cells;
}

function cellsWith(values: readonly FactValue[], isIn: (value: FactValue) => boolean): bigint {
  return values.reduce<bigint>((cells, value, index) => (isIn(value) ? cells | (1n << BigInt(index)) : cells), 0n);
}

function valuesOf(fact: string, tests: readonly RuleTest[], currency: string, bases: readonly number[]): FactValue[] {
  if (fact === 'sale.currency') return [currency];
  const bounds = tests.flatMap((test) => boundOf(test, currency) ?? []);
  if (fact.startsWith(METADATA)) return [null, ...textsOf(tests), ...numbersOf(fact, bounds)];
  if (MAY_BE_ABSENT.includes(fact)) return [null, ...textsOf(tests)];
  if (kindOf(fact) === 'text') return [...(CLOSED[fact] ?? textsOf(tests))];
  const numbers = numbersOf(fact, fact === 'sale.baseMinor' ? [...bounds, ...bases] : bounds);
  return AGES.includes(fact) ? [...numbers, null] : numbers;
}

/** The lowest of each cell. */
function numbersOf(fact: string, bounds: readonly number[]): number[] {
  const [from, to] = RANGES[fact] ?? [0, Number(MAX_AMOUNT_MINOR)];
  return [...new Set([from, ...bounds])].filter((bound) => from <= bound && bound <= to).toSorted((a, b) => a - b);
}

/** Of texts that the same tests name the first, and one that none names. */
function textsOf(tests: readonly RuleTest[]): string[] {
  const namedBy = new Map<string, string>();
  for (const [index, { in: texts }] of tests.entries()) {
    for (const text of new Set(texts)) namedBy.set(text, `${namedBy.get(text) ?? ''} ${index}`);
  }
  const first = new Map<string, string>();
  for (const [text, names] of namedBy) first.set(names, first.get(names) ?? text);
  let other = 'other';
  while (namedBy.has(other)) other += '-';
  return [...first.values(), other];
}

function boundOf({ gte, lt }: RuleTest, currency: string): number | undefined {
  const limit = gte ?? lt;
  return typeof limit === 'object' ? limit[currency] : limit;
}

/** Which values pass a test. */
function passer(test: RuleTest, currency: string): (value: FactValue) => boolean {
  if (test.exists !== undefined) return (value) => value !== null;
  const texts = new Set<FactValue>(test.in);
  const bound = boundOf(test, currency);
  if (bound === undefined) return (value) => texts.has(value);
  return (value) => typeof value === 'number' && (test.gte === undefined ? value < bound : value >= bound);
}

/** All cells of a fact. What the space does not know has two: it may hold or not. */
function allCells({ cells }: Space, fact: string): bigint {
  return (1n << BigInt(cells.get(fact)?.values.length ?? 2)) - 1n;
}

function literalOf(space: Space, fact: string, cells: bigint): Formula {
  if (cells === 0n) return false;
  return cells === allCells(space, fact) ? true : { fact, cells };
}

/** That the base is at least `from` and less than `below`, which are bounds of its cells. */
export function baseWithin(space: Space, from: number, below = Number.POSITIVE_INFINITY): Formula {
  const fact = 'sale.baseMinor';
  const isIn = (value: FactValue): boolean => typeof value === 'number' && from <= value && value < below;
  return literalOf(space, fact, cellsWith(space.cells.get(fact)?.values ?? [], isIn));
}

/** That a condition holds, or with `wanted` false that it does not. */
export function formulaOf(condition: RuleCondition, space: Space, wanted = true): Formula {
  return joinTests(condition, wanted, (test, is) => {
    const cells = space.cells.get(test.fact)?.passing.get(test) ?? 0n;
    return literalOf(space, test.fact, is ? cells : allCells(space, test.fact) & ~cells);
  });
}

/**
 * That a condition holds as one of its tests does, which lacks the currency of the space. Others that lack it may hold or not,
 * so that no two of them hide each other.
 */
export function decides(condition: RuleCondition, deciding: RuleTest, space: Space): Formula {
  const assumed = (holds: boolean, wanted: boolean): Formula =>
    joinTests(condition, wanted, (test, is) => {
      if (test === deciding) return holds === is;
      return lacks(test, space.currency) ? { fact: keptKeyOf(test), cells: is ? 1n : 2n } : formulaOf(test, space, is);
    });
  const turns = (holds: boolean): Formula => join('all', [assumed(holds, true), assumed(!holds, false)]);
  return join('any', [turns(true), turns(false)]);
}

/** It is asked for in each currency, and the amounts of a test may be in all of them. */
const keys = new WeakMap<RuleTest, string>();
function keptKeyOf(test: RuleTest): string {
  const key = keys.get(test) ?? keyOf(test);
  keys.set(test, key);
  return key;
}

function lacks(test: RuleTest, currency: string): boolean {
  return typeof (test.gte ?? test.lt) === 'object' && boundOf(test, currency) === undefined;
}

/** `ofTest` says that a test holds, or that it does not. */
function joinTests(condition: RuleCondition, wanted: boolean, ofTest: (test: RuleTest, is: boolean) => Formula): Formula {
  const many = (kind: Joined['kind'], parts: readonly RuleCondition[]): Formula =>
    join(
      kind,
      parts.map((part) => joinTests(part, wanted, ofTest)),
    );
  if ('all' in condition && condition.all !== undefined) return many(wanted ? 'all' : 'any', condition.all);
  if ('any' in condition && condition.any !== undefined) return many(wanted ? 'any' : 'all', condition.any);
  if ('not' in condition && condition.not !== undefined) return joinTests(condition.not, !wanted, ofTest);
  return ofTest(condition as RuleTest, wanted);
}

/** All tests of a condition with where they are. */
export function testPaths(condition: RuleCondition, path: string): { test: RuleTest; path: string }[] {
  const within = (form: string, parts: readonly RuleCondition[]) =>
    parts.flatMap((part, index) => testPaths(part, `${path}.${form}[${index}]`));
  if ('all' in condition && condition.all !== undefined) return within('all', condition.all);
  if ('any' in condition && condition.any !== undefined) return within('any', condition.any);
  if ('not' in condition && condition.not !== undefined) return testPaths(condition.not, `${path}.not`);
  return [{ test: condition as RuleTest, path }];
}

export function join(kind: Joined['kind'], formulas: readonly Formula[]): Formula {
  const parts: Open[] = [];
  let size = 0;
  for (const formula of formulas) {
    if (typeof formula === 'boolean') {
      if (formula === (kind === 'any')) return formula;
      continue;
    }
    if ('parts' in formula && formula.kind === kind) parts.push(...formula.parts);
    else parts.push(formula);
    size += sizeOf(formula);
  }
  const [first] = parts;
  if (first === undefined) return kind === 'all';
  return parts.length === 1 ? first : { kind, parts, size };
}

const sizeOf = (formula: Open): number => ('parts' in formula ? formula.size : 1);

/** A box in which the formula holds. Each literal counts as often as it is looked at. */
export function findBox(space: Space, formula: Formula, budget: Budget, box: Box = new Map()): Found {
  if (formula === false) return 'none';
  if (!spend(budget, formula === true ? 1 : sizeOf(formula))) return 'unknown';
  if (formula === true) return box;
  if ('parts' in formula && formula.kind === 'any') {
    return firstOf(formula.parts, (part) => findBox(space, part, budget, box));
  }
  const { fact, cells } = literalToSplit(formula);
  const isForced = !('parts' in formula) || formula.parts.some((part) => !('parts' in part));
  const rest = (box.get(fact) ?? allCells(space, fact)) & ~cells;
  return firstOf(isForced ? [cells] : [cells, rest], (within) =>
    findBox(space, restrict(formula, fact, within), budget, new Map(box).set(fact, within)),
  );
}

function spend(budget: Budget, literals: number): boolean {
  budget.left -= literals;
  if (budget.whole) budget.whole.left -= literals;
  return budget.left >= 0;
}

function firstOf<Item>(items: readonly Item[], find: (item: Item) => Found): Found {
  for (const item of items) {
    const found = find(item);
    if (found !== 'none') return found;
  }
  return 'none';
}

/** One that must hold, if there is one; else one of the smallest part, which is decided soonest. */
function literalToSplit(formula: Open): Literal {
  let smallest = formula;
  while ('parts' in smallest) smallest = smallest.parts.reduce((a, b) => (sizeOf(b) < sizeOf(a) ? b : a));
  return smallest;
}

/** What is left to be asked once a fact is known to be in `within`. */
function restrict(formula: Open, fact: string, within: bigint): Formula {
  if ('parts' in formula) {
    const parts = formula.parts.map((part) => restrict(part, fact, within));
    return parts.every((part, index) => part === formula.parts[index]) ? formula : join(formula.kind, parts);
  }
  if (formula.fact !== fact) return formula;
  const cells = formula.cells & within;
  if (cells === 0n) return false;
  return cells === within ? true : { fact, cells };
}

/** What a sale in the box may look like, as far as these facts go. */
export function factsIn(
  { currency, cells: known }: Space,
  box: Box,
  facts: readonly string[],
): { fact: string; value: FactValue }[] {
  return facts.map((fact) => {
    if (fact === 'sale.currency') return { fact, value: currency };
    const values = known.get(fact)?.values ?? [];
    // The first cell is the last digit.
    const bits = BigInt.asUintN(values.length, box.get(fact) ?? -1n).toString(2);
    return { fact, value: values[bits.length - 1 - bits.lastIndexOf('1')] ?? null };
  });
}
