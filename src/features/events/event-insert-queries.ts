/** The one statement that stores an event of any kind with its lines and its journal. */
import { type ActingScope, actorRef } from '../../actor.ts';
import { raw, statement } from '../../db/query.ts';
import type { WriteDb } from '../../db/scope.ts';
import { SCOPE_FIXED_NOW } from '../../db/scope-clock.ts';
import type { NewReceipt } from '../attribution/open/receipt.ts';
import { insertReceiptsOfEvents, readReceipt, receiptJson } from '../attribution/open/receipt-sql.ts';
import type { NewLine } from '../commissions/open/commission-line.ts';
import { insertLines, newLinesJson, readNewLines } from '../commissions/open/line-sql.ts';
import type { NewPosting } from '../ledger/open/journal.ts';
import { insertJournals, insertPostings, postingsJson, readPostings } from '../ledger/open/journal-sql.ts';
import type { AttributionRule, EventKind, EventStatus, EventType, Stage, StoredEvaluation } from './event-kinds.ts';
import type { BuyingCustomer } from './open/purchase.ts';
import { insertPendingSale, saleJson } from './sales-sums/pending-sale-sql.ts';
import type { SaleChange } from './sales-sums/sale-change.ts';

export interface NewCustomer extends BuyingCustomer {
  /** When the customer is stored just so; otherwise it is inserted or refreshed. */
  knownId: string | null;
  /** Whom its purchases are credited to from now on, unless somebody is stored by then. */
  firstReferrerId: string | null;
}

/** Ids that are known before anything is stored. */
export interface GivenIds {
  eventId: string;
  receiptId: string;
}

export interface NewEvent {
  /** Null where the database makes them. */
  given: GivenIds | null;
  externalEventId: string;
  kind: EventKind;
  type: EventType | null;
  occurredAt: Date;
  amountMinor: bigint;
  currency: string;
  taxMinor: bigint;
  shippingMinor: bigint;
  discountMinor: bigint;
  baseMinor: bigint;
  customer: NewCustomer | null;
  buyerId: string | null;
  attributedId: string | null;
  attributionRule: AttributionRule | null;
  /** Of a purchase. */
  receipt: NewReceipt | null;
  status: EventStatus;
  planVersionId: string | null;
  contentDigests: Record<string, string>;
  purchaseId: string | null;
  disputeId: string | null;
  stage: Stage | null;
  reason: string | null;
  breakageMinor: bigint;
  evaluation: StoredEvaluation | null;
  metadata: unknown;
  lineItems: unknown;
  discountCode: string | null;
  customerCountry: string | null;
  description: string | null;
  actor: string | null;
  /** What it changes the sums of sales by. */
  sale: SaleChange | null;
  lines: readonly NewLine[];
  postings: readonly NewPosting[];
}

/** What an event is before anything particular to its kind is said. */
export const PLAIN_EVENT = {
  given: null,
  type: null,
  taxMinor: 0n,
  shippingMinor: 0n,
  discountMinor: 0n,
  baseMinor: 0n,
  customer: null,
  buyerId: null,
  attributedId: null,
  attributionRule: null,
  receipt: null,
  status: 'accepted',
  planVersionId: null,
  purchaseId: null,
  disputeId: null,
  stage: null,
  reason: null,
  breakageMinor: 0n,
  evaluation: null,
  metadata: null,
  lineItems: null,
  discountCode: null,
  customerCountry: null,
  description: null,
  actor: null,
  sale: null,
} as const satisfies Partial<NewEvent>;

/** What is sent of an event: JSON as text, and the customer column by column. */
interface EventParameters
  extends Omit<NewEvent, 'given' | 'customer' | 'receipt' | 'metadata' | 'lineItems' | 'sale' | 'lines' | 'postings'> {
  eventId: string | null;
  customerId: string | null;
  customerExternalId: string | null;
  customerEmail: string | null;
  customerEmailNorm: string | null;
  customerName: string | null;
  firstReferrerId: string | null;
  receipt: string | null;
  metadata: string | null;
  lineItems: string | null;
  createdBy: string;
  sale: string | null;
  lines: string;
  postings: string;
}

/**
 * Recorded times are those of the scope's clock, of sales the time that is fixed. What all lines of an event share travels once, as
 * parameters; what differs is in `lines`. Of two first purchases of a customer at once the one stored first has its referrer.
 */
const insert = statement<InsertRow, EventParameters>(
  'events_insert',
  ({
    eventId,
    externalEventId,
    kind,
    type,
    occurredAt,
    amountMinor,
    currency,
    taxMinor,
    shippingMinor,
    discountMinor,
    baseMinor,
    customerId,
    customerExternalId,
    customerEmail,
    customerEmailNorm,
    customerName,
    firstReferrerId,
    buyerId,
    attributedId,
    attributionRule,
    receipt,
    status,
    planVersionId,
    contentDigests,
    purchaseId,
    disputeId,
    stage,
    reason,
    breakageMinor,
    evaluation,
    metadata,
    lineItems,
    discountCode,
    customerCountry,
    description,
    actor,
    createdBy,
    sale,
    lines,
    postings,
  }) =>
    raw(
      `with clock as (select ${SCOPE_FIXED_NOW} as now),
   refreshed as (
     insert into customer (tenant_id, environment, external_id, email, name, email_norm, first_referrer_id, first_referrer_at)
     select :tenantId, :environment, :customerExternalId, :customerEmail, :customerName, :customerEmailNorm,
            :firstReferrerId::uuid, case when :firstReferrerId::uuid is not null then clock.now end
     from clock where :customerExternalId::text is not null and :customerId::uuid is null
     on conflict (tenant_id, environment, external_id) do update
       set email = coalesce(excluded.email, customer.email), name = coalesce(excluded.name, customer.name),
           email_norm = coalesce(excluded.email_norm, customer.email_norm),
           first_referrer_id = coalesce(customer.first_referrer_id, excluded.first_referrer_id),
           first_referrer_at = case when customer.first_referrer_id is null then excluded.first_referrer_at
                                    else customer.first_referrer_at end,
           updated_at = now()
     returning id),
   receipt as materialized (${readReceipt(':receipt')}),
   fresh as (
     insert into event (tenant_id, environment, id, external_event_id, kind, type, occurred_at, recorded_at, amount_minor, currency,
                        tax_minor, shipping_minor, discount_minor, base_minor, customer_id, buyer_member_id, attributed_member_id,
                        attribution_rule, status, plan_version_id, content_digests, purchase_id, dispute_id, stage, reason,
                        breakage_minor, evaluation, receipt_id, created_by)
     select :tenantId, :environment, coalesce(:eventId::uuid, uuidv7()), :externalEventId, :kind, :type, :occurredAt::timestamptz, clock.now, :amountMinor,
            :currency, :taxMinor, :shippingMinor, :discountMinor, :baseMinor,
            coalesce(:customerId::uuid, (select id from refreshed)),
            :buyerId, :attributedId, :attributionRule, :status, :planVersionId, :contentDigests, :purchaseId, :disputeId, :stage,
            :reason, :breakageMinor, :evaluation,
            (select receipt.id from receipt), :createdBy from clock
     returning id),
   credited as (
     ${insertReceiptsOfEvents(`(
       select receipt.*, fresh.id as event_id, clock.now as created_at from clock cross join fresh cross join receipt)`)}),
   detail as (
     insert into event_detail (tenant_id, environment, event_id, metadata, line_items, discount_code, customer_country, description, actor)
     select :tenantId, :environment, fresh.id, :metadata::jsonb, :lineItems::jsonb, :discountCode, :customerCountry, :description, :actor
     from fresh
     where num_nonnulls(:metadata::jsonb, :lineItems::jsonb, :discountCode::text, :customerCountry::text, :description::text, :actor::text) > 0),
   made as (
     select fresh.id, :occurredAt::timestamptz as occurred_at, :currency::text as currency, clock.now from fresh cross join clock),
   sold as (
     ${insertPendingSale({ events: 'made', sale: ':sale' })}),
   owed as materialized (${readNewLines(':lines')}),
   line as (${insertLines({ event: 'made', lines: 'owed' })}),
   due as materialized (${readPostings(':postings')}),
   journal as (
     ${insertJournals(`(
       select 'event' as cause_type, fresh.id as cause_id, :occurredAt::timestamptz as occurred_at, clock.now as recorded_at
       from fresh cross join clock where exists (select from due))`)}
     returning id),
   posted as (
     ${insertPostings(`(
       select journal.id as journal_id, due.seq, due.account, due.member_id, coalesce(due.currency, :currency) as currency,
              due.amount_minor
       from journal cross join due)`)})
   select fresh.id, (select receipt.id from receipt) as receipt_id,
          (select array_agg(owed.id order by owed.n) from owed) as line_ids from fresh`,
      {
        eventId,
        externalEventId,
        kind,
        type,
        occurredAt,
        amountMinor,
        currency,
        taxMinor,
        shippingMinor,
        discountMinor,
        baseMinor,
        customerId,
        customerExternalId,
        customerEmail,
        customerEmailNorm,
        customerName,
        firstReferrerId,
        buyerId,
        attributedId,
        attributionRule,
        receipt,
        status,
        planVersionId,
        contentDigests,
        purchaseId,
        disputeId,
        stage,
        reason,
        breakageMinor,
        evaluation,
        metadata,
        lineItems,
        discountCode,
        customerCountry,
        description,
        actor,
        createdBy,
        sale,
        lines,
        postings,
      },
    ),
);

interface InsertRow {
  id: string;
  receipt_id: string | null;
  line_ids: string[] | null;
}

export interface InsertedEvent {
  eventId: string;
  receiptId: string | null;
  lineIds: string[];
}

/**
 * Stores the event with who records it. Waits for a concurrent transaction that uses the same external id, then throws
 * the constraint's error. The frame's last statement.
 */
export async function insertEvent(db: WriteDb, scope: ActingScope, event: NewEvent): Promise<InsertedEvent> {
  return insertedOf(await db.lastRow(insert(scope, parametersOf(scope, event))));
}

function insertedOf(row: InsertRow | undefined): InsertedEvent {
  if (!row) throw new Error('the insert of an event returned no row');
  return { eventId: row.id, receiptId: row.receipt_id, lineIds: row.line_ids ?? [] };
}

function parametersOf(scope: ActingScope, event: NewEvent): EventParameters {
  const { customer, currency } = event;
  return {
    ...event,
    eventId: event.given?.eventId ?? null,
    customerId: customer?.knownId ?? null,
    customerExternalId: customer?.externalId ?? null,
    customerEmail: customer?.email ?? null,
    customerEmailNorm: customer?.emailNorm ?? null,
    customerName: customer?.name ?? null,
    firstReferrerId: customer?.firstReferrerId ?? null,
    receipt: event.receipt && receiptJson(event.receipt, event.given?.receiptId),
    metadata: detailJson(event.metadata),
    lineItems: detailJson(event.lineItems),
    createdBy: actorRef(scope.provenance.actor),
    sale: saleJson(event.sale),
    lines: newLinesJson(event.lines, currency),
    postings: postingsJson(event.postings, currency),
  };
}

/** What comes with an event, as it is stored and read. */
export function detailJson(value: unknown): string | null {
  return value === null || value === undefined
    ? null
    : JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? Number(item) : item));
}
