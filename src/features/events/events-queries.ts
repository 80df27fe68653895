/** Purchase events in SQL: the one statement that stores a purchase with its books, and reading it back. */
import type { Db, Scope, WriteDb } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';

export type PurchaseType = 'one_time' | 'subscription_initial' | 'subscription_renewal';
export type AttributionRule = 'explicit_user' | 'referral_code' | 'personal_purchase' | 'none';
export type EventStatus = 'accepted' | 'unattributed' | 'held';
export type LineStatus = 'pending' | 'held' | 'cleared' | 'processing' | 'paid' | 'reversed';

export interface NewLine {
  beneficiaryId: string;
  level: number;
  paidLevel: number;
  rateBps: number;
  multiplierMilli: number;
  amountMinor: bigint;
  calculationHash: Buffer;
}

export interface NewPurchase {
  externalEventId: string;
  type: PurchaseType;
  occurredAt: Date;
  amountMinor: bigint;
  currency: string;
  taxMinor: bigint;
  shippingMinor: bigint;
  discountMinor: bigint;
  baseMinor: bigint;
  /** `knownId` when the customer is stored just so; otherwise it is inserted or refreshed. */
  customer: { knownId: string | null; externalId: string; email: string | null; name: string | null };
  buyerId: string | null;
  attributedId: string | null;
  attributionRule: AttributionRule;
  status: EventStatus;
  planVersionId: string;
  contentDigests: Record<string, string>;
  clearsAt: Date;
  lines: NewLine[];
  metadata: unknown;
  lineItems: unknown;
}

/** Journal: the expense of the sum against each beneficiary's pending account. */
const insert = prepared<{ id: string; lines: { id: string; seq: number }[] | null }, [string, string, ...unknown[]]>(
  'events_insert_purchase',
  `with refreshed as (
     insert into customer (tenant_id, environment, external_id, email, name)
     select $1, $2, $11, $12, $13 where $25::uuid is null
     on conflict (tenant_id, environment, external_id) do update
       set email = coalesce(excluded.email, customer.email), name = coalesce(excluded.name, customer.name), updated_at = now()
     returning id),
   buyer as (select id from refreshed union all select $25::uuid where $25::uuid is not null),
   fresh as (
     insert into event (tenant_id, environment, external_event_id, kind, type, occurred_at, amount_minor, currency, tax_minor,
                        shipping_minor, discount_minor, base_minor, customer_id, buyer_member_id, attributed_member_id,
                        attribution_rule, status, plan_version_id, content_digests)
     select $1, $2, $3, 'purchase', $4, $5::timestamptz, $6, $7, $8, $9, $10, $14, buyer.id, $15, $16, $17, $18, $19, $20 from buyer
     returning id),
   detail as (
     insert into event_detail (tenant_id, environment, event_id, metadata, line_items)
     select $1, $2, fresh.id, $21::jsonb, $22::jsonb from fresh where $21::jsonb is not null or $22::jsonb is not null),
   owed as (
     select * from jsonb_to_recordset($23::jsonb) as l(seq smallint, beneficiary_id uuid, level smallint, paid_level smallint,
       rate_bps int, multiplier_milli int, amount_minor bigint, calculation_hash text)),
   line as (
     insert into commission_line (tenant_id, environment, event_id, beneficiary_id, kind, source, level, paid_level, rate_bps,
                                  multiplier_milli, base_minor, amount_minor, currency, status, clears_at, occurred_at,
                                  plan_version_id, calculation_hash)
     select $1, $2, fresh.id, owed.beneficiary_id, 'commission', case $4 when 'one_time' then 'sales' else 'subscription' end,
            owed.level, owed.paid_level, owed.rate_bps, owed.multiplier_milli, $14, owed.amount_minor, $7, 'pending',
            $24::timestamptz, $5::timestamptz, $19, decode(owed.calculation_hash, 'base64')
     from fresh cross join owed
     returning id, level, paid_level),
   journal as (
     insert into journal_entry (tenant_id, environment, cause_type, cause_id, occurred_at)
     select $1, $2, 'event', fresh.id, $5::timestamptz from fresh where exists (select from owed)
     returning id),
   posted as (
     insert into posting (tenant_id, environment, journal_id, seq, account, member_id, currency, amount_minor)
     select $1, $2, journal.id, 0, 'company:commission_expense', null, $7, -(select sum(amount_minor) from owed)::bigint from journal
     union all
     select $1, $2, journal.id, owed.seq, 'member:pending', owed.beneficiary_id, $7, owed.amount_minor from journal cross join owed)
   select fresh.id,
          (select json_agg(json_build_object('id', line.id, 'seq', owed.seq))
           from line join owed on owed.level = line.level and owed.paid_level = line.paid_level) as lines
   from fresh`,
);

/**
 * Stores the purchase with its lines and journal. Waits for a concurrent transaction that uses the
 * same external id, then throws the constraint's error. The frame's last statement.
 */
export async function insertPurchase(
  db: WriteDb,
  scope: Scope,
  purchase: NewPurchase,
): Promise<{ eventId: string; lineIds: string[] }> {
  const owed = purchase.lines.map((line, index) => ({
    seq: index + 1,
    beneficiary_id: line.beneficiaryId,
    level: line.level,
    paid_level: line.paidLevel,
    rate_bps: line.rateBps,
    multiplier_milli: line.multiplierMilli,
    amount_minor: line.amountMinor.toString(),
    calculation_hash: line.calculationHash.toString('base64'),
  }));
  const row = await db.lastRow(
    insert(
      scope.tenantId,
      scope.environment,
      purchase.externalEventId,
      purchase.type,
      purchase.occurredAt,
      purchase.amountMinor,
      purchase.currency,
      purchase.taxMinor,
      purchase.shippingMinor,
      purchase.discountMinor,
      purchase.customer.externalId,
      purchase.customer.email,
      purchase.customer.name,
      purchase.baseMinor,
      purchase.buyerId,
      purchase.attributedId,
      purchase.attributionRule,
      purchase.status,
      purchase.planVersionId,
      purchase.contentDigests,
      json(purchase.metadata),
      json(purchase.lineItems),
      JSON.stringify(owed),
      purchase.clearsAt,
      purchase.customer.knownId,
    ),
  );
  if (!row) throw new Error('the insert of a purchase returned no row');
  const idBySeq = new Map((row.lines ?? []).map((line) => [line.seq, line.id]));
  return { eventId: row.id, lineIds: owed.map(({ seq }) => idBySeq.get(seq) ?? '') };
}

function json(value: unknown): string | null {
  return value === null || value === undefined
    ? null
    : JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? Number(item) : item));
}

export interface StoredLine {
  id: string;
  beneficiaryId: string;
  level: number;
  paidLevel: number;
  rateBps: number;
  multiplierMilli: number;
  baseMinor: bigint;
  amountMinor: bigint;
  currency: string;
  status: LineStatus;
  clearsAt: Date;
}

export interface StoredEvent {
  eventId: string;
  externalEventId: string;
  type: PurchaseType;
  status: EventStatus;
  occurredAt: Date;
  recordedAt: Date;
  amountMinor: bigint;
  currency: string;
  taxMinor: bigint;
  shippingMinor: bigint;
  discountMinor: bigint;
  baseMinor: bigint;
  customer: { externalId: string; email: string | null; name: string | null };
  buyerId: string | null;
  attributedId: string | null;
  attributionRule: AttributionRule;
  planVersionId: string;
  contentDigests: Record<string, string>;
  lines: StoredLine[];
  metadata: unknown;
  lineItems: unknown;
}

interface EventRow {
  id: string;
  external_event_id: string;
  type: PurchaseType;
  status: EventStatus;
  occurred_at: Date;
  recorded_at: Date;
  amount_minor: bigint;
  currency: string;
  tax_minor: bigint;
  shipping_minor: bigint;
  discount_minor: bigint;
  base_minor: bigint;
  customer_external_id: string;
  customer_email: string | null;
  customer_name: string | null;
  buyer_member_id: string | null;
  attributed_member_id: string | null;
  attribution_rule: AttributionRule;
  plan_version_id: string;
  content_digests: Record<string, string>;
  metadata: unknown;
  line_items: unknown;
  lines: LineJson[] | null;
}

/** Amounts travel as text: a JSON number would pass through a double. */
interface LineJson {
  id: string;
  beneficiary_id: string;
  level: number;
  paid_level: number;
  rate_bps: number;
  multiplier_milli: number;
  base_minor: string;
  amount_minor: string;
  currency: string;
  status: LineStatus;
  clears_at: string;
}

const eventColumns = `e.*, c.external_id as customer_external_id, c.email as customer_email, c.name as customer_name,
          d.metadata, d.line_items,
          (select json_agg(json_build_object('id', l.id, 'beneficiary_id', l.beneficiary_id, 'level', l.level,
             'paid_level', l.paid_level, 'rate_bps', l.rate_bps, 'multiplier_milli', l.multiplier_milli,
             'base_minor', l.base_minor::text, 'amount_minor', l.amount_minor::text, 'currency', l.currency,
             'status', l.status, 'clears_at', l.clears_at) order by l.level, l.paid_level)
           from commission_line l
           where l.tenant_id = $1 and l.environment = $2 and l.event_id = e.id) as lines
   from event e
   join customer c on c.tenant_id = e.tenant_id and c.environment = e.environment and c.id = e.customer_id
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

export async function findEventByExternalId(db: Db, scope: Scope, externalEventId: string): Promise<StoredEvent | undefined> {
  const row = await db.row(byExternalId(scope.tenantId, scope.environment, externalEventId));
  return row && toStoredEvent(row);
}

export function toStoredEvent(row: EventRow): StoredEvent {
  return {
    eventId: row.id,
    externalEventId: row.external_event_id,
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
    customer: { externalId: row.customer_external_id, email: row.customer_email, name: row.customer_name },
    buyerId: row.buyer_member_id,
    attributedId: row.attributed_member_id,
    attributionRule: row.attribution_rule,
    planVersionId: row.plan_version_id,
    contentDigests: row.content_digests,
    metadata: row.metadata,
    lineItems: row.line_items,
    lines: (row.lines ?? []).map((line) => ({
      id: line.id,
      beneficiaryId: line.beneficiary_id,
      level: line.level,
      paidLevel: line.paid_level,
      rateBps: line.rate_bps,
      multiplierMilli: line.multiplier_milli,
      baseMinor: BigInt(line.base_minor),
      amountMinor: BigInt(line.amount_minor),
      currency: line.currency,
      status: line.status,
      clearsAt: new Date(line.clears_at),
    })),
  };
}
