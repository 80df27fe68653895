/** What the preview of a reversal reads beside what recording it does. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';

const event = tenantTable('event');

const purchaseById = statement<{ external_event_id: string }, { id: string }>('events_purchase_to_preview', ({ id }) =>
  event().where({ id, kind: 'purchase' }).select('external_event_id'),
);

/** The purchase's id in the tenant's own system; undefined where there is no such purchase. */
export async function findPurchase(db: Db, scope: Scope, id: string): Promise<string | undefined> {
  return (await db.row(purchaseById(scope, { id })))?.external_event_id;
}

/** A member's balance in one currency behind an event, and what the event did to it. */
export interface TouchedBalance {
  memberId: string;
  currency: string;
  pendingMinor: bigint;
  pendingChange: bigint;
  clearedMinor: bigint;
  clearedChange: bigint;
}

interface BalanceRow {
  member_id: string;
  currency: string;
  pending: bigint;
  pending_change: bigint;
  cleared: bigint;
  cleared_change: bigint;
}

const sumOf = (account: string, of: string): string =>
  `coalesce(sum(${of}.amount_minor) filter (where ${of}.account = 'member:${account}'), 0)::bigint`;

const touchedBalances = statement<BalanceRow, { eventId: string }>('events_touched_balances', ({ eventId }) =>
  raw(
    `with posted as materialized (
       select p.member_id, p.currency, ${sumOf('pending', 'p')} as pending_change, ${sumOf('cleared', 'p')} as cleared_change
       from journal_entry j join posting p on ${ofTenant('p')} and p.journal_id = j.id
       where ${ofTenant('j')} and j.cause_type = 'event' and j.cause_id = :eventId and p.member_id is not null
       group by p.member_id, p.currency)
     select posted.*, fold.pending, fold.cleared
     from posted cross join lateral (
       select ${sumOf('pending', 'b')} as pending, ${sumOf('cleared', 'b')} as cleared from posting b
       where ${ofTenant('b')} and b.member_id = posted.member_id and b.currency = posted.currency) fold
     where posted.pending_change <> 0 or posted.cleared_change <> 0
     order by posted.member_id, posted.currency collate "C"`,
    { eventId },
  ),
);

/** Of all members whose balance the event changed, as of one snapshot: what stood before is the difference. */
export async function readTouchedBalances(db: Db, scope: Scope, eventId: string): Promise<TouchedBalance[]> {
  const rows = await db.rows(touchedBalances(scope, { eventId }));
  return rows.map((row) => ({
    memberId: row.member_id,
    currency: row.currency,
    pendingMinor: row.pending,
    pendingChange: row.pending_change,
    clearedMinor: row.cleared,
    clearedChange: row.cleared_change,
  }));
}
