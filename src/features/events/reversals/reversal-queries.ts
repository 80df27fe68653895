/** What a refund or chargeback is decided on: the purchase, and what took it back before. */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import { SCOPE_NOW } from '../../../db/scope-clock.ts';
import { ofTenant } from '../../../db/tenant-condition.ts';
import { tenantTable } from '../../../db/tenant-table.ts';
import type { Stage } from '../event-kinds.ts';
import type { SalePart, Sold } from '../sales-sums/sale-change.ts';
import { salePartText } from '../sales-sums/sale-sql.ts';

export interface PurchaseToReverse {
  now: Date;
  /** Of the event that takes it back: as sent, else now, or the purchase's if that lies ahead. */
  occurredAt: Date;
  purchase:
    | {
        id: string;
        occurredAt: Date;
        amountMinor: bigint;
        currency: string;
        breakageMinor: bigint;
        /** Null where it is credited to nobody. */
        sold: Sold | null;
      }
    | undefined;
}

const purchaseToReverse = statement<
  {
    now: Date;
    occurred_at: Date;
    id: string | null;
    purchase_occurred_at: Date;
    amount_minor: bigint;
    currency: string;
    breakage_minor: bigint;
    base_minor: bigint;
    attributed_member_id: string | null;
    part: SalePart;
  },
  { externalEventId: string; occurredAt: string | null }
>('events_purchase_to_reverse', ({ externalEventId, occurredAt }) =>
  raw(
    `select clock.now, coalesce(:occurredAt::timestamptz, greatest(clock.now, e.occurred_at)) as occurred_at, e.id,
          e.occurred_at as purchase_occurred_at, e.amount_minor, e.currency, e.breakage_minor, e.base_minor,
          e.attributed_member_id, ${salePartText('e')} as part
   from (select ${SCOPE_NOW} as now) clock
   left join event e on ${ofTenant('e')} and e.external_event_id = :externalEventId and e.kind = 'purchase'`,
    { externalEventId, occurredAt },
  ),
);

export async function readPurchaseToReverse(
  db: Db,
  scope: Scope,
  externalEventId: string,
  occurredAt: string | null,
): Promise<PurchaseToReverse> {
  const row = await db.row(purchaseToReverse(scope, { externalEventId, occurredAt }));
  if (!row) throw new Error('the clock has no row');
  return {
    now: row.now,
    occurredAt: row.occurred_at,
    purchase:
      row.id === null
        ? undefined
        : {
            id: row.id,
            occurredAt: row.purchase_occurred_at,
            amountMinor: row.amount_minor,
            currency: row.currency,
            breakageMinor: row.breakage_minor,
            sold:
              row.attributed_member_id === null
                ? null
                : {
                    memberId: row.attributed_member_id,
                    occurredAt: row.purchase_occurred_at,
                    part: row.part,
                    baseMinor: row.base_minor,
                    amountMinor: row.amount_minor,
                  },
          },
  };
}

export interface PriorReversal {
  id: string;
  kind: 'refund' | 'chargeback';
  amountMinor: bigint;
  disputeId: string | null;
  stage: Stage | null;
  breakageMinor: bigint;
}

const event = tenantTable('event');

const priorReversals = statement<
  {
    id: string;
    kind: 'refund' | 'chargeback';
    amount_minor: bigint;
    dispute_id: string | null;
    stage: Stage | null;
    breakage_minor: bigint;
  },
  { purchaseId: string }
>('events_prior_reversals', ({ purchaseId }) =>
  event()
    .where({ purchase_id: purchaseId })
    .orderBy('id')
    .select('id', 'kind', 'amount_minor', 'dispute_id', 'stage', 'breakage_minor'),
);

/** What took the purchase back before, oldest first. */
export async function readPriorReversals(db: Db, scope: Scope, purchaseId: string): Promise<PriorReversal[]> {
  const rows = await db.rows(priorReversals(scope, { purchaseId }));
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    amountMinor: row.amount_minor,
    disputeId: row.dispute_id,
    stage: row.stage,
    breakageMinor: row.breakage_minor,
  }));
}

const stageOfOtherPurchase = statement<{ id: string }, { disputeId: string; purchaseId: string }>(
  'events_dispute_elsewhere',
  ({ disputeId, purchaseId }) =>
    event().where({ dispute_id: disputeId }).whereNot('purchase_id', purchaseId).limit(1).select('id'),
);

/** Whether a dispute of this id is about another purchase. */
export async function isDisputeElsewhere(db: Db, scope: Scope, disputeId: string, purchaseId: string): Promise<boolean> {
  return (await db.row(stageOfOtherPurchase(scope, { disputeId, purchaseId }))) !== undefined;
}
