/** Events in SQL: reading one, many, and the lines of each. Rows never leave this file unmapped. */
import { sqlBuilder } from '../../db/connect.ts';
import type { Db, Scope } from '../../db/frame.ts';
import { built, prepared } from '../../db/statement.ts';
import type { LineKind, LineStatus } from '../commissions/commission-line.ts';
import type { AttributionRule, EventKind, EventStatus, EventType, Stage, StoredEvaluation } from './event.ts';

export interface StoredLine {
  id: string;
  beneficiaryId: string;
  kind: LineKind;
  level: number;
  paidLevel: number;
  rateBps: number;
  flatMinor: bigint | null;
  multiplierMilli: number;
  baseMinor: bigint;
  amountMinor: bigint;
  currency: string;
  conversion: { amountMinor: bigint; currency: string; exchangeRateId: string } | null;
  cappedMinor: bigint;
  cap: string | null;
  status: LineStatus;
  clearsAt: Date;
  reversesLineId: string | null;
}

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
  lines: StoredLine[];
  metadata: unknown;
  lineItems: unknown;
  description: string | null;
  actor: string | null;
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
  description: string | null;
  actor: string | null;
  lines: LineJson[] | null;
}

/** Amounts travel as text: a JSON number would pass through a double. */
interface LineJson {
  id: string;
  beneficiary_id: string;
  kind: LineKind;
  level: number;
  paid_level: number;
  rate_bps: number;
  flat_minor: string | null;
  multiplier_milli: number;
  base_minor: string;
  amount_minor: string;
  currency: string;
  source_amount_minor: string | null;
  source_currency: string | null;
  exchange_rate_id: string | null;
  capped_minor: string;
  cap: string | null;
  status: LineStatus;
  clears_at: string;
  reverses_line_id: string | null;
}

/** Lines in the order they were born in: of a purchase by level, of others as their ids rise. */
const eventColumns = `e.*, c.external_id as customer_external_id, c.email as customer_email, c.name as customer_name,
          p.external_event_id as purchase_external_event_id, d.metadata, d.line_items, d.description, d.actor,
          (select json_agg(json_build_object('id', l.id, 'beneficiary_id', l.beneficiary_id, 'kind', l.kind, 'level', l.level,
             'paid_level', l.paid_level, 'rate_bps', l.rate_bps, 'flat_minor', l.flat_minor::text,
             'multiplier_milli', l.multiplier_milli, 'base_minor', l.base_minor::text, 'amount_minor', l.amount_minor::text,
             'currency', l.currency, 'source_amount_minor', l.source_amount_minor::text, 'source_currency', l.source_currency,
             'exchange_rate_id', l.exchange_rate_id, 'capped_minor', l.capped_minor::text, 'cap', l.cap, 'status', l.status,
             'clears_at', l.clears_at, 'reverses_line_id', l.reverses_line_id) order by l.level, l.paid_level, l.id)
           from commission_line l
           where l.tenant_id = $1 and l.environment = $2 and l.event_id = e.id and l.action_id is null) as lines
   from event e
   left join customer c on c.tenant_id = e.tenant_id and c.environment = e.environment and c.id = e.customer_id
   left join event p on p.tenant_id = e.tenant_id and p.environment = e.environment and p.id = e.purchase_id
   left join event_detail d on d.tenant_id = e.tenant_id and d.environment = e.environment and d.event_id = e.id`;

const byExternalId = prepared<EventRow, [string, string, string]>(
  'events_find_by_external_id',
  `select ${eventColumns} where e.tenant_id = $1 and e.environment = $2 and e.external_event_id = $3`,
);

/** For `frames.readOnce`. */
export const eventByIdStatement = prepared<EventRow, [string, string, string]>(
  'events_find_by_id',
  `select ${eventColumns} where e.tenant_id = $1 and e.environment = $2 and e.id = $3`,
);

const byIds = prepared<EventRow, [string, string, string[]]>(
  'events_find_by_ids',
  `select ${eventColumns} where e.tenant_id = $1 and e.environment = $2 and e.id = any ($3::uuid[]) order by e.id`,
);

export async function findEventByExternalId(db: Db, scope: Scope, externalEventId: string): Promise<StoredEvent | undefined> {
  const row = await db.row(byExternalId(scope.tenantId, scope.environment, externalEventId));
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
}

/** Events in order of their ids, which is the order they were recorded in. */
export async function listEvents(
  db: Db,
  scope: Scope,
  filters: EventFilters,
  afterId: string | undefined,
  count: number,
): Promise<StoredEvent[]> {
  const query = sqlBuilder('event as e')
    .where({ 'e.tenant_id': scope.tenantId, 'e.environment': scope.environment })
    .orderBy('e.id')
    .limit(count)
    .select('e.id');
  if (filters.kind !== undefined) query.where('e.kind', filters.kind);
  if (filters.type !== undefined) query.where('e.type', filters.type);
  if (filters.status !== undefined) query.where('e.status', filters.status);
  if (filters.userId !== undefined) query.where('e.attributed_member_id', filters.userId);
  if (filters.currency !== undefined) query.where('e.currency', filters.currency);
  if (filters.purchaseId !== undefined) query.where('e.purchase_id', filters.purchaseId);
  if (filters.occurredFrom !== undefined) query.where('e.occurred_at', '>=', filters.occurredFrom);
  if (filters.occurredTo !== undefined) query.where('e.occurred_at', '<', filters.occurredTo);
  if (afterId !== undefined) query.where('e.id', '>', afterId);
  if (filters.customerExternalId !== undefined) {
    query.join('customer as c', (on) =>
      on.on('c.tenant_id', 'e.tenant_id').andOn('c.environment', 'e.environment').andOn('c.id', 'e.customer_id'),
    );
    query.where('c.external_id', filters.customerExternalId);
  }
  const ids = (await db.rows(built<{ id: string }>(query))).map((row) => row.id);
  return (await db.rows(byIds(scope.tenantId, scope.environment, ids))).map(toStoredEvent);
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
    description: row.description,
    actor: row.actor,
    lines: (row.lines ?? []).map(toStoredLine),
  };
}

function toStoredLine(line: LineJson): StoredLine {
  return {
    id: line.id,
    beneficiaryId: line.beneficiary_id,
    kind: line.kind,
    level: line.level,
    paidLevel: line.paid_level,
    rateBps: line.rate_bps,
    flatMinor: line.flat_minor === null ? null : BigInt(line.flat_minor),
    multiplierMilli: line.multiplier_milli,
    baseMinor: BigInt(line.base_minor),
    amountMinor: BigInt(line.amount_minor),
    currency: line.currency,
    conversion: toConversion(line.source_amount_minor, line.source_currency, line.exchange_rate_id),
    cappedMinor: BigInt(line.capped_minor),
    cap: line.cap,
    status: line.status,
    clearsAt: new Date(line.clears_at),
    reversesLineId: line.reverses_line_id,
  };
}

function toConversion(amountMinor: string | null, currency: string | null, exchangeRateId: string | null) {
  if (amountMinor === null || currency === null || exchangeRateId === null) return null;
  return { amountMinor: BigInt(amountMinor), currency, exchangeRateId };
}

const idByExternalId = prepared<{ id: string }, [string, string, string]>(
  'events_find_id',
  'select e.id from event e where e.tenant_id = $1 and e.environment = $2 and e.external_event_id = $3',
);

export async function findEventIdByExternalId(db: Db, scope: Scope, externalEventId: string): Promise<string | undefined> {
  return (await db.row(idByExternalId(scope.tenantId, scope.environment, externalEventId)))?.id;
}
