/** A commission line: one member's share of one event, or what takes back, adds to or reinstates one. */

import { RATE_SOURCES } from './choose-rate.ts';

export type LineStatus = 'pending' | 'held' | 'cleared' | 'processing' | 'paid' | 'reversed';
export const LINE_STATUSES = ['pending', 'held', 'cleared', 'processing', 'paid', 'reversed'] as const satisfies LineStatus[];

export const LINE_KINDS = [
  'commission',
  'reversal',
  'clawback',
  'reinstatement',
  'bonus',
  'adjustment',
  'correction',
  'write_off',
] as const;
export type LineKind = (typeof LINE_KINDS)[number];

/** An operator, an open dispute, or a sale to a customer with the member's own email that nobody called a personal purchase. */
export type HoldCause = 'manual' | 'dispute' | 'self_purchase';
export const HOLD_CAUSES = ['manual', 'dispute', 'self_purchase'] as const satisfies HoldCause[];

/** Kept as the reason of the last: no person gave one. */
export const SELF_PURCHASE_REASON = 'The customer has the email of this member, and no buyer_user_id was sent';

/** What a person can do to a line. Source: docs/specification/commissions.md#actions. */
export type LineAction = 'hold' | 'release' | 'void';

/** What pays a line: a rule, what was agreed, a ladder, or the level; several of them for parts of the sale. */
export const PAY_SOURCES = [...RATE_SOURCES, 'mixed'] as const;
export type PaySource = (typeof PAY_SOURCES)[number];

export type LineSource = 'sales' | 'subscription' | 'manual';

/** What a line says, stored or about to be. Amounts are signed: what takes back is negative. */
export interface LineTerms {
  beneficiaryId: string;
  kind: LineKind;
  source: LineSource;
  /** Real distance from the sale; 0 for a line that no sale made. */
  level: number;
  /** The beneficiary's direct recruit that the sale came through, as the upline stood at the sale; null at levels 1 and 0. */
  legId: string | null;
  paidLevel: number;
  rateBps: number;
  flatMinor: bigint | null;
  multiplierMilli: number;
  baseMinor: bigint;
  amountMinor: bigint;
  currency: string;
  /** Amount and currency before conversion, with the stored rate; null for a line that was not converted. */
  conversion: { amountMinor: bigint; currency: string; exchangeRateId: string } | null;
  cappedMinor: bigint;
  cap: string | null;
  status: LineStatus;
  /** Who holds the line, while it is held. */
  holdCause: HoldCause | null;
  clearsAt: Date;
  /** Of the sale, also for what takes it back: the month it counts in. */
  occurredAt: Date;
  planVersionId: string | null;
  /** Null of plans that have but levels, and of lines that no sale made. */
  paySource: PaySource | null;
  reversesLineId: string | null;
  /** The purchase that a top-up tops up; null of every other line, also of what takes a top-up back. */
  aboutEventId: string | null;
}

/** A line before it is stored. */
export interface NewLine extends LineTerms {
  /** Its id where that is known ahead; else the database makes it. */
  givenId?: string;
  calculationHash: Buffer;
  /** Of a clawback: after how many days the member need not pay it back any more, and how much of it. */
  writeOff?: { afterDays: number; amountMinor: bigint };
}

/** A stored line. */
export interface CommissionLine extends LineTerms {
  id: string;
  eventId: string;
  holdReason: string | null;
  createdAt: Date;
  clearedJournalId: string | null;
}

/** A stored line with the sender's name of its event. */
export interface NamedLine extends CommissionLine {
  externalEventId: string;
}

/** Why a line is held that is born so. */
export function bornHoldReason({ holdCause }: Pick<LineTerms, 'holdCause'>): string | null {
  return holdCause === 'self_purchase' ? SELF_PURCHASE_REASON : null;
}
