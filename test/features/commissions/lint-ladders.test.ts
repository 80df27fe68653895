/** What the linter says of ladders. */
import { describe, expect, test } from 'vitest';
import { highestRateBps } from '../../../src/features/commissions/highest-rates.ts';
import { lintLadders, warnOfLadders } from '../../../src/features/commissions/lint-ladders.ts';
import { DEFAULT_PLAN, type PlanDefinition, planDefinition } from '../../../src/features/commissions/open/plan-definition.ts';
import { stepAt } from '../../../src/features/commissions/open/plan-ladders.ts';

type Steps = PlanDefinition['ladders'][number]['steps'];

const STEPS: Steps = [
  { from: { USD: 0 }, rateBps: 1000 },
  { from: { USD: 500 }, rateBps: 1200 },
];

const ladder = (change: object = {}) => ({ id: 'monthly', measure: 'base', period: 'month', steps: STEPS, ...change });

function planOf(change: object): PlanDefinition {
  return planDefinition.parse({ ...DEFAULT_PLAN, levels: [{ level: 1, ladder: 'monthly' }], ladders: [ladder()], ...change });
}

const faults = (change: object) => lintLadders(planOf(change)).map(({ rule, path }) => `${rule} ${path}`);
const warnings = (change: object) => warnOfLadders(planOf(change)).map(({ rule, path }) => `${rule} ${path}`);
const steps = (...list: Steps) => ({ ladders: [ladder({ steps: list })] });

describe('errors', () => {
  test.each<[string, object, string[]]>([
    ['none of a good one', {}, []],
    [
      'none of numbers of sales',
      { ladders: [ladder({ measure: 'sales', steps: [0, 3].map((from) => ({ from, rateBps: 10 })) })] },
      [],
    ],
    ['a level that names none', { ladders: [] }, ['LADDER_UNKNOWN levels[0].ladder']],
    [
      'a rule that names none, and one that nothing pays',
      {
        levels: [{ level: 1, rateBps: 100 }],
        rules: [{ id: 'a', levels: 'all', when: { fact: 'sale.type', exists: true }, pay: { ladder: 'other' } }],
      },
      ['LADDER_UNKNOWN rules[0].pay.ladder', 'LADDER_UNUSED ladders[0]'],
    ],
    [
      'a first step above 0',
      steps({ from: { USD: 1 }, rateBps: 1 }, { from: { USD: 2 }, rateBps: 2 }),
      ['LADDER_STEPS_NOT_RISING ladders[0].steps[0].from'],
    ],
    [
      'a step that begins where the one before does',
      steps(...STEPS, { from: { USD: 500 }, rateBps: 1 }),
      ['LADDER_STEPS_NOT_RISING ladders[0].steps[2].from'],
    ],
    [
      'a currency that the first step lacks',
      steps(...STEPS, { from: { USD: 600, EUR: 5 }, rateBps: 1 }),
      ['LADDER_STEPS_NOT_RISING ladders[0].steps[0].from'],
    ],
  ])('%s', (_what, change, expected) => {
    expect(faults(change)).toEqual(expected);
  });
});

describe('warnings', () => {
  test.each<[string, object, string[]]>([
    ['none of a good one', {}, []],
    ['a rate that falls', steps(...STEPS, { from: { USD: 900 }, rateBps: 900 }), ['LADDER_FALLS ladders[0].steps[2].rateBps']],
    [
      'a currency that a step lacks',
      steps({ from: { USD: 0, EUR: 0 }, rateBps: 1 }, { from: { USD: 9 }, rateBps: 2 }),
      ['CURRENCY_MISSING ladders[0].steps[1].from'],
    ],
  ])('%s', (_what, change, expected) => {
    expect(warnings(change)).toEqual(expected);
  });
});

test('the highest rate of a level is that of its highest step, and of what may be agreed for it', () => {
  expect(highestRateBps(planOf({}), [])).toEqual([1200]);
  expect(highestRateBps(planOf({ overrides: { maxRateBps: 4000 } }), [])).toEqual([4000]);
  expect(highestRateBps(planOf({ overrides: { levels: [2], maxRateBps: 4000 } }), [])).toEqual([1200]);
});

test.each<[bigint, string, number]>([
  [-1n, 'USD', 0],
  [0n, 'USD', 0],
  [499n, 'USD', 0],
  [500n, 'USD', 1],
  [10n ** 15n, 'USD', 1],
  [10n ** 15n, 'JPY', 0],
])('a sum of %s %s is on step %s', (sum, currency, expected) => {
  expect(stepAt({ steps: STEPS }, sum, currency)).toBe(expected);
});

test.each<[string, object, string]>([
  ['numbers where sums are measured', ladder({ steps: [{ from: 0, rateBps: 1 }, ...STEPS] }), 'must name sums by currency'],
  ['sums where sales are counted', ladder({ measure: 'sales' }), 'must be a number of sales'],
])('%s are refused', (_what, bad, message) => {
  expect(() => planOf({ ladders: [bad] })).toThrow(message);
});
