/** What the difference of two definitions says: docs/specification/commissions.md#difference. */
import { expect, test } from 'vitest';
import {
  DEFAULT_PLAN,
  type PlanDefinition,
  type PlanDefinitionInput,
  planDefinition,
} from '../../../src/features/commissions/open/plan-definition.ts';
import { planDifference } from '../../../src/features/commissions/open/plan-difference.ts';

const plan = (more: Partial<PlanDefinitionInput>): PlanDefinition => planDefinition.parse({ ...DEFAULT_PLAN, ...more });
const rule = { id: 'spring', levels: [1], when: { fact: 'sale.type', in: ['one_time'] }, pay: { rateBps: 1250 } } as const;
const TWELVE = Array.from({ length: 12 }, (_none, index) => `sku-${index + 1}`);
const SKUS = TWELVE.slice(0, 11)
  .map((sku) => `“${sku}”`)
  .join(', ');
const rules = (...more: object[]) => ({ rules: more as never });

test.each<[string, Partial<PlanDefinitionInput>, Partial<PlanDefinitionInput>, string[]]>([
  [
    'levels',
    {
      levels: [
        { level: 1, rateBps: 400 },
        { level: 2, rateBps: 100 },
      ],
    },
    { levels: [{ level: 1, flatMinor: { USD: 250, JPY: 4 } }] },
    ['Level 1 pays 2.50 USD, 4 JPY instead of 4 %.', 'Level 2 is gone; it paid 1 %.'],
  ],
  ['holding', { holding: { days: 30 } }, { holding: { days: 14 } }, ['Commissions are held 14 days instead of 30.']],
  [
    'a new rule',
    {},
    rules(rule),
    ['The rule “spring” is new, as number 1: where sale.type is “one_time”, level 1 is paid 12.5 %.'],
  ],
  [
    'the order of rules',
    rules(rule, { ...rule, id: 'fall' }),
    rules({ ...rule, id: 'fall' }, rule),
    ['The rules are asked in another order: “fall” and “spring”.'],
  ],
  [
    'a tier',
    {},
    { tierRules: { ...DEFAULT_PLAN.tierRules, SENIOR: { maxDepth: 4, multiplierMilli: 1100 } } },
    ['SENIOR is paid down to level 4 instead of 3.', 'Amounts of SENIOR are multiplied by 1.1 instead of 1.'],
  ],
  [
    'caps',
    { caps: { perEventPayoutBps: 4000 } },
    { caps: { perMemberPeriodMinor: { EUR: 50_000 } } },
    ['One sale pays without a limit instead of at most 40 %.', 'The cap of a member in a month is 500.00 EUR, instead of none.'],
  ],
  [
    'minimum payouts',
    { minimumPayoutMinor: { EUR: 5000 } },
    { minimumPayoutMinor: { EUR: 2500, KWD: 1500 } },
    ['The least that is paid out is 25.00 EUR, 1.500 KWD, instead of 50.00 EUR.'],
  ],
  [
    'signs that would turn the sentence round',
    {},
    { scope: { skus: ['a\u202Eb'] } },
    ['The plan is only for the articles “a\\u{202e}b” now.'],
  ],
  [
    'signs that would end the quotation, and spaces that would not be seen',
    {},
    { scope: { skus: ['a” and “b', 'c\\', ' d  e'] } },
    ['The plan is only for the articles “a\\u{201d} and \\u{201c}b”, “c\\u{5c}” and “\\u{20}d \\u{20}e” now.'],
  ],
  [
    'the twelfth text of a condition',
    rules({ ...rule, when: { fact: 'item.sku', in: TWELVE } }),
    rules({ ...rule, when: { fact: 'item.sku', in: TWELVE.with(11, 'new') } }),
    [
      `The rule “spring” holds where item.sku is ${SKUS} or “new”, instead of where item.sku is ${SKUS} or “sku-12”.`,
      'The rule “spring” names for item.sku newly “new”.',
      'The rule “spring” names for item.sku no more “sku-12”.',
    ],
  ],
  [
    'a tier that is named as what every object has',
    {},
    { tierRules: { ...DEFAULT_PLAN.tierRules, toString: { maxDepth: 2, multiplierMilli: 1000 } } },
    ['“toString” has a rule now: down to level 2, multiplied by 1.'],
  ],
])('%s', (_what, before, after, sentences) => {
  expect(planDifference(plan(before), plan(after))).toEqual(sentences);
});
