/**
 * The evaluation of a purchase once more, plain and slow, from docs/specification/commissions.md alone: loops
 * over people with true fractions, sharing nothing with src. Tests compare the two.
 */

/** Of a plan what decides amounts; a published definition fits. */
export interface ModelDefinition {
  mode: string;
  levels: readonly { rateBps?: number | undefined; flatMinor?: Readonly<Record<string, number>> | undefined }[];
  tierRules: Readonly<Record<string, { multiplierMilli: number; maxDepth: number; rateBps?: number | undefined }>>;
  compression: string;
  qualification: {
    active: boolean;
    kycApproved: boolean;
    minPersonalSalesMinor: Readonly<Record<string, number>>;
    minActiveDirects: number;
  };
  caps: { perEventPayoutBps: number | null };
  fx: { payCurrency: string };
}

export interface ModelPerson {
  id: string;
  tier: string;
  isActive: boolean;
  standing?: string | undefined;
  payCurrency?: string | undefined;
  kycApproved?: boolean | undefined;
  personalSalesMinor?: bigint | undefined;
  activeDirects?: number | undefined;
}

export interface ModelFacts {
  baseMinor: bigint;
  currency: string;
  upline: readonly ModelPerson[];
  buyerId?: string | undefined;
  block?: string | undefined;
  memberRoomMinor?: ReadonlyMap<string, bigint> | undefined;
  customerRoomMinor?: bigint | undefined;
  rates?: ReadonlyMap<string, { id: string; numerator: bigint; denominator: bigint }> | undefined;
}

export interface ModelLine {
  beneficiaryId: string;
  level: number;
  paidLevel: number;
  roundedMinor: bigint;
  ceiledMinor: bigint;
  cappedMinor: bigint;
  cap: string | null;
  sourceAmountMinor: bigint;
  amountMinor: bigint;
  currency: string;
  exchangeRateId: string | null;
}

export interface ModelResult {
  /** What is paid. */
  lines: ModelLine[];
  /** One for each person that was asked; the reason is undefined for one that is paid. */
  outcomes: { memberId: string; level: number; notPaid: string | undefined }[];
  breakageMinor: bigint;
}

/** n / d, not reduced; d is positive. */
interface Fraction {
  n: bigint;
  d: bigint;
}

const times = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.n, d: a.d * b.d });
const plus = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d });
const over = (n: bigint | number, d: bigint | number): Fraction => ({ n: BigInt(n), d: BigInt(d) });
const floor = ({ n, d }: Fraction): bigint => n / d;
/** floor(2n/d), and one more when it is odd: half up. */
const halfUp = ({ n, d }: Fraction): bigint => (2n * n) / d / 2n + (((2n * n) / d) % 2n);
const less = (a: Fraction, b: Fraction): boolean => a.n * b.d < b.n * a.d;

/** Somebody, by position from 0, who takes a level. */
interface Claim {
  at: number;
  paidLevel: number;
  exact: Fraction;
  flat: boolean;
}

type Asked = Map<number, string | undefined>;

export function modelEvaluation(definition: ModelDefinition, facts: ModelFacts): ModelResult {
  const people = facts.upline.slice(0, 256);
  const asked: Asked = new Map();
  const broken: Fraction[] = [];
  const claims =
    definition.mode === 'differential'
      ? claimDifferences(definition, facts, people, asked)
      : claimLevels(definition, facts, people, asked, broken);
  claims.sort((a, b) => a.at - b.at || a.paidLevel - b.paidLevel);
  const priced = facts.block === undefined ? price(definition, facts, people, claims) : [];
  const outcomes = [...asked]
    .toSorted(([a], [b]) => a - b)
    .map(([at, why]) => {
      const own = priced.filter(({ line }) => line.level === at + 1);
      const paid = own.some(({ line }) => line.amountMinor > 0n);
      const claimed = claims.some((claim) => claim.at === at);
      const notPaid =
        facts.block === 'TEST_USER' ? facts.block : paid ? undefined : claimed ? (facts.block ?? own[0]?.nothing) : why;
      return { memberId: people[at]?.id ?? '', level: at + 1, notPaid };
    });
  return {
    lines: priced.map(({ line }) => line).filter(({ amountMinor }) => amountMinor > 0n),
    outcomes,
    breakageMinor: facts.block === undefined ? broken.reduce((sum, exact) => sum + halfUp(exact), 0n) : 0n,
  };
}

/** Why the person may not take the level, in the order of the questions; undefined when they may. */
function refusal({ tierRules, qualification: q }: ModelDefinition, facts: ModelFacts, at: number, paidLevel: number) {
  const person = facts.upline[at];
  if (!person) return 'NOBODY';
  const depth = tierRules[person.tier]?.maxDepth;
  const questions: [boolean, string][] = [
    [at > 0 && person.id === facts.buyerId, 'BUYER'],
    [['banned', 'rejected'].includes(person.standing ?? ''), 'STANDING'],
    [q.active && !person.isActive, 'INACTIVE'],
    [depth === undefined, 'TIER_WITHOUT_RULE'],
    [depth !== undefined && depth < paidLevel, 'TIER_DEPTH'],
    [q.kycApproved && !(person.kycApproved ?? false), 'KYC_NOT_APPROVED'],
    [BigInt(q.minPersonalSalesMinor[facts.currency] ?? 0) > (person.personalSalesMinor ?? 0n), 'PERSONAL_SALES'],
    [q.minActiveDirects > (person.activeDirects ?? 0), 'ACTIVE_DIRECTS'],
  ];
  return questions.find(([fails]) => fails)?.[1];
}

function claimLevels(plan: ModelDefinition, facts: ModelFacts, people: readonly ModelPerson[], asked: Asked, broken: Fraction[]) {
  const claims: Claim[] = [];
  const amountOf = (paidLevel: number, multiplierMilli: number): Fraction => {
    const { rateBps, flatMinor } = plan.levels[paidLevel - 1] ?? {};
    const whole =
      rateBps === undefined
        ? over(facts.baseMinor === 0n ? 0 : (flatMinor?.[facts.currency] ?? 0), 1)
        : times(over(facts.baseMinor, 1), over(rateBps, 10_000));
    return times(whole, over(multiplierMilli, 1_000));
  };
  const claim = (at: number, paidLevel: number): void => {
    const multiplierMilli = plan.tierRules[people[at]?.tier ?? '']?.multiplierMilli ?? 1_000;
    const flat = plan.levels[paidLevel - 1]?.rateBps === undefined;
    claims.push({ at, paidLevel, exact: amountOf(paidLevel, multiplierMilli), flat });
  };
  if (plan.compression === 'compress') {
    for (let at = 0; at < people.length && claims.length < plan.levels.length; at++) {
      const why = refusal(plan, facts, at, claims.length + 1);
      asked.set(at, why);
      if (why === undefined) claim(at, claims.length + 1);
    }
    return claims;
  }
  const held = Math.min(plan.levels.length, people.length);
  for (let level = 1; level <= held; level++) asked.set(level - 1, refusal(plan, facts, level - 1, level));
  for (let level = 1; level <= held; level++) {
    // The one at this distance, and in roll_up whoever is above, each asked for this very level.
    const line = plan.compression === 'roll_up' ? people.keys() : [level - 1];
    let taken = false;
    for (const at of line) {
      if (at < level - 1 || taken) continue;
      const why = refusal(plan, facts, at, level);
      if (!asked.has(at)) asked.set(at, why);
      if (why !== undefined) continue;
      claim(at, level);
      taken = true;
    }
    if (!taken) broken.push(amountOf(level, 1_000));
  }
  return claims;
}

function claimDifferences(plan: ModelDefinition, facts: ModelFacts, people: readonly ModelPerson[], asked: Asked) {
  const claims: Claim[] = [];
  let bar = 0;
  for (const [at, person] of people.entries()) {
    // Once the highest rate there is has been paid nobody can get anything.
    if (!Object.values(plan.tierRules).some(({ rateBps = 0 }) => rateBps > bar)) break;
    const paidLevel = plan.compression === 'compress' ? claims.length + 1 : at + 1;
    const own = plan.tierRules[person.tier]?.rateBps ?? 0;
    const why = refusal(plan, facts, at, paidLevel) ?? (own <= bar ? 'RATE_NOT_HIGHER' : undefined);
    asked.set(at, why);
    if (why !== undefined) continue;
    claims.push({ at, paidLevel, exact: times(over(facts.baseMinor, 1), over(own - bar, 10_000)), flat: false });
    bar = own;
  }
  return claims;
}

/** Rounding, ceiling, member's cap, customer's cap, conversion: one after the other over all claims. */
function price(plan: ModelDefinition, facts: ModelFacts, people: readonly ModelPerson[], claims: readonly Claim[]) {
  const rounded = claims.map(({ exact }) => halfUp(exact));
  const ceiled = underCeiling(
    rounded,
    claims.map(({ exact }) => exact),
    plan,
    facts,
  );
  const left = new Map(facts.memberRoomMinor);
  const afterMember = ceiled.map((amount, index) => {
    const id = people[claims[index]?.at ?? -1]?.id ?? '';
    const room = left.get(id);
    if (room === undefined) return amount;
    const kept = amount < room ? amount : room < 0n ? 0n : room;
    left.set(id, room - kept);
    return kept;
  });
  let customerLeft = facts.customerRoomMinor;
  const afterCustomer = afterMember.map((amount) => {
    if (customerLeft === undefined) return amount;
    const kept = amount < customerLeft ? amount : customerLeft < 0n ? 0n : customerLeft;
    customerLeft -= kept;
    return kept;
  });
  return claims.map(({ at, paidLevel, exact, flat }, index) => {
    const [one = 0n, two = 0n, three = 0n, four = 0n] = [rounded, ceiled, afterMember, afterCustomer].map((step) => step[index]);
    const person = people[at];
    const caps = [three < two ? 'member_period' : '', four < three ? 'customer_lifetime' : ''].filter(Boolean).join('+');
    const paid = converted(plan, facts, person, four);
    const line: ModelLine = {
      beneficiaryId: person?.id ?? '',
      level: at + 1,
      paidLevel,
      roundedMinor: one,
      ceiledMinor: two,
      cappedMinor: two - four,
      cap: caps === '' ? null : caps,
      sourceAmountMinor: four,
      ...paid,
    };
    const steps: [boolean, string][] = [
      [facts.baseMinor === 0n, 'NO_BASE'],
      [flat && (plan.levels[paidLevel - 1]?.flatMinor?.[facts.currency] ?? 0) === 0, 'NO_AMOUNT_FOR_CURRENCY'],
      [two === 0n && halfUp(exact) > 0n, 'EVENT_CEILING'],
      [two > 0n && three === 0n, 'MEMBER_CAP'],
      [three > 0n && four === 0n, 'CUSTOMER_CAP'],
    ];
    return { line, nothing: steps.find(([applies]) => applies)?.[1] ?? 'ROUNDED_TO_ZERO' };
  });
}

function underCeiling(rounded: bigint[], exacts: Fraction[], plan: ModelDefinition, facts: ModelFacts): bigint[] {
  const { perEventPayoutBps } = plan.caps;
  if (perEventPayoutBps === null) return rounded;
  const ceiling = floor(times(over(facts.baseMinor, 1), over(perEventPayoutBps, 10_000)));
  if (rounded.reduce((a, b) => a + b, 0n) <= ceiling) return rounded;
  const whole = exacts.reduce(plus, over(0, 1));
  const quotas = exacts.map((exact) => times(times(exact, over(ceiling, 1)), { n: whole.d, d: whole.n }));
  const parts = quotas.map(floor);
  const rests = quotas.map((quota, index) => plus(quota, over(-(parts[index] ?? 0n), 1)));
  while (parts.reduce((a, b) => a + b, 0n) < ceiling) {
    let best = 0;
    for (const [index, rest] of rests.entries()) if (less(rests[best] ?? over(0, 1), rest)) best = index;
    parts[best] = (parts[best] ?? 0n) + 1n;
    rests[best] = over(-1, 1);
  }
  return parts;
}

function converted(plan: ModelDefinition, facts: ModelFacts, person: ModelPerson | undefined, amount: bigint) {
  const target = person?.payCurrency;
  if (plan.fx.payCurrency !== 'member' || target === undefined || target === facts.currency || amount === 0n) {
    return { amountMinor: amount, currency: facts.currency, exchangeRateId: null };
  }
  const rate = facts.rates?.get(target);
  if (!rate) throw new Error(`the model lacks the rate to ${target}`);
  return {
    amountMinor: halfUp(times(over(amount, 1), over(rate.numerator, rate.denominator))),
    currency: target,
    exchangeRateId: rate.id,
  };
}

/** A plan of rates by level and nothing else, as the default plan is. */
export interface ModelPlan {
  compression: 'none' | 'roll_up' | 'compress';
  /** Basis points of level 1, 2, 3, … */
  ratesBps: readonly (number | undefined)[];
  tiers: Readonly<Record<string, { multiplierMilli: number; maxDepth: number }>>;
}

type PaidLine = Pick<ModelLine, 'beneficiaryId' | 'level' | 'paidLevel' | 'amountMinor'>;

export function modelUplineWalk(
  plan: ModelPlan,
  baseMinor: bigint,
  upline: readonly ModelPerson[],
  buyerId?: string,
): PaidLine[] {
  const definition: ModelDefinition = {
    mode: 'unilevel',
    levels: plan.ratesBps.map((rateBps) => ({ rateBps: rateBps ?? 0 })),
    tierRules: plan.tiers,
    compression: plan.compression,
    qualification: { active: true, kycApproved: false, minPersonalSalesMinor: {}, minActiveDirects: 0 },
    caps: { perEventPayoutBps: null },
    fx: { payCurrency: 'purchase' },
  };
  return modelEvaluation(definition, { baseMinor, currency: 'USD', upline, buyerId }).lines.map(
    ({ beneficiaryId, level, paidLevel, amountMinor }) => ({ beneficiaryId, level, paidLevel, amountMinor }),
  );
}
