/** Random plans over the whole plan model, and random sales for them, as fast-check arbitraries. */
import fc from 'fast-check';
import type { EvaluationInput, EventBlock } from '../../../src/features/commissions/open/evaluate-plan.ts';
import { DEFAULT_PLAN, type PlanDefinition } from '../../../src/features/commissions/open/plan-definition.ts';
import type { Rate } from '../../../src/features/commissions/open/price-shares.ts';
import type { UplineMember } from '../../../src/features/commissions/open/walk-upline.ts';

const TIERS = ['ORDINARY', 'SENIOR', 'MANAGER', 'DIRECTOR'] as const;
/** 0, 2 and 3 digits. */
const CURRENCIES = ['JPY', 'USD', 'KWD'] as const;

const amounts = (max: number) =>
  fc.dictionary(fc.constantFrom<string>(...CURRENCIES), fc.integer({ min: 0, max }), { maxKeys: 3, noNullPrototype: true });
const orNot = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null, freq: 2 });

const tierRule = fc.record({
  multiplierMilli: fc.oneof(fc.constant(1000), fc.integer({ min: 0, max: 3_000 })),
  maxDepth: fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 0, max: 8 }) }, fc.constant(256)),
});
const level = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 4_000 }).map((rateBps) => ({ rateBps })) },
  amounts(2_000).map((flatMinor) => ({ flatMinor })),
);

const unilevel = fc.record({
  mode: fc.constant('unilevel' as const),
  levels: fc
    .array(level, { minLength: 1, maxLength: 8 })
    .map((list) => list.map((entry, index) => ({ level: index + 1, ...entry }))),
  tierRules: fc.record({ ORDINARY: tierRule, SENIOR: tierRule, MANAGER: tierRule, DIRECTOR: tierRule }),
});
const ownRate = fc
  .tuple(tierRule, fc.integer({ min: 0, max: 6_000 }))
  .map(([{ maxDepth }, rateBps]) => ({ multiplierMilli: 1000, maxDepth, rateBps }));
const differential = fc.record({
  mode: fc.constant('differential' as const),
  levels: fc.constant<PlanDefinition['levels']>([]),
  tierRules: fc.record({ ORDINARY: ownRate, SENIOR: ownRate, MANAGER: ownRate, DIRECTOR: ownRate }),
});

export const planArbitrary: fc.Arbitrary<PlanDefinition> = fc
  .record({
    rates: fc.oneof({ weight: 3, arbitrary: unilevel }, differential),
    compression: fc.constantFrom('none', 'roll_up', 'compress'),
    active: fc.boolean(),
    kycApproved: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
    minPersonalSalesMinor: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, amounts(3)),
    minActiveDirects: fc.constantFrom(0, 0, 0, 1, 2),
    perEventPayoutBps: orNot(fc.integer({ min: 1, max: 10_000 })),
    perMemberPeriodMinor: orNot(amounts(100_000)),
    perCustomerLifetimeMinor: orNot(amounts(100_000)),
    payCurrency: fc.constantFrom('member', 'purchase'),
  })
  .map(({ rates, compression, payCurrency, ...rest }) => ({
    ...DEFAULT_PLAN,
    ...rates,
    compression,
    qualification: {
      active: rest.active,
      kycApproved: rest.kycApproved,
      minPersonalSalesMinor: rest.minPersonalSalesMinor,
      minActiveDirects: rest.minActiveDirects,
      window: 'month',
    },
    caps: {
      perEventPayoutBps: rest.perEventPayoutBps,
      perMemberPeriodMinor: rest.perMemberPeriodMinor,
      perCustomerLifetimeMinor: rest.perCustomerLifetimeMinor,
    },
    fx: { payCurrency, rateAt: 'occurred_at' },
  }));

const member: fc.Arbitrary<Omit<UplineMember, 'id'>> = fc.record(
  {
    tier: fc.constantFrom(...TIERS),
    isActive: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)),
    standing: fc.constantFrom('pending', 'rejected', 'banned'),
    payCurrency: fc.constantFrom<string>(...CURRENCIES),
    kycApproved: fc.boolean(),
    personalSalesMinor: fc.bigInt({ min: 0n, max: 4n }),
    activeDirects: fc.nat(3),
  },
  { requiredKeys: ['tier', 'isActive'] },
);

/** A ratio within 2,000 either way, so that no line leaves the range of amounts. */
const ratio = fc.bigInt({ min: 1n, max: 2_000n });
const bases = fc.oneof(
  fc.bigInt({ min: 0n, max: 1_000n }),
  fc.bigInt({ min: 0n, max: 100_000n }),
  fc.bigInt({ min: 0n, max: 30_000_000_000n }),
);
/** Below 0 when a cap was lowered or lines were reinstated. */
const room = fc.oneof(fc.bigInt({ min: -100n, max: 500n }), fc.bigInt({ min: 0n, max: 100_000n }));
const BLOCKS: EventBlock[] = ['PERSONAL_PURCHASE', 'TEST_USER', 'RECURRING_DISABLED', 'RECURRING_MONTHS', 'RECURRING_EVENTS'];

/** A sale with all that its plan asks for: rooms where it caps, rates where it converts. */
export const saleArbitrary: fc.Arbitrary<EvaluationInput> = fc
  .record({
    plan: planArbitrary,
    baseMinor: bases,
    currency: fc.constantFrom<string>(...CURRENCIES),
    people: fc.array(member, { maxLength: 20, size: 'max' }),
    buyerAt: fc.option(fc.nat(20), { nil: undefined, freq: 3 }),
    rooms: fc.array(room, { minLength: 20, maxLength: 20 }),
    customerRoom: room,
    rates: fc.tuple(ratio, ratio, ratio, ratio),
    block: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, fc.constantFrom(...BLOCKS)),
  })
  .map(({ plan, baseMinor, currency, people, buyerAt, rooms, customerRoom, rates: [a, b, c, d], block }) => {
    const upline = people.map((person, index) => ({ ...person, id: `m${index + 1}` }));
    const { perMemberPeriodMinor, perCustomerLifetimeMinor } = plan.caps;
    const [first = '', second = ''] = CURRENCIES.filter((code) => code !== currency);
    const rates = new Map<string, Rate>([
      [first, { id: `rate-${first}`, numerator: a, denominator: b }],
      [second, { id: `rate-${second}`, numerator: c, denominator: d }],
    ]);
    return {
      plan,
      baseMinor,
      currency,
      upline,
      buyerId: buyerAt === undefined ? undefined : upline[buyerAt]?.id,
      memberRoomMinor:
        perMemberPeriodMinor?.[currency] === undefined
          ? undefined
          : new Map(upline.map(({ id }, index) => [id, rooms[index] ?? 0n])),
      customerRoomMinor: perCustomerLifetimeMinor?.[currency] === undefined ? undefined : customerRoom,
      rates: plan.fx.payCurrency === 'member' ? rates : undefined,
      block,
    };
  });
