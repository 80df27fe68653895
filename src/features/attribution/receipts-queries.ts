/** Receipts of attributions as they are read, in SQL. */
import { listStatement, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import type { AttributionModel, AttributionRule } from './open/decide-attribution.ts';
import type { NewReceipt, StoredCandidate } from './open/receipt.ts';

const receipt = tenantTable('attribution_receipt');

export interface StoredReceipt extends NewReceipt {
  id: string;
  /** One of the three is not null. */
  eventId: string | null;
  leadId: string | null;
  placedMemberId: string | null;
  createdAt: Date;
}

interface ReceiptRow {
  id: string;
  event_id: string | null;
  lead_id: string | null;
  placed_member_id: string | null;
  rule: AttributionRule;
  winner_id: string | null;
  model: AttributionModel;
  window_days: number;
  as_of: Date;
  buyer_id: string | null;
  self_id: string | null;
  candidates: StoredCandidate[];
  created_at: Date;
}

const find = statement<ReceiptRow, { id: string }>('attribution_find_receipt', ({ id }) => receipt().where({ id }).select('*'));

export async function findReceipt(db: Db, { tenantId, environment }: Scope, id: string): Promise<StoredReceipt | undefined> {
  const row = await db.row(find({ tenantId, environment }, { id }));
  return row && toReceipt(row);
}

export interface ReceiptFilters {
  eventId: string | undefined;
  leadId: string | undefined;
  placedMemberId: string | undefined;
  winnerId: string | undefined;
}

type Listing = ReceiptFilters & { afterId: string | undefined; count: number };

const list = listStatement<ReceiptRow, Listing>('attribution_list_receipts', (places) => {
  const { eventId, leadId, placedMemberId, winnerId, afterId, count } = places;
  const query = receipt('r').orderBy('r.id').limit(count).select('r.*');
  if (eventId) query.where('r.event_id', eventId);
  if (leadId) query.where('r.lead_id', leadId);
  if (placedMemberId) query.where('r.placed_member_id', placedMemberId);
  if (winnerId) query.where('r.winner_id', winnerId);
  if (afterId) query.where('r.id', '>', afterId);
  return query;
});

/** In order of their ids, which is the order they were written in. */
export async function listReceipts(
  db: Db,
  scope: Scope,
  filters: ReceiptFilters,
  afterId: string | undefined,
  count: number,
): Promise<StoredReceipt[]> {
  return (await db.rows(list(scope, { ...filters, afterId, count }))).map(toReceipt);
}

function toReceipt(row: ReceiptRow): StoredReceipt {
  return {
    id: row.id,
    eventId: row.event_id,
    leadId: row.lead_id,
    placedMemberId: row.placed_member_id,
    rule: row.rule,
    winnerId: row.winner_id,
    model: row.model,
    windowDays: row.window_days,
    asOf: row.as_of,
    buyerId: row.buyer_id,
    selfId: row.self_id,
    candidates: row.candidates,
    createdAt: row.created_at,
  };
}
