/** The rule of attribution on random candidates: one outcome each, and never by the order in which rows were read. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  ATTRIBUTION_MODELS,
  type AttributionInput,
  CANDIDATE_SOURCES,
  CANDIDATE_STATES,
  decideAttribution,
} from '../../../src/features/attribution/open/decide-attribution.ts';
import { decideAgain, receiptOf } from '../../../src/features/attribution/open/receipt.ts';

const AS_OF = Date.parse('2026-06-01T12:00:00Z');
const DAY = 86_400_000;
const member = fc.constantFrom('m1', 'm2', 'm3');

/** Times lie on the edges of a window of two days more often than not. */
const at = fc.oneof(fc.constantFrom(0, 1, -1, -2 * DAY, -2 * DAY - 1, -2 * DAY + 1), fc.integer({ min: -3 * DAY, max: DAY }));

const candidate = fc
  .record({
    source: fc.constantFrom(...CANDIDATE_SOURCES),
    reference: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    state: fc.oneof({ weight: 4, arbitrary: fc.constant('usable' as const) }, fc.constantFrom(...CANDIDATE_STATES)),
    memberId: fc.option(member),
    memberActive: fc.boolean(),
    at: fc.option(at),
    named: fc.boolean(),
  })
  .map((one) => ({
    ...one,
    memberActive: one.memberId === null ? null : one.memberActive,
    at: one.at === null ? null : new Date(AS_OF + one.at),
  }));

const inputs: fc.Arbitrary<AttributionInput> = fc.record({
  subject: fc.constantFrom('purchase' as const, 'lead' as const),
  asOf: fc.constant(new Date(AS_OF)),
  model: fc.constantFrom(...ATTRIBUTION_MODELS),
  windowDays: fc.constant(2),
  buyerId: fc.option(member, { freq: 4 }),
  selfId: fc.option(member, { freq: 3 }),
  // As they are read: one of each source and reference.
  candidates: fc.uniqueArray(candidate, { maxLength: 12, selector: ({ source, reference }) => `${source} ${reference}` }),
});

const shuffled = inputs.chain((input) =>
  fc.record({
    input: fc.constant(input),
    candidates: fc.shuffledSubarray([...input.candidates], { minLength: input.candidates.length }),
  }),
);

test('the order of the candidates does not matter', () => {
  fc.assert(
    fc.property(shuffled, ({ input, candidates }) => {
      expect(decideAttribution({ ...input, candidates })).toEqual(decideAttribution(input));
    }),
    { numRuns: 2_000 },
  );
});

test('every candidate has one outcome, and at most one won: the one that is the winner', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const { rule, winner, outcomes } = decideAttribution(input);
      expect(new Set(outcomes.map((outcome) => outcome.candidate))).toEqual(new Set(input.candidates));
      expect(outcomes).toHaveLength(input.candidates.length);
      expect(outcomes.filter(({ lost }) => lost === null).map((outcome) => outcome.candidate)).toEqual(winner ? [winner] : []);
      expect(rule).toBe(input.buyerId === null ? (winner?.source ?? 'none') : 'personal_purchase');
      if (input.buyerId !== null) expect(winner).toBeUndefined();
    }),
    { numRuns: 2_000 },
  );
});

test('who loses to the winner would win without it, or somebody before it would', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const { winner, outcomes } = decideAttribution(input);
      const beaten = outcomes.filter(({ lost }) => lost === 'OUTRANKED' || lost === 'LATER_CLICK' || lost === 'EARLIER_CLICK');
      const without = decideAttribution({ ...input, candidates: input.candidates.filter((one) => one !== winner) });
      expect(without.winner).toBe(beaten[0]?.candidate);
    }),
    { numRuns: 2_000 },
  );
});

test('a lead that was named is considered before every other lead, whatever their ids', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const leads = decideAttribution(input).outcomes.filter(({ candidate: { source } }) => source === 'lead');
      const named = leads.map(({ candidate: one }) => one.named);
      expect(named).toEqual(named.toSorted((a, b) => Number(b) - Number(a)));
    }),
    { numRuns: 2_000 },
  );
});

test('what a receipt keeps decides the same again, also after it was text', () => {
  fc.assert(
    fc.property(inputs, (input) => {
      const attribution = decideAttribution(input);
      const receipt = receiptOf({ input, attribution }, null);
      const kept = JSON.parse(JSON.stringify(receipt)) as typeof receipt;
      const again = decideAgain({ ...kept, asOf: new Date(kept.asOf) }, input.subject);
      expect(again.rule).toBe(receipt.rule);
      expect(again.outcomes.map(({ lost }) => lost)).toEqual(kept.candidates.map(({ lost }) => lost));
    }),
    { numRuns: 2_000 },
  );
});
