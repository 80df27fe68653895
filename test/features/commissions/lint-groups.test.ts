/** Which groups a plan names, and what there is to say of them (docs/specification/groups.md#linter). */
import { expect, test } from 'vitest';
import { groupsNamed, lintGroups } from '../../../src/features/commissions/lint-groups.ts';
import { DEFAULT_PLAN, planDefinition } from '../../../src/features/commissions/open/plan-definition.ts';

const named = (fact: string) =>
  planDefinition.parse({
    ...DEFAULT_PLAN,
    rules: [{ id: 'one', levels: 'all', when: { not: { fact, in: ['vip', 'staff'] } }, pay: { rateBps: 1 } }],
  });

test.each(['credited.group', 'member.group'])('a test of %s names groups, which must be there', (fact) => {
  expect(groupsNamed(named(fact))).toEqual(['vip', 'staff']);
  expect(lintGroups(named(fact), ['default', 'vip'])).toEqual([
    { rule: 'GROUP_UNKNOWN', path: 'rules[0].when', message: 'there is no active group staff' },
  ]);
});

test.each(['sale.metadata.group', 'member.tier'])('a test of %s names none', (fact) => {
  expect(groupsNamed(named(fact))).toEqual([]);
});
