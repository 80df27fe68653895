/** What a refund or chargeback is decided on: the purchase, and what took it back before. */
import type { Db, Scope } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';
import type { Stage } from './event.ts';

export interface PurchaseToReverse {
  now: Date;
  /** Of the event that takes it back: as sent, else now, or the purchase's if that lies ahead. */
  occurredAt: Date;
  purchase: { id: string; occurredAt: Date; amountMinor: bigint; currency: string; breakageMinor: bigint } | undefined;
}

const purchaseToReverse = prepared<
  {
    now: Date;
    occurred_at: Date;
    id: string | null;
    purchase_occurred_at: Date;
    amount_minor: bigint;
    currency: string;
    breakage_minor: bigint;
  },
  [string, string, externalEventId: string, occurredAt: string | null]
>(
  'events_purchase_to_reverse',
  // A purchase may be dated a few minutes ahead; what takes it back is not before it.
  `select clock.now, coalesce($4::timestamptz, greatest(clock.now, e.occurred_at)) as occurred_at, e.id, e.occurred_at as purchase_occurred_at, e.amount_minor,
          e.currency, e.breakage_minor
   from (select case when $2 = 'SANDBOX' then scope_now($1, $2) else now() end as now) clock
   left join event e on e.tenant_id = $1 and e.environment = $2 and e.external_event_id = $3 and e.kind = 'purchase'`,
);

export async function readPurchaseToReverse(
  db: Db,
  scope: Scope,
  externalEventId: string,
  occurredAt: string | null,
): Promise<PurchaseToReverse> {
  const row = await db.row(purchaseToReverse(scope.tenantId, scope.environment, externalEventId, occurredAt));
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

const priorReversals = prepared<
  {
    id: string;
    kind: 'refund' | 'chargeback';
    amount_minor: bigint;
    dispute_id: string | null;
    stage: Stage | null;
    breakage_minor: bigint;
  },
  [string, string, purchaseId: string]
>(
  'events_prior_reversals',
  `select e.id, e.kind, e.amount_minor, e.dispute_id, e.stage, e.breakage_minor from event e
   where e.tenant_id = $1 and e.environment = $2 and e.purchase_id = $3 order by e.id`,
);

/** What took the purchase back before, oldest first. */
export async function readPriorReversals(db: Db, scope: Scope, purchaseId: string): Promise<PriorReversal[]> {
  const rows = await db.rows(priorReversals(scope.tenantId, scope.environment, purchaseId));
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    amountMinor: row.amount_minor,
    disputeId: row.dispute_id,
    stage: row.stage,
    breakageMinor: row.breakage_minor,
  }));
}

const stageOfOtherPurchase = prepared<{ id: string }, [string, string, disputeId: string, purchaseId: string]>(
  'events_dispute_elsewhere',
  `select e.id from event e
   where e.tenant_id = $1 and e.environment = $2 and e.dispute_id = $3 and e.purchase_id <> $4 limit 1`,
);

/** Whether a dispute of this id is about another purchase. */
export async function isDisputeElsewhere(db: Db, scope: Scope, disputeId: string, purchaseId: string): Promise<boolean> {
  return (await db.row(stageOfOtherPurchase(scope.tenantId, scope.environment, disputeId, purchaseId))) !== undefined;
}
