/** Random definitions that use every part of a plan, and other definitions that differ from one in a single place. */
import fc from 'fast-check';
import { type PlanDefinition, planDefinition } from '../../../src/features/commissions/open/plan-definition.ts';
import { planArbitrary } from './plan-arbitrary.ts';
import { laddersArbitrary, overridesArbitrary, rulesArbitrary } from './rules-arbitrary.ts';

const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const amounts = fc.dictionary(fc.constantFrom('JPY', 'USD', 'KWD'), fc.nat(99_999), { maxKeys: 3, noNullPrototype: true });
const words = fc.uniqueArray(fc.constantFrom('tea', 'cup', ' two words ', '"><img src=x>', 'a, b'), { minLength: 1 });

/** Well-formed, not always fit to be published. */
export const planDocument: fc.Arbitrary<PlanDefinition> = fc
  .record({
    plan: planArbitrary,
    rest: fc.record({
      base: fc.constantFrom('gross', 'net_of_tax', 'net_of_tax_shipping', 'line_items'),
      personalPurchase: fc.constantFrom('none', 'self_rebate', 'sponsor_first'),
      recurring: fc.record({
        enabled: fc.boolean(),
        maxMonths: orNull(fc.integer({ min: 1, max: 1200 })),
        maxEvents: orNull(fc.integer({ min: 1, max: 99 })),
      }),
      holding: fc.record({ days: fc.nat(365), appliesTo: fc.constantFrom('all_levels', 'level_1') }),
      reversal: fc.record({
        policy: fc.constant('proportional'),
        recoverAfterPayout: fc.constantFrom('carry_forward', 'write_off'),
        floorMinor: orNull(amounts),
        writeOffAfterDays: orNull(fc.integer({ min: 1, max: 3650 })),
      }),
      minimumPayoutMinor: amounts,
      ladders: laddersArbitrary,
      overrides: overridesArbitrary,
      scope: fc.record({
        priority: fc.nat(1000),
        types: orNull(fc.subarray(['one_time', 'subscription_initial', 'subscription_renewal'], { minLength: 1 })),
        skus: orNull(words),
        groups: orNull(fc.uniqueArray(fc.constantFrom('vip', 'staff'), { minLength: 1 })),
        categories: orNull(words),
      }),
    }),
  })
  .chain(({ plan, rest }) => rulesArbitrary(plan.mode).map((rules) => ({ ...plan, ...rest, rules }) as PlanDefinition));

/** The same with one field, or one entry of a list, otherwise; undefined where none of some tries is well-formed. */
export function mutated(plan: PlanDefinition, random: (below: number) => number): PlanDefinition | undefined {
  for (let tries = 0; tries < 40; tries += 1) {
    const copy = structuredClone(plan) as unknown as Node;
    const places = placesIn(copy);
    const place = places[random(places.length)];
    if (!place) return undefined;
    const choices = othersOf(place.holder[place.key]);
    place.holder[place.key] = choices[random(choices.length)];
    const parsed = planDefinition.safeParse(JSON.parse(JSON.stringify(copy)));
    if (parsed.success && JSON.stringify(parsed.data) !== JSON.stringify(plan)) return parsed.data;
  }
  return undefined;
}

type Node = Record<string | number, unknown>;

function placesIn(holder: Node): { holder: Node; key: string }[] {
  return Object.keys(holder).flatMap((key) => {
    const value = holder[key];
    return [{ holder, key }, ...(typeof value === 'object' && value !== null ? placesIn(value as Node) : [])];
  });
}

const WORDS = [
  'unilevel',
  'differential',
  'gross',
  'none',
  'compress',
  'member',
  'all',
  'one_time',
  'month',
  'year',
  'sales',
  'x',
];

function othersOf(value: unknown): unknown[] {
  const gone = [undefined, null];
  if (typeof value === 'number') return [value + 1, value - 1, value * 2, ...gone];
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'string') return [...WORDS, `${value}-2`, ...gone];
  if (Array.isArray(value)) return [value.slice(1), value.toReversed(), [...value, ...value.slice(0, 1)], [], ...gone];
  if (typeof value === 'object' && value !== null) return [{}, ...gone];
  return [1, { USD: 5 }, ['x'], ['one_time'], { levels: [1], maxRateBps: 5 }];
}
