/** What a member reads of how its commission came about: it is right, and no figure of another member is in it. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { deriveLine } from '../../../src/features/commissions/derive-line.ts';
import type { CommissionLine } from '../../../src/features/commissions/open/commission-line.ts';
import { type EvaluationInput, evaluatePlan, type Outcome } from '../../../src/features/commissions/open/evaluate-plan.ts';
import type { PricedShare } from '../../../src/features/commissions/open/price-shares.ts';
import { type StoredInputs, storeUpline } from '../../../src/features/commissions/open/stored-evaluation.ts';
import { findVerdictDifferences } from '../../../tools/evaluate-verdicts.ts';
import { saleArbitrary } from '../../support/money/plan-arbitrary.ts';

const textOf = (amounts: ReadonlyMap<string, bigint>) =>
  Object.fromEntries([...amounts].map(([id, amount]) => [id, amount.toString()]));

function stored({ upline, block, memberRoomMinor, customerRoomMinor, rates }: EvaluationInput): StoredInputs {
  return {
    upline: storeUpline(upline),
    ...(block && { block }),
    ...(memberRoomMinor && { memberRooms: textOf(memberRoomMinor) }),
    ...(customerRoomMinor !== undefined && { customerRoom: customerRoomMinor.toString() }),
    rates: Object.fromEntries(
      [...(rates ?? [])].map(([currency, { id, numerator, denominator }]) => [
        currency,
        { id, numerator: numerator.toString(), denominator: denominator.toString() },
      ]),
    ),
  };
}

function derived(sale: EvaluationInput, share: PricedShare) {
  const { level, paidLevel, amountMinor, currency } = share;
  const document = deriveLine(
    { level, paidLevel, amountMinor, currency } as CommissionLine,
    {
      baseMinor: sale.baseMinor,
      currency: sale.currency,
      buyerId: sale.buyerId ?? null,
      inputs: stored(sale),
      planId: 'plan',
      versionId: 'version',
      version: 1,
      definition: sale.plan,
    },
    sale.plan,
  );
  return { commission: { level, paidLevel, amountMinor: Number(amountMinor), currency }, derivation: document };
}

/** Every number and text in a document, wherever it stands. */
function leavesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.values(value).flatMap(leavesOf);
}

const figuresOf = (share: PricedShare): bigint[] => [
  share.exactNumerator,
  share.roundedMinor,
  share.ceiledMinor,
  share.cappedMinor,
  share.sourceAmountMinor,
  share.amountMinor,
];

/** What the member knows of itself and of the sale, and small numbers, which are levels. */
function knownTo(sale: EvaluationInput, own: Outcome): Set<string> {
  const shares = own.shares.flatMap((share) => [...figuresOf(share), share.flatMinor, share.rateBps, share.multiplierMilli]);
  const rates = [...(sale.rates?.values() ?? [])].flatMap(({ numerator, denominator }) => [numerator, denominator]);
  const levels = Array.from({ length: 257 }, (_, level) => level);
  return new Set([...shares, ...rates, ...levels, sale.baseMinor, 10_000_000n].map(String));
}

test('comes to the line, by the tool, and holds no figure of another member', () => {
  let lines = 0;
  fc.assert(
    fc.property(saleArbitrary, (sale) => {
      const evaluation = evaluatePlan(sale);
      for (const share of evaluation.lines) {
        lines += 1;
        const document = derived(sale, share);
        expect(document.derivation.recomputed).toBe(true);
        expect(findVerdictDifferences(document)).toEqual([]);
        const own = evaluation.outcomes.find(({ level }) => level === share.level);
        if (!own) throw new Error('a line without an outcome');
        const known = knownTo(sale, own);
        const others = evaluation.outcomes.filter(({ level }) => level !== share.level);
        const secrets = [
          ...others.flatMap(({ shares }) => shares.flatMap(figuresOf)),
          ...sale.upline.flatMap(({ personalSalesMinor }) => personalSalesMinor ?? []),
          ...(sale.memberRoomMinor?.values() ?? []),
          ...(sale.customerRoomMinor === undefined ? [] : [sale.customerRoomMinor]),
        ].map(String);
        const leaves = new Set(leavesOf(document));
        for (const secret of secrets) if (!known.has(secret)) expect(leaves).not.toContain(secret);
        for (const { id, tier } of sale.upline) {
          expect(leaves).not.toContain(id);
          expect(leaves).not.toContain(tier);
        }
      }
    }),
    { numRuns: 2_000 },
  );
  expect(lines).toBeGreaterThan(1_000);
});

function eachOf<Item>(items: readonly Item[], change: (item: Item) => unknown): void {
  for (const item of items) change(item);
}

test('the tool finds every figure that was changed, and a verdict that cannot be', () => {
  const found: string[] = [];
  fc.assert(
    fc.property(saleArbitrary, fc.nat(), (sale, at) => {
      const { lines } = evaluatePlan(sale);
      const share = lines[at % Math.max(1, lines.length)];
      if (!share) return;
      const document = derived(sale, share);
      const changes: ((copy: typeof document) => unknown)[] = [
        ({ commission }) => Object.assign(commission, { amountMinor: commission.amountMinor + 1 }),
        ({ derivation }) => eachOf(derivation.shares, (one) => Object.assign(one, { amountMinor: one.amountMinor + 1 })),
        ({ derivation }) => eachOf(derivation.shares, (one) => Object.assign(one, { roundedMinor: one.roundedMinor + 1 })),
        ({ derivation }) =>
          eachOf(derivation.shares, (one) => Object.assign(one, { multiplierMilli: one.multiplierMilli + 1_000_003 })),
        (copy) => copy.derivation.verdicts.splice(0, 1),
        ({ derivation }) => eachOf(derivation.verdicts, (one) => Object.assign(one, { qualified: !one.qualified })),
        ({ derivation }) => eachOf(derivation.verdicts, (one) => one.own && one.usedLevels.push(999)),
      ];
      const base = sale.baseMinor === 0n || share.exactNumerator === 0n;
      for (const [index, change] of changes.entries()) {
        if (index === 3 && base) continue;
        const copy = structuredClone(document);
        change(copy);
        expect(findVerdictDifferences(copy), `change ${index}`).not.toEqual([]);
        found.push(`${index}`);
      }
    }),
    { numRuns: 500 },
  );
  expect(new Set(found).size).toBe(7);
});
