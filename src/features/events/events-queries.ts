/** Events in SQL: reading one, many, and the lines of each. Rows never leave this file unmapped. */
import type { NamedActor } from '../../actor.ts';
import { listStatement, raw, statement } from '../../db/query.ts';
import type { Db, Scope } from '../../db/scope.ts';
import { ofTenant, sameTenant } from '../../db/tenant-condition.ts';
import { tenantTable } from '../../db/tenant-table.ts';
import { namedActor } from '../audit/open/named-actor.ts';
import type { CommissionLine } from '../commissions/open/commission-line.ts';
import { type LineRow, lineJson, toLine } from '../commissions/open/line-rows.ts';
import type { AttributionRule, EventKind, EventStatus, EventType, Stage, StoredEvaluation } from './event-kinds.ts';
import type { EventSort } from './event-sorts.ts';

export interface StoredEvent {
  eventId: string;
  externalEventId: string;
  kind: EventKind;
  type: EventType | null;
  status: EventStatus;
  occurredAt: Date;
  recordedAt: Date;
  amountMinor: bigint;
  currency: string;
  taxMinor: bigint;
  shippingMinor: bigint;
  discountMinor: bigint;
  baseMinor: bigint;
  breakageMinor: bigint;
  customer: { externalId: string; email: string | null; name: string | null } | null;
  buyerId: string | null;
  attributedId: string | null;
  attributionRule: AttributionRule | null;
  /** Null for what is no purchase, and for purchases recorded before there were receipts. */
  receiptId: string | null;
  planVersionId: string | null;
  purchase: { eventId: string; externalEventId: string } | null;
  disputeId: string | null;
  stage: Stage | null;
  reason: string | null;
  evaluation: StoredEvaluation | null;
  contentDigests: Record<string, string>;
  lines: CommissionLine[];
  metadata: unknown;
  lineItems: unknown;
  discountCode: string | null;
  customerCountry: string | null;
  description: string | null;
  actor: string | null;
  /** Who recorded it; null of what was recorded before it was kept. */
  createdBy: NamedActor | null;
}

export interface EventRow {
  id: string;
  external_event_id: string;
  kind: EventKind;
  type: EventType | null;
  status: EventStatus;
  occurred_at: Date;
  recorded_at: Date;
  amount_minor: bigint;
  currency: string;
  tax_minor: bigint;
  shipping_minor: bigint;
  discount_minor: bigint;
  base_minor: bigint;
  breakage_minor: bigint;
  customer_external_id: string | null;
  customer_email: string | null;
  customer_name: string | null;
  buyer_member_id: string | null;
  attributed_member_id: string | null;
  attribution_rule: AttributionRule | null;
  receipt_id: string | null;
  plan_version_id: string | null;
  purchase_id: string | null;
  purchase_external_event_id: string | null;
  dispute_id: string | null;
  stage: Stage | null;
  reason: string | null;
  evaluation: StoredEvaluation | null;
  content_digests: Record<string, string>;
  metadata: unknown;
  line_items: unknown;
  discount_code: string | null;
  customer_country: string | null;
  description: string | null;
  actor: string | null;
  /** As the row keeps it; `creator` has the name. */
  created_by: string | null;
  creator: NamedActor | null;
  lines: LineRow[] | null;
}

/** Lines in the order they were born in: of a purchase by level, of others as their ids rise. */
const eventColumns = `e.*, c.external_id as customer_external_id, c.email as customer_email, c.name as customer_name,
          p.external_event_id as purchase_external_event_id, d.metadata, d.line_items, d.discount_code, d.customer_country, d.description, d.actor,
          ${namedActor('e.created_by')} as creator,
          (select json_agg(${lineJson('l')} order by l.level, l.paid_level, l.id)
           from commission_line l
           where ${ofTenant('l')} and l.event_id = e.id and l.action_id is null) as lines
   from event e
   left join customer c on ${sameTenant('c', 'e')} and c.id = e.customer_id
   left join event p on ${sameTenant('p', 'e')} and p.id = e.purchase_id
   left join event_detail d on ${sameTenant('d', 'e')} and d.event_id = e.id`;

const byExternalId = statement<EventRow, { externalEventId: string }>('events_find_by_external_id', ({ externalEventId }) =>
  raw(`select ${eventColumns} where ${ofTenant('e')} and e.external_event_id = :externalEventId`, { externalEventId }),
);

/** For `frames.readOnce`. */
export const eventByIdStatement = statement<EventRow, { eventId: string }>('events_find_by_id', ({ eventId }) =>
  raw(`select ${eventColumns} where ${ofTenant('e')} and e.id = :eventId`, { eventId }),
);

const byIds = statement<EventRow, { eventIds: readonly string[] }>('events_find_by_ids', ({ eventIds }) =>
  raw(`select ${eventColumns} where ${ofTenant('e')} and e.id = any (:eventIds::uuid[]) order by e.id`, { eventIds }),
);

export async function findEventByExternalId(db: Db, scope: Scope, externalEventId: string): Promise<StoredEvent | undefined> {
  const row = await db.row(byExternalId(scope, { externalEventId }));
  return row && toStoredEvent(row);
}

export interface EventFilters {
  kind: EventKind | undefined;
  type: string | undefined;
  status: EventStatus | undefined;
  userId: string | undefined;
  currency: string | undefined;
  customerExternalId: string | undefined;
  purchaseId: string | undefined;
  occurredFrom: string | undefined;
  occurredTo: string | undefined;
  externalEventId: string | undefined;
}

const event = tenantTable('event');

const listIn = (name: string, order: 'asc' | 'desc') =>
  listStatement<{ id: string }, EventFilters & { afterId: string | undefined; count: number }>(name, (given) => {
    const query = event('e').orderBy('e.id', order).limit(given.count).select('e.id');
    if (given.externalEventId) query.where('e.external_event_id', given.externalEventId);
    if (given.kind) query.where('e.kind', given.kind);
    if (given.type) query.where('e.type', given.type);
    if (given.status) query.where('e.status', given.status);
    if (given.userId) query.where('e.attributed_member_id', given.userId);
    if (given.currency) query.where('e.currency', given.currency);
    if (given.purchaseId) query.where('e.purchase_id', given.purchaseId);
    if (given.occurredFrom) query.where('e.occurred_at', '>=', given.occurredFrom);
    if (given.occurredTo) query.where('e.occurred_at', '<', given.occurredTo);
    if (given.afterId) query.where('e.id', order === 'asc' ? '>' : '<', given.afterId);
    if (given.customerExternalId)
      query.join('customer as c', 'c.id', 'e.customer_id').where('c.external_id', given.customerExternalId);
    return query;
  });

const lists = { recorded_at: listIn('events_list', 'asc'), '-recorded_at': listIn('events_list_newest', 'desc') };

/** Events in order of their ids, which is the order they were recorded in, or the other way round. */
export async function listEvents(
  db: Db,
  scope: Scope,
  filters: EventFilters,
  { sort = 'recorded_at', afterId }: { sort: EventSort | undefined; afterId: string | undefined },
  count: number,
): Promise<StoredEvent[]> {
  const ids = (await db.rows(lists[sort](scope, { ...filters, afterId, count }))).map((row) => row.id);
  const found = (await db.rows(byIds(scope, { eventIds: ids }))).map(toStoredEvent);
  return sort === 'recorded_at' ? found : found.toReversed();
}

export function toStoredEvent(row: EventRow): StoredEvent {
  return {
    eventId: row.id,
    externalEventId: row.external_event_id,
    kind: row.kind,
    type: row.type,
    status: row.status,
    occurredAt: row.occurred_at,
    recordedAt: row.recorded_at,
    amountMinor: row.amount_minor,
    currency: row.currency,
    taxMinor: row.tax_minor,
    shippingMinor: row.shipping_minor,
    discountMinor: row.discount_minor,
    baseMinor: row.base_minor,
    breakageMinor: row.breakage_minor,
    customer:
      row.customer_external_id === null
        ? null
        : { externalId: row.customer_external_id, email: row.customer_email, name: row.customer_name },
    buyerId: row.buyer_member_id,
    attributedId: row.attributed_member_id,
    attributionRule: row.attribution_rule,
    receiptId: row.receipt_id,
    planVersionId: row.plan_version_id,
    purchase:
      row.purchase_id === null ? null : { eventId: row.purchase_id, externalEventId: row.purchase_external_event_id ?? '' },
    disputeId: row.dispute_id,
    stage: row.stage,
    reason: row.reason,
    evaluation: row.evaluation,
    contentDigests: row.content_digests,
    metadata: row.metadata,
    lineItems: row.line_items,
    discountCode: row.discount_code,
    customerCountry: row.customer_country,
    description: row.description,
    actor: row.actor,
    createdBy: row.creator,
    lines: (row.lines ?? []).map(toLine),
  };
}

const idByExternalId = statement<{ id: string }, { externalEventId: string }>('events_find_id', ({ externalEventId }) =>
  event().where({ external_event_id: externalEventId }).select('id'),
);

export async function findEventIdByExternalId(db: Db, scope: Scope, externalEventId: string): Promise<string | undefined> {
  return (await db.row(idByExternalId(scope, { externalEventId })))?.id;
}
