/**
 * The evaluation of a purchase: a pure function from a plan and what was read as of the sale to
 * commission lines, with one outcome for every member that was considered. Deciding a purchase and
 * explaining it call this one function. Source: docs/specification/commissions.md#who-is-paid.
 */
import { divideRoundHalfUp } from '../../../money.ts';
import { EXACT_DENOMINATOR } from './pay-parts.ts';
import type { PlanDefinition } from './plan-definition.ts';
import { type CutToNothing, type PricedShare, type PriceInput, priceShares } from './price-shares.ts';
import { partsOf, type SalePart, type SoldItem } from './sale-parts.ts';
import { type NotQualified, type WalkEnd, type WalkInput, walkUpline } from './walk-upline.ts';

/** Why a whole event pays nobody. */
export type EventBlock =
  | 'NO_PLAN'
  | 'UNATTRIBUTED'
  | 'PERSONAL_PURCHASE'
  | 'TEST_USER'
  | 'RECURRING_DISABLED'
  | 'RECURRING_MONTHS'
  | 'RECURRING_EVENTS';

export interface EvaluationInput extends WalkInput, PriceInput {
  block?: EventBlock | undefined;
}

export type NotPaid = NotQualified | CutToNothing | EventBlock;

/** Exactly one for each considered member: paid by one or more lines, or the reason why not. */
export interface Outcome {
  memberId: string;
  level: number;
  notPaid: NotPaid | undefined;
  shares: PricedShare[];
}

export interface Evaluation {
  /** What is paid: never of amount 0; in ascending level, then paid level. */
  lines: PricedShare[];
  outcomes: Outcome[];
  /** What the company keeps of levels that nobody qualified for, each level rounded once. */
  breakageMinor: bigint;
  end: WalkEnd;
}

export function evaluatePlan(input: EvaluationInput): Evaluation {
  const walk = walkUpline(input);
  const blocked = input.block !== undefined;
  const priced = blocked ? [] : priceShares(walk.shares, input);
  const outcomes = walk.considered.map(({ memberId, level, reason }) => {
    const shares = priced.filter((share) => share.level === level);
    const allNothing = shares.every((share) => share.nothing !== undefined);
    const nothing = reason ?? input.block ?? (allNothing ? shares[0]?.nothing : undefined);
    // A sale that is no sale says nothing of who would have qualified.
    return { memberId, level, shares, notPaid: input.block === 'TEST_USER' ? input.block : nothing };
  });
  const kept = blocked ? [] : walk.breakage;
  return {
    lines: priced.filter((share) => share.nothing === undefined),
    outcomes,
    breakageMinor: kept.reduce((sum, { exactNumerator }) => sum + divideRoundHalfUp(exactNumerator, EXACT_DENOMINATOR), 0n),
    end: walk.end,
  };
}

export interface PurchaseAmounts {
  amountMinor: bigint;
  taxMinor: bigint;
  shippingMinor: bigint;
  lineItems: readonly SoldItem[];
}

/** The part of a purchase that commissions are calculated on. */
export function commissionBase(plan: PlanDefinition, purchase: PurchaseAmounts): bigint {
  const { amountMinor, taxMinor, shippingMinor, lineItems } = purchase;
  if (plan.base === 'line_items') {
    return lineItems.filter((item) => inScope(plan, item)).reduce((sum, item) => sum + item.amountMinor, 0n);
  }
  if (plan.base === 'gross') return amountMinor;
  return plan.base === 'net_of_tax' ? amountMinor - taxMinor : amountMinor - taxMinor - shippingMinor;
}

/** What the plan pays by, where it asks for parts: of base `line_items` the products in its scope. */
export function commissionParts(
  plan: PlanDefinition,
  { lineItems }: Pick<PurchaseAmounts, 'lineItems'>,
  baseMinor: bigint,
): SalePart[] {
  return partsOf(plan.base === 'line_items' ? lineItems.filter((item) => inScope(plan, item)) : lineItems, baseMinor);
}

/** Whether a plan speaks of a purchase: of its type and, when it names products, of at least one line item. */
export function planCovers(
  plan: PlanDefinition,
  type: string,
  lineItems: readonly { sku: string; category: string | null }[],
): boolean {
  const { types, skus, categories } = plan.scope;
  if (types !== null && !types.some((covered) => covered === type)) return false;
  return (skus === null && categories === null) || lineItems.some((item) => inScope(plan, item));
}

function inScope({ scope: { skus, categories } }: PlanDefinition, item: { sku: string; category: string | null }): boolean {
  if (skus === null && categories === null) return true;
  return (skus?.includes(item.sku) ?? false) || (item.category !== null && (categories?.includes(item.category) ?? false));
}
