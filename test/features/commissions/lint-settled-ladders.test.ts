/** What the linter says of ladders that are settled over whole periods, and of the same ladders that are not. */
import { describe, expect, test } from 'vitest';
import { lintLadders } from '../../../src/features/commissions/lint-ladders.ts';
import { lintPlan } from '../../../src/features/commissions/lint-plan.ts';
import { DEFAULT_PLAN, type PlanDefinition, planDefinition } from '../../../src/features/commissions/open/plan-definition.ts';

type Ladder = PlanDefinition['ladders'][number];

const STEPS = [
  { from: { USD: 0 }, rateBps: 1000 },
  { from: { USD: 500 }, rateBps: 1200 },
];

function planOf(ladder: Partial<Ladder>, change: object): PlanDefinition {
  const settled = { id: 'monthly', measure: 'base', period: 'month', settle: 'whole_period', steps: STEPS, ...ladder };
  return planDefinition.parse({ ...DEFAULT_PLAN, levels: [{ level: 1, ladder: 'monthly' }], ladders: [settled], ...change });
}

const faults = (ladder: Partial<Ladder>, change: object = {}) =>
  lintLadders(planOf(ladder, change)).map(({ rule, path }) => `${rule} ${path}`);

const DIFFERENTIAL = {
  mode: 'differential',
  levels: [],
  tierRules: { D: { rateBps: 100 } },
  rules: [{ id: 'a', levels: 'all', when: { fact: 'sale.type', exists: true }, pay: { ladder: 'monthly' } }],
};

const CASES: [string, Partial<Ladder>, object, string[]][] = [
  ['a good one', {}, {}, []],
  ['a quarter', { period: 'quarter' }, {}, []],
  ['a year', { period: 'year' }, {}, []],
  ['a ceiling of the sale', {}, { caps: { perEventPayoutBps: 4000 } }, []],
  ['a lifetime', { period: 'lifetime' }, {}, ['LADDER_LIFETIME_SETTLED ladders[0].period']],
  ['a cap of members', {}, { caps: { perMemberPeriodMinor: { USD: 500 } } }, ['LADDER_SETTLED_WITH_CAP ladders[0].settle']],
  [
    'a cap of customers, even of another currency',
    {},
    { caps: { perCustomerLifetimeMinor: { EUR: 500 } } },
    ['LADDER_SETTLED_WITH_CAP ladders[0].settle'],
  ],
  ['a differential plan', {}, DIFFERENTIAL, ['LADDER_SETTLED_DIFFERENTIAL ladders[0].settle']],
  [
    'a first step of 0',
    { steps: [{ from: { USD: 0 }, rateBps: 0 }, ...STEPS.slice(1)] },
    {},
    ['LADDER_STEP_PAYS_NOTHING ladders[0].steps[0].rateBps'],
  ],
  [
    'a last step of 0',
    { steps: [...STEPS, { from: { USD: 900 }, rateBps: 0 }] },
    {},
    ['LADDER_STEP_PAYS_NOTHING ladders[0].steps[2].rateBps'],
  ],
  [
    'all at once',
    { period: 'lifetime', steps: [{ from: { USD: 0 }, rateBps: 0 }, ...STEPS.slice(1)] },
    { ...DIFFERENTIAL, caps: { perMemberPeriodMinor: { USD: 500 } } },
    [
      'LADDER_LIFETIME_SETTLED ladders[0].period',
      'LADDER_SETTLED_WITH_CAP ladders[0].settle',
      'LADDER_SETTLED_DIFFERENTIAL ladders[0].settle',
      'LADDER_STEP_PAYS_NOTHING ladders[0].steps[0].rateBps',
    ],
  ],
];

describe('errors', () => {
  test.each(CASES)('%s', (_what, ladder, change, expected) => {
    expect(faults(ladder, change)).toEqual(expected);
  });

  test.each(CASES)('none of a ladder that counts with the next sale: %s', (_what, ladder, change) => {
    expect(faults({ ...ladder, settle: 'next_sale' }, change)).toEqual([]);
  });

  test('of the ladder that is settled, not of another beside it', () => {
    const settled = { id: 'monthly', measure: 'base', period: 'month', settle: 'whole_period', steps: STEPS } as const;
    const other = { ...settled, id: 'life', period: 'lifetime', settle: 'next_sale' } as const;
    const levels = [
      { level: 1, ladder: 'life' },
      { level: 2, ladder: 'monthly' },
    ];
    expect(faults({}, { levels, ladders: [other, settled] })).toEqual([]);
    expect(faults({}, { levels, ladders: [other, { ...settled, period: 'lifetime' }] })).toEqual([
      'LADDER_LIFETIME_SETTLED ladders[1].period',
    ]);
  });
});

test('days until a period is settled are 1 to 60, and 10 where nothing is said', () => {
  expect(planOf({}, {}).ladders[0]?.settleAfterDays).toBe(10);
  for (const settleAfterDays of [1, 60]) expect(planOf({ settleAfterDays }, {}).ladders[0]).toMatchObject({ settleAfterDays });
  for (const settleAfterDays of [0, 61, 1.5]) expect(() => planOf({ settleAfterDays }, {})).toThrow();
});

test('the linter of plans has them among its errors', () => {
  const errors = lintPlan(planOf({ period: 'lifetime' }, {}));
  expect(errors.map(({ rule }) => rule)).toContain('LADDER_LIFETIME_SETTLED');
});
