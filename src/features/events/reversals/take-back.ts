/**
 * What a refund or a stage of a dispute does to a purchase's lines: a pure plan of status changes,
 * new lines and postings. Source: docs/specification/commissions.md#linked-lines.
 */
import { divideRoundHalfUp } from '../../../money.ts';
import {
  adjustmentLine,
  familiesOf,
  isToppedUpBy,
  moveAccounts,
  moveStrays,
  statusByClock,
} from '../../commissions/open/adjust-lines.ts';
import type { LineStatus, NewLine } from '../../commissions/open/commission-line.ts';
import type { LockedLine, StatusChange } from '../../commissions/open/line-locks.ts';
import {
  type Adjustment,
  adjustFamily,
  carrierOf,
  type Family,
  isPaid,
  remainingOf,
} from '../../commissions/open/reverse-lines.ts';
import { type NewPosting, postLines } from '../../ledger/open/journal.ts';
import type { StoredReversal } from '../event-kinds.ts';

export interface TakeBackInput {
  purchase: { amountMinor: bigint; currency: string; breakageMinor: bigint };
  lines: readonly LockedLine[];
  /** Breakage taken back before, as a negative sum. */
  breakageBeforeMinor: bigint;
  refundedBefore: bigint;
  refundedAfter: bigint;
  /** By the scope's clock. */
  now: Date;
  /** `hold` when a dispute is opened, `keep` while another one is open, `release` when the last open one is decided. */
  dispute: 'hold' | 'keep' | 'release' | undefined;
}

export interface TakeBack {
  changes: StatusChange[];
  lines: NewLine[];
  /** Of the lines those about money that was paid out: clawbacks, and what reinstates it. */
  afterPayout: NewLine[];
  postings: NewPosting[];
  breakageMinor: bigint;
  reversal: StoredReversal;
}

export function planTakeBack(input: TakeBackInput): TakeBack {
  const moved = moveForDispute(input);
  // A void is the last word on a commission: no refund can lessen it, no dispute that is won undoes it.
  const families = withoutVoid(familiesOf(moved.lines));
  const adjustments = families.flatMap((family) => {
    const adjustment = adjustFamily(family, input.refundedAfter, input.purchase.amountMinor);
    return adjustment ? [adjustment] : [];
  });
  const breakageMinor =
    input.purchase.amountMinor === 0n
      ? 0n
      : -input.breakageBeforeMinor -
        divideRoundHalfUp(input.purchase.breakageMinor * input.refundedAfter, input.purchase.amountMinor);
  const made = adjustments.map((adjustment) => adjustmentLine(adjustment, input.now, input.dispute === 'keep'));
  const emptied = adjustments.flatMap((adjustment) => adjustment.nowReversed);
  return {
    changes: [
      ...moved.changes.filter((change) => !emptied.some((line) => line.id === change.lineId)),
      ...emptied.map((line) => ({ lineId: line.id, status: 'reversed' as const, holdCause: null, holdReason: null })),
    ],
    lines: made.map(({ line }) => line),
    afterPayout: made.flatMap(({ line }, index) => (isAfterPayout(adjustments[index]) ? [line] : [])),
    postings: [
      ...postLines(
        made.map(({ posted }) => posted),
        { breakage: { amountMinor: breakageMinor, currency: input.purchase.currency } },
      ),
      ...moved.postings,
      ...adjustments.flatMap(moveStrays),
    ],
    breakageMinor,
    reversal: {
      purchaseMinor: input.purchase.amountMinor.toString(),
      refundedBefore: input.refundedBefore.toString(),
      refundedAfter: input.refundedAfter.toString(),
      lines: adjustments.map((adjustment) => ({
        lineId: adjustment.family.original.id,
        amountMinor: adjustment.family.original.amountMinor.toString(),
        targetMinor: adjustment.targetMinor.toString(),
        alreadyMinor: adjustment.alreadyMinor.toString(),
        postedMinor: adjustment.amountMinor.toString(),
      })),
      ...(moved.changes.length > 0 && { moved: moved.changes.map((change) => change.lineId) }),
    },
  };
}

/** What is given back of a charge is no reinstatement: nothing was forgiven for it. */
function isAfterPayout(adjustment: Adjustment<LockedLine> | undefined): boolean {
  if (adjustment === undefined) return false;
  const { family } = adjustment;
  return family.original.amountMinor > 0n && isPaid(carrierOf(family).status);
}

/** Void lines stay as they are, and so does a top-up of one, once nothing is left of it. */
function withoutVoid(families: readonly Family<LockedLine>[]): Family<LockedLine>[] {
  const isVoid = ({ linked }: Family<LockedLine>): boolean => linked.some((line) => line.isVoid);
  const gone = families.filter(isVoid);
  const stay = families.filter((family) => !isVoid(family));
  return stay.filter(
    (family) => remainingOf(family) !== 0n || !gone.some(({ original }) => isToppedUpBy(original, family.original)),
  );
}

/** Unpaid lines go on hold while a dispute is open, and back to where the clock has them when it is decided. */
function moveForDispute({ lines, dispute, now }: TakeBackInput): {
  lines: LockedLine[];
  changes: StatusChange[];
  postings: NewPosting[];
} {
  if (dispute === undefined || dispute === 'keep') return { lines: [...lines], changes: [], postings: [] };
  const owed = dispute === 'hold' ? owedLines(lines) : undefined;
  const moves = lines.flatMap((line): { line: LockedLine; to: LineStatus }[] => {
    if (owed) return owed.has(line) ? [{ line, to: 'held' }] : [];
    return line.status === 'held' && line.holdCause === 'dispute' ? [{ line, to: statusByClock(line.clearsAt, now) }] : [];
  });
  const target = new Map(moves.map(({ line, to }) => [line.id, to]));
  return {
    lines: lines.map((line): LockedLine => {
      const status = target.get(line.id);
      return status === undefined ? line : { ...line, status, holdCause: status === 'held' ? 'dispute' : null };
    }),
    changes: moves.map(({ line, to }) => ({
      lineId: line.id,
      status: to,
      holdCause: to === 'held' ? 'dispute' : null,
      holdReason: null,
    })),
    postings: moveAccounts(moves),
  };
}

/** Unpaid lines of the families that the member has money to come of. A clawback alone is not put off: it nets in the next run. */
function owedLines(lines: readonly LockedLine[]): Set<LockedLine> {
  const owed = familiesOf(lines).flatMap(({ original, linked }) => {
    const unpaid = [original, ...linked].filter(({ status }) => status === 'pending' || status === 'cleared');
    return unpaid.reduce((sum, line) => sum + line.amountMinor, 0n) > 0n ? unpaid : [];
  });
  return new Set(owed);
}
