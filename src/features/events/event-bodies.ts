/** From stored events and receipts to the bodies of the Events group. */
import { shownTo } from '../../actor.ts';
import { errorBody } from '../../http/error-handler.ts';
import { toJsonInteger } from '../../money.ts';
import { eventBody, lineBody } from './event-body.ts';
import type { EventAnswer } from './events-operations.ts';
import type { StoredEvent } from './events-queries.ts';
import type { ManualAnswer } from './manual/manual-operations.ts';
import type { BatchItem } from './purchases/batch-service.ts';
import type { PurchaseAnswer } from './purchases/purchase-operations.ts';
import type { Receipt, Recorded } from './recorded-event.ts';
import type { ReversalAnswer } from './reversals/reversal-operations.ts';

export function statusOf({ created }: Recorded): 200 | 201 {
  return created ? 201 : 200;
}

export function purchaseBody(receipt: Receipt): PurchaseAnswer {
  return {
    event_id: receipt.eventId,
    external_event_id: receipt.externalEventId,
    status: receipt.status,
    attribution: { user_id: receipt.attributedId, rule: receipt.attributionRule ?? 'none', receipt_id: receipt.receiptId },
    commissions: receipt.lines.map(lineBody),
  };
}

export function reversalBody(receipt: Receipt): ReversalAnswer {
  const { reversal } = receipt.evaluation ?? {};
  const refunded = BigInt(reversal?.refundedAfter ?? 0);
  return {
    event_id: receipt.eventId,
    external_event_id: receipt.externalEventId,
    kind: receipt.kind === 'chargeback' ? 'chargeback' : 'refund',
    status: receipt.status,
    purchase: { event_id: receipt.purchase?.eventId ?? '', external_event_id: receipt.purchase?.externalEventId ?? '' },
    dispute_id: receipt.disputeId,
    stage: receipt.stage,
    amount_minor: toJsonInteger(receipt.amountMinor),
    currency: receipt.currency,
    refunded_minor: toJsonInteger(refunded),
    remaining_minor: toJsonInteger(BigInt(reversal?.purchaseMinor ?? 0) - refunded),
    commissions: receipt.lines.map(lineBody),
    moved_commission_ids: reversal?.moved ?? [],
  };
}

export function manualBody(receipt: Receipt): ManualAnswer {
  const [line] = receipt.lines;
  return {
    event_id: receipt.eventId,
    external_event_id: receipt.externalEventId,
    kind: 'commission',
    type: receipt.type as ManualAnswer['type'],
    status: receipt.status,
    user_id: receipt.attributedId ?? '',
    amount_minor: toJsonInteger(line?.amountMinor ?? 0n),
    currency: receipt.currency,
    description: receipt.description ?? '',
    actor: receipt.actor ?? '',
    created_by: receipt.createdBy,
    commissions: receipt.lines.map(lineBody),
  };
}

export function batchBody(items: readonly BatchItem[]) {
  const recorded = items.flatMap((item) => ('recorded' in item ? [item.recorded] : []));
  return {
    recorded: recorded.filter(({ created }) => created).length,
    repeated: recorded.filter(({ created }) => !created).length,
    failed: items.length - recorded.length,
    results: items.map((item, index) => ({ index, external_event_id: item.externalEventId, ...resultOf(item) })),
  };
}

function resultOf(item: BatchItem) {
  if ('error' in item) return { status: item.error.status, body: errorBody(item.error) };
  const { receipt } = item.recorded;
  const body =
    receipt.kind === 'purchase'
      ? purchaseBody(receipt)
      : receipt.kind === 'commission'
        ? manualBody(receipt)
        : reversalBody(receipt);
  return { status: statusOf(item.recorded), body: JSON.parse(JSON.stringify(body)) as Record<string, unknown> };
}

/** As a member sees an event that it was paid for: of the sale what its commission is of, of people itself alone. */
export function eventBodyFor(memberId: string, event: StoredEvent): EventAnswer {
  const isOwn = event.attributedId === memberId;
  return {
    ...eventBody(event),
    breakage_minor: null,
    customer: null,
    buyer_user_id: event.buyerId === memberId ? memberId : null,
    attribution: {
      user_id: isOwn ? memberId : null,
      rule: isOwn ? event.attributionRule : null,
      receipt_id: isOwn ? event.receiptId : null,
    },
    reason: null,
    description: null,
    actor: null,
    created_by: event.createdBy && shownTo({ memberId }, event.createdBy),
    commissions: event.lines.filter((line) => line.beneficiaryId === memberId).map(lineBody),
    discount_code: null,
    line_items: null,
    metadata: null,
  };
}
