/** commissions.md, Rules 1-3 and "The rules made exact": every case is worked out by hand from that page. */
import { describe, expect, test } from 'vitest';
import {
  commissionBase,
  evaluatePlan,
  MAX_ANCESTORS,
  needsMoreUpline,
  type UplineMember,
} from '../../../src/features/commissions/evaluate-plan.ts';
import { DEFAULT_PLAN, type PlanDefinition, planDefinition } from '../../../src/features/commissions/plan-definition.ts';
import type { MembershipTier } from '../../../src/http/schemas.ts';

const TIERS: Record<string, MembershipTier> = { O: 'ORDINARY', S: 'SENIOR', M: 'MANAGER', D: 'DIRECTOR' };

/** `O S m`: an upline from level 1 up, m1, m2, …; a small letter is inactive. */
function people(text: string): UplineMember[] {
  return text
    .replaceAll(' ', '')
    .split('')
    .map((letter, index) => ({
      id: `m${index + 1}`,
      tier: TIERS[letter.toUpperCase()] ?? 'ORDINARY',
      isActive: letter === letter.toUpperCase(),
    }));
}

/** `m1 L1:1000`: who, the plan level paid, the amount; with the real distance where it differs. */
function paid(plan: Partial<PlanDefinition>, upline: string, options: { base?: bigint; buyerId?: string } = {}): string[] {
  const walk = {
    plan: { ...DEFAULT_PLAN, ...plan },
    baseMinor: options.base ?? 10_000n,
    upline: people(upline),
    buyerId: options.buyerId,
  };
  return evaluatePlan(walk).map((line) => {
    expect(line.beneficiaryId).toBe(`m${line.level}`);
    return `${line.beneficiaryId} L${line.paidLevel}:${line.amountMinor}`;
  });
}

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
    const [line] = evaluatePlan({ plan: DEFAULT_PLAN, baseMinor: 10_000n, upline: people('o S'), buyerId: undefined });
    expect(line).toEqual({
      beneficiaryId: 'm2',
      level: 2,
      paidLevel: 1,
      rateBps: 1000,
      multiplierMilli: 1000,
      amountMinor: 1000n,
    });
  });
});

describe('the base', () => {
  test.each([
    ['gross', 10_000n],
    ['net_of_tax', 9_000n],
    ['net_of_tax_shipping', 8_500n],
  ] as const)('%s of 10000 with 1000 tax and 500 shipping is %s', (base, expected) => {
    expect(commissionBase(base, { amountMinor: 10_000n, taxMinor: 1_000n, shippingMinor: 500n })).toBe(expected);
  });
});

describe('needsMoreUpline', () => {
  const needs = (plan: Partial<PlanDefinition>, upline: string) =>
    needsMoreUpline({ plan: { ...DEFAULT_PLAN, ...plan }, baseMinor: 10_000n, upline: people(upline), buyerId: undefined });

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
  ])('%s: %s', (_label, plan, upline, expected) => {
    expect(needs(plan, upline)).toBe(expected);
  });
});

describe('the default plan', () => {
  test('is what commissions.md gives a new tenant', () => {
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
      compression: 'compress',
      personalPurchase: 'sponsor_first',
      holding: { days: 30 },
    });
    expect(planDefinition.parse(DEFAULT_PLAN)).toEqual(DEFAULT_PLAN);
  });

  test.each([
    [
      'levels with a gap',
      {
        levels: [
          { level: 1, rateBps: 1 },
          { level: 3, rateBps: 1 },
        ],
      },
    ],
    [
      'levels out of order',
      {
        levels: [
          { level: 2, rateBps: 1 },
          { level: 1, rateBps: 1 },
        ],
      },
    ],
    ['no level', { levels: [] }],
    ['a mode that is not calculated', { mode: 'differential' }],
    ['a missing tier', { tierRules: { ORDINARY: { multiplierMilli: 1000, maxDepth: 1 } } }],
    ['an unknown tier', { tierRules: { ...DEFAULT_PLAN.tierRules, BARON: { multiplierMilli: 1000, maxDepth: 1 } } }],
    ['an unknown field', { caps: {} }],
  ])('its schema refuses %s', (_label, change) => {
    expect(planDefinition.safeParse({ ...DEFAULT_PLAN, ...change }).success).toBe(false);
  });
});
