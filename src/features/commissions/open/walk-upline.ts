/**
 * The upline walk: who of the upline takes which level, and why everybody else does not. A pure
 * function; amounts are exact fractions, not rounded yet.
 * Source: docs/specification/commissions.md#who-is-paid.
 */
import type { MembershipTier } from '../../../http/schemas.ts';
import type { MemberStanding } from '../../users/open/member.ts';
import type { AgreedRate } from './agreed-rates.ts';
import type { RateChoice, SaleFacts } from './choose-rate.ts';
import { priceAbove, priceLevel, type RatePart } from './pay-parts.ts';
import type { PlanDefinition } from './plan-definition.ts';

/** Nobody further up is considered. */
export const MAX_ANCESTORS = 256;

/** A member of the upline as of the sale; the array's order is the level, nearest first. */
export interface UplineMember {
  id: string;
  tier: MembershipTier;
  isActive: boolean;
  /** Only of a test member in LIVE. */
  isTestUser?: true;
  /** Absent of an approved member. */
  standing?: Exclude<MemberStanding, 'approved'>;
  /** The key of its group; read only for plans that ask for it. */
  group?: string;
  /** Local days since it joined; read only for plans that ask for it, absent of a sale from before. */
  ageDays?: number;
  /** What was agreed with it and may count for the sale, the latest first; read only for plans that allow it. */
  agreed?: readonly AgreedRate[];
  /** Read only for plans that pay in the member's currency. */
  payCurrency?: string;
  /** Read only for plans that qualify by them; absent counts as not met. */
  kycApproved?: boolean;
  personalSalesMinor?: bigint;
  activeDirects?: number;
  /** Read only for plans whose rules ask for them: of the local month before the sale, without own purchases. */
  salesMinor?: bigint;
  salesCount?: number;
  /** Read only for plans with ladders: what it has sold before the sale, by ladder. */
  ladderSums?: Readonly<Record<string, bigint>>;
}

export type NotQualified =
  | 'BUYER'
  | 'STANDING'
  | 'INACTIVE'
  | 'TIER_WITHOUT_RULE'
  | 'TIER_DEPTH'
  | 'KYC_NOT_APPROVED'
  | 'PERSONAL_SALES'
  | 'ACTIVE_DIRECTS'
  | 'RATE_NOT_HIGHER';

/** One level taken by one member. */
export interface Share {
  beneficiaryId: string;
  /** Real distance from the sale, 1 = the attributed member. */
  level: number;
  /** Who the sale came through to the beneficiary: the member one level below; null at level 1. */
  legId: string | null;
  /** The plan level it is paid as; smaller than `level` once somebody was skipped. */
  paidLevel: number;
  /** Of the plan level, or in differential mode the part of the own rate that is paid. */
  rateBps: number;
  flatMinor: bigint | null;
  multiplierMilli: number;
  /** The exact amount in minor units times EXACT_DENOMINATOR. */
  exactNumerator: bigint;
  /** Where the plan has rules or allows what was agreed: what the rate is of. Absent where it goes by parts of the sale. */
  choice?: RateChoice;
  /** Where it does: what each part is paid by. */
  parts?: readonly RatePart[];
}

/** A member that was considered. `reason` is undefined for one that takes a share. */
export interface Considered {
  memberId: string;
  level: number;
  reason: NotQualified | undefined;
}

export type WalkEnd = 'ALL_LEVELS_TAKEN' | 'TOP_RATE_TAKEN' | 'END_OF_UPLINE' | 'MAX_ANCESTORS';

export interface Walk {
  /** In ascending level, then paid level. */
  shares: Share[];
  considered: Considered[];
  /** Levels that nobody qualified for and the company keeps, as plan levels with their exact amount. */
  breakage: { paidLevel: number; exactNumerator: bigint }[];
  end: WalkEnd;
}

export interface WalkInput {
  plan: PlanDefinition;
  baseMinor: bigint;
  /** Of the purchase: flat amounts and personal sales go by it. */
  currency: string;
  upline: readonly UplineMember[];
  /** The buying member, who is never paid above their own purchase's first level. */
  buyerId: string | undefined;
  /** Where the plan has rules: what they are judged by. */
  facts?: SaleFacts | undefined;
}

type Level = PlanDefinition['levels'][number];

export function walkUpline(input: WalkInput): Walk {
  const capped = { ...input, upline: input.upline.slice(0, MAX_ANCESTORS) };
  const walk = input.plan.mode === 'differential' ? walkDifferential(capped) : walkLevels(capped);
  walk.shares.sort((a, b) => a.level - b.level || a.paidLevel - b.paidLevel);
  return walk;
}

/** Whether the walk ended only because no further ancestor was given. */
export function needsMoreUpline(input: WalkInput): boolean {
  return input.upline.length < MAX_ANCESTORS && walkUpline(input).end === 'END_OF_UPLINE';
}

function walkLevels(input: WalkInput): Walk {
  if (input.plan.compression === 'compress') return walkCompressed(input);
  return walkByLevel(input, input.plan.compression === 'roll_up');
}

/** `compress`: who does not qualify is skipped and the paid level does not advance. */
function walkCompressed(input: WalkInput): Walk {
  const { plan, upline } = input;
  const shares: Share[] = [];
  const considered: Considered[] = [];
  for (const [index, member] of upline.entries()) {
    const rule = plan.levels[shares.length];
    if (!rule) return { shares, considered, breakage: [], end: 'ALL_LEVELS_TAKEN' };
    const reason = whyNot(input, member, index, rule.level);
    considered.push({ memberId: member.id, level: index + 1, reason });
    if (reason === undefined) shares.push(levelShare(input, member, index + 1, rule));
  }
  const allTaken = shares.length === plan.levels.length;
  return { shares, considered, breakage: [], end: allTaken ? 'ALL_LEVELS_TAKEN' : endOf(upline) };
}

/** `none` and `roll_up`: each real level is taken or missed; a missed one is breakage or rolls up. */
function walkByLevel(input: WalkInput, rollsUp: boolean): Walk {
  const { plan, upline } = input;
  const shares: Share[] = [];
  const breakage: Walk['breakage'] = [];
  const reasons = new Map<number, NotQualified | undefined>();
  let reached = Math.min(plan.levels.length, upline.length);
  let missing = upline.length < plan.levels.length;
  for (const rule of plan.levels) {
    const own = upline[rule.level - 1];
    if (!own) break;
    const reason = whyNot(input, own, rule.level - 1, rule.level);
    reasons.set(rule.level, reason);
    if (reason === undefined) {
      shares.push(levelShare(input, own, rule.level, rule));
      continue;
    }
    const above = rollsUp
      ? nearestAbove(input, rule.level, (index, why) => reasons.has(index + 1) || reasons.set(index + 1, why))
      : -1;
    const heir = upline[above];
    if (heir) shares.push(levelShare(input, heir, above + 1, rule));
    else breakage.push({ paidLevel: rule.level, exactNumerator: priceLevel(input, undefined, rule, 1000).exactNumerator });
    if (rollsUp) {
      reached = Math.max(reached, heir ? above + 1 : upline.length);
      missing ||= !heir;
    }
  }
  const paid = new Set(shares.map((share) => share.level));
  const considered = upline.slice(0, reached).map((member, index) => {
    const level = index + 1;
    return { memberId: member.id, level, reason: paid.has(level) ? undefined : reasons.get(level) };
  });
  return { shares, considered, breakage, end: missing ? endOf(upline) : 'ALL_LEVELS_TAKEN' };
}

/** Index of the nearest ancestor above `level` that qualifies for it, or -1. `note` hears why the others do not. */
function nearestAbove(input: WalkInput, level: number, note: (index: number, reason: NotQualified) => unknown): number {
  for (let index = level; index < input.upline.length; index++) {
    const member = input.upline[index];
    const reason = member && whyNot(input, member, index, level);
    if (reason === undefined) return index;
    // Up to the last level a member is judged by its own level; this is for those beyond it.
    if (index >= input.plan.levels.length) note(index, reason);
  }
  return -1;
}

/** Each qualified member takes what its own rate exceeds the highest rate taken below, of each part of the sale. */
function walkDifferential(input: WalkInput): Walk {
  const { plan, upline } = input;
  const rates = [...Object.values(plan.tierRules), ...plan.rules.map(({ pay }) => pay)].map(({ rateBps = 0 }) => rateBps);
  const top = Math.max(plan.overrides?.maxRateBps ?? 0, ...rates);
  const shares: Share[] = [];
  const considered: Considered[] = [];
  let taken: readonly number[] = [];
  const isAllTaken = (): boolean => top === 0 || (taken.length > 0 && taken.every((rate) => rate >= top));
  for (const [index, member] of upline.entries()) {
    if (isAllTaken()) return { shares, considered, breakage: [], end: 'TOP_RATE_TAKEN' };
    const level = index + 1;
    const paidLevel = plan.compression === 'compress' ? shares.length + 1 : level;
    const own = { level: paidLevel, rateBps: plan.tierRules[member.tier]?.rateBps ?? 0 };
    const { isHigher, taken: highest, ...priced } = priceAbove(input, member, own, taken);
    const reason = whyNot(input, member, index, paidLevel) ?? (isHigher ? undefined : 'RATE_NOT_HIGHER');
    considered.push({ memberId: member.id, level, reason });
    if (reason !== undefined) continue;
    taken = highest;
    shares.push({ beneficiaryId: member.id, level, legId: legOf(input, level), paidLevel, ...priced });
  }
  return { shares, considered, breakage: [], end: isAllTaken() ? 'TOP_RATE_TAKEN' : endOf(upline) };
}

function endOf(upline: readonly UplineMember[]): WalkEnd {
  return upline.length >= MAX_ANCESTORS ? 'MAX_ANCESTORS' : 'END_OF_UPLINE';
}

/** The first reason why a member may not take a plan level; undefined when it may. */
function whyNot(input: WalkInput, member: UplineMember, index: number, paidLevel: number): NotQualified | undefined {
  const { plan, currency, buyerId } = input;
  const { active, kycApproved, minPersonalSalesMinor, minActiveDirects } = plan.qualification;
  const rule = plan.tierRules[member.tier];
  if (index > 0 && member.id === buyerId) return 'BUYER';
  if (member.standing === 'banned' || member.standing === 'rejected') return 'STANDING';
  if (active && !member.isActive) return 'INACTIVE';
  if (!rule) return 'TIER_WITHOUT_RULE';
  if (paidLevel > rule.maxDepth) return 'TIER_DEPTH';
  if (kycApproved && member.kycApproved !== true) return 'KYC_NOT_APPROVED';
  if ((member.personalSalesMinor ?? 0n) < BigInt(minPersonalSalesMinor[currency] ?? 0)) return 'PERSONAL_SALES';
  if ((member.activeDirects ?? 0) < minActiveDirects) return 'ACTIVE_DIRECTS';
  return undefined;
}

function levelShare(input: WalkInput, member: UplineMember, level: number, rule: Level): Share {
  const ofTier = input.plan.tierRules[member.tier]?.multiplierMilli ?? 1000;
  return {
    beneficiaryId: member.id,
    level,
    legId: legOf(input, level),
    paidLevel: rule.level,
    ...priceLevel(input, member, rule, ofTier),
  };
}

function legOf({ upline }: WalkInput, level: number): string | null {
  return upline[level - 2]?.id ?? null;
}
