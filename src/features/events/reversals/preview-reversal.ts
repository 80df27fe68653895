/**
 * What a refund or a stage of a dispute would do: the event is recorded by the code that records it, read back, and
 * undone, so the preview cannot differ from the deed. Source: docs/specification/events.md#reversal-preview.
 */
import { randomUUID } from 'node:crypto';
import type { ActingScope } from '../../../actor.ts';
import { undone } from '../../../db/savepoint.ts';
import type { WriteDb } from '../../../db/scope.ts';
import { AppError } from '../../../errors.ts';
import { familiesOf } from '../../commissions/open/adjust-lines.ts';
import type { LineKind, LineStatus } from '../../commissions/open/commission-line.ts';
import type { LockedLine } from '../../commissions/open/line-locks.ts';
import { carrierOf, type Family, remainingOf } from '../../commissions/open/reverse-lines.ts';
import type { StoredReversal } from '../event-kinds.ts';
import { eventsErrors } from '../open/events-errors.ts';
import { lockInOrder } from '../purchases/plan-limits-queries.ts';
import type { Receipt, Recorded } from '../recorded-event.ts';
import type { PreviewInput } from './preview-operations.ts';
import { findPurchase, readTouchedBalances, type TouchedBalance } from './preview-queries.ts';
import { type ReversalDeps, recordChargeback, recordRefund } from './record-reversal.ts';

/** A line of the sale, before and after. */
export interface ReversedLine {
  original: LockedLine;
  takenBeforeMinor: bigint;
  changeMinor: bigint;
  remainingMinor: bigint;
  writtenOffMinor: bigint;
  /** What would be recorded for it; null where no cent of it moves. */
  entry: LineKind | null;
  statusBefore: LineStatus;
  statusAfter: LineStatus;
  isVoid: boolean;
}

export interface ReversalPreview {
  purchase: { eventId: string; externalEventId: string };
  /** What would be answered. Its ids are of rows that are gone. */
  receipt: Receipt;
  lines: ReversedLine[];
  /** Undefined where they were not asked for. */
  balances: TouchedBalance[] | undefined;
}

export interface PreviewOptions {
  /** Whether balances of members are read. */
  balances: boolean;
}

/**
 * Waits for others that change the purchase, as the event itself would, and leaves nothing behind. The refusals of the
 * event; EVENT_ID_REUSED also where it is recorded already, and NOT_FOUND where the id is of no purchase.
 */
export async function previewReversal(
  frameDb: WriteDb,
  scope: ActingScope,
  { purchaseId, input }: { purchaseId: string; input: PreviewInput },
  deps: ReversalDeps,
  options: PreviewOptions,
): Promise<ReversalPreview> {
  // The commit may not travel behind the event's last statement: it is undone.
  const db: WriteDb = { ...frameDb, lastRow: (statement) => frameDb.row(statement) };
  const externalEventId = await findPurchase(db, scope, purchaseId);
  if (externalEventId === undefined) throw new AppError('NOT_FOUND', 'No such purchase');
  // In the order that recording takes them in: what stands before is what the event then finds.
  await lockInOrder(db, scope, [`purchase:${purchaseId}`]);
  const before = await deps.lines.lockPurchaseLines(db, scope, purchaseId);
  return undone(db, async () => {
    const { created, receipt } = await record(db, scope, { externalEventId, input }, deps);
    if (!created) throw new AppError(eventsErrors.EVENT_ID_REUSED, 'An event of this external_event_id is recorded already');
    const [after, balances] = await Promise.all([
      deps.lines.lockPurchaseLines(db, scope, purchaseId),
      options.balances ? readTouchedBalances(db, scope, receipt.eventId) : undefined,
    ]);
    return {
      purchase: { eventId: purchaseId, externalEventId },
      receipt,
      lines: reversedLines(before, after, receipt),
      balances,
    };
  });
}

function record(
  db: WriteDb,
  scope: ActingScope,
  { externalEventId, input }: { externalEventId: string; input: PreviewInput },
  deps: ReversalDeps,
): Promise<Recorded> {
  const { kind, external_event_id: given, dispute_id: disputeId, stage, ...shared } = input;
  const said = {
    ...shared,
    external_event_id: given ?? `preview-${randomUUID()}`,
    purchase_external_event_id: externalEventId,
  };
  if (kind === 'refund') return recordRefund(db, scope, said, deps);
  if (disputeId == null || stage == null) throw new Error('a chargeback without its dispute has passed validation');
  return recordChargeback(db, scope, { ...said, dispute_id: disputeId, stage }, deps);
}

function reversedLines(before: readonly LockedLine[], after: readonly LockedLine[], receipt: Receipt): ReversedLine[] {
  const later = new Map(familiesOf(after).map((family) => [family.original.id, family]));
  const { reversal } = receipt.evaluation ?? {};
  return familiesOf(before)
    .map((family) => {
      const { original } = family;
      const then: Family<LockedLine> = later.get(original.id) ?? family;
      const entry = receipt.lines.find((line) => line.reversesLineId === original.id);
      const remainingBefore = remainingOf(family);
      const remainingMinor = remainingOf(then);
      return {
        original,
        takenBeforeMinor: original.amountMinor - remainingBefore,
        changeMinor: remainingMinor - remainingBefore,
        remainingMinor,
        writtenOffMinor: writtenOffOf(original.id, reversal),
        entry: entry?.kind ?? null,
        statusBefore: carrierOf(family).status,
        statusAfter: carrierOf(then).status,
        isVoid: family.linked.some(({ isVoid }) => isVoid),
      };
    })
    .toSorted(
      (a, b) =>
        a.original.level - b.original.level ||
        a.original.paidLevel - b.original.paidLevel ||
        (a.original.id < b.original.id ? -1 : 1),
    );
}

/** What is forgiven of the clawback of a line, less what is recovered before its reinstatement counts. */
function writtenOffOf(lineId: string, reversal: StoredReversal | undefined): bigint {
  const sumOf = (parts: readonly { lineId: string; amountMinor: string }[] = []): bigint =>
    parts.reduce((sum, part) => (part.lineId === lineId ? sum + BigInt(part.amountMinor) : sum), 0n);
  return sumOf(reversal?.forgiven) - sumOf(reversal?.recovered);
}
