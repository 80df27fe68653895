/**
 * What a level comes to exactly: of a sale as a whole or, where the plan asks for its parts, of each of them. Pure functions;
 * nothing is rounded yet. Source: docs/specification/rates.md#parts, docs/specification/commissions.md#how-much.
 */
import { chooseRate, hasSources, type JudgedMember, NO_FACTS, type RateChoice, type SaleFacts } from './choose-rate.ts';
import type { PaySource } from './commission-line.ts';
import type { PlanDefinition } from './plan-definition.ts';

/** Every exact amount is a fraction with this denominator: basis points times thousandths. */
export const EXACT_DENOMINATOR = 10_000_000n;

/** What a flat amount, which has no basis points, is multiplied by in their place. */
const FLAT = 10_000n;

/** A part of the sale, and what it is paid by. */
export interface RatePart {
  /** Number in the sale's parts. */
  part: number;
  baseMinor: bigint;
  rateBps: number;
  /** For the sale, or for all pieces of the part. */
  flatMinor: bigint | null;
  /** How many pieces a flat amount is paid for; null of one for the sale, and of a rate. */
  units: number | null;
  multiplierMilli: number;
  choice: RateChoice;
}

export interface Priced {
  /** 0 of a flat amount, and of parts that are paid differently. */
  rateBps: number;
  flatMinor: bigint | null;
  /** The tier's where parts are paid differently. */
  multiplierMilli: number;
  /** The exact amount in minor units times EXACT_DENOMINATOR. */
  exactNumerator: bigint;
  choice?: RateChoice;
  parts?: readonly RatePart[];
}

export interface PricedAbove extends Priced {
  /** Whether the rate is higher than what was taken, of one part at least. */
  isHigher: boolean;
  /** The highest rate by part, this one among them. */
  taken: readonly number[];
}

interface PayInput {
  plan: PlanDefinition;
  baseMinor: bigint;
  currency: string;
  facts?: SaleFacts | undefined;
}

type Level = PlanDefinition['levels'][number];

/** What a level pays; `member` is undefined for one that nobody takes. `ofTier` is its tier's multiplier in thousandths. */
export function priceLevel(input: PayInput, member: JudgedMember | undefined, own: Level, ofTier: number): Priced {
  const { baseMinor, currency } = input;
  if (input.facts?.parts) return together(partsPaid(input, member, own, ofTier), ofTier);
  const choice = choiceOf(input, member, own);
  const multiplierMilli = multiplierOf(choice, ofTier);
  const { rateBps, flatMinor } = choice?.pay ?? own;
  const flat = flatMinor ? BigInt(flatMinor[currency] ?? 0) : null;
  // A flat amount is paid for a sale, so on a base of nothing it is nothing.
  const whole = rateBps === undefined ? (baseMinor === 0n ? 0n : (flat ?? 0n) * FLAT) : baseMinor * BigInt(rateBps);
  return {
    rateBps: rateBps ?? 0,
    flatMinor: flat,
    multiplierMilli,
    exactNumerator: whole * BigInt(multiplierMilli),
    ...(choice && { choice }),
  };
}

/** What of the own rate is above the rates `taken` below, which are by part; none is 0 of all. */
export function priceAbove(input: PayInput, member: JudgedMember, own: Level, taken: readonly number[]): PricedAbove {
  if (!input.facts?.parts) {
    const priced = priceLevel(input, member, own, 1000);
    const [below = 0] = taken;
    const rateBps = priced.rateBps - below;
    const exactNumerator = input.baseMinor * BigInt(rateBps) * 1000n;
    return { ...priced, rateBps, exactNumerator, isHigher: rateBps > 0, taken: [Math.max(below, priced.rateBps)] };
  }
  const paid = partsPaid(input, member, own, 1000);
  const below = (part: number): number => taken[part] ?? 0;
  const parts = paid.map((one) => ({ ...one, rateBps: Math.max(0, one.rateBps - below(one.part)) }));
  return {
    ...together(parts, 1000),
    isHigher: parts.some(({ rateBps }) => rateBps > 0),
    taken: paid.map(({ part, rateBps }) => Math.max(below(part), rateBps)),
  };
}

function choiceOf(
  { plan, facts = NO_FACTS, currency }: PayInput,
  member: JudgedMember | undefined,
  { level, ladder }: Level,
): RateChoice | undefined {
  return hasSources(plan, member) ? chooseRate(plan, { facts, currency, member, paidLevel: level, ladder }) : undefined;
}

/** What was agreed is what is paid: no tier changes it. */
export function multiplierOf(choice: RateChoice | undefined, ofTier: number): number {
  return choice?.source === 'link' || choice?.source === 'code' || choice?.source === 'member' ? 1000 : ofTier;
}

/** Each part is judged by itself. */
function partsPaid(input: PayInput, member: JudgedMember | undefined, own: Level, ofTier: number): RatePart[] {
  const { plan, facts = NO_FACTS, currency } = input;
  return (facts.parts ?? []).map((judged, number) => {
    const part = { ...judged, number };
    const choice = chooseRate(plan, { facts, currency, member, paidLevel: own.level, ladder: own.ladder, part });
    const { rateBps, flatMinor, per } = { per: undefined, ...(choice.pay ?? own) };
    const units = flatMinor && per === 'unit' ? judged.quantity : null;
    const flat = flatMinor ? BigInt(flatMinor[currency] ?? 0) * BigInt(units ?? 1) : null;
    const multiplierMilli = multiplierOf(choice, ofTier);
    return { part: number, baseMinor: judged.baseMinor, rateBps: rateBps ?? 0, flatMinor: flat, units, multiplierMilli, choice };
  });
}

/**
 * Rates of their parts, flat amounts of a sale once for each source, flat amounts of units for each part. Parts without a
 * base pay nothing.
 */
function together(parts: readonly RatePart[], ofTier: number): Priced {
  const sold = parts.filter(({ baseMinor }) => baseMinor > 0n);
  const rates = sold.reduce((sum, part) => sum + part.baseMinor * BigInt(part.rateBps) * BigInt(part.multiplierMilli), 0n);
  const onceFor = new Map(sold.map((part) => [part.units === null ? sourceOf(part) : part, part]));
  const flats = [...onceFor.values()].map(({ flatMinor, multiplierMilli }) => (flatMinor ?? 0n) * BigInt(multiplierMilli));
  const exactNumerator = flats.reduce((sum, flat) => sum + flat * FLAT, rates);
  const [first] = parts;
  const isOne = first && parts.every((part) => sourceOf(part) === sourceOf(first) && part.rateBps === first.rateBps);
  if (!isOne) return { rateBps: 0, flatMinor: null, multiplierMilli: ofTier, exactNumerator, parts };
  const flat = [...onceFor.values()].reduce((sum, { flatMinor }) => sum + (flatMinor ?? 0n), 0n);
  const { rateBps, multiplierMilli } = first;
  const flatMinor = first.flatMinor === null ? null : sold.length === 0 ? first.flatMinor : flat;
  return { rateBps, flatMinor, multiplierMilli, exactNumerator, parts };
}

const sourceOf = ({ choice: { source, id } }: Pick<SourcedPart, 'choice'>): string => `${source}:${id ?? ''}`;

/** What pays a share: one source, or several for its parts; null of a plan that has but levels. */
export function paySourceOf({ choice, parts }: Pick<Priced, 'choice' | 'parts'>): PaySource | null {
  if (!parts) return choice?.source ?? null;
  const [first] = parts;
  const isOne = first && parts.every((part) => sourceOf(part) === sourceOf(first));
  return isOne ? first.choice.source : 'mixed';
}

/** Parts that one source pays, told together: what of the base is theirs, and what they are paid. */
export type SourcePay = Pick<RatePart, 'baseMinor' | 'rateBps' | 'flatMinor' | 'units' | 'multiplierMilli'>;

/** A part with what pays it, by name alone. */
type SourcedPart = SourcePay & { choice: Pick<RateChoice, 'source' | 'id'> };

/** In the order of their first part. A flat amount of a sale is there once; parts without a base are left out. */
export function bySource(parts: readonly SourcedPart[]): SourcePay[] {
  const merged = new Map<string, SourcePay>();
  for (const { baseMinor, rateBps, flatMinor, units, multiplierMilli, choice } of parts) {
    if (baseMinor === 0n) continue;
    const key = `${sourceOf({ choice })}:${rateBps}`;
    const known = merged.get(key);
    merged.set(key, {
      baseMinor: baseMinor + (known?.baseMinor ?? 0n),
      rateBps,
      flatMinor: flatMinor !== null && units !== null ? flatMinor + (known?.flatMinor ?? 0n) : flatMinor,
      units: units === null ? null : units + (known?.units ?? 0),
      multiplierMilli,
    });
  }
  return [...merged.values()];
}

/** What parts that one source pays come to, in minor units times EXACT_DENOMINATOR. */
export function exactOf({ baseMinor, rateBps, flatMinor, multiplierMilli }: SourcePay): bigint {
  return (flatMinor === null ? baseMinor * BigInt(rateBps) : flatMinor * FLAT) * BigInt(multiplierMilli);
}
