/** evaluatePlan against an independent model written from the spec, over random plans and uplines. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evaluatePlan, needsMoreUpline, type UplineMember, type Walk } from '../../../src/features/commissions/evaluate-plan.ts';
import { DEFAULT_PLAN, type PlanDefinition } from '../../../src/features/commissions/plan-definition.ts';
import { modelUplineWalk } from '../../support/model-upline-walk.ts';

const TIERS = ['ORDINARY', 'SENIOR', 'MANAGER', 'DIRECTOR'] as const;

const tierRule = fc.record({ multiplierMilli: fc.integer({ min: 0, max: 3_000 }), maxDepth: fc.integer({ min: 0, max: 8 }) });

const plans: fc.Arbitrary<PlanDefinition> = fc
  .record({
    ratesBps: fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 1, maxLength: 8 }),
    tierRules: fc.record({ ORDINARY: tierRule, SENIOR: tierRule, MANAGER: tierRule, DIRECTOR: tierRule }),
    compression: fc.constantFrom('none', 'roll_up', 'compress'),
  })
  .map(({ ratesBps, tierRules, compression }) => ({
    ...DEFAULT_PLAN,
    compression,
    tierRules,
    levels: ratesBps.map((rateBps, index) => ({ level: index + 1, rateBps })),
  }));

const uplines: fc.Arbitrary<UplineMember[]> = fc
  .array(fc.record({ tier: fc.constantFrom(...TIERS), isActive: fc.boolean() }), { maxLength: 20, size: 'max' })
  .map((people) => people.map((person, index) => ({ ...person, id: `m${index + 1}` })));

const bases = fc.oneof(fc.bigInt({ min: 0n, max: 1_000n }), fc.bigInt({ min: 0n, max: 999_999_999_999_999n }));

const walks: fc.Arbitrary<Walk> = fc
  .record({ plan: plans, baseMinor: bases, upline: uplines, buyerAt: fc.option(fc.nat(20), { nil: undefined, freq: 3 }) })
  .map(({ plan, baseMinor, upline, buyerAt }) => ({
    plan,
    baseMinor,
    upline,
    buyerId: buyerAt === undefined ? undefined : upline[buyerAt]?.id,
  }));

const RUNS = 3_000;

test('pays whom, at which level and how much the model says', () => {
  fc.assert(
    fc.property(walks, (walk) => {
      const model = modelUplineWalk(
        {
          compression: walk.plan.compression,
          ratesBps: walk.plan.levels.map((level) => level.rateBps),
          tiers: walk.plan.tierRules,
        },
        walk.baseMinor,
        walk.upline,
        walk.buyerId,
      );
      const ours = evaluatePlan(walk).map(({ beneficiaryId, level, paidLevel, amountMinor }) => ({
        beneficiaryId,
        level,
        paidLevel,
        amountMinor,
      }));
      expect(ours).toEqual(model);
    }),
    { numRuns: RUNS },
  );
});

test('never pays more than base x sum(rate x multiplier), give or take one unit a line', () => {
  fc.assert(
    fc.property(walks, (walk) => {
      const lines = evaluatePlan(walk);
      const paid = lines.reduce((sum, line) => sum + line.amountMinor, 0n);
      const highest = Math.max(...Object.values(walk.plan.tierRules).map((rule) => rule.multiplierMilli));
      const planned = walk.plan.levels.reduce((sum, level) => sum + BigInt(level.rateBps * highest), 0n);
      const exactly = lines.reduce((sum, line) => sum + BigInt(line.rateBps * line.multiplierMilli), 0n);
      expect(paid * 10_000_000n <= walk.baseMinor * exactly + BigInt(lines.length) * 10_000_000n).toBe(true);
      expect(paid * 10_000_000n <= walk.baseMinor * planned + BigInt(lines.length) * 10_000_000n).toBe(true);
      // No plan level is paid twice, and nobody holds one distance and level twice.
      expect(new Set(lines.map((line) => line.paidLevel)).size).toBe(lines.length);
    }),
    { numRuns: RUNS },
  );
});

test('a prefix that needs no more upline is paid like the whole', () => {
  let enough = 0;
  fc.assert(
    fc.property(walks, fc.nat(20), (walk, length) => {
      const prefix = { ...walk, upline: walk.upline.slice(0, length) };
      if (needsMoreUpline(prefix)) return;
      enough += 1;
      expect(evaluatePlan(prefix)).toEqual(evaluatePlan(walk));
    }),
    { numRuns: RUNS },
  );
  expect(enough).toBeGreaterThan(RUNS / 10); // else the property has tested nothing
});

test('and one that is short of upline says so', () => {
  fc.assert(
    fc.property(walks, fc.nat(20), (walk, length) => {
      const prefix = { ...walk, upline: walk.upline.slice(0, length) };
      const differs = JSON.stringify(evaluatePlan(prefix), bigints) !== JSON.stringify(evaluatePlan(walk), bigints);
      if (differs) expect(needsMoreUpline(prefix)).toBe(true);
    }),
    { numRuns: RUNS },
  );
});

function bigints(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
