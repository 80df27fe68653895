/** What a period event is decided on, in SQL; read behind the locks on the lines that it tops up. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { SCOPE_NOW } from '../../../db/scope-clock.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import type { EventKind, Stage } from '../event-kinds.ts';
import type { PriorReversal } from '../reversals/reversal-queries.ts';

export interface PeriodFacts {
  now: Date;
  /** As many as were asked for, ascending. */
  ids: string[];
  /** The event that has the name already. */
  known: { id: string; kind: EventKind; topUpIds: string[] } | null;
}

interface FactsRow {
  now: Date;
  ids: string[] | null;
  known: PeriodFacts['known'];
}

const periodFacts = statement<FactsRow, { externalEventId: string; count: number }>(
  'events_period_facts',
  ({ externalEventId, count }) =>
    raw(
      `select clock.now, (select array_agg(uuidv7() order by n) from generate_series(1, :count::int) n) as ids,
          (select json_build_object('id', e.id, 'kind', e.kind, 'topUpIds', array(
             select l.id from commission_line l
             where ${ofTenant('l')} and l.event_id = e.id and l.about_event_id is not null order by l.id))
           from event e where ${ofTenant('e')} and e.external_event_id = :externalEventId) as known
   from (select ${SCOPE_NOW} as now) clock`,
      { externalEventId, count },
    ),
);

/** The clock of the scope, ids for new lines, and whether the event is there. */
export async function readPeriodFacts(db: Db, scope: Scope, externalEventId: string, count: number): Promise<PeriodFacts> {
  const row = await db.row(periodFacts(scope, { externalEventId, count }));
  if (!row) throw new Error('the clock has no row');
  return { now: row.now, ids: row.ids ?? [], known: row.known };
}

export interface SaleToTopUp {
  amountMinor: bigint;
  currency: string;
  /** What took it back, oldest first. */
  prior: PriorReversal[];
}

interface SaleRow {
  id: string;
  amount_minor: bigint;
  currency: string;
  prior: { id: string; kind: 'refund' | 'chargeback'; amount: string; disputeId: string | null; stage: Stage | null }[] | null;
}

const salesOfLines = statement<SaleRow, { lineIds: readonly string[] }>('events_sales_to_top_up', ({ lineIds }) =>
  raw(
    `select e.id, e.amount_minor, e.currency, back.prior
   from (select distinct l.event_id as id from commission_line l where ${ofTenant('l')} and l.id = any (:lineIds::uuid[])) sale
   join event e on ${ofTenant('e')} and e.id = sale.id and e.kind = 'purchase'
   cross join lateral (
     select json_agg(json_build_object('id', r.id, 'kind', r.kind, 'amount', r.amount_minor::text, 'disputeId', r.dispute_id,
                                       'stage', r.stage) order by r.id) as prior
     from event r where ${ofTenant('r')} and r.purchase_id = e.id offset 0) back`,
    { lineIds },
  ),
);

/** The purchases that made these lines, by their ids, with what took each back. */
export async function readSalesToTopUp(
  db: Db,
  scope: Scope,
  lineIds: readonly string[],
): Promise<ReadonlyMap<string, SaleToTopUp>> {
  const rows = await db.rows(salesOfLines(scope, { lineIds }));
  return new Map(
    rows.map((row) => [
      row.id,
      {
        amountMinor: row.amount_minor,
        currency: row.currency,
        prior: (row.prior ?? []).map(({ amount, ...one }) => ({ ...one, amountMinor: BigInt(amount), breakageMinor: 0n })),
      },
    ]),
  );
}
