/** Receipts of attributions as they are read, in SQL. */
import { sqlBuilder } from '../../db/connect.ts';
import type { Db, Scope } from '../../db/frame.ts';
import { built, prepared } from '../../db/statement.ts';
import type { AttributionModel, AttributionRule } from './decide-attribution.ts';
import type { NewReceipt, StoredCandidate } from './receipt.ts';

export interface StoredReceipt extends NewReceipt {
  id: string;
  /** One of both is null. */
  eventId: string | null;
  leadId: string | null;
  createdAt: Date;
}

interface ReceiptRow {
  id: string;
  event_id: string | null;
  lead_id: string | null;
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

const find = prepared<ReceiptRow, [string, string, id: string]>(
  'attribution_find_receipt',
  'select r.* from attribution_receipt r where r.tenant_id = $1 and r.environment = $2 and r.id = $3',
);

export async function findReceipt(db: Db, { tenantId, environment }: Scope, id: string): Promise<StoredReceipt | undefined> {
  const row = await db.row(find(tenantId, environment, id));
  return row && toReceipt(row);
}

export interface ReceiptFilters {
  eventId: string | undefined;
  leadId: string | undefined;
  winnerId: string | undefined;
}

/** In order of their ids, which is the order they were written in. */
export async function listReceipts(
  db: Db,
  scope: Scope,
  filters: ReceiptFilters,
  afterId: string | undefined,
  count: number,
): Promise<StoredReceipt[]> {
  const query = sqlBuilder('attribution_receipt as r')
    .where({ 'r.tenant_id': scope.tenantId, 'r.environment': scope.environment })
    .orderBy('r.id')
    .limit(count)
    .select('r.*');
  if (filters.eventId !== undefined) query.where('r.event_id', filters.eventId);
  if (filters.leadId !== undefined) query.where('r.lead_id', filters.leadId);
  if (filters.winnerId !== undefined) query.where('r.winner_id', filters.winnerId);
  if (afterId !== undefined) query.where('r.id', '>', afterId);
  return (await db.rows(built<ReceiptRow>(query))).map(toReceipt);
}

function toReceipt(row: ReceiptRow): StoredReceipt {
  return {
    id: row.id,
    eventId: row.event_id,
    leadId: row.lead_id,
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
