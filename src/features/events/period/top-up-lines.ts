/**
 * The lines of a period event: top-ups of what purchases paid, each with what earlier refunds take back of it at once.
 * A pure function. Source: docs/specification/events.md#period.
 */
import { createHash } from 'node:crypto';
import { adjustmentLine, statusByClock } from '../../commissions/open/adjust-lines.ts';
import type { HoldCause, LineStatus, NewLine } from '../../commissions/open/commission-line.ts';
import type { LockedLine } from '../../commissions/open/line-locks.ts';
import { adjustFamily, carrierOf, type Family, remainingOf } from '../../commissions/open/reverse-lines.ts';
import { accountOf, type LineToPost } from '../../ledger/open/journal.ts';

/** A difference between what a line of a purchase paid and what it would have paid. */
export interface NewTopUp {
  /** The line of the purchase that is topped up. */
  lineId: string;
  /** In the currency of that line; never 0. Negative it is a charge, which counts at once. */
  amountMinor: bigint;
  /** The same difference before conversion, of a line that was converted; null of another. */
  sourceAmountMinor: bigint | null;
  clearsAt: Date;
}

/** A purchase, as far as its top-ups go by it. */
export interface ToppedSale {
  amountMinor: bigint;
  /** Gross, in all until now. */
  refundedMinor: bigint;
  inDispute: boolean;
}

/** Whether a line may be topped up: it is of a sale, not void, and something is left of it. */
export function canBeToppedUp({ original, linked }: Family<LockedLine>): boolean {
  return original.kind === 'commission' && !linked.some(({ isVoid }) => isVoid) && remainingOf({ original, linked }) !== 0n;
}

/** The top-up under its id, and what is taken back of it where a part of the sale is refunded. */
export function topUpLines(
  topUp: NewTopUp,
  topped: Family<LockedLine>,
  sale: ToppedSale,
  { id, now }: { id: string; now: Date },
): { lines: NewLine[]; posted: LineToPost[] } {
  const holdCause = bornHold(topUp, topped, sale);
  const status = holdCause === null ? bornStatus(topUp, now) : 'held';
  const line = topUpLine(topUp, topped.original, { id, status, holdCause, now });
  const posted: LineToPost = { ...line, account: accountOf(line.status) ?? 'member:cleared' };
  const family = { original: asLocked(line, id, topped.original), linked: [] };
  const adjustment = sale.refundedMinor === 0n ? undefined : adjustFamily(family, sale.refundedMinor, sale.amountMinor);
  if (!adjustment) return { lines: [line], posted: [posted] };
  const back = adjustmentLine(adjustment, now);
  const isEmptied = adjustment.nowReversed.length > 0;
  return {
    lines: [isEmptied ? { ...line, status: 'reversed', holdCause: null } : line, back.line],
    posted: [posted, back.posted],
  };
}

/** A charge counts at once; all else waits for the end of a dispute that is open, and for whatever the line is held for. */
function bornHold({ amountMinor }: NewTopUp, topped: Family<LockedLine>, { inDispute }: ToppedSale): HoldCause | null {
  if (amountMinor < 0n) return null;
  return carrierOf(topped).holdCause ?? (inDispute ? 'dispute' : null);
}

/** As a commission by hand. */
function bornStatus({ amountMinor, clearsAt }: NewTopUp, now: Date): LineStatus {
  return amountMinor < 0n ? 'cleared' : statusByClock(clearsAt, now);
}

function topUpLine(
  { amountMinor, sourceAmountMinor, clearsAt }: NewTopUp,
  topped: LockedLine,
  { id, status, holdCause, now }: { id: string; status: LineStatus; holdCause: HoldCause | null; now: Date },
): NewLine {
  return {
    givenId: id,
    beneficiaryId: topped.beneficiaryId,
    kind: 'adjustment',
    source: topped.source,
    level: topped.level,
    legId: topped.legId,
    paidLevel: topped.paidLevel,
    rateBps: 0,
    flatMinor: null,
    multiplierMilli: 1000,
    baseMinor: 0n,
    amountMinor,
    currency: topped.currency,
    conversion: topped.conversion && { ...topped.conversion, amountMinor: sourceAmountMinor ?? 0n },
    cappedMinor: 0n,
    cap: null,
    status,
    holdCause,
    clearsAt: amountMinor < 0n ? now : clearsAt,
    occurredAt: topped.occurredAt,
    planVersionId: topped.planVersionId,
    paySource: 'ladder',
    calculationHash: createHash('sha256')
      .update(JSON.stringify(['top_up', topped.id, `${amountMinor}`, sourceAmountMinor === null ? null : `${sourceAmountMinor}`]))
      .digest(),
    reversesLineId: null,
    aboutEventId: topped.eventId,
  };
}

/** As it would be found once it is stored. */
function asLocked(line: NewLine, id: string, { lastAction, bornHeld }: LockedLine): LockedLine {
  return {
    ...line,
    id,
    eventId: '',
    holdReason: null,
    createdAt: line.occurredAt,
    clearedJournalId: null,
    isVoid: false,
    lastAction,
    bornHeld,
  };
}
