/** What an event is, whatever its kind. Source: api-decisions §3. */

import { PURCHASE_RULES, type PurchaseRule } from '../attribution/decide-attribution.ts';
import type { LineStatus } from '../commissions/commission-line.ts';
import type { EventBlock } from '../commissions/evaluate-plan.ts';
import type { Rate } from '../commissions/price-shares.ts';
import type { UplineMember } from '../commissions/walk-upline.ts';

export const EVENT_KINDS = ['purchase', 'refund', 'chargeback', 'commission'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export const PURCHASE_TYPES = ['one_time', 'subscription_initial', 'subscription_renewal'] as const;
export type PurchaseType = (typeof PURCHASE_TYPES)[number];

export const MANUAL_TYPES = ['bonus', 'adjustment', 'correction', 'write_off'] as const;
export type ManualType = (typeof MANUAL_TYPES)[number];

export type EventType = PurchaseType | ManualType;

export const STAGES = ['opened', 'won', 'lost'] as const;
export type Stage = (typeof STAGES)[number];

export type EventStatus = 'accepted' | 'unattributed' | 'held';

export const ATTRIBUTION_RULES = PURCHASE_RULES;
export type AttributionRule = PurchaseRule;

/**
 * What was read when the event was decided, kept with it: explain evaluates it again and must come
 * to the same integers, whatever has been back-dated since. Amounts are text: a JSON number is a double.
 */
export interface StoredEvaluation {
  /** Members that were considered, level 1 first. */
  upline?: StoredMember[];
  block?: EventBlock;
  memberRooms?: Record<string, string>;
  customerRoom?: string;
  rates?: Record<string, { id: string; numerator: string; denominator: string }>;
  /** The member with the customer's email, where its lines were born held: nobody said that it bought for itself. */
  selfMember?: string;
  /** Of a refund or chargeback. */
  reversal?: StoredReversal;
  /** Statuses of the lines as they were born, in the order of the answer: a repeat answers the same. */
  firstStatuses?: LineStatus[];
}

export interface StoredMember {
  id: string;
  tier: UplineMember['tier'];
  active: boolean;
  payCurrency?: string;
  kyc?: boolean;
  personalSales?: string;
  directs?: number;
}

/** Gross amounts of the purchase taken back before and after, and how each line followed. */
export interface StoredReversal {
  purchaseMinor: string;
  refundedBefore: string;
  refundedAfter: string;
  lines: { lineId: string; amountMinor: string; targetMinor: string; alreadyMinor: string; postedMinor: string }[];
  /** Lines that a dispute holds or releases. */
  moved?: string[];
  /** What members need not pay back of a clawback; `lineId` is the line that was paid. No floor: the plan lets nobody owe anything. */
  forgiven?: {
    lineId: string;
    memberId: string;
    currency: string;
    clawedBackMinor: string;
    balanceMinor: string;
    floorMinor: string | null;
    amountMinor: string;
  }[];
  /** What had been forgiven them until then, and is taken back before a reinstatement counts. */
  recovered?: {
    lineId: string;
    memberId: string;
    currency: string;
    reinstatedMinor: string;
    forgivenMinor: string;
    amountMinor: string;
  }[];
}

export function storeUpline(upline: readonly UplineMember[]): StoredMember[] {
  return upline.map((member) => ({
    id: member.id,
    tier: member.tier,
    active: member.isActive,
    ...(member.payCurrency !== undefined && { payCurrency: member.payCurrency }),
    ...(member.kycApproved !== undefined && { kyc: member.kycApproved }),
    ...(member.personalSalesMinor !== undefined && { personalSales: member.personalSalesMinor.toString() }),
    ...(member.activeDirects !== undefined && { directs: member.activeDirects }),
  }));
}

export function restoreUpline(stored: readonly StoredMember[]): UplineMember[] {
  return stored.map((member) => ({
    id: member.id,
    tier: member.tier,
    isActive: member.active,
    ...(member.payCurrency !== undefined && { payCurrency: member.payCurrency }),
    ...(member.kyc !== undefined && { kycApproved: member.kyc }),
    ...(member.personalSales !== undefined && { personalSalesMinor: BigInt(member.personalSales) }),
    ...(member.directs !== undefined && { activeDirects: member.directs }),
  }));
}

export function restoreRates(stored: StoredEvaluation['rates']): Map<string, Rate> {
  return new Map(
    Object.entries(stored ?? {}).map(([currency, rate]) => [
      currency,
      { id: rate.id, numerator: BigInt(rate.numerator), denominator: BigInt(rate.denominator) },
    ]),
  );
}
