import type { Router } from 'express';
import type { Mount } from '../../http/mount.ts';
import { candidateBody } from './candidate-schemas.ts';
import { getReceipt, listReceipts, type ReceiptAnswer } from './receipts-operations.ts';
import type { StoredReceipt } from './receipts-queries.ts';
import { isDecidedAgain, type ReceiptsService } from './receipts-service.ts';

export function mountReceipts(router: Router, mount: Mount, receipts: ReceiptsService): void {
  mount(
    router,
    listReceipts,
    ({ query, ...context }) => receipts.listReceipts(context, query),
    ({ rows, nextCursor }) => ({
      status: 200,
      body: { data: rows.map(receiptBody), has_more: nextCursor !== null, next_cursor: nextCursor },
    }),
  );
  mount(
    router,
    getReceipt,
    ({ params, ...context }) => receipts.readReceipt(context, params.receipt_id),
    (receipt) => ({ status: 200, body: receiptBody(receipt) }),
  );
}

function receiptBody(receipt: StoredReceipt): ReceiptAnswer {
  return {
    id: receipt.id,
    event_id: receipt.eventId,
    lead_id: receipt.leadId,
    rule: receipt.rule,
    user_id: receipt.winnerId,
    model: receipt.model,
    window_days: receipt.windowDays,
    as_of: receipt.asOf,
    created_at: receipt.createdAt,
    candidates: receipt.candidates.map(candidateBody),
    decided_again: isDecidedAgain(receipt),
  };
}
