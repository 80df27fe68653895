/**
 * Rates that were agreed with a member, for itself or for one of its links or codes: `overrides` of a plan says how far they
 * count. Pure functions. Source: docs/specification/rates.md#overrides.
 */
import type { z } from 'zod';
import type { rulePay } from './plan-rules.ts';

export const AGREED_TARGETS = ['link', 'code', 'member'] as const;
export type AgreedTarget = (typeof AGREED_TARGETS)[number];

/** One that may count for a sale: of the link or code that brought it, or of the member. */
export interface AgreedRate {
  id: string;
  target: AgreedTarget;
  level: number;
  /** Whether it is for this plan alone. */
  forPlan: boolean;
  pay: z.output<typeof rulePay>;
  /** Numbers of the parts of the sale whose products it names; absent of one for all. */
  parts?: readonly number[];
}

/** What was agreed is more than the plan allows: basis points, or minor units. */
export interface RateCut {
  from: number;
}

/**
 * In the order in which they are asked: of the link or code first; then one for this plan, then one that names products;
 * of equal ones the latest.
 */
export function agreedOf(agreed: readonly AgreedRate[]): AgreedRate[] {
  const rank = ({ target, forPlan, parts }: AgreedRate): number =>
    (target === 'member' ? 0 : 4) + (forPlan ? 2 : 0) + (parts ? 1 : 0);
  return agreed.toSorted((a, b) => rank(b) - rank(a));
}
