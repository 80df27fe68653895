/**
 * The upline walk: a pure function from a plan, a base and the upline as of the sale to commission
 * lines. Integers only, one rounding a line. Source: commissions.md (Rules 1-3, made exact).
 */
import type { MembershipTier } from '../../http/schemas.ts';
import { divideRoundHalfUp } from '../../money.ts';
import type { PlanDefinition } from './plan-definition.ts';

/** Nobody further up is considered. */
export const MAX_ANCESTORS = 256;

/** A member of the upline as of the sale; the array's order is the level, nearest first. */
export interface UplineMember {
  id: string;
  tier: MembershipTier;
  isActive: boolean;
}

export interface EvaluatedLine {
  beneficiaryId: string;
  /** Real distance from the sale, 1 = the attributed member. */
  level: number;
  /** The plan level it is paid as; smaller than `level` once somebody was skipped. */
  paidLevel: number;
  rateBps: number;
  multiplierMilli: number;
  amountMinor: bigint;
}

export interface PlanPurchase {
  amountMinor: bigint;
  taxMinor: bigint;
  shippingMinor: bigint;
}

/** The part of a purchase that commissions are calculated on. */
export function commissionBase(base: PlanDefinition['base'], purchase: PlanPurchase): bigint {
  if (base === 'gross') return purchase.amountMinor;
  if (base === 'net_of_tax') return purchase.amountMinor - purchase.taxMinor;
  return purchase.amountMinor - purchase.taxMinor - purchase.shippingMinor;
}

export interface Walk {
  plan: PlanDefinition;
  baseMinor: bigint;
  upline: readonly UplineMember[];
  /** The buying member, who is never paid above their own purchase's first level. */
  buyerId: string | undefined;
}

/** Lines in ascending level; lines that round to nothing are left out. */
export function evaluatePlan(walk: Walk): EvaluatedLine[] {
  const lines = walk.plan.compression === 'compress' ? walkCompressed(walk) : walkByLevel(walk);
  return lines.filter((line) => line.amountMinor !== 0n);
}

/** Whether the walk could use an ancestor beyond those given. */
export function needsMoreUpline(walk: Walk): boolean {
  if (walk.upline.length >= MAX_ANCESTORS) return false;
  const wanted = walk.plan.levels.length;
  if (walk.plan.compression === 'compress') return walkCompressed(walk).length < wanted;
  if (walk.plan.compression === 'none') return walk.upline.length < wanted;
  return rolledUp(walk).some((level) => level.beneficiary === undefined) || walk.upline.length < wanted;
}

/** `compress`: who does not qualify is skipped and the paid level does not advance. */
function walkCompressed(walk: Walk): EvaluatedLine[] {
  const lines: EvaluatedLine[] = [];
  for (const [index, member] of walk.upline.slice(0, MAX_ANCESTORS).entries()) {
    const rule = walk.plan.levels[lines.length];
    if (!rule) break;
    if (qualifies(walk, member, index, rule.level)) lines.push(lineOf(walk, member, index + 1, rule.level, rule.rateBps));
  }
  return lines;
}

/** `none` and `roll_up`: each real level is paid or missed; a missed one is breakage or rolls up. */
function walkByLevel(walk: Walk): EvaluatedLine[] {
  const own = walk.plan.levels.flatMap(({ level, rateBps }) => {
    const member = walk.upline[level - 1];
    return member && qualifies(walk, member, level - 1, level) ? [lineOf(walk, member, level, level, rateBps)] : [];
  });
  if (walk.plan.compression === 'none') return own;
  const rolled = rolledUp(walk).flatMap(({ paidLevel, rateBps, beneficiary }) =>
    beneficiary ? [lineOf(walk, beneficiary.member, beneficiary.level, paidLevel, rateBps)] : [],
  );
  return [...own, ...rolled].toSorted((a, b) => a.level - b.level || a.paidLevel - b.paidLevel);
}

/** Missed levels that have a member, each with the nearest ancestor above qualified for that level. */
function rolledUp(walk: Walk) {
  return walk.plan.levels.flatMap(({ level, rateBps }) => {
    const missed = walk.upline[level - 1];
    if (!missed || qualifies(walk, missed, level - 1, level)) return [];
    const above = walk.upline.findIndex(
      (member, index) => index >= level && index < MAX_ANCESTORS && qualifies(walk, member, index, level),
    );
    const member = walk.upline[above];
    return [{ paidLevel: level, rateBps, beneficiary: member && { member, level: above + 1 } }];
  });
}

/** Active, deep enough by tier for this paid level, and not the buyer met higher up. */
function qualifies(walk: Walk, member: UplineMember, index: number, paidLevel: number): boolean {
  const isBuyerHigherUp = index > 0 && member.id === walk.buyerId;
  return member.isActive && !isBuyerHigherUp && paidLevel <= walk.plan.tierRules[member.tier].maxDepth;
}

function lineOf(walk: Walk, member: UplineMember, level: number, paidLevel: number, rateBps: number): EvaluatedLine {
  const { multiplierMilli } = walk.plan.tierRules[member.tier];
  const amountMinor = divideRoundHalfUp(walk.baseMinor * BigInt(rateBps) * BigInt(multiplierMilli), 10_000_000n);
  return { beneficiaryId: member.id, level, paidLevel, rateBps, multiplierMilli, amountMinor };
}
