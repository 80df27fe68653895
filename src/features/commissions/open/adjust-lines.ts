/**
 * From planned adjustments of families to new lines, and the postings of lines that change status.
 * Source: docs/specification/commissions.md#linked-lines.
 */
import { createHash } from 'node:crypto';
import { accountOf, type LineToPost, type MemberAccount, moveBetween, type NewPosting } from '../../ledger/open/journal.ts';
import type { HoldCause, LineStatus, NewLine } from './commission-line.ts';
import type { LockedLine } from './line-locks.ts';
import { type Adjustment, carrierOf, type Family, isPaid } from './reverse-lines.ts';

/** Each original with everything linked to it, in the order given. */
export function familiesOf(lines: readonly LockedLine[]): Family<LockedLine>[] {
  return lines
    .filter((line) => line.reversesLineId === null)
    .map((original) => ({ original, linked: lines.filter((line) => line.reversesLineId === original.id) }));
}

/** Whether the one tops up the other; both are of one purchase or of its top-ups. */
export function isToppedUpBy(line: LockedLine, topUp: LockedLine): boolean {
  return (
    topUp.aboutEventId === line.eventId &&
    topUp.beneficiaryId === line.beneficiaryId &&
    topUp.level === line.level &&
    topUp.paidLevel === line.paidLevel
  );
}

/** A line that is not held is pending until it is due. */
export function statusByClock(clearsAt: Date, now: Date): 'pending' | 'cleared' {
  return clearsAt <= now ? 'cleared' : 'pending';
}

/** What the family was put on hold for, or born, and nobody released it from. A reversal ends the hold of its lines, not the reason for it. */
function standingHold({ original, linked }: Family<LockedLine>): HoldCause | null {
  const last = [original, ...linked]
    .flatMap(({ lastAction }) => lastAction ?? [])
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .at(-1);
  if (last?.action === 'hold') return 'manual';
  return original.bornHeld && last?.action !== 'release' ? 'self_purchase' : null;
}

/** The postings of lines that change status and so, perhaps, account. */
export function moveAccounts(moves: readonly { line: LockedLine; to: LineStatus }[]): NewPosting[] {
  const accounts = ['member:pending', 'member:cleared'] as const;
  return accounts.flatMap((from) =>
    accounts.flatMap((to) =>
      moveBetween(
        moves.filter((move) => accountOf(move.line.status) === from && accountOf(move.to) === to).map(({ line }) => line),
        from,
        to,
      ),
    ),
  );
}

/** Lines of an emptied family that stand in another account than its carrier: the sweep had cleared only some. */
export function moveStrays({ family, nowReversed }: Adjustment<LockedLine>): NewPosting[] {
  const to = accountOf(carrierOf(family).status);
  return to === undefined
    ? []
    : moveAccounts(nowReversed.map((line) => ({ line, to: to === 'member:cleared' ? 'cleared' : 'pending' })));
}

/**
 * The new line of a family, and the account it is posted to. What is reinstated from nothing is on
 * hold while `inDispute`, and when the family was held for another reason before it was taken back.
 */
export function adjustmentLine(
  adjustment: Adjustment<LockedLine>,
  now: Date,
  inDispute = false,
): { line: NewLine; posted: LineToPost } {
  const { family, carrier, amountMinor, sourceAmountMinor } = adjustment;
  const { original } = family;
  const paid = isPaid(carrierOf(family).status);
  const hold = standingHold(family);
  const anew = hold !== null || inDispute ? 'held' : statusByClock(original.clearsAt, now);
  const standing = carrier?.status ?? (paid ? 'cleared' : anew);
  const status = adjustment.nowReversed.length > 0 ? 'reversed' : standing;
  const account: MemberAccount = accountOf(standing) ?? 'member:cleared';
  const line: NewLine = {
    beneficiaryId: original.beneficiaryId,
    kind: adjustment.kind,
    source: original.source,
    level: original.level,
    legId: original.legId,
    paidLevel: original.paidLevel,
    rateBps: original.rateBps,
    flatMinor: original.flatMinor,
    multiplierMilli: original.multiplierMilli,
    baseMinor: original.baseMinor,
    amountMinor,
    currency: original.currency,
    conversion: original.conversion && { ...original.conversion, amountMinor: sourceAmountMinor ?? 0n },
    cappedMinor: 0n,
    cap: null,
    status,
    holdCause: status === 'held' ? (carrier?.holdCause ?? hold ?? 'dispute') : null,
    clearsAt: paid ? now : (carrier?.clearsAt ?? original.clearsAt),
    occurredAt: original.occurredAt,
    planVersionId: original.planVersionId,
    paySource: original.paySource,
    calculationHash: hashAdjustment(adjustment),
    reversesLineId: original.id,
    aboutEventId: null,
  };
  return { line, posted: { ...line, account } };
}

/** Binds a linked line to the arithmetic it comes from. */
function hashAdjustment({ family, kind, targetMinor, alreadyMinor, amountMinor }: Adjustment<LockedLine>): Buffer {
  const inputs = [family.original.id, kind, `${targetMinor}`, `${alreadyMinor}`, `${amountMinor}`];
  return createHash('sha256').update(JSON.stringify(inputs)).digest();
}
