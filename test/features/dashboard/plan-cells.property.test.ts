/** The fields of the plan editor are the plan's JSON and back: docs/specification/pages.md#plans. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_PLAN, type PlanDefinition, planDefinition } from '../../../src/features/commissions/open/plan-definition.ts';
import { toCells } from '../../../src/features/dashboard/plans/plan-cells.ts';
import { changeRows } from '../../../src/features/dashboard/plans/plan-rows.ts';
import { readCells, readJson } from '../../../src/features/dashboard/plans/read-cells.ts';
import { mutated, planDocument } from '../../support/money/plan-documents.ts';

const seed = Number(process.env['FC_SEED'] ?? Date.now() % 2 ** 31);
const runs = { seed, numRuns: 300 };

/** As a browser sends it: other ends of lines, and no boxes that are not checked. */
const sent = (plan: PlanDefinition) =>
  Object.fromEntries(
    Object.entries(toCells(plan)).map(([name, texts]) => [name, texts.map((text) => text.replaceAll('\n', '\r\n'))]),
  );

test(`a form that nobody touched says the definition that it was drawn from, seed ${seed}`, () => {
  fc.assert(
    fc.property(planDocument, (plan) => {
      expect(readCells(sent(plan), plan)).toEqual({ definition: plan, faults: [] });
      expect(readJson(JSON.stringify(plan, null, 2)).definition).toEqual(plan);
    }),
    runs,
  );
});

test(`fields of one definition, read over another with as many rows, say the first, seed ${seed}`, () => {
  let compared = 0;
  fc.assert(
    fc.property(planDocument, fc.infiniteStream(fc.nat(2 ** 30)), (plan, numbers) => {
      const other = mutated(plan, (below) => (numbers.next().value ?? 0) % Math.max(1, below));
      if (!other || rowsOf(other) !== rowsOf(plan) || sayable(other) !== sayable(plan)) return;
      compared += 1;
      // Boxes say which types, and neither their order nor how often: the same ones stay as they were.
      const types = typesOf(other) === typesOf(plan) ? plan.scope.types : other.scope.types;
      const definition = { ...other, scope: { ...other.scope, types } };
      expect(readCells(sent(other), plan)).toEqual({ definition, faults: [] });
    }),
    { ...runs, numRuns: 800 },
  );
  expect(compared).toBeGreaterThan(200);
});

const typesOf = ({ scope }: PlanDefinition) => scope.types && [...new Set(scope.types)].toSorted().join();
const rowsOf = ({ levels, rules, ladders, tierRules }: PlanDefinition) =>
  [levels.length, rules.length, ladders.length, Object.keys(tierRules).join()].join('|');
/** What no field can say: an empty map where there may be none, spaces around a text, terms of nothing agreed. */
const sayable = ({ caps, reversal, scope, rules, overrides }: PlanDefinition) =>
  JSON.stringify([
    [caps.perMemberPeriodMinor, caps.perCustomerLifetimeMinor, reversal.floorMinor].map(
      (map) => map && Object.keys(map).length === 0,
    ),
    scope.skus,
    scope.categories,
    rules.map(({ id }) => id),
    overrides === null,
  ]);

test.each([
  ['levels', ['add:levels', 'remove:levels:5']],
  ['rules', ['add:rules', 'add:rules', 'up:rules:1', 'up:rules:1', 'remove:rules:1', 'remove:rules:0']],
  ['ladders', ['add:ladders', 'remove:ladders:0']],
])('rows of %s that were added and taken out leave what was there', (_name, asked) => {
  let edited = { cells: toCells(DEFAULT_PLAN), from: DEFAULT_PLAN };
  for (const one of asked) {
    const before = edited;
    edited = changeRows(one, edited) ?? edited;
    expect(edited, one).not.toBe(before);
    expect(readCells(edited.cells, edited.from).faults).toEqual([]);
  }
  expect(readCells(edited.cells, edited.from).definition).toEqual(DEFAULT_PLAN);
});

test('a level that is taken out leaves no gap, and what was typed in the others stays', () => {
  const cells = { ...toCells(DEFAULT_PLAN), 'levels[2].pays': ['12.5'] };
  const edited = changeRows('remove:levels:0', { cells, from: DEFAULT_PLAN });
  if (!edited) throw new Error('nothing was taken out');
  expect(readCells(edited.cells, edited.from).definition?.levels.slice(0, 2)).toEqual([
    { level: 1, rateBps: 500 },
    { level: 2, rateBps: 1250 },
  ]);
});

test.each([
  ['levels[0].pays', 'ten', 'levels[0].pays'],
  ['levels[0].pays', '10.123 %', 'levels[0].pays'],
  ['levels[0].pays', '5.001 USD', 'levels[0].pays'],
  ['levels[0].pays', '101 %', 'levels[0].rateBps'],
  ['minimumPayoutMinor', '50 USD, 40 USD', 'minimumPayoutMinor'],
  ['minimumPayoutMinor', '50 XXQ', 'minimumPayoutMinor'],
  ['minimumPayoutMinor', '1.5 JPY', 'minimumPayoutMinor'],
  ['holding.days', '366', 'holding.days'],
  ['holding.days', '-1', 'holding.days'],
  ['scope.groups', 'Not A Key', 'scope.groups[0]'],
  ['tiers[0].maxDepth', '3.5', 'tiers[0].maxDepth'],
])('%s of %j is refused beside %s', (name, text, field) => {
  const { definition, faults } = readCells({ ...toCells(DEFAULT_PLAN), [name]: [text] }, DEFAULT_PLAN);
  expect(definition).toBeUndefined();
  expect(faults.map((fault) => fault.field)).toEqual([field]);
});

test.each<[string, string, object]>([
  ['levels[0].pays', '12,5', { rateBps: 1250 }],
  ['levels[0].pays', 'usd 5, 4000 JPY', { flatMinor: { USD: 500, JPY: 4000 } }],
  ['levels[0].pays', '1.500 KWD', { flatMinor: { KWD: 1500 } }],
  ['levels[0].pays', 'Ladder sums', { ladder: 'sums' }],
])('%s of %j is %j', (name, text, pays) => {
  const { definition } = readCells({ ...toCells(DEFAULT_PLAN), [name]: [text] }, DEFAULT_PLAN);
  expect(definition?.levels[0]).toEqual({ level: 1, ...pays });
});

test('a definition that no form can draw keeps what it has', () => {
  const plan = planDefinition.parse({
    ...DEFAULT_PLAN,
    caps: { perMemberPeriodMinor: {} },
    scope: { skus: [' a\nb '] },
    tierRules: { ...DEFAULT_PLAN.tierRules, '"><b>': { maxDepth: 2 } },
  });
  const cells = { ...sent(plan), 'holding.days': ['7'] };
  expect(readCells(cells, plan).definition).toEqual({ ...plan, holding: { ...plan.holding, days: 7 } });
});

test.each([
  [['\nTEA', 'CUP'], 'TEA\r\nCUP'],
  [['\n\nTEA'], 'TEA'],
  [['T\ud800'], 'T\ufffd'],
])('articles %j are as they were where a browser sends %j', (skus, text) => {
  const plan = planDefinition.parse({ ...DEFAULT_PLAN, scope: { skus } });
  expect(readCells({ ...sent(plan), 'scope.skus': [text] }, plan)).toEqual({ definition: plan, faults: [] });
});

test.each(['skus', 'categories'])('%s that no line can say are not changed by the form', (name) => {
  for (const entry of ['\nTEA', ' TEA', 'TEA ', 'T\nEA', 'T\rEA']) {
    const plan = planDefinition.parse({ ...DEFAULT_PLAN, scope: { [name]: ['CUP', entry] } });
    for (const text of ['', 'CUP', 'CUP\r\nTEA\r\nTIN']) {
      const { definition, faults } = readCells({ ...sent(plan), [`scope.${name}`]: [text] }, plan);
      expect([definition, faults.map(({ field }) => field)], JSON.stringify([entry, text])).toEqual([
        undefined,
        [`scope.${name}`],
      ]);
    }
  }
});

test('types of sales that nobody touched stay in their order, and others are those that are checked', () => {
  const plan = planDefinition.parse({ ...DEFAULT_PLAN, scope: { types: ['subscription_renewal', 'one_time'] } });
  const read = (types: string[]) => readCells({ ...sent(plan), 'scope.types': types }, plan).definition?.scope.types;
  expect(read(['one_time', 'subscription_renewal'])).toEqual(['subscription_renewal', 'one_time']);
  expect(read(['one_time'])).toEqual(['one_time']);
  expect(read([])).toBeNull();
});
