/**
 * What was read when a purchase was decided, as it is kept with it: explanations evaluate it again and must come to
 * the same integers, whatever has been back-dated since. Amounts are text: a JSON number is a double.
 */

import type { AgreedRate } from './agreed-rates.ts';
import type { JudgedPart, SaleFacts } from './choose-rate.ts';
import type { EvaluationInput, EventBlock } from './evaluate-plan.ts';
import type { PlanDefinition } from './plan-definition.ts';
import { kindOf } from './plan-rules.ts';
import type { Rate } from './price-shares.ts';
import type { UplineMember } from './walk-upline.ts';

export interface StoredInputs {
  /** Members that were considered, level 1 first. */
  upline?: StoredMember[];
  block?: EventBlock;
  /** Where the plan has rules: what they were judged by. Integers and amounts are text. */
  facts?: { values: Record<string, string>; holds?: number[]; parts?: StoredPart[] };
  memberRooms?: Record<string, string>;
  customerRoom?: string;
  rates?: Record<string, { id: string; numerator: string; denominator: string }>;
}

/** What is kept of a part of the sale. */
export interface StoredPart {
  base: string;
  quantity: number;
  holds?: number[];
}

export interface StoredMember {
  id: string;
  tier: UplineMember['tier'];
  active: boolean;
  test?: true;
  standing?: UplineMember['standing'] & {};
  payCurrency?: string;
  kyc?: boolean;
  personalSales?: string;
  directs?: number;
  group?: string;
  age?: number;
  agreed?: StoredAgreed[];
  /** In the local month before the sale. */
  sales?: { amount: string; count: number };
  /** By ladder. */
  sums?: Record<string, string>;
}

export interface StoredAgreed {
  id: string;
  of: AgreedRate['target'];
  level: number;
  forPlan?: true;
  pay: AgreedRate['pay'];
  parts?: number[];
}

export function storeUpline(upline: readonly UplineMember[]): StoredMember[] {
  return upline.map((member) => ({
    id: member.id,
    tier: member.tier,
    active: member.isActive,
    ...(member.isTestUser && { test: true as const }),
    ...(member.standing && { standing: member.standing }),
    ...(member.payCurrency !== undefined && { payCurrency: member.payCurrency }),
    ...(member.kycApproved !== undefined && { kyc: member.kycApproved }),
    ...(member.personalSalesMinor !== undefined && { personalSales: member.personalSalesMinor.toString() }),
    ...(member.activeDirects !== undefined && { directs: member.activeDirects }),
    ...(member.group !== undefined && { group: member.group }),
    ...(member.ageDays !== undefined && { age: member.ageDays }),
    ...(member.salesMinor !== undefined && {
      sales: { amount: member.salesMinor.toString(), count: member.salesCount ?? 0 },
    }),
    ...(member.ladderSums && {
      sums: Object.fromEntries(Object.entries(member.ladderSums).map(([id, sum]) => [id, sum.toString()])),
    }),
    ...(member.agreed && member.agreed.length > 0 && { agreed: member.agreed.map(storeAgreed) }),
  }));
}

function storeAgreed({ id, target, level, forPlan, pay, parts }: AgreedRate): StoredAgreed {
  return { id, of: target, level, ...(forPlan && { forPlan: true as const }), pay, ...(parts && { parts: [...parts] }) };
}

export function restoreUpline(stored: readonly StoredMember[]): UplineMember[] {
  return stored.map((member) => ({
    id: member.id,
    tier: member.tier,
    isActive: member.active,
    ...(member.test && { isTestUser: true as const }),
    ...(member.standing && { standing: member.standing }),
    ...(member.payCurrency !== undefined && { payCurrency: member.payCurrency }),
    ...(member.kyc !== undefined && { kycApproved: member.kyc }),
    ...(member.personalSales !== undefined && { personalSalesMinor: BigInt(member.personalSales) }),
    ...(member.directs !== undefined && { activeDirects: member.directs }),
    ...(member.group !== undefined && { group: member.group }),
    ...(member.age !== undefined && { ageDays: member.age }),
    ...(member.sales && { salesMinor: BigInt(member.sales.amount), salesCount: member.sales.count }),
    ...(member.sums && {
      ladderSums: Object.fromEntries(Object.entries(member.sums).map(([id, sum]) => [id, BigInt(sum)])),
    }),
    ...(member.agreed && {
      agreed: member.agreed.map(({ of, forPlan = false, ...one }) => ({ ...one, target: of, forPlan })),
    }),
  }));
}

export function storeFacts({ values, holds, parts }: SaleFacts): StoredInputs['facts'] & {} {
  return {
    values: Object.fromEntries(Object.entries(values).map(([fact, value]) => [fact, value.toString()])),
    ...(holds.length > 0 && { holds: [...holds] }),
    ...(parts && { parts: parts.map(storePart) }),
  };
}

function storePart({ baseMinor, quantity, holds }: JudgedPart): StoredPart {
  return { base: baseMinor.toString(), quantity, ...(holds.length > 0 && { holds: [...holds] }) };
}

export function restoreFacts({ values, holds = [], parts }: StoredInputs['facts'] & {}): SaleFacts {
  const restored = Object.entries(values).map(([fact, value]) => [fact, kindOf(fact) === 'text' ? value : BigInt(value)]);
  return {
    values: Object.fromEntries(restored),
    holds,
    ...(parts && {
      parts: parts.map((part) => ({ baseMinor: BigInt(part.base), quantity: part.quantity, holds: part.holds ?? [] })),
    }),
  };
}

export function restoreRates(stored: StoredInputs['rates']): Map<string, Rate> {
  return new Map(
    Object.entries(stored ?? {}).map(([currency, rate]) => [
      currency,
      { id: rate.id, numerator: BigInt(rate.numerator), denominator: BigInt(rate.denominator) },
    ]),
  );
}

/** What of a recorded purchase its evaluation needs beside the inputs. */
export interface EvaluatedSale {
  baseMinor: bigint;
  currency: string;
  buyerId: string | null;
}

/** What evaluatePlan was given when the purchase was recorded. */
export function restoreInput(sale: EvaluatedSale, stored: StoredInputs, plan: PlanDefinition): EvaluationInput {
  return {
    plan,
    baseMinor: sale.baseMinor,
    currency: sale.currency,
    upline: restoreUpline(stored.upline ?? []),
    buyerId: sale.buyerId ?? undefined,
    block: stored.block,
    facts: stored.facts && restoreFacts(stored.facts),
    memberRoomMinor: stored.memberRooms && new Map(Object.entries(stored.memberRooms).map(([id, room]) => [id, BigInt(room)])),
    customerRoomMinor: stored.customerRoom === undefined ? undefined : BigInt(stored.customerRoom),
    rates: restoreRates(stored.rates),
  };
}
