/** The difference of two definitions in words: docs/specification/commissions.md#difference. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../../src/canonical-json.ts';
import { planDifference } from '../../../src/features/commissions/open/plan-difference.ts';
import { mutated, planDocument } from '../../support/money/plan-documents.ts';

const seed = Number(process.env['FC_SEED'] ?? Date.now() % 2 ** 31);
const SELDOM = /^Something of /;

test(`equal definitions give nothing, seed ${seed}`, () => {
  fc.assert(
    fc.property(planDocument, (plan) => {
      expect(planDifference(plan, structuredClone(plan))).toEqual([]);
    }),
    { seed, numRuns: 100 },
  );
});

test(`a field that differs gives a sentence of its own, seed ${seed}`, () => {
  let compared = 0;
  fc.assert(
    fc.property(planDocument, fc.infiniteStream(fc.nat(2 ** 30)), (plan, numbers) => {
      const next = (below: number): number => (numbers.next().value ?? 0) % Math.max(1, below);
      const other = mutated(plan, next);
      if (!other || canonicalJson(other) === canonicalJson(plan)) return;
      compared += 1;
      for (const [before, after] of [
        [plan, other],
        [other, plan],
      ] as const) {
        const sentences = planDifference(before, after);
        expect(sentences.length, canonicalJson([before, after])).toBeGreaterThan(0);
        expect(sentences.filter((sentence) => SELDOM.test(sentence))).toEqual([]);
        expect(new Set(sentences).size, sentences.join('\n')).toBe(sentences.length);
      }
    }),
    { seed, numRuns: 1_500 },
  );
  expect(compared).toBeGreaterThan(1_000);
});
