/** The linter of rules (docs/specification/rates.md#linter): each problem has rules that show it and nothing else. */
import { describe, expect, test, vi } from 'vitest';
import { highestRateBps } from '../../../src/features/commissions/highest-rates.ts';
import { lintRules, warnOfRules } from '../../../src/features/commissions/lint-rules.ts';
import { DEFAULT_PLAN, type PlanDefinition } from '../../../src/features/commissions/open/plan-definition.ts';
import { planRules, type RuleCondition, testsOf } from '../../../src/features/commissions/open/plan-rules.ts';
import { findBox, formulaOf, spacesOf } from '../../../src/features/commissions/rule-boxes.ts';
import { isCurrency } from '../../../src/money.ts';

interface Sketch {
  when: RuleCondition;
  levels?: 'all' | number[];
  final?: boolean;
  pay?: { rateBps: number } | { flatMinor: Record<string, number> };
}

/** Rules r0, r1, … of all levels, each with a rate of its own. */
const rulesOf = (sketches: readonly Sketch[]) =>
  planRules.parse(sketches.map((sketch, index) => ({ id: `r${index}`, levels: 'all', pay: { rateBps: index + 1 }, ...sketch })));
const unilevel: PlanDefinition = { ...DEFAULT_PLAN, levels: DEFAULT_PLAN.levels.slice(0, 3) };
const differential: PlanDefinition = { ...DEFAULT_PLAN, mode: 'differential', levels: [] };

const errors = (sketches: readonly Sketch[], plan = unilevel, mostCells?: number) =>
  lintRules(plan, rulesOf(sketches), mostCells);
const warnings = (sketches: readonly Sketch[], plan = unilevel, mostCells?: number) =>
  warnOfRules(plan, rulesOf(sketches), mostCells);
const short = (problems: ReturnType<typeof errors>) => problems.map(({ rule, path }) => `${rule} ${path}`);

const always: RuleCondition = { fact: 'sale.type', exists: true };
const is = (fact: string, ...texts: string[]): RuleCondition => ({ fact, in: texts });
const from = (fact: string, gte: number | Record<string, number>): RuleCondition => ({ fact, gte });
const below = (fact: string, lt: number | Record<string, number>): RuleCondition => ({ fact, lt });
const there = (fact: string): RuleCondition => ({ fact, exists: true });
const not = (condition: RuleCondition): RuleCondition => ({ not: condition });
const all = (...conditions: RuleCondition[]): RuleCondition => ({ all: conditions });
const any = (...conditions: RuleCondition[]): RuleCondition => ({ any: conditions });

const TIERS = ['ORDINARY', 'SENIOR', 'MANAGER', 'DIRECTOR'];
const TYPES = ['one_time', 'subscription_initial', 'subscription_renewal'];
const months = 'customer.monthsSinceFirst';
const base = 'sale.baseMinor';
const colour = 'sale.metadata.colour';

describe('rules that people sell on have no error', () => {
  test.each<[label: string, sketches: Sketch[]]>([
    ['no rules', []],
    ['the first year', [{ levels: [1], when: all(is('sale.type', ...TYPES.slice(1)), below(months, 12)) }]],
    ['a bonus for the first sale', [{ when: below('customer.purchaseNumber', 2), pay: { flatMinor: { USD: 500 } } }]],
    ['a fast start of the recruiter', [{ levels: [2], when: below('credited.ageDays', 30) }]],
    ['an exception before what it is one of', [{ when: below(months, 1) }, { when: below(months, 12) }, { when: always }]],
    [
      'a final rule after what it comes before',
      [{ when: all(always, from(months, 1)) }, { final: true, when: below(months, 3) }],
    ],
  ])('%s', (_label, sketches) => {
    expect(short(errors(sketches))).toEqual([]);
  });
});

describe('a rule that holds for no sale', () => {
  test.each<[label: string, when: RuleCondition]>([
    ['asks for two values at once', all(from(months, 5), below(months, 3))],
    ['leaves no value between its bounds', all(from(months, 5), below(months, 5))],
    ['asks for less than nothing', below(months, 0)],
    ['names texts that exclude each other', all(is('credited.group', 'a', 'b'), is('credited.group', 'c'))],
    ['asks that what is always there is not', not(there('member.tier'))],
    ['names all values and wants none of them', not(is('sale.type', ...TYPES))],
    ['names no tier', is('member.tier', 'GOLD')],
    ['names no type of sale', is('sale.type', 'refund')],
    ['names no source of sales', is('sale.source', 'clicks')],
    ['names no currency', is('sale.currency', 'usd')],
    ['asks for the purchase before the first', below('customer.purchaseNumber', 1)],
    ['asks for more than yes', from('customer.isMember', 2)],
    ['asks for neither yes nor no', all(from('member.kycApproved', 1), below('member.kycApproved', 1))],
    ['names amounts in no currency in common', all(from(base, { USD: 1 }), from('sale.amountMinor', { EUR: 1 }))],
    ['wants amounts and another currency', all(from(base, { USD: 0 }), is('sale.currency', 'EUR'))],
    [
      'asks for more than the largest amount',
      all(from(base, { USD: 999_999_999_999_999 }), below(base, { USD: 999_999_999_999_999 })),
    ],
    ['asks that a text is an integer too', all(is(colour, '5'), from(colour, 5))],
    ['asks that what is absent passes', all(not(there(colour)), below(colour, 5))],
    ['hides it three deep', all(any(below(months, 3), is('member.tier', 'X')), not(below(months, 3)), any(always, always))],
  ])('%s', (_label, when) => {
    expect(short(errors([{ when }]))).toEqual(['RULE_NEVER_TRUE rules[0].when']);
  });

  test.each<[label: string, when: RuleCondition]>([
    ['an age that is not there', not(there('credited.ageDays'))],
    ['an age that is there and not below a bound', all(not(below('member.ageDays', 30)), there('member.ageDays'))],
    ['a field that is neither text nor below', all(there(colour), not(is(colour, 'red')), not(below(colour, 5)))],
    ['the largest amount', from(base, { USD: 999_999_999_999_999 })],
    ['a currency that no map names', not(any(from(base, { USD: 0, EUR: 0 }), is('sale.currency', 'USD')))],
    ['the first purchase', all(from('customer.purchaseNumber', 1), below('customer.purchaseNumber', 2))],
    ['a group that is not named', all(there('credited.group'), not(is('credited.group', 'other', 'other-')))],
  ])('but not %s', (_label, when) => {
    expect(short(errors([{ when }]))).toEqual([]);
  });

  test('covers nothing', () => {
    expect(short(errors([{ when: is('member.tier', 'GOLD') }, { when: always }]))).toEqual(['RULE_NEVER_TRUE rules[0].when']);
  });
});

describe('a rule that is never asked', () => {
  test.each<[label: string, by: string, sketches: Sketch[]]>([
    ['after the same', 'r0', [{ when: below(months, 12) }, { when: below(months, 12) }]],
    ['after a wider one', 'r0', [{ when: below(months, 12) }, { when: all(below(months, 6), is('member.tier', 'SENIOR')) }]],
    ['after one that always holds', 'r0', [{ when: always }, { when: not(there(colour)) }]],
    [
      'after two that leave nothing between them',
      'r0, r1',
      [{ when: below(months, 6) }, { when: from(months, 3) }, { when: always }],
    ],
    [
      'after one for each tier, and not for the one besides',
      'r0, r2',
      [
        { when: is('member.tier', 'ORDINARY', 'SENIOR') },
        { when: below(months, 3) },
        { when: not(is('member.tier', 'ORDINARY', 'SENIOR')) },
        { when: always },
      ],
    ],
    [
      'after one that covers it alone, though two more do together',
      'r2',
      [
        { when: below(months, 6) },
        { when: all(from(months, 3), below(months, 9)) },
        { when: from(months, 1) },
        { when: all(from(months, 2), below(months, 8)) },
      ],
    ],
    [
      'on each level after another one',
      'r0, r1',
      [
        { levels: [1], when: always },
        { levels: [2, 3], when: below(months, 12) },
        { levels: 'all', when: below(months, 6) },
      ],
    ],
    [
      'in each currency after another one',
      'r0, r1',
      [{ when: from(base, { USD: 100 }) }, { when: from(base, { EUR: 100 }) }, { when: from(base, { EUR: 200, USD: 100 }) }],
    ],
    [
      'on the only level of its own that the plan has',
      'r0',
      [
        { levels: [3], when: always },
        { levels: [3], when: always },
      ],
    ],
  ])('%s', (_label, by, sketches) => {
    const [problem, ...others] = errors(sketches);
    expect(others).toEqual([]);
    expect(`${problem?.rule} ${problem?.path}`).toBe(`RULE_UNREACHABLE rules[${sketches.length - 1}]`);
    expect(problem?.message.match(/r\d/g)?.join(', ')).toBe(by);
  });

  test('before a final one, too', () => {
    expect(short(errors([{ when: below(months, 3) }, { final: true, when: always }]))).toEqual(['RULE_UNREACHABLE rules[0]']);
  });

  test('says which rules come first, and shows a sale that they pay', () => {
    expect(errors([{ when: below(months, 12) }, { levels: [2], when: all(from(months, 3), below(months, 6)) }])).toEqual([
      {
        rule: 'RULE_UNREACHABLE',
        path: 'rules[1]',
        message: 'never pays: r0 comes first and holds wherever it does',
        witness: { facts: [{ fact: months, value: 3 }], currency: null, level: 2 },
      },
    ]);
  });

  test.each<[label: string, sketches: Sketch[]]>([
    ['a level is left', [{ levels: [1, 2], when: always }, { when: always }]],
    ['a currency is left', [{ when: from(base, { USD: 0, EUR: 0 }) }, { when: always }]],
    [
      'what is absent is left',
      [{ when: below('credited.ageDays', 30) }, { when: from('credited.ageDays', 30) }, { when: always }],
    ],
    ['a text is left beside the integers', [{ when: below(colour, 9) }, { when: from(colour, 9) }, { when: there(colour) }]],
    ['an amount is left, of the base', [{ when: from('sale.amountMinor', { USD: 5 }) }, { when: from(base, { USD: 5 }) }]],
  ])('but not where %s', (_label, sketches) => {
    expect(short(errors(sketches))).toEqual([]);
  });

  test('on levels beyond the fiftieth of a differential plan only after rules for all', () => {
    const fifty = Array.from({ length: 50 }, (_, index) => index + 1);
    expect(short(errors([{ levels: fifty, when: always }, { when: always }], differential))).toEqual([]);
    expect(short(errors([{ when: always }, { levels: fifty, when: always }], differential))).toEqual([
      'RULE_UNREACHABLE rules[1]',
    ]);
  });
});

describe('levels and modes', () => {
  test('a unilevel plan has no level beyond its last', () => {
    expect(short(errors([{ levels: [3, 4, 1, 50], when: always }]))).toEqual([
      'RULE_LEVEL_UNKNOWN rules[0].levels[1]',
      'RULE_LEVEL_UNKNOWN rules[0].levels[3]',
    ]);
    expect(short(errors([{ levels: [4], when: always }]))).toEqual(['RULE_LEVEL_UNKNOWN rules[0].levels[0]']);
    expect(short(errors([{ levels: [50], when: always }], differential))).toEqual([]);
  });

  test('a differential plan pays no flat sum', () => {
    const flat = [{ when: always, pay: { flatMinor: { USD: 5 } } }];
    expect(short(errors(flat, differential))).toEqual(['RULE_MODE rules[0].pay.flatMinor']);
    expect(short(errors(flat))).toEqual([]);
  });
});

describe('rules that overlap', () => {
  test('show a sale, with what is absent, and who pays it', () => {
    expect(warnings([{ levels: [2, 3], when: not(below('credited.ageDays', 30)) }, { when: not(there(colour)) }])).toEqual([
      {
        rule: 'RULES_OVERLAP',
        path: 'rules[1]',
        message: 'holds for sales that r0, which comes first, pays otherwise',
        witness: {
          facts: [
            { fact: colour, value: null },
            { fact: 'credited.ageDays', value: 30 },
          ],
          currency: null,
          level: 2,
        },
      },
    ]);
  });

  test.each<[label: string, sketches: Sketch[]]>([
    [
      'on no level in common',
      [
        { levels: [1], when: always },
        { levels: [2], when: always },
      ],
    ],
    ['of two ranks', [{ final: true, when: always }, { when: always }]],
    [
      'that pay the same',
      [
        { when: always, pay: { rateBps: 5 } },
        { when: always, pay: { rateBps: 5 } },
      ],
    ],
    [
      'that pay nothing, both',
      [
        { when: always, pay: { rateBps: 0 } },
        { when: below(months, 1), pay: { flatMinor: {} } },
      ],
    ],
    ['on nothing but a base of nothing', [{ when: below(base, { USD: 1 }) }, { when: is('sale.currency', 'USD') }]],
    [
      'on sales that a rule before both pays',
      [{ final: true, when: below(months, 9) }, { when: below(months, 5) }, { when: below(months, 3) }],
    ],
  ])('not %s', (_label, sketches) => {
    expect(short(warnings(sketches)).filter((text) => text.startsWith('RULES_OVERLAP'))).toEqual([]);
  });

  test('pay flat sums that differ in one currency', () => {
    const flat = (USD: number, EUR: number): Sketch => ({
      when: from(base, { USD: 9, EUR: 9 }),
      pay: { flatMinor: { USD, EUR } },
    });
    const [problem, ...others] = warnings([flat(5, 7), flat(5, 8)]);
    expect(others).toEqual([]);
    expect(problem?.witness).toEqual({ facts: [{ fact: base, value: 9 }], currency: 'EUR', level: 1 });
  });
});

describe('a flat sum above the base', () => {
  const flat = (when: RuleCondition): Sketch[] => [{ when, pay: { flatMinor: { USD: 500 } } }];

  test('is shown by the base just below it', () => {
    expect(warnings(flat(always))).toEqual([
      {
        rule: 'FLAT_OVER_BASE',
        path: 'rules[0].pay.flatMinor.USD',
        message: 'is more than the base of some sales that it is paid for',
        witness: {
          facts: [
            { fact: 'sale.type', value: 'one_time' },
            { fact: base, value: 499 },
          ],
          currency: 'USD',
          level: 1,
        },
      },
    ]);
    expect(warnings(flat(below(base, { USD: 300 })))[0]?.witness?.facts).toEqual([{ fact: base, value: 1 }]);
  });

  test('is shown in each currency, also where no rule tells these apart', () => {
    const found = warnings([{ when: there('sale.currency'), pay: { flatMinor: { USD: 500, EUR: 500 } } }]);
    const shown = found.map(({ path, witness }) => [path, witness?.currency, witness?.facts[0]]);
    expect(shown).toEqual([
      ['rules[0].pay.flatMinor.USD', 'USD', { fact: 'sale.currency', value: 'USD' }],
      ['rules[0].pay.flatMinor.EUR', 'EUR', { fact: 'sale.currency', value: 'EUR' }],
    ]);
  });

  test('is none where the base is at least it, or nothing, or small sales come to another rule', () => {
    expect(short(warnings(flat(from(base, { USD: 500 }))))).toEqual([]);
    expect(short(warnings(flat(not(below(base, { USD: 500 })))))).toEqual([]);
    expect(short(warnings([{ when: always, pay: { flatMinor: { USD: 1 } } }]))).toEqual([]);
    expect(short(warnings([{ final: true, when: below(base, { USD: 500 }) }, ...flat(always)]))).toEqual([]);
    expect(short(warnings(flat(from('sale.amountMinor', { USD: 500 }))))).toEqual(['FLAT_OVER_BASE rules[0].pay.flatMinor.USD']);
  });
});

describe('a currency that a map lacks', () => {
  const capped: PlanDefinition = { ...unilevel, caps: { ...unilevel.caps, perMemberPeriodMinor: { USD: 1, HKD: 1 } } };
  const enough = { USD: 9 };

  test('is shown by a sale in it', () => {
    expect(warnings([{ when: from(base, enough), pay: { rateBps: 5 } }], capped)).toEqual([
      {
        rule: 'CURRENCY_MISSING',
        path: 'rules[0].when.gte',
        message: 'names no amount in HKD: a sale in it never passes',
        witness: { facts: [{ fact: base, value: 0 }], currency: 'HKD', level: 1 },
      },
    ]);
  });

  test.each<[label: string, expected: string[], sketches: Sketch[]]>([
    ['a flat sum', ['rules[0].pay.flatMinor'], [{ when: always, pay: { flatMinor: { USD: 1 } } }]],
    [
      'one of two bounds, both',
      ['rules[0].when.all[0].gte', 'rules[0].when.all[1].lt'],
      [{ when: all(from(base, enough), below(base, { USD: 99 })) }],
    ],
    [
      'deep within',
      ['rules[0].when.any[1].not.lt'],
      [{ when: any(is('member.tier', ...TIERS.slice(1)), not(below(base, enough))) }],
    ],
    ['no bound for sales in its currency alone', [], [{ when: all(is('sale.currency', 'USD'), from(base, enough)) }]],
    [
      'no sum for sales in its currency alone',
      [],
      [{ when: from(base, { USD: 9, HKD: 9 }) }, { when: is('sale.currency', 'USD'), pay: { flatMinor: { USD: 1 } } }],
    ],
    [
      'no bound that changes nothing whether or not others pass',
      ['rules[0].when.all[0].any[1].gte', 'rules[0].when.all[1].gte'],
      [{ when: all(any(from(base, enough), from('sale.amountMinor', enough)), from('sale.amountMinor', enough)) }],
    ],
    ['no bound of a rule for no level of the plan', [], [{ levels: [4], when: from(base, enough) }]],
    ['no bound that changes nothing', [], [{ when: any(always, from(base, enough)) }]],
  ])('%s', (_label, expected, sketches) => {
    const found = warnings(sketches, capped).filter(({ rule }) => rule === 'CURRENCY_MISSING');
    expect(found.map(({ path }) => path)).toEqual(expected);
  });

  test('is one of sales: sums of payouts count where these are in the currency of the sale', () => {
    const plan = (payCurrency: 'member' | 'purchase'): PlanDefinition => ({
      ...unilevel,
      fx: { ...unilevel.fx, payCurrency },
      minimumPayoutMinor: { EUR: 1 },
    });
    const rules: Sketch[] = [{ when: always, pay: { flatMinor: { USD: 1 } } }];
    expect(short(warnings(rules, plan('purchase')))).toEqual(['CURRENCY_MISSING rules[0].pay.flatMinor']);
    expect(short(warnings(rules, plan('member')))).toEqual([]);
  });
});

describe('what takes too many cells', () => {
  const senior = is('member.tier', 'SENIOR');
  const rules: Sketch[] = [
    { when: all(below(months, 3), senior) },
    { when: all(from(months, 3), senior) },
    { when: all(below(months, 3), not(senior)) },
    { when: all(from(months, 3), not(senior)) },
    { when: always },
  ];

  test('is no error and says so', () => {
    expect(short(errors(rules))).toEqual(['RULE_UNREACHABLE rules[4]']);
    expect(short(errors(rules, unilevel, 2))).toEqual([]);
    const found = warnings(rules, unilevel, 2).filter(({ rule, path }) => rule === 'NOT_PROVEN' && path === 'rules[4]');
    expect(found.map(({ message }) => message)).toContain(
      'whether it ever pays is not proven: that takes more than 2 cells of its facts',
    );
  });

  test('leaves errors and warnings at one, however few there may be', () => {
    for (let most = 0; most < 40; most++) {
      const unreachable = short(errors(rules, unilevel, most)).includes('RULE_UNREACHABLE rules[4]');
      const notProven = warnings(rules, unilevel, most).some(
        ({ path, message }) => path === 'rules[4]' && message.includes('ever pays'),
      );
      expect(unreachable).toBe(!notProven);
    }
  });
});

describe('the work for a crafted plan', () => {
  const CURRENCIES = Intl.supportedValuesOf('currency').filter(isCurrency);
  const sums = (from: number) => Object.fromEntries(CURRENCIES.map((currency, index) => [currency, from + ((index * 7) % 90)]));
  const facts = [months, 'customer.purchaseNumber', 'credited.ageDays', 'member.ageDays', 'member.salesCount'];
  const oneOf = (nr: number) =>
    any(from(facts[nr % 5] ?? months, 1 + (nr % 17)), below(facts[(nr + 2) % 5] ?? months, 3 + (nr % 13)));

  test('counts each literal of a formula that is looked at', () => {
    const when = all(...Array.from({ length: 10 }, (_, nr) => oneOf(nr)));
    const [space] = spacesOf(testsOf(when), new Set(['EUR']), () => []).spaces;
    if (!space) throw new Error('there is no space');
    const budget = { left: 1000 };
    expect(findBox(space, formulaOf(when, space), budget)).toBeInstanceOf(Map);
    expect(1000 - budget.left).toBeGreaterThanOrEqual(20);
    expect(findBox(space, formulaOf(when, space), { left: 19 })).toBe('unknown');
  });

  test('ends where too much of it would be looked at, and says so once for each rule', () => {
    const rules = Array.from({ length: 50 }, (_, nr) => ({
      when: all(oneOf(nr), oneOf(nr + 5)),
      pay: { flatMinor: sums(nr + 1) },
    }));
    const found = warnings(rules, unilevel, 2000).filter(({ message }) => message.includes('more than the base of a sale'));
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found.map(({ path }) => path)).size).toBe(found.length);
  });

  test('writes the amounts of a test out once, however many currencies and tests ask for it', () => {
    const amounts = (nr: number) => all(any(from(base, sums(nr)), below('sale.amountMinor', { EUR: nr + 1 })), oneOf(nr));
    const rules = rulesOf(Array.from({ length: 40 }, (_, nr) => ({ when: amounts(nr) })));
    const written = vi.spyOn(JSON, 'stringify');
    try {
      warnOfRules(unilevel, rules);
      // The keys of currencies besides.
      expect(written.mock.calls.length).toBeLessThan(80 + 2 * CURRENCIES.length);
    } finally {
      written.mockRestore();
    }
  });
});

describe('the highest rates', () => {
  const rules = rulesOf([
    { levels: [2], when: always, pay: { rateBps: 4000 } },
    { levels: 'all', when: always, pay: { rateBps: 400 } },
    { levels: [3], when: always, pay: { flatMinor: { USD: 9 } } },
  ]);

  test('are by level those of the plan or of a rule for it', () => {
    expect(highestRateBps(unilevel, rules)).toEqual([1000, 4000, 400]);
    expect(highestRateBps({ ...unilevel, levels: [{ level: 1, flatMinor: { USD: 5 } }] }, [])).toEqual([0]);
  });

  test('are one in a differential plan', () => {
    const tierRules = { SENIOR: { multiplierMilli: 1000, maxDepth: 5, rateBps: 300 } };
    expect(highestRateBps({ ...differential, tierRules }, rules)).toEqual([4000]);
    expect(highestRateBps({ ...differential, tierRules }, [])).toEqual([300]);
  });
});
