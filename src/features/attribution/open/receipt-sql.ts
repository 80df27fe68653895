/**
 * Receipts in SQL, for the statements that store what they are about. In each text `rows` is what stands behind `from`:
 * the name of a CTE, or a select in brackets. Rows have id, rule, winner_id, model, window_days, as_of, self_id,
 * candidates and created_at, and what is said of each text.
 */
import type { NewReceipt } from './receipt.ts';

/** Of purchases: rows have event_id and buyer_id too. */
export const insertReceiptsOfEvents = (rows: string): string =>
  `insert into attribution_receipt (tenant_id, environment, id, event_id, rule, winner_id, model, window_days, as_of, buyer_id,
                                      self_id, candidates, created_at)
     select :tenantId, :environment, r.id, r.event_id, r.rule, r.winner_id, r.model, r.window_days, r.as_of, r.buyer_id,
            r.self_id, r.candidates, r.created_at
     from ${rows} r`;

/**
 * Of captures: rows have lead_id and content_key too. A receipt that says the same as one of the lead's is not stored.
 */
export const insertReceiptsOfLeads = (rows: string): string =>
  `insert into attribution_receipt (tenant_id, environment, id, lead_id, rule, winner_id, model, window_days, as_of, self_id,
                                      candidates, content_key, created_at)
     select :tenantId, :environment, r.id, r.lead_id, r.rule, r.winner_id, r.model, r.window_days, r.as_of, r.self_id,
            r.candidates, r.content_key, r.created_at
     from ${rows} r
     on conflict (tenant_id, environment, lead_id, content_key) where lead_id is not null do nothing`;

/** Of sign-ups: rows have placed_member_id too, and no self_id. */
export const insertReceiptsOfMembers = (rows: string): string =>
  `insert into attribution_receipt (tenant_id, environment, id, placed_member_id, rule, winner_id, model, window_days, as_of,
                                      candidates, created_at)
     select :tenantId, :environment, r.id, r.placed_member_id, r.rule, r.winner_id, r.model, r.window_days, r.as_of,
            r.candidates, r.created_at
     from ${rows} r`;

/** Reads what `receiptRow` has made, SQL for its JSON: one row with the columns of a receipt and its `id`, new unless it was given, or none of null. */
export const readReceipt = (json: string): string =>
  `select coalesce(r.given_id, uuidv7()) as id, r.* from jsonb_to_record(${json}::jsonb) as r(given_id uuid, rule text, winner_id uuid, model text, window_days int,
       as_of timestamptz, buyer_id uuid, self_id uuid, candidates jsonb)
     where ${json}::jsonb is not null`;

export function receiptRow(receipt: NewReceipt, id: string | undefined): object {
  return {
    given_id: id,
    rule: receipt.rule,
    winner_id: receipt.winnerId,
    model: receipt.model,
    window_days: receipt.windowDays,
    as_of: receipt.asOf,
    buyer_id: receipt.buyerId,
    self_id: receipt.selfId,
    candidates: receipt.candidates,
  };
}
