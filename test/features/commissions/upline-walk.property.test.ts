/** evaluatePlan against an independent model written from the spec, over random plans and uplines. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type EvaluationInput, evaluatePlan } from '../../../src/features/commissions/open/evaluate-plan.ts';
import { DEFAULT_PLAN, type PlanDefinition, planDefinition } from '../../../src/features/commissions/open/plan-definition.ts';
import { eventCeiling } from '../../../src/features/commissions/open/price-shares.ts';
import { needsMoreUpline, type UplineMember } from '../../../src/features/commissions/open/walk-upline.ts';
import { modelEvaluation, modelUplineWalk } from '../../support/money/model-upline-walk.ts';
import { planArbitrary, saleArbitrary } from '../../support/money/plan-arbitrary.ts';

const TIERS = ['ORDINARY', 'SENIOR', 'MANAGER', 'DIRECTOR'] as const;

const tierRule = fc.record({ multiplierMilli: fc.integer({ min: 0, max: 3_000 }), maxDepth: fc.integer({ min: 0, max: 8 }) });

/** Rates by level and nothing else. */
const plainPlans: fc.Arbitrary<PlanDefinition> = fc
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

/** Up to where 100 % with the highest multiplier is still an amount. */
const bases = fc.oneof(fc.bigInt({ min: 0n, max: 1_000n }), fc.bigInt({ min: 0n, max: 333_333_333_333_333n }));

const plainSales: fc.Arbitrary<EvaluationInput> = fc
  .record({ plan: plainPlans, baseMinor: bases, upline: uplines, buyerAt: fc.option(fc.nat(20), { nil: undefined, freq: 3 }) })
  .map(({ plan, baseMinor, upline, buyerAt }) => ({
    plan,
    baseMinor,
    currency: 'USD',
    upline,
    buyerId: buyerAt === undefined ? undefined : upline[buyerAt]?.id,
  }));

const RUNS = 3_000;

const EVERYTHING = [
  'paid BUYER INACTIVE TIER_DEPTH KYC_NOT_APPROVED PERSONAL_SALES ACTIVE_DIRECTS RATE_NOT_HIGHER',
  'NO_BASE NO_AMOUNT_FOR_CURRENCY ROUNDED_TO_ZERO EVENT_CEILING MEMBER_CAP CUSTOMER_CAP',
  'PERSONAL_PURCHASE RECURRING_DISABLED RECURRING_MONTHS RECURRING_EVENTS',
  'breakage ceiling_took no_ceiling no_cap member_period customer_lifetime member_period+customer_lifetime',
]
  .join(' ')
  .split(' ');

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => a + b, 0n);

test('the random plans are plans', () => {
  fc.assert(
    fc.property(planArbitrary, (plan) => {
      expect(planDefinition.parse(plan)).toEqual(plan);
    }),
    { numRuns: 300 },
  );
});

test('pays whom, at which level and how much the model says', () => {
  fc.assert(
    fc.property(plainSales, (sale) => {
      const model = modelUplineWalk(
        {
          compression: sale.plan.compression,
          ratesBps: sale.plan.levels.map((level) => level.rateBps),
          tiers: sale.plan.tierRules,
        },
        sale.baseMinor,
        sale.upline,
        sale.buyerId,
      );
      const ours = evaluatePlan(sale).lines.map(({ beneficiaryId, level, paidLevel, amountMinor }) => ({
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

test('over the whole plan model: every step of every line, every outcome and the breakage', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(saleArbitrary, (sale) => {
      const model = modelEvaluation(sale.plan, sale);
      const ours = evaluatePlan(sale);
      expect(
        ours.lines.map((line) => ({
          beneficiaryId: line.beneficiaryId,
          level: line.level,
          paidLevel: line.paidLevel,
          roundedMinor: line.roundedMinor,
          ceiledMinor: line.ceiledMinor,
          cappedMinor: line.cappedMinor,
          cap: line.cap,
          sourceAmountMinor: line.sourceAmountMinor,
          amountMinor: line.amountMinor,
          currency: line.currency,
          exchangeRateId: line.exchangeRateId,
        })),
      ).toEqual(model.lines);
      expect(ours.outcomes.map(({ memberId, level, notPaid }) => ({ memberId, level, notPaid }))).toEqual(model.outcomes);
      expect(ours.breakageMinor).toBe(model.breakageMinor);
      for (const { notPaid } of ours.outcomes) seen.add(notPaid ?? 'paid');
      for (const { cap, ceiledMinor, roundedMinor } of ours.lines) {
        seen.add(cap ?? 'no_cap');
        seen.add(ceiledMinor > roundedMinor ? 'ceiling_gave' : ceiledMinor < roundedMinor ? 'ceiling_took' : 'no_ceiling');
      }
      if (ours.breakageMinor > 0n) seen.add('breakage');
    }),
    { numRuns: 2 * RUNS },
  );
  expect([...seen]).toEqual(expect.arrayContaining(EVERYTHING)); // else the property has not tested what it says
});

test('has exactly one outcome for each member up to the last that was considered, and lines only for the paid', () => {
  fc.assert(
    fc.property(saleArbitrary, (sale) => {
      const { outcomes, lines } = evaluatePlan(sale);
      expect(outcomes.map(({ memberId }) => memberId)).toEqual(sale.upline.slice(0, outcomes.length).map(({ id }) => id));
      expect(outcomes.map(({ level }) => level)).toEqual(outcomes.map((_outcome, index) => index + 1));
      for (const { level, notPaid, shares } of outcomes) {
        expect(shares.every((share) => share.level === level)).toBe(true);
        expect(shares.some(({ amountMinor }) => amountMinor > 0n)).toBe(notPaid === undefined);
      }
      expect(outcomes.flatMap(({ shares }) => shares.filter(({ amountMinor }) => amountMinor !== 0n))).toEqual(lines);
      expect(lines.every(({ amountMinor }) => amountMinor > 0n)).toBe(true);
    }),
    { numRuns: RUNS },
  );
});

test('never pays over the ceiling and the rooms, and reaches the ceiling exactly when the lines exceed it', () => {
  let exceeded = 0;
  fc.assert(
    fc.property(saleArbitrary, (sale) => {
      const shares = evaluatePlan(sale).outcomes.flatMap((outcome) => outcome.shares);
      const ceiling = eventCeiling(sale.plan, sale.baseMinor);
      const rounded = sum(shares.map(({ roundedMinor }) => roundedMinor));
      const ceiled = sum(shares.map(({ ceiledMinor }) => ceiledMinor));
      expect(ceiled).toBe(ceiling !== undefined && rounded > ceiling ? ceiling : rounded);
      if (ceiled !== rounded) exceeded += 1;
      for (const [id, room] of sale.memberRoomMinor ?? []) {
        const own = shares.filter(({ beneficiaryId }) => beneficiaryId === id);
        expect(sum(own.map(({ sourceAmountMinor }) => sourceAmountMinor)) <= (room > 0n ? room : 0n)).toBe(true);
      }
      const room = sale.customerRoomMinor;
      const paid = sum(shares.map(({ sourceAmountMinor }) => sourceAmountMinor));
      if (room !== undefined) expect(paid <= (room > 0n ? room : 0n)).toBe(true);
      for (const share of shares) {
        expect(share.ceiledMinor - share.cappedMinor).toBe(share.sourceAmountMinor);
        expect(share.cap === null).toBe(share.cappedMinor === 0n);
      }
    }),
    { numRuns: RUNS },
  );
  expect(exceeded).toBeGreaterThan(RUNS / 100); // else the property has tested nothing
});

test('never pays more than base x sum(rate x multiplier), give or take one unit a line', () => {
  fc.assert(
    fc.property(plainSales, (sale) => {
      const { lines } = evaluatePlan(sale);
      const paid = sum(lines.map((line) => line.amountMinor));
      const highest = Math.max(...Object.values(sale.plan.tierRules).map((rule) => rule.multiplierMilli));
      const planned = sum(sale.plan.levels.map((level) => BigInt((level.rateBps ?? 0) * highest)));
      const exactly = sum(lines.map((line) => BigInt(line.rateBps * line.multiplierMilli)));
      expect(paid * 10_000_000n <= sale.baseMinor * exactly + BigInt(lines.length) * 10_000_000n).toBe(true);
      expect(paid * 10_000_000n <= sale.baseMinor * planned + BigInt(lines.length) * 10_000_000n).toBe(true);
      // No plan level is paid twice, and nobody holds one distance and level twice.
      expect(new Set(lines.map((line) => line.paidLevel)).size).toBe(lines.length);
    }),
    { numRuns: RUNS },
  );
});

test('differential pays the highest rate met and no more, give or take half a unit a line', () => {
  const sales = saleArbitrary.filter(({ plan, block }) => plan.mode === 'differential' && block === undefined);
  fc.assert(
    fc.property(sales, (sale) => {
      const shares = evaluatePlan(sale).outcomes.flatMap((outcome) => outcome.shares);
      const rates = shares.map(({ beneficiaryId }) => {
        const tier = sale.upline.find(({ id }) => id === beneficiaryId)?.tier ?? 'ORDINARY';
        return sale.plan.tierRules[tier]?.rateBps ?? 0;
      });
      expect(rates).toEqual(rates.toSorted((a, b) => a - b));
      const whole = sale.baseMinor * BigInt(rates.at(-1) ?? 0);
      const paid = sum(shares.map(({ roundedMinor }) => roundedMinor)) * 10_000n;
      const difference = paid > whole ? paid - whole : whole - paid;
      expect(difference <= BigInt(shares.length) * 5_000n).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test('a prefix that needs no more upline is paid like the whole', () => {
  let enough = 0;
  fc.assert(
    fc.property(saleArbitrary, fc.nat(20), (sale, length) => {
      const prefix = { ...sale, upline: sale.upline.slice(0, length) };
      if (needsMoreUpline(prefix)) return;
      enough += 1;
      expect(evaluatePlan(prefix)).toEqual(evaluatePlan(sale));
    }),
    { numRuns: RUNS },
  );
  expect(enough).toBeGreaterThan(RUNS / 10); // else the property has tested nothing
});

test('and one that is short of upline says so', () => {
  fc.assert(
    fc.property(saleArbitrary, fc.nat(20), (sale, length) => {
      const prefix = { ...sale, upline: sale.upline.slice(0, length) };
      const differs = JSON.stringify(evaluatePlan(prefix), bigints) !== JSON.stringify(evaluatePlan(sale), bigints);
      if (differs) expect(needsMoreUpline(prefix)).toBe(true);
    }),
    { numRuns: RUNS },
  );
});

function bigints(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
