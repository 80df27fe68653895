/** Receipts of attributions, read. They are written with the purchase, the lead or the member that they are of. */
import type { z } from 'zod';
import type { Frames } from '../../db/frame.ts';
import { isShownTo } from '../../db/scope.ts';
import { AppError } from '../../errors.ts';
import type { RequestContext } from '../../http/operation.ts';
import type { Cursors, Page } from '../../http/pagination.ts';
import type { AttributionSubject } from './open/decide-attribution.ts';
import { decideAgain } from './open/receipt.ts';
import type { listReceipts as listReceiptsOperation } from './receipts-operations.ts';
import { findReceipt, listReceipts, type StoredReceipt } from './receipts-queries.ts';

type List = z.output<(typeof listReceiptsOperation)['query'] & {}>;

export interface ReceiptsService {
  /** NOT_FOUND. */
  readReceipt(context: RequestContext, receiptId: string): Promise<StoredReceipt>;
  listReceipts(context: RequestContext, query: List): Promise<Page<StoredReceipt>>;
}

export function createReceiptsService({ frames, cursors }: { frames: Frames; cursors: Cursors }): ReceiptsService {
  return {
    async readReceipt({ scope }, receiptId) {
      const receipt = await frames.read(scope, (db) => findReceipt(db, scope, receiptId));
      if (!receipt || !isShownTo(scope, receipt.winnerId)) throw new AppError('NOT_FOUND', 'No such receipt');
      return receipt;
    },

    async listReceipts({ scope }, { limit, cursor, ...query }) {
      const filters = {
        eventId: query.event_id,
        leadId: query.lead_id,
        placedMemberId: query.placed_user_id,
        winnerId: query.user_id,
      };
      const list = { scope, operationId: 'listAttributions', filters };
      const afterId = cursors.open(cursor, list);
      const rows = await frames.read(scope, (db) => listReceipts(db, scope, filters, afterId, limit + 1));
      return cursors.page(rows, limit, list, (receipt) => receipt.id);
    },
  };
}

/** Whether the rule, run on what the receipt keeps, comes to what it says. Whom a personal purchase is credited to is the plan's to say. */
export function isDecidedAgain(receipt: StoredReceipt): boolean {
  const again = decideAgain(receipt, subjectOf(receipt));
  return (
    again.rule === receipt.rule &&
    (receipt.buyerId !== null || (again.winner?.memberId ?? null) === receipt.winnerId) &&
    again.outcomes.length === receipt.candidates.length &&
    again.outcomes.every(({ candidate, lost }, index) => {
      const stored = receipt.candidates[index];
      return stored?.source === candidate.source && stored.reference === candidate.reference && stored.lost === lost;
    })
  );
}

function subjectOf({ leadId, placedMemberId }: StoredReceipt): AttributionSubject {
  if (placedMemberId !== null) return 'sign_up';
  return leadId === null ? 'purchase' : 'lead';
}
