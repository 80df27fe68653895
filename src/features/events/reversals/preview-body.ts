/** From the preview of a reversal to the body of its answer. */
import { minorSum, toJsonInteger } from '../../../money.ts';
import { reversalBody } from '../event-bodies.ts';
import type { PreviewAnswer } from './preview-operations.ts';
import type { TouchedBalance } from './preview-queries.ts';
import type { ReversalPreview, ReversedLine } from './preview-reversal.ts';

type Entry = PreviewAnswer['lines'][number]['entry'];

export function previewBody({ purchase, receipt, lines, balances }: ReversalPreview): PreviewAnswer {
  // Without its own id, which is of a row that is gone.
  const { event_id: _gone, external_event_id: _drawn, status: _status, commissions, ...answer } = reversalBody(receipt);
  return {
    ...answer,
    purchase: { event_id: purchase.eventId, external_event_id: purchase.externalEventId },
    breakage_minor: toJsonInteger(receipt.breakageMinor),
    lines: lines.map(lineBody),
    commissions: commissions.map(({ id: _id, ...line }) => line),
    totals: totalsOf(lines),
    balances: balances?.map(balanceBody) ?? null,
  };
}

function lineBody({ original, entry, ...line }: ReversedLine): PreviewAnswer['lines'][number] {
  return {
    commission_id: original.id,
    user_id: original.beneficiaryId,
    kind: original.kind,
    level: original.level,
    paid_level: original.paidLevel,
    currency: original.currency,
    amount_minor: toJsonInteger(original.amountMinor),
    taken_before_minor: toJsonInteger(line.takenBeforeMinor),
    change_minor: toJsonInteger(line.changeMinor),
    remaining_minor: toJsonInteger(line.remainingMinor),
    written_off_minor: toJsonInteger(line.writtenOffMinor),
    entry: entry as Entry,
    status_before: line.statusBefore,
    status_after: line.statusAfter,
    is_void: line.isVoid,
  };
}

function totalsOf(lines: readonly ReversedLine[]): PreviewAnswer['totals'] {
  const byCurrency = Map.groupBy(lines, ({ original }) => original.currency);
  return [...byCurrency]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, own]) => {
      const sum = (of: (line: ReversedLine) => bigint): bigint => own.reduce((total, line) => total + of(line), 0n);
      const remaining = sum((line) => line.remainingMinor);
      const change = sum((line) => line.changeMinor);
      return {
        currency,
        ...minorSum('before_minor', remaining - change),
        ...minorSum('change_minor', change),
        ...minorSum('remaining_minor', remaining),
        ...minorSum(
          'written_off_minor',
          sum((line) => line.writtenOffMinor),
        ),
      };
    });
}

function balanceBody(balance: TouchedBalance): NonNullable<PreviewAnswer['balances']>[number] {
  const clearedBefore = balance.clearedMinor - balance.clearedChange;
  return {
    user_id: balance.memberId,
    currency: balance.currency,
    ...minorSum('pending_before_minor', balance.pendingMinor - balance.pendingChange),
    ...minorSum('pending_after_minor', balance.pendingMinor),
    ...minorSum('cleared_before_minor', clearedBefore),
    ...minorSum('cleared_after_minor', balance.clearedMinor),
    becomes_negative: clearedBefore >= 0n && balance.clearedMinor < 0n,
  };
}
