/** Who is paid and how much: every case is worked out by hand from docs/specification/commissions.md#who-is-paid. */
import { describe, expect, test } from 'vitest';
import { commissionBase, planCovers } from '../../../src/features/commissions/open/evaluate-plan.ts';
import { DEFAULT_PLAN, type PlanDefinition, planDefinition } from '../../../src/features/commissions/open/plan-definition.ts';
import { MAX_ANCESTORS, needsMoreUpline, type UplineMember } from '../../../src/features/commissions/open/walk-upline.ts';
import { evaluate, outcomesOf, paid, people } from '../../support/money/evaluate-text.ts';

const noCompression = { compression: 'none' } as const;
const rollUp = { compression: 'roll_up' } as const;
const compress = { compression: 'compress' } as const;

describe('the worked compression example: base 10000, 10/5/3/2/1 %, tiers O,O,S,M,D,D', () => {
  const upline = 'O O S M D D';

  test('compress pays 1000, -, 500, 300, 200, 100', () => {
    expect(paid(compress, upline)).toEqual(['m1 L1:1000', 'm3 L2:500', 'm4 L3:300', 'm5 L4:200', 'm6 L5:100']);
  });
  test('none pays 1000, -, 300, 200, 100; the 500 is breakage', () => {
    expect(paid(noCompression, upline)).toEqual(['m1 L1:1000', 'm3 L3:300', 'm4 L4:200', 'm5 L5:100']);
  });
  test('roll_up pays the third member 500 + 300', () => {
    expect(paid(rollUp, upline)).toEqual(['m1 L1:1000', 'm3 L2:500', 'm3 L3:300', 'm4 L4:200', 'm5 L5:100']);
  });
});

describe('who is paid', () => {
  test.each<[label: string, plan: Partial<PlanDefinition>, upline: string, lines: string[]]>([
    ['nobody above: nothing', compress, '', []],
    ['compress, chain shorter than the levels', compress, 'D D', ['m1 L1:1000', 'm2 L2:500']],
    ['none, chain shorter than the levels', noCompression, 'D D', ['m1 L1:1000', 'm2 L2:500']],
    [
      'roll_up, chain shorter than the levels: nothing rolls up for levels nobody holds',
      rollUp,
      'D D',
      ['m1 L1:1000', 'm2 L2:500'],
    ],
    ['compress, inactive level 1 is skipped like any other', compress, 'd O S', ['m2 L1:1000', 'm3 L2:500']],
    ['none, inactive level 1 is breakage and the counter advances', noCompression, 'd O S', ['m3 L3:300']],
    ['roll_up, inactive level 1 goes to the next qualified', rollUp, 'd O S', ['m2 L1:1000', 'm3 L2:500', 'm3 L3:300']],
    ['compress, inactive level 2', compress, 'O d S', ['m1 L1:1000', 'm3 L2:500']],
    ['none, inactive level 2', noCompression, 'O d S', ['m1 L1:1000', 'm3 L3:300']],
    ['roll_up, inactive level 2', rollUp, 'O d S', ['m1 L1:1000', 'm3 L2:500', 'm3 L3:300']],
    ['depth in compress is of the paid level: an ORDINARY at distance 3 can be paid level 1', compress, 'd d O', ['m3 L1:1000']],
    ['depth in none is of the real level: an ORDINARY at distance 3 is not', noCompression, 'd d O', []],
    [
      'roll_up reaches beyond the last level',
      rollUp,
      'D D D D s s D',
      ['m1 L1:1000', 'm2 L2:500', 'm3 L3:300', 'm4 L4:200', 'm7 L5:100'],
    ],
    [
      'roll_up with nobody qualified above is breakage',
      rollUp,
      'D D D D s S',
      ['m1 L1:1000', 'm2 L2:500', 'm3 L3:300', 'm4 L4:200'],
    ],
    ['roll_up asks for the missed level, not the receiver’s own', rollUp, 'O o S', ['m1 L1:1000', 'm3 L2:500', 'm3 L3:300']],
    [
      'roll_up, depth is of the missed level: an ORDINARY at distance 3 takes level 1, not 2 or 3',
      rollUp,
      'd d O',
      ['m3 L1:1000'],
    ],
    ['two missed levels roll up to one receiver as two lines', rollUp, 'o o D', ['m3 L1:1000', 'm3 L2:500', 'm3 L3:300']],
    [
      'no more than the plan’s levels',
      compress,
      'D D D D D D',
      ['m1 L1:1000', 'm2 L2:500', 'm3 L3:300', 'm4 L4:200', 'm5 L5:100'],
    ],
    ['a SENIOR stops at paid level 3', compress, 'S S S S D', ['m1 L1:1000', 'm2 L2:500', 'm3 L3:300', 'm5 L4:200']],
  ])('%s', (_label, plan, upline, lines) => {
    expect(paid(plan, upline)).toEqual(lines);
  });
});

describe('the leg is the member one real level below, paid or not', () => {
  const differential: Partial<PlanDefinition> = {
    mode: 'differential',
    tierRules: {
      ORDINARY: { multiplierMilli: 1000, maxDepth: 10, rateBps: 500 },
      SENIOR: { multiplierMilli: 1000, maxDepth: 10, rateBps: 1000 },
      MANAGER: { multiplierMilli: 1000, maxDepth: 10, rateBps: 1500 },
      DIRECTOR: { multiplierMilli: 1000, maxDepth: 10, rateBps: 2000 },
    },
  };
  test.each<[label: string, plan: Partial<PlanDefinition>, upline: string, legs: string[]]>([
    ['none', noCompression, 'D d D', ['m1 <- null', 'm3 <- m2']],
    ['compress, beyond skipped ones', compress, 'd o D D', ['m3 <- m2', 'm4 <- m3']],
    ['a rolled-up line has the leg of its receiver', rollUp, 'O d D D', ['m1 <- null', 'm3 <- m2', 'm3 <- m2', 'm4 <- m3']],
    [
      'rolled up beyond the last level',
      rollUp,
      'D D D D s s D',
      [...[0, 1, 2, 3].map((n) => `m${n + 1} <- ${n ? `m${n}` : null}`), 'm7 <- m6'],
    ],
    ['differential', differential, 'O o S M', ['m1 <- null', 'm3 <- m2', 'm4 <- m3']],
  ])('%s', (_label, plan, upline, legs) => {
    expect(evaluate(plan, upline).lines.map((line) => `${line.beneficiaryId} <- ${line.legId}`)).toEqual(legs);
  });
});

describe('the buyer', () => {
  test('as level 1 of their own purchase (self_rebate) is paid', () => {
    expect(paid({}, 'D D', { buyerId: 'm1' })).toEqual(['m1 L1:1000', 'm2 L2:500']);
  });
  test('met higher up is skipped by compress', () => {
    expect(paid(compress, 'D D D', { buyerId: 'm2' })).toEqual(['m1 L1:1000', 'm3 L2:500']);
  });
  test('met higher up is breakage without compression', () => {
    expect(paid(noCompression, 'D D D', { buyerId: 'm2' })).toEqual(['m1 L1:1000', 'm3 L3:300']);
  });
  test('met higher up loses the level to the next in roll_up', () => {
    expect(paid(rollUp, 'D D D', { buyerId: 'm2' })).toEqual(['m1 L1:1000', 'm3 L2:500', 'm3 L3:300']);
  });
});

describe('256 ancestors', () => {
  const rest = (count: number) => 'o'.repeat(count);
  test('the 256th is still paid', () => {
    expect(MAX_ANCESTORS).toBe(256);
    expect(paid(compress, `${rest(255)}D`)).toEqual(['m256 L1:1000']);
    expect(paid(rollUp, `${rest(255)}D`).at(-1)).toBe('m256 L5:100');
  });
  test('the 257th is not', () => {
    expect(paid(compress, `${rest(256)}D`)).toEqual([]);
    expect(paid(rollUp, `${rest(256)}D`)).toEqual([]);
  });
});

describe('amounts', () => {
  const rule = (multiplierMilli: number) => ({ multiplierMilli, maxDepth: 10 });
  const withMultiplier = (multiplierMilli: number, rateBps: number): Partial<PlanDefinition> => ({
    levels: [{ level: 1, rateBps }],
    tierRules: { ...DEFAULT_PLAN.tierRules, DIRECTOR: rule(multiplierMilli) },
  });

  test.each<[label: string, base: bigint, rateBps: number, multiplierMilli: number, amount: bigint]>([
    ['10 % x 1.1 of 100.00', 10_000n, 1000, 1100, 1100n],
    ['1.4 % of 55.00 is 0.77', 5_500n, 140, 1000, 77n],
    ['half a cent up: 5 % of 0.10', 10n, 500, 1000, 1n],
    ['just under half a cent down: 4.99 % of 0.10', 10n, 499, 1000, 0n],
    ['2.5 cents up to 3', 25n, 1000, 1000, 3n],
    ['one rounding, not two: 2.5 x 1.1 = 2.75 -> 3, where 3 x 1.1 would be 3.3', 25n, 1000, 1100, 3n],
    ['one rounding, not two: 4.5 x 1.25 = 5.625 -> 6, where 5 x 1.25 would be 6.25', 45n, 1000, 1250, 6n],
    ['0.45 x 1.111 = 0.49995 -> 0, where rounding first to 0.450 would differ', 45n, 100, 1111, 0n],
    ['the largest amount', 999_999_999_999_999n, 10_000, 1000, 999_999_999_999_999n],
    ['multiplier 0', 10_000n, 1000, 0, 0n],
    ['nothing to calculate on', 0n, 1000, 1000, 0n],
  ])('%s', (_label, base, rateBps, multiplierMilli, amount) => {
    const lines = paid(withMultiplier(multiplierMilli, rateBps), 'D', { base });
    expect(lines).toEqual(amount === 0n ? [] : [`m1 L1:${amount}`]);
  });

  test('a rolled-up amount has the receiver’s multiplier and its own rounding', () => {
    const plan: Partial<PlanDefinition> = {
      ...rollUp,
      tierRules: { ...DEFAULT_PLAN.tierRules, ORDINARY: { multiplierMilli: 2000, maxDepth: 1 }, SENIOR: rule(1100) },
    };
    // 25 x 10 % x 1.1 = 2.75; 25 x 5 % x 1.1 = 1.375: 3 and 1, and not the 4.125 of the sum.
    expect(paid(plan, 'o S', { base: 25n })).toEqual(['m2 L1:3', 'm2 L2:1']);
  });

  test('a line that rounds to nothing is left out, and its level is still taken', () => {
    expect(paid(compress, 'D D D', { base: 12n })).toEqual(['m1 L1:1', 'm2 L2:1']);
    expect(paid(compress, 'D D D', { base: 9n })).toEqual(['m1 L1:1']);
    const unpaidFirst: Partial<PlanDefinition> = {
      levels: [
        { level: 1, rateBps: 0 },
        { level: 2, rateBps: 500 },
      ],
    };
    expect(paid(unpaidFirst, 'D D D')).toEqual(['m2 L2:500']);
  });

  test('a line records what it was calculated from', () => {
    const [line] = evaluate({}, 'o S').lines;
    expect(line).toEqual({
      beneficiaryId: 'm2',
      level: 2,
      legId: 'm1',
      paidLevel: 1,
      rateBps: 1000,
      flatMinor: null,
      multiplierMilli: 1000,
      exactNumerator: 10_000_000_000n,
      roundedMinor: 1000n,
      ceiledMinor: 1000n,
      cappedMinor: 0n,
      cap: null,
      sourceAmountMinor: 1000n,
      sourceCurrency: 'USD',
      amountMinor: 1000n,
      currency: 'USD',
      exchangeRateId: null,
      nothing: undefined,
    });
  });

  test('a line larger than any amount is refused, not stored', () => {
    const plan = withMultiplier(1001, 10_000);
    expect(() => paid(plan, 'D', { base: 999_999_999_999_999n })).toThrow('larger than any amount may be');
    expect(paid(plan, 'D', { base: 998_000_000_000_000n })).toEqual(['m1 L1:998998000000000']);
  });
});

describe('flat amounts', () => {
  const flat = (flatMinor: Record<string, number>): Partial<PlanDefinition> => ({
    levels: [
      { level: 1, flatMinor },
      { level: 2, rateBps: 500 },
    ],
  });

  test('are paid whatever the sale was worth, with the multiplier of the tier', () => {
    const tierRules = { ...DEFAULT_PLAN.tierRules, MANAGER: { multiplierMilli: 1100, maxDepth: 5 } };
    expect(paid({ ...flat({ USD: 250 }), tierRules }, 'M M', { base: 3n })).toEqual(['m1 L1:275']);
    expect(paid({ ...flat({ USD: 250 }), tierRules }, 'M M', { base: 10_000n })).toEqual(['m1 L1:275', 'm2 L2:550']);
    // 5 x 1.1 = 5.5: half up.
    expect(paid({ ...flat({ USD: 5 }), tierRules }, 'M')).toEqual(['m1 L1:6']);
  });
  test('are of the currency of the purchase, and the level is taken without one', () => {
    const evaluation = evaluate(flat({ USD: 250, JPY: 30 }), 'D D', { currency: 'JPY' });
    expect(evaluation.lines.map(({ amountMinor }) => amountMinor)).toEqual([30n, 500n]);
    expect(outcomesOf(evaluate(flat({ JPY: 30 }), 'D D'))).toEqual(['m1 NO_AMOUNT_FOR_CURRENCY', 'm2 paid']);
  });
  test('are nothing on a base of nothing', () => {
    expect(outcomesOf(evaluate(flat({ USD: 250 }), 'D D', { base: 0n }))).toEqual(['m1 NO_BASE', 'm2 NO_BASE']);
  });
  test('are breakage or roll up like any level', () => {
    expect(evaluate({ ...flat({ USD: 250 }), ...noCompression }, 'd D').breakageMinor).toBe(250n);
    expect(paid({ ...flat({ USD: 250 }), ...rollUp }, 'd D')).toEqual(['m2 L1:250', 'm2 L2:500']);
  });
});

describe('differential', () => {
  const own = (rateBps: number, maxDepth = 256) => ({ multiplierMilli: 1000, maxDepth, rateBps });
  const differential: Partial<PlanDefinition> = {
    mode: 'differential',
    levels: [],
    tierRules: { ORDINARY: own(500), SENIOR: own(1000), MANAGER: own(1500), DIRECTOR: own(2000) },
  };

  test('the worked example: 10, 5, 15, 20 % on 10000 pay 1000, 0, 500, 500', () => {
    const evaluation = evaluate(differential, 'S O M D');
    expect(evaluation.lines.map(({ level, amountMinor, rateBps }) => [level, amountMinor, rateBps])).toEqual([
      [1, 1000n, 1000],
      [3, 500n, 500],
      [4, 500n, 500],
    ]);
    expect(outcomesOf(evaluation)).toEqual(['m1 paid', 'm2 RATE_NOT_HIGHER', 'm3 paid', 'm4 paid']);
    expect(evaluation.breakageMinor).toBe(0n);
  });
  test.each([
    ['none', ['m1 L1:500', 'm3 L3:1000']],
    ['roll_up', ['m1 L1:500', 'm3 L3:1000']],
    ['compress', ['m1 L1:500', 'm3 L2:1000']],
  ] as const)('who does not qualify does not raise the bar, with compression %s', (compression, lines) => {
    const evaluation = evaluate({ ...differential, compression }, 'O d M');
    expect(paid({ ...differential, compression }, 'O d M')).toEqual(lines);
    expect(outcomesOf(evaluation)).toEqual(['m1 paid', 'm2 INACTIVE', 'm3 paid']);
    expect(evaluation.breakageMinor).toBe(0n);
  });
  test('the same rate again is nothing', () => {
    expect(outcomesOf(evaluate(differential, 'M M S'))).toEqual(['m1 paid', 'm2 RATE_NOT_HIGHER', 'm3 RATE_NOT_HIGHER']);
  });
  test('ends once the highest rate of the plan is taken', () => {
    const evaluation = evaluate(differential, 'D D D');
    expect(outcomesOf(evaluation)).toEqual(['m1 paid']);
    expect(evaluation.end).toBe('TOP_RATE_TAKEN');
  });
  test('takes no multiplier', () => {
    const tierRules = { ...differential.tierRules, SENIOR: { ...own(1000), multiplierMilli: 2000 } };
    expect(paid({ ...differential, tierRules }, 'S')).toEqual(['m1 L1:1000']);
  });
  test('rounds each difference half up', () => {
    // 25 x 10 % = 2.5 -> 3, 25 x 5 % = 1.25 -> 1, 25 x 5 % -> 1.
    expect(paid(differential, 'S M D', { base: 25n })).toEqual(['m1 L1:3', 'm2 L2:1', 'm3 L3:1']);
  });
  test('compares the depth with the real level, and in compress with the paid one', () => {
    const tierRules = { ...differential.tierRules, MANAGER: own(1500, 2) };
    expect(outcomesOf(evaluate({ ...differential, tierRules, ...noCompression }, 'o o M'))).toEqual([
      'm1 INACTIVE',
      'm2 INACTIVE',
      'm3 TIER_DEPTH',
    ]);
    expect(paid({ ...differential, tierRules, ...compress }, 'o o M')).toEqual(['m3 L1:1500']);
  });
  test('the buyer met higher up does not raise the bar', () => {
    expect(paid(differential, 'S M D', { buyerId: 'm2' })).toEqual(['m1 L1:1000', 'm3 L2:1000']);
  });
});

describe('qualification', () => {
  const asks = (qualification: Partial<PlanDefinition['qualification']>): Partial<PlanDefinition> => ({
    qualification: { ...DEFAULT_PLAN.qualification, ...qualification },
  });
  const with1 = (fields: Partial<UplineMember>) =>
    people('D D').map((member, index) => (index === 0 ? { ...member, ...fields } : member));
  const first = (plan: Partial<PlanDefinition>, fields: Partial<UplineMember>, currency = 'USD') =>
    outcomesOf(evaluate(plan, '', { upline: with1(fields), currency }))[0];

  test('the inactive qualify when the plan does not ask', () => {
    expect(first(asks({ active: false }), { isActive: false })).toBe('m1 paid');
    expect(first(asks({ active: true }), { isActive: false })).toBe('m1 INACTIVE');
  });
  test('KYC', () => {
    const plan = asks({ kycApproved: true });
    expect(first(plan, { kycApproved: true })).toBe('m1 paid');
    expect(first(plan, { kycApproved: false })).toBe('m1 KYC_NOT_APPROVED');
    expect(first(plan, {})).toBe('m1 KYC_NOT_APPROVED');
  });
  test('personal sales, by the currency of the purchase', () => {
    const plan = asks({ minPersonalSalesMinor: { USD: 1_000, JPY: 90 } });
    expect(first(plan, { personalSalesMinor: 1_000n })).toBe('m1 paid');
    expect(first(plan, { personalSalesMinor: 999n })).toBe('m1 PERSONAL_SALES');
    expect(first(plan, {})).toBe('m1 PERSONAL_SALES');
    expect(first(plan, { personalSalesMinor: 90n }, 'JPY')).toBe('m1 paid');
    expect(first(plan, { personalSalesMinor: 89n }, 'JPY')).toBe('m1 PERSONAL_SALES');
    expect(first(plan, {}, 'KWD')).toBe('m1 paid'); // the plan asks for none in that currency
  });
  test('active directs', () => {
    const plan = asks({ minActiveDirects: 2 });
    expect(first(plan, { activeDirects: 2 })).toBe('m1 paid');
    expect(first(plan, { activeDirects: 1 })).toBe('m1 ACTIVE_DIRECTS');
    expect(first(plan, {})).toBe('m1 ACTIVE_DIRECTS');
  });
  test('a tier that the plan has no rule for', () => {
    const { DIRECTOR: _gone, ...tierRules } = DEFAULT_PLAN.tierRules;
    expect(outcomesOf(evaluate({ tierRules }, 'D S'))).toEqual(['m1 TIER_WITHOUT_RULE', 'm2 paid']);
  });
  test('the first of several reasons is given', () => {
    const plan = asks({ active: true, kycApproved: true, minPersonalSalesMinor: { USD: 1 }, minActiveDirects: 1 });
    expect(first(plan, { isActive: false })).toBe('m1 INACTIVE');
    expect(first(plan, {})).toBe('m1 KYC_NOT_APPROVED');
    expect(first(plan, { kycApproved: true })).toBe('m1 PERSONAL_SALES');
    expect(first(plan, { kycApproved: true, personalSalesMinor: 1n })).toBe('m1 ACTIVE_DIRECTS');
    expect(first(plan, { kycApproved: true, personalSalesMinor: 1n, activeDirects: 1 })).toBe('m1 paid');
  });
});

describe('golden scenario (d): level 2 is inactive', () => {
  test.each([
    ['none', ['m1 L1:1000', 'm3 L3:300', 'm4 L4:200', 'm5 L5:100'], 500n],
    ['roll_up', ['m1 L1:1000', 'm3 L2:500', 'm3 L3:300', 'm4 L4:200', 'm5 L5:100'], 0n],
    ['compress', ['m1 L1:1000', 'm3 L2:500', 'm4 L3:300', 'm5 L4:200', 'm6 L5:100'], 0n],
  ] as const)('%s', (compression, lines, breakage) => {
    expect(paid({ compression }, 'D d D D D D')).toEqual(lines);
    const evaluation = evaluate({ compression }, 'D d D D D D');
    expect(evaluation.breakageMinor).toBe(breakage);
    expect(outcomesOf(evaluation)[1]).toBe('m2 INACTIVE');
  });
});

describe('breakage', () => {
  test('is what the missed levels would have paid, each rounded once and without a multiplier', () => {
    expect(evaluate(noCompression, 'O O S M D D').breakageMinor).toBe(500n);
    const doubled = Object.fromEntries(
      Object.entries(DEFAULT_PLAN.tierRules).map(([tier, rule]) => [tier, { ...rule, multiplierMilli: 2000 }]),
    );
    // 30 x 5 % = 1.5 -> 2 and 30 x 3 % = 0.9 -> 1; together they would be 2.4 -> 2.
    expect(evaluate({ ...noCompression, tierRules: doubled }, 'D d d D', { base: 30n }).breakageMinor).toBe(3n);
  });
  test('is what roll_up finds nobody for', () => {
    expect(evaluate(rollUp, 'D D D D s S').breakageMinor).toBe(100n);
    expect(evaluate(rollUp, 'd d').breakageMinor).toBe(1_500n);
  });
  test('is nothing for levels that nobody stands at, and in compress', () => {
    expect(evaluate(noCompression, 'D D').breakageMinor).toBe(0n);
    expect(evaluate(compress, 'd d d').breakageMinor).toBe(0n);
    expect(evaluate(noCompression, '').breakageMinor).toBe(0n);
  });
});

describe('exactly one outcome for each considered member', () => {
  test.each<[label: string, plan: Partial<PlanDefinition>, upline: string, outcomes: string]>([
    [
      'compress stops once the last level is taken',
      compress,
      'D o D D D D D',
      'm1 paid, m2 INACTIVE, m3 paid, m4 paid, m5 paid, m6 paid',
    ],
    ['compress goes on to the end', compress, 'O O O', 'm1 paid, m2 TIER_DEPTH, m3 TIER_DEPTH'],
    ['none looks at the levels only', noCompression, 'D O D d D D', 'm1 paid, m2 TIER_DEPTH, m3 paid, m4 INACTIVE, m5 paid'],
    [
      'roll_up looks beyond the levels for a receiver',
      rollUp,
      'D D D D s s S D D',
      'm1 paid, m2 paid, m3 paid, m4 paid, m5 INACTIVE, m6 INACTIVE, m7 TIER_DEPTH, m8 paid',
    ],
    [
      'roll_up to the end when there is none',
      rollUp,
      'D D D D s S',
      'm1 paid, m2 paid, m3 paid, m4 paid, m5 INACTIVE, m6 TIER_DEPTH',
    ],
    [
      'a receiver who keeps no level of his own is paid',
      rollUp,
      'o d S s D',
      'm1 INACTIVE, m2 INACTIVE, m3 paid, m4 INACTIVE, m5 paid',
    ],
    ['nobody', compress, '', ''],
  ])('%s', (_label, plan, upline, outcomes) => {
    expect(outcomesOf(evaluate(plan, upline)).join(', ')).toBe(outcomes);
  });

  test('two lines of one member are one outcome', () => {
    const { outcomes } = evaluate(rollUp, 'o o D');
    expect(outcomes.map(({ level, shares }) => [level, shares.map(({ paidLevel }) => paidLevel)])).toEqual([
      [1, []],
      [2, []],
      [3, [1, 2, 3]],
    ]);
  });
  test('a share that rounds to nothing is an outcome with its arithmetic', () => {
    const { outcomes, lines } = evaluate({}, 'D D', { base: 9n });
    expect(lines).toHaveLength(1);
    expect(outcomes[1]).toMatchObject({ notPaid: 'ROUNDED_TO_ZERO', shares: [{ exactNumerator: 4_500_000n, roundedMinor: 0n }] });
  });
});

describe('a block', () => {
  test.each(['RECURRING_DISABLED', 'RECURRING_MONTHS', 'RECURRING_EVENTS', 'PERSONAL_PURCHASE'] as const)(
    '%s pays nobody',
    (block) => {
      const evaluation = evaluate(noCompression, 'D o D', { block });
      expect(evaluation.lines).toEqual([]);
      expect(evaluation.breakageMinor).toBe(0n);
      expect(outcomesOf(evaluation)).toEqual([`m1 ${block}`, 'm2 INACTIVE', `m3 ${block}`]);
      expect(evaluation.outcomes.flatMap(({ shares }) => shares)).toEqual([]);
    },
  );
  test('asks for no rate', () => {
    const upline = people('D').map((member) => ({ ...member, payCurrency: 'JPY' }));
    const plan = { fx: { payCurrency: 'member', rateAt: 'occurred_at' } } as const;
    expect(evaluate(plan, '', { upline, block: 'RECURRING_MONTHS' }).lines).toEqual([]);
  });
});

describe('the base', () => {
  const purchase = {
    amountMinor: 10_000n,
    taxMinor: 1_000n,
    shippingMinor: 500n,
    lineItems: [
      { sku: 'tea', category: 'drinks', quantity: 1, amountMinor: 4_000n },
      { sku: 'cup', category: 'ware', quantity: 1, amountMinor: 3_000n },
      { sku: 'gift', category: null, quantity: 1, amountMinor: 1_500n },
    ],
  };
  const inScope = (scope: Partial<PlanDefinition['scope']>, base: PlanDefinition['base'] = 'line_items'): PlanDefinition => ({
    ...DEFAULT_PLAN,
    base,
    scope: { ...DEFAULT_PLAN.scope, ...scope },
  });

  test.each([
    ['gross', 10_000n],
    ['net_of_tax', 9_000n],
    ['net_of_tax_shipping', 8_500n],
  ] as const)('%s of 10000 with 1000 tax and 500 shipping is %s, whatever the scope', (base, expected) => {
    expect(commissionBase(inScope({}, base), purchase)).toBe(expected);
    expect(commissionBase(inScope({ skus: ['tea'] }, base), purchase)).toBe(expected);
  });
  test.each<[label: string, scope: Partial<PlanDefinition['scope']>, expected: bigint]>([
    ['without a scope: all of them', {}, 8_500n],
    ['one product', { skus: ['tea'] }, 4_000n],
    ['one category', { categories: ['ware'] }, 3_000n],
    ['a product or a category', { skus: ['gift'], categories: ['ware'] }, 4_500n],
    ['an item that is both counts once', { skus: ['tea'], categories: ['drinks'] }, 4_000n],
    ['none of them', { skus: ['pot'] }, 0n],
    ['an item without a category is in no category', { categories: ['null', ''] }, 0n],
  ])('line_items, %s', (_label, scope, expected) => {
    expect(commissionBase(inScope(scope), purchase)).toBe(expected);
  });
  test('line_items of a purchase without any is nothing', () => {
    expect(commissionBase(inScope({}), { ...purchase, lineItems: [] })).toBe(0n);
  });

  test.each<[label: string, scope: Partial<PlanDefinition['scope']>, type: string, expected: boolean]>([
    ['no scope', {}, 'one_time', true],
    ['its type', { types: ['subscription_renewal', 'one_time'] }, 'one_time', true],
    ['another type', { types: ['subscription_renewal'] }, 'one_time', false],
    ['a product of several', { skus: ['pot', 'cup'] }, 'one_time', true],
    ['no product', { skus: ['pot'] }, 'one_time', false],
    ['a category', { categories: ['drinks'] }, 'one_time', true],
    ['the product and another type', { skus: ['cup'], types: ['subscription_initial'] }, 'one_time', false],
  ])('a plan covers a purchase by %s', (_label, scope, type, expected) => {
    expect(planCovers(inScope(scope), type, purchase.lineItems)).toBe(expected);
  });
  test('a plan for products does not cover a purchase without line items', () => {
    expect(planCovers(inScope({ skus: ['tea'] }), 'one_time', [])).toBe(false);
    expect(planCovers(inScope({}), 'one_time', [])).toBe(true);
  });
});

describe('needsMoreUpline', () => {
  const needs = (plan: Partial<PlanDefinition>, upline: string) =>
    needsMoreUpline({
      plan: { ...DEFAULT_PLAN, ...plan },
      baseMinor: 10_000n,
      currency: 'USD',
      upline: people(upline),
      buyerId: undefined,
    });
  const differential: Partial<PlanDefinition> = {
    mode: 'differential',
    levels: [],
    tierRules: {
      ORDINARY: { multiplierMilli: 1000, maxDepth: 256, rateBps: 500 },
      DIRECTOR: { multiplierMilli: 1000, maxDepth: 256, rateBps: 2000 },
    },
  };

  test.each<[label: string, plan: Partial<PlanDefinition>, upline: string, expected: boolean]>([
    ['compress with all levels taken', compress, 'D D D D D', false],
    ['compress with one level open', compress, 'D D o D D', true],
    ['none with as many as levels, whoever they are', noCompression, 'o o o o o', false],
    ['none with one too few', noCompression, 'D D D D', true],
    ['roll_up with all levels taken', rollUp, 'D D D D D', false],
    ['roll_up with an amount that found nobody yet', rollUp, 'D D D D o', true],
    ['roll_up with an amount that found its receiver', rollUp, 'D o D D D', false],
    ['compress at 256 ancestors', compress, 'o'.repeat(256), false],
    ['roll_up at 256 ancestors', rollUp, 'o'.repeat(256), false],
    ['none at an end of the upline', noCompression, '', true],
    ['differential with the top rate taken', differential, 'O D', false],
    ['differential with a higher rate to come', differential, 'O O O', true],
    ['differential whose highest is inactive', differential, 'O d', true],
    ['differential at 256 ancestors', differential, 'o'.repeat(256), false],
  ])('%s: %s', (_label, plan, upline, expected) => {
    expect(needs(plan, upline)).toBe(expected);
  });
});

describe('the default plan', () => {
  test('is what the specification gives a new tenant', () => {
    expect(DEFAULT_PLAN).toEqual({
      mode: 'unilevel',
      base: 'net_of_tax_shipping',
      levels: [1000, 500, 300, 200, 100].map((rateBps, index) => ({ level: index + 1, rateBps })),
      tierRules: {
        ORDINARY: { multiplierMilli: 1000, maxDepth: 1 },
        SENIOR: { multiplierMilli: 1000, maxDepth: 3 },
        MANAGER: { multiplierMilli: 1000, maxDepth: 5 },
        DIRECTOR: { multiplierMilli: 1000, maxDepth: 10 },
      },
      qualification: { active: true, kycApproved: false, minPersonalSalesMinor: {}, minActiveDirects: 0, window: 'month' },
      compression: 'compress',
      personalPurchase: 'sponsor_first',
      recurring: { enabled: true, maxMonths: null, maxEvents: null },
      holding: { days: 30, appliesTo: 'all_levels' },
      caps: { perEventPayoutBps: null, perMemberPeriodMinor: null, perCustomerLifetimeMinor: null },
      rounding: { mode: 'half_up', residual: 'company' },
      fx: { payCurrency: 'purchase', rateAt: 'occurred_at' },
      reversal: { policy: 'proportional', recoverAfterPayout: 'carry_forward', floorMinor: null, writeOffAfterDays: null },
      minimumPayoutMinor: {},
      overrides: null,
      ladders: [],
      rules: [],
      scope: { priority: 0, types: null, skus: null, groups: null, categories: null },
    });
    expect(planDefinition.parse(DEFAULT_PLAN)).toEqual(DEFAULT_PLAN);
  });

  test('a version that was published before the model grew means what it meant', () => {
    const { mode, base, levels, tierRules, compression, personalPurchase } = DEFAULT_PLAN;
    const old = { mode, base, levels, tierRules, compression, personalPurchase, holding: { days: 30 } };
    expect(planDefinition.parse(old)).toEqual(DEFAULT_PLAN);
  });

  test.each<[label: string, change: object]>([
    ['an unknown field', { bonus: [] }],
    ['an unknown field inside', { caps: { perMonth: 1 } }],
    ['an unknown mode', { mode: 'binary' }],
    ['a level with a rate and a flat amount', { levels: [{ level: 1, rateBps: 1, flatMinor: { USD: 1 } }] }],
    ['a level with neither', { levels: [{ level: 1 }] }],
    ['a rate over 100 %', { levels: [{ level: 1, rateBps: 10_001 }] }],
    ['a rate below nothing', { levels: [{ level: 1, rateBps: -1 }] }],
    ['a fraction of a basis point', { levels: [{ level: 1, rateBps: 0.5 }] }],
    ['an amount in no currency', { minimumPayoutMinor: { XYZ: 1 } }],
    ['an amount too large', { minimumPayoutMinor: { USD: 1_000_000_000_000_000 } }],
    ['personal sales of any currency', { qualification: { minPersonalSalesMinor: 5 } }],
    ['another rounding', { rounding: { mode: 'half_even' } }],
    ['a scope of no type', { scope: { types: [] } }],
  ])('its schema refuses %s', (_label, change) => {
    expect(planDefinition.safeParse({ ...DEFAULT_PLAN, ...change }).success).toBe(false);
  });
});
