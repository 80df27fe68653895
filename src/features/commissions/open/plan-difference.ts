/**
 * What is different in a plan, as sentences. A pure function. Source: docs/specification/commissions.md#difference.
 */
import { canonicalJson } from '../../../canonical-json.ts';
import { ladderDifference } from './ladder-difference.ts';
import type { PlanDefinition } from './plan-definition.ts';
import { amountsInWords, levelsInWords, listed, payInWords, percentInWords, quoted, quotedList } from './plan-words.ts';
import { ruleDifference } from './rule-difference.ts';

/**
 * One sentence for each field that `after` has otherwise than `before`, in the order of the plan's parts. Equal definitions
 * give none, and any difference gives at least one.
 */
export function planDifference(before: PlanDefinition, after: PlanDefinition): string[] {
  return PARTS.flatMap(({ fields, tell }) => {
    const differs = fields.filter((field) => !isSame(before[field], after[field]));
    if (differs.length === 0) return [];
    const sentences = tell(before, after);
    return sentences.length > 0 ? sentences : differs.map((field) => `Something of ${field} is written otherwise.`);
  });
}

type Tell = (before: PlanDefinition, after: PlanDefinition) => string[];

const isSame = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other);

/** A sentence where the two differ. */
function told<Value>(before: Value, after: Value, sentence: (now: Value, was: Value) => string): string[] {
  return isSame(before, after) ? [] : [sentence(after, before)];
}

const BASES: Readonly<Record<PlanDefinition['base'], string>> = {
  gross: 'what was paid',
  net_of_tax: 'what was paid less tax',
  net_of_tax_shipping: 'what was paid less tax and shipping',
  line_items: 'the line items that the scope names',
};

const COMPRESSION: Readonly<Record<PlanDefinition['compression'], string>> = {
  none: 'stays with the company',
  roll_up: 'goes to the next above who qualifies for it',
  compress: 'is skipped, and the next above takes the level',
};

const PERSONAL: Readonly<Record<PlanDefinition['personalPurchase'], string>> = {
  none: 'pays nobody',
  self_rebate: 'pays the member as level 1',
  sponsor_first: 'pays from the sponsor up',
};

const orNone = (amounts: Readonly<Record<string, number>> | null, none: string): string =>
  amounts === null ? none : amountsInWords(amounts);

function levelDifference(before: PlanDefinition, after: PlanDefinition): string[] {
  const [was, now] = [before, after].map(({ levels }) => new Map(levels.map((level) => [level.level, level])));
  // A draft may name a level twice.
  if (!was || !now || was.size < before.levels.length || now.size < after.levels.length) {
    const all = ({ levels }: PlanDefinition): string =>
      levels.length === 0 ? 'none' : listed(levels.map((level) => `level ${level.level}: ${payInWords(level)}`));
    return [`The levels are ${all(after)}, instead of ${all(before)}.`];
  }
  const numbers = [...new Set([...was.keys(), ...now.keys()])].toSorted((a, b) => a - b);
  const sentences = numbers.flatMap((number) => {
    const [old, fresh] = [was.get(number), now.get(number)];
    if (!old) return fresh ? [`Level ${number} is new and pays ${payInWords(fresh)}.`] : [];
    if (!fresh) return [`Level ${number} is gone; it paid ${payInWords(old)}.`];
    return told(payInWords(old), payInWords(fresh), (pays, paid) => `Level ${number} pays ${pays} instead of ${paid}.`);
  });
  return sentences.length > 0 ? sentences : ['The levels are written in another order.'];
}

type TierRule = PlanDefinition['tierRules'][string];

/** Tiers may be named as what every object has, `toString` among them. */
const tierRuleOf = ({ tierRules }: PlanDefinition, name: string): TierRule | undefined =>
  Object.hasOwn(tierRules, name) ? tierRules[name] : undefined;

function tierDifference(before: PlanDefinition, after: PlanDefinition): string[] {
  const names = [...new Set([...Object.keys(before.tierRules), ...Object.keys(after.tierRules)])];
  return names.flatMap((name) => {
    const [was, now] = [tierRuleOf(before, name), tierRuleOf(after, name)];
    const tier = /^[A-Z]+$/.test(name) ? name : quoted(name);
    if (!was) return now ? [`${tier} has a rule now: ${tierInWords(now)}.`] : [];
    if (!now) return [`${tier} has no rule any more; it was ${tierInWords(was)}.`];
    return [
      ...told(was.maxDepth, now.maxDepth, (to, from) => `${tier} is paid down to level ${to} instead of ${from}.`),
      ...told(
        was.multiplierMilli,
        now.multiplierMilli,
        (to, from) => `Amounts of ${tier} are multiplied by ${to / 1000} instead of ${from / 1000}.`,
      ),
      ...told(was.rateBps ?? null, now.rateBps ?? null, (to, from) => `${tier} has ${rate(to)} instead of ${rate(from)}.`),
    ];
  });
}

const rate = (bps: number | null): string => (bps === null ? 'no rate of its own' : `a rate of ${percentInWords(bps)}`);

function tierInWords({ multiplierMilli, maxDepth, rateBps }: TierRule): string {
  return `down to level ${maxDepth}, multiplied by ${multiplierMilli / 1000}${rateBps === undefined ? '' : `, with ${rate(rateBps)}`}`;
}

function qualificationDifference({ qualification: was }: PlanDefinition, { qualification: now }: PlanDefinition): string[] {
  return [
    ...told(was.active, now.active, (only) =>
      only ? 'Only active members are paid now.' : 'Inactive members are paid too now.',
    ),
    ...told(was.kycApproved, now.kycApproved, (only) =>
      only ? 'Only verified members are paid now.' : 'Members are paid without a verification too now.',
    ),
    ...told(
      was.minPersonalSalesMinor,
      now.minPersonalSalesMinor,
      (to, from) => `A member needs sales of ${amountsInWords(to)} in the month, instead of ${amountsInWords(from)}.`,
    ),
    ...told(was.minActiveDirects, now.minActiveDirects, (to, from) => `A member needs ${to} active recruits instead of ${from}.`),
  ];
}

function recurringDifference({ recurring: was }: PlanDefinition, { recurring: now }: PlanDefinition): string[] {
  const months = (most: number | null): string => (most === null ? 'without end' : `for ${most} months`);
  const events = (most: number | null): string => (most === null ? 'however many' : `the first ${most}`);
  return [
    ...told(was.enabled, now.enabled, (on) => (on ? 'Renewals are paid now.' : 'Renewals are not paid any more.')),
    ...told(was.maxMonths, now.maxMonths, (to, from) => `Renewals are paid ${months(to)} instead of ${months(from)}.`),
    ...told(was.maxEvents, now.maxEvents, (to, from) => `Of renewals are paid ${events(to)} instead of ${events(from)}.`),
  ];
}

function holdingDifference({ holding: was }: PlanDefinition, { holding: now }: PlanDefinition): string[] {
  return [
    ...told(was.days, now.days, (to, from) => `Commissions are held ${to} days instead of ${from}.`),
    ...told(was.appliesTo, now.appliesTo, (to) => (to === 'level_1' ? 'Only level 1 is held now.' : 'All levels are held now.')),
  ];
}

function capDifference({ caps: was }: PlanDefinition, { caps: now }: PlanDefinition): string[] {
  const ceiling = (bps: number | null): string => (bps === null ? 'without a limit' : `at most ${percentInWords(bps)}`);
  return [
    ...told(
      was.perEventPayoutBps,
      now.perEventPayoutBps,
      (to, from) => `One sale pays ${ceiling(to)} instead of ${ceiling(from)}.`,
    ),
    ...told(
      was.perMemberPeriodMinor,
      now.perMemberPeriodMinor,
      (to, from) => `The cap of a member in a month is ${orNone(to, 'gone')}, instead of ${orNone(from, 'none')}.`,
    ),
    ...told(
      was.perCustomerLifetimeMinor,
      now.perCustomerLifetimeMinor,
      (to, from) => `The cap of a customer for ever is ${orNone(to, 'gone')}, instead of ${orNone(from, 'none')}.`,
    ),
  ];
}

function reversalDifference({ reversal: was }: PlanDefinition, { reversal: now }: PlanDefinition): string[] {
  const floor = (amounts: Readonly<Record<string, number>> | null): string => orNone(amounts, 'any sum');
  const days = (after: number | null): string => (after === null ? 'never written off' : `written off after ${after} days`);
  return [
    ...told(was.recoverAfterPayout, now.recoverAfterPayout, (to) =>
      to === 'write_off'
        ? 'What is taken back after payout is borne by the company now.'
        : 'What is taken back after payout is owed by the member now.',
    ),
    ...told(
      was.floorMinor,
      now.floorMinor,
      (to, from) => `A member can come to owe at most ${floor(to)}, instead of ${floor(from)}.`,
    ),
    ...told(was.writeOffAfterDays, now.writeOffAfterDays, (to, from) => `A debt is ${days(to)} instead of ${days(from)}.`),
  ];
}

function overrideDifference({ overrides: was }: PlanDefinition, { overrides: now }: PlanDefinition): string[] {
  if (!now) return ['Rates that were agreed with members do not count any more.'];
  const sums = (of: typeof now): string => amountsInWords(of.maxFlatMinor);
  const highest = (of: typeof now): string => percentInWords(of.maxRateBps);
  if (!was)
    return [
      `What was agreed with members counts now: for ${levelsInWords(now.levels)}, up to ${highest(now)}, sums up to ${sums(now)}.`,
    ];
  return [
    ...told(
      was.levels,
      now.levels,
      (to, from) => `What was agreed with members counts for ${levelsInWords(to)} instead of ${levelsInWords(from)}.`,
    ),
    ...told(highest(was), highest(now), (to, from) => `Of agreed rates at most ${to} count, instead of ${from}.`),
    ...told(was.maxFlatMinor, now.maxFlatMinor, () => `Of agreed sums at most ${sums(now)} count, instead of ${sums(was)}.`),
  ];
}

function scopeDifference({ scope: was }: PlanDefinition, { scope: now }: PlanDefinition): string[] {
  return [
    ...told(was.priority, now.priority, (to, from) => `The plan has the priority ${to} instead of ${from}.`),
    ...listDifference('types of sales', was.types, now.types),
    ...listDifference('articles', was.skus, now.skus),
    ...listDifference('categories', was.categories, now.categories),
    ...listDifference('groups of members', was.groups, now.groups),
  ];
}

function listDifference(what: string, was: readonly string[] | null, now: readonly string[] | null): string[] {
  if (isSame(was, now)) return [];
  if (now === null) return [`The plan is for all ${what} now; it was for ${quotedList(was ?? [])}.`];
  if (was === null) return [`The plan is only for the ${what} ${quotedList(now)} now.`];
  const added = now.filter((one) => !was.includes(one));
  const removed = was.filter((one) => !now.includes(one));
  const sentences = [
    ...(added.length > 0 ? [`The plan is also for the ${what} ${quotedList(added)}.`] : []),
    ...(removed.length > 0 ? [`The plan is no more for the ${what} ${quotedList(removed)}.`] : []),
  ];
  return sentences.length > 0 ? sentences : [`The ${what} are written otherwise: ${quotedList(now)}.`];
}

const PARTS: readonly { fields: readonly (keyof PlanDefinition)[]; tell: Tell }[] = [
  { fields: ['mode'], tell: (was, now) => [`The plan is ${now.mode} instead of ${was.mode}.`] },
  {
    fields: ['base'],
    tell: (was, now) => [`Commissions are calculated on ${BASES[now.base]}, instead of ${BASES[was.base]}.`],
  },
  { fields: ['levels'], tell: levelDifference },
  { fields: ['tierRules'], tell: tierDifference },
  { fields: ['qualification'], tell: qualificationDifference },
  {
    fields: ['compression'],
    tell: (was, now) => [
      `The level of a member who does not qualify ${COMPRESSION[now.compression]}; until now it ${COMPRESSION[was.compression]}.`,
    ],
  },
  {
    fields: ['personalPurchase'],
    tell: (was, now) => [
      `A member's own purchase ${PERSONAL[now.personalPurchase]}; until now it ${PERSONAL[was.personalPurchase]}.`,
    ],
  },
  { fields: ['recurring'], tell: recurringDifference },
  { fields: ['holding'], tell: holdingDifference },
  { fields: ['caps'], tell: capDifference },
  { fields: ['rounding'], tell: () => [] },
  {
    fields: ['fx'],
    tell: (was, now) => [`Paid is in the currency of the ${now.fx.payCurrency} instead of that of the ${was.fx.payCurrency}.`],
  },
  { fields: ['reversal'], tell: reversalDifference },
  {
    fields: ['minimumPayoutMinor'],
    tell: (was, now) => [
      `The least that is paid out is ${amountsInWords(now.minimumPayoutMinor)}, instead of ${amountsInWords(was.minimumPayoutMinor)}.`,
    ],
  },
  { fields: ['rules'], tell: (was, now) => ruleDifference(was.rules, now.rules) },
  { fields: ['ladders'], tell: (was, now) => ladderDifference(was.ladders, now.ladders) },
  { fields: ['overrides'], tell: overrideDifference },
  { fields: ['scope'], tell: scopeDifference },
];
