/** What an event is, whatever its kind. Source: docs/specification/events.md. */
import { PURCHASE_RULES, type PurchaseRule } from '../attribution/open/decide-attribution.ts';
import type { PassedOver } from '../commissions/open/choose-plan.ts';
import type { LineStatus } from '../commissions/open/commission-line.ts';
import type { StoredInputs } from '../commissions/open/stored-evaluation.ts';
import type { PurchaseType } from './open/purchase-body.ts';

/** What others send. */
export const SENT_KINDS = ['purchase', 'refund', 'chargeback', 'commission'] as const;
export type SentKind = (typeof SENT_KINDS)[number];

/** And what the service makes itself. */
export const EVENT_KINDS = [...SENT_KINDS, 'period'] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export const MANUAL_TYPES = ['bonus', 'adjustment', 'correction', 'write_off'] as const;
export type ManualType = (typeof MANUAL_TYPES)[number];

export type EventType = PurchaseType | ManualType;

export const STAGES = ['opened', 'won', 'lost'] as const;
export type Stage = (typeof STAGES)[number];

export type EventStatus = 'accepted' | 'unattributed' | 'held';

export const ATTRIBUTION_RULES = PURCHASE_RULES;
export type AttributionRule = PurchaseRule;

/** What was read when the event was decided, and kept with it. */
export interface StoredEvaluation extends StoredInputs {
  /** The member with the customer's email, where its lines were born held: nobody said that it bought for itself. */
  selfMember?: string;
  /** Where a plan in force named groups: the group of the credited member, and the versions that lost. */
  choice?: StoredChoice;
  /** Of a refund or chargeback. */
  reversal?: StoredReversal;
  /** What the top-ups of a period event come from. */
  period?: StoredPeriod;
  /** Statuses of the lines as they were born, in the order of the answer: a repeat answers the same. */
  firstStatuses?: LineStatus[];
}

/** What whoever settles a period keeps with its event, for people to read: texts, whole numbers, and lists and objects of them. */
export type StoredPeriod = Readonly<Record<string, PeriodValue>>;
export type PeriodValue = string | number | boolean | null | readonly PeriodValue[] | { readonly [name: string]: PeriodValue };

export interface StoredChoice {
  group: string | null;
  passedOver: { versionId: string; why: PassedOver }[];
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
