/**
 * Taking a purchase back: how much of each line is reversed once this much of the purchase is
 * refunded. A pure function over whole families - a line with everything that took it back or
 * reinstated it. Source: docs/specification/commissions.md#reversal.
 */
import { divideRoundHalfUp } from '../../../money.ts';
import type { LineKind, LineStatus } from './commission-line.ts';

/** A stored line, as far as reversing needs it. */
export interface FamilyLine {
  id: string;
  kind: LineKind;
  beneficiaryId: string;
  status: LineStatus;
  amountMinor: bigint;
  currency: string;
  conversion: { amountMinor: bigint; currency: string; exchangeRateId: string } | null;
}

export interface Family<Line extends FamilyLine = FamilyLine> {
  original: Line;
  /** Reversals, clawbacks and reinstatements of it, oldest first. */
  linked: readonly Line[];
}

/** What is posted for one family; `amountMinor` is negative to reverse and positive to reinstate. */
export interface Adjustment<Line extends FamilyLine = FamilyLine> {
  family: Family<Line>;
  kind: 'reversal' | 'clawback' | 'reinstatement';
  /** What should be reversed in all, what was before, as positive amounts. */
  targetMinor: bigint;
  alreadyMinor: bigint;
  amountMinor: bigint;
  /** The same share of the amount before conversion. */
  sourceAmountMinor: bigint | null;
  /** The line whose status and clearsAt the new line takes; undefined after payout: it is born cleared. */
  carrier: Line | undefined;
  /** The unpaid lines that become `reversed` together with the new one, when that leaves nothing. */
  nowReversed: readonly Line[];
}

/** Unpaid lines can still be taken back where they stand; of paid ones the money is clawed back. */
export function isPaid(status: LineStatus): boolean {
  return status === 'processing' || status === 'paid';
}

/**
 * The line that stands for the family: the original or, once that is reversed, the first that gives it again and is not.
 * Those after it only make up for what was taken back of it since. Of a charge, which is negative, what gives it again is.
 */
export function carrierOf<Line extends FamilyLine>({ original, linked }: Family<Line>): Line {
  if (original.status !== 'reversed') return original;
  const isCharge = original.amountMinor < 0n;
  return linked.find((line) => line.amountMinor < 0n === isCharge && line.status !== 'reversed') ?? original;
}

/** What is left of the original, after everything that is linked to it. */
export function remainingOf({ original, linked }: Family): bigint {
  return linked.reduce((sum, line) => sum + line.amountMinor, original.amountMinor);
}

/**
 * The difference that brings a family to `refundedMinor` of `purchaseMinor` (both gross); undefined
 * when there is none. Rounded on the total, so that any split of a refund ends at the same amount.
 */
export function adjustFamily<Line extends FamilyLine>(
  family: Family<Line>,
  refundedMinor: bigint,
  purchaseMinor: bigint,
): Adjustment<Line> | undefined {
  const targetMinor = divideRoundHalfUp(family.original.amountMinor * refundedMinor, purchaseMinor);
  return adjustTo(family, targetMinor);
}

/** Brings what is reversed of a family to `targetMinor`. */
export function adjustTo<Line extends FamilyLine>(family: Family<Line>, targetMinor: bigint): Adjustment<Line> | undefined {
  const { original } = family;
  const remaining = remainingOf(family);
  const alreadyMinor = original.amountMinor - remaining;
  const amountMinor = alreadyMinor - targetMinor;
  if (amountMinor === 0n) return undefined;
  const standing = carrierOf(family);
  const afterPayout = isPaid(standing.status);
  const gone = standing.status === 'reversed';
  // What was paid out of it keeps its counterpart: reversed with the rest it would leave money that no line stands for.
  const partlyPaid = family.linked.some((line) => isPaid(line.status));
  const emptied = remaining + amountMinor === 0n && !afterPayout && !gone && !partlyPaid;
  return {
    family,
    kind: amountMinor > 0n ? 'reinstatement' : afterPayout ? 'clawback' : 'reversal',
    targetMinor,
    alreadyMinor,
    amountMinor,
    sourceAmountMinor: sourceAmount(family, targetMinor),
    carrier: afterPayout || gone ? undefined : standing,
    nowReversed: emptied
      ? [family.original, ...family.linked].filter((line) => !isPaid(line.status) && line.status !== 'reversed')
      : [],
  };
}

/** In proportion to what is reversed after conversion, so that both reach their whole together. */
function sourceAmount({ original, linked }: Family, targetMinor: bigint): bigint | null {
  if (!original.conversion) return null;
  const reversed = linked.reduce((sum, line) => sum - (line.conversion?.amountMinor ?? 0n), 0n);
  const sign = original.amountMinor < 0n ? -1n : 1n;
  const target = divideRoundHalfUp(sign * original.conversion.amountMinor * targetMinor, sign * original.amountMinor);
  return reversed - target;
}
