import type { Caller } from '../../http/operation.ts';
import { snakeList } from '../../http/pagination.ts';
import { type Route, route } from '../../http/route.ts';
import { candidateBody } from './open/candidate-schemas.ts';
import { getReceipt, listReceipts, type ReceiptAnswer } from './receipts-operations.ts';
import type { StoredReceipt } from './receipts-queries.ts';
import { isDecidedAgain, type ReceiptsService } from './receipts-service.ts';

export function receiptsRoutes(receipts: ReceiptsService): Route[] {
  return [
    route(listReceipts, ({ query, ...context }) => receipts.listReceipts(context, query), snakeList(receiptBody)),
    route(
      getReceipt,
      ({ params, ...context }) => receipts.readReceipt(context, params.receipt_id),
      (receipt, caller) => ({ status: 200, body: receiptBody(receipt, caller) }),
    ),
  ];
}

/** A member sees what leads to itself: the other candidates are other members. */
function receiptBody(receipt: StoredReceipt, { member }: Caller): ReceiptAnswer {
  const candidates = receipt.candidates.filter(({ memberId }) => member === undefined || memberId === member.memberId);
  return {
    id: receipt.id,
    event_id: receipt.eventId,
    lead_id: receipt.leadId,
    placed_user_id: member ? null : receipt.placedMemberId,
    rule: receipt.rule,
    user_id: receipt.winnerId,
    model: receipt.model,
    window_days: receipt.windowDays,
    as_of: receipt.asOf,
    created_at: receipt.createdAt,
    candidates: candidates.map(candidateBody),
    decided_again: isDecidedAgain(receipt),
  };
}
