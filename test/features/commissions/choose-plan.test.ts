/** Which plan of several pays a purchase: highest priority of those that cover it, then the later version. */
import { describe, expect, test } from 'vitest';
import { choosePlan, type PlanCandidate } from '../../../src/features/commissions/open/choose-plan.ts';
import { DEFAULT_PLAN, type PlanDefinition } from '../../../src/features/commissions/open/plan-definition.ts';

const version = (
  id: string,
  planId: string,
  from: string | null,
  scope: Partial<PlanDefinition['scope']> = {},
): PlanCandidate => ({
  id,
  planId,
  effectiveFrom: from === null ? null : new Date(`${from}T00:00:00Z`),
  definition: { ...DEFAULT_PLAN, scope: { ...DEFAULT_PLAN.scope, ...scope } },
});
const tea = [{ sku: 'tea', category: 'drinks' }];
const chosen = (versions: PlanCandidate[], type = 'one_time', lineItems = tea) => {
  const answers = [versions, versions.toReversed()].map((order) => choosePlan(order, type, lineItems)?.id);
  expect(answers[0]).toBe(answers[1]); // the order they come in decides nothing
  return answers[0];
};

describe('choosePlan', () => {
  test('finds none among none, and none that covers the purchase', () => {
    expect(chosen([])).toBeUndefined();
    expect(chosen([version('1', 'a', null, { types: ['subscription_initial'] })])).toBeUndefined();
  });
  test('takes the highest priority of those that cover the purchase', () => {
    const versions = [
      version('1', 'all', null),
      version('2', 'drinks', null, { priority: 5, categories: ['drinks'] }),
      version('3', 'books', null, { priority: 9, categories: ['books'] }),
      version('4', 'renewals', null, { priority: 9, types: ['subscription_renewal'] }),
    ];
    expect(chosen(versions)).toBe('2');
    expect(chosen(versions, 'one_time', [])).toBe('1');
    expect(chosen(versions, 'subscription_renewal')).toBe('4');
  });
  test('a priority outweighs a later start', () => {
    expect(chosen([version('1', 'a', null, { priority: 1 }), version('2', 'b', '2026-01-01')])).toBe('1');
  });
  test('of equal priority the later start, and null is before all', () => {
    expect(chosen([version('9', 'a', '2026-01-01'), version('1', 'b', '2026-01-02')])).toBe('1');
    expect(chosen([version('9', 'a', null), version('1', 'b', '0001-01-01')])).toBe('1');
  });
  test('of equal starts the higher id', () => {
    expect(chosen([version('1', 'a', '2026-01-01'), version('2', 'b', '2026-01-01')])).toBe('2');
    expect(chosen([version('1', 'a', null), version('2', 'b', null)])).toBe('2');
  });
  test('a plan speaks with its latest version only', () => {
    const lowered = [
      version('1', 'a', null, { priority: 9 }),
      version('2', 'a', '2026-01-01'),
      version('3', 'b', null, { priority: 5 }),
    ];
    expect(chosen(lowered)).toBe('3');
    const narrowed = [version('1', 'a', null), version('2', 'a', '2026-01-01', { skus: ['cup'] })];
    expect(chosen(narrowed)).toBeUndefined();
  });
});
