/** Which plan of several pays a purchase: highest priority of those that cover it, then the later version. */
import { describe, expect, test } from 'vitest';
import { choosePlan, leadingPlan, type PlanCandidate } from '../../../src/features/commissions/open/choose-plan.ts';
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
const choices = (versions: PlanCandidate[], { group = null as string | null, type = 'one_time', lineItems = tea } = {}) => {
  const answers = [versions, versions.toReversed()].map((order) => {
    const { plan, passedOver } = choosePlan(order, { type, lineItems, group });
    return { plan: plan?.id, passedOver: passedOver.map((lost) => `${lost.plan.id} ${lost.why}`) };
  });
  expect(answers[0]).toEqual(answers[1]); // the order they come in decides nothing
  return answers[0];
};
const chosen = (versions: PlanCandidate[], type = 'one_time', lineItems = tea) => choices(versions, { type, lineItems })?.plan;

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

describe('of plans that name groups', () => {
  const versions = [
    version('1', 'all', null, { priority: 9 }),
    version('2', 'vip', null, { groups: ['vip', 'gold'] }),
    version('3', 'gold', '2026-01-01', { groups: ['gold'] }),
    version('4', 'gold-first', null, { groups: ['gold'], priority: 1 }),
    version('5', 'books', null, { groups: ['vip'], categories: ['books'] }),
    version('6', 'always', null, { groups: ['default'] }),
  ];

  test('those that name the group of the credited member come first, whatever the priority of those for all', () => {
    expect(choices(versions, { group: 'vip' })).toEqual({
      plan: '2',
      passedOver: ['1 GROUP_NOT_NAMED', '4 GROUP_NOT_NAMED', '3 GROUP_NOT_NAMED', '6 GROUP_NOT_NAMED'],
    });
    expect(choices(versions, { group: 'gold' })?.plan).toBe('4');
    expect(choices(versions, { group: 'gold' })?.passedOver.slice(0, 3)).toEqual([
      '3 PRIORITY',
      '2 PRIORITY',
      '1 GROUP_NOT_NAMED',
    ]);
    expect(choices(versions.slice(0, 3), { group: 'gold' })).toEqual({ plan: '3', passedOver: ['2 OLDER', '1 GROUP_NOT_NAMED'] });
  });
  test('the group default is a group as others are', () => {
    expect(choices(versions, { group: 'default' })?.plan).toBe('6');
  });
  test('a member of a group that nobody names, and nobody at all, are paid by a plan for all', () => {
    expect(choices(versions, { group: 'staff' })?.plan).toBe('1');
    expect(choices(versions, { group: null })?.plan).toBe('1');
  });
  test('where all plans name other groups none pays, and each says so', () => {
    expect(choices(versions.slice(1, 3), { group: 'staff' })).toEqual({
      plan: undefined,
      passedOver: ['3 GROUP_NOT_NAMED', '2 GROUP_NOT_NAMED'],
    });
  });
  test('a plan that does not cover the products is not among those that lost', () => {
    const books = [{ sku: 'b', category: 'books' }];
    expect(choices(versions, { group: 'vip', lineItems: books })?.plan).toBe('5');
    expect(choices(versions, { group: 'vip' })?.passedOver.join()).not.toContain('5 ');
  });
  test('what no sale decides goes by the plans for all', () => {
    const [forAll, forVip] = versions;
    if (!forAll || !forVip) throw new Error('no versions');
    expect(leadingPlan([version('7', 'first', null, { groups: ['vip'], priority: 99 }), forAll])?.id).toBe('1');
    expect(leadingPlan([forVip])?.id).toBe('2');
    expect(leadingPlan([])).toBeUndefined();
  });
});
