/** The one statement that stores events of any kind, one or many, with their lines and their journals. */
import { type ActingScope, actorRef } from '../../actor.ts';
import { raw, statement } from '../../db/query.ts';
import type { Scope, WriteDb } from '../../db/scope.ts';
import { SCOPE_FIXED_NOW } from '../../db/scope-clock.ts';
import type { NewReceipt } from '../attribution/open/receipt.ts';
import { insertReceiptsOfEvents, readReceipt, receiptRow } from '../attribution/open/receipt-sql.ts';
import type { NewLine } from '../commissions/open/commission-line.ts';
import { insertLines, newLineRows, readNewLines } from '../commissions/open/line-sql.ts';
import type { NewPosting } from '../ledger/open/journal.ts';
import { insertJournals, insertPostings, postingRows, readPostings } from '../ledger/open/journal-sql.ts';
import type { AttributionRule, EventKind, EventStatus, EventType, Stage, StoredEvaluation } from './event-kinds.ts';
import type { BuyingCustomer } from './open/purchase.ts';
import { insertPendingSale, saleRow } from './sales-sums/pending-sale-sql.ts';
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

/**
 * `given` is SQL that reads events as `eventRow` has made them. Recorded times are those of the scope's clock, of sales the time
 * that is fixed. Of two first purchases of a customer at once the one stored first has its referrer. Rows that others may wait
 * for are taken in order, customers before events, so that two transactions never wait in a circle.
 */
const insertText = (given: string): string =>
  `with clock as (select ${SCOPE_FIXED_NOW} as now),
   given as materialized (
     select coalesce(e.given_id, uuidv7()) as id, e.*
     from ${given} as e(
       n int, given_id uuid, external_event_id text, kind text, type text, occurred_at timestamptz, amount_minor bigint, currency text,
       tax_minor bigint, shipping_minor bigint, discount_minor bigint, base_minor bigint, customer_id uuid, customer_external_id text,
       customer_email text, customer_email_norm text, customer_name text, first_referrer_id uuid, buyer_id uuid, attributed_id uuid,
       attribution_rule text, receipt jsonb, status text, plan_version_id uuid, content_digests jsonb, purchase_id uuid,
       dispute_id text, stage text, reason text, breakage_minor bigint, evaluation jsonb, metadata jsonb, line_items jsonb,
       discount_code text, customer_country text, description text, actor text, created_by text, sale jsonb, lines jsonb, postings jsonb)),
   refreshed as (
     insert into customer (tenant_id, environment, external_id, email, name, email_norm, first_referrer_id, first_referrer_at)
     select :tenantId, :environment, g.customer_external_id, g.customer_email, g.customer_name, g.customer_email_norm,
            g.first_referrer_id, case when g.first_referrer_id is not null then clock.now end
     from clock cross join given g where g.customer_external_id is not null and g.customer_id is null
     order by g.customer_external_id
     on conflict (tenant_id, environment, external_id) do update
       set email = coalesce(excluded.email, customer.email), name = coalesce(excluded.name, customer.name),
           email_norm = coalesce(excluded.email_norm, customer.email_norm),
           first_referrer_id = coalesce(customer.first_referrer_id, excluded.first_referrer_id),
           first_referrer_at = case when customer.first_referrer_id is null then excluded.first_referrer_at
                                    else customer.first_referrer_at end,
           updated_at = now()
     returning id, external_id),
   receipt as materialized (select g.id as event_id, r.* from given g cross join lateral (${readReceipt('g.receipt')}) r),
   fresh as (
     insert into event (tenant_id, environment, id, external_event_id, kind, type, occurred_at, recorded_at, amount_minor, currency,
                        tax_minor, shipping_minor, discount_minor, base_minor, customer_id, buyer_member_id, attributed_member_id,
                        attribution_rule, status, plan_version_id, content_digests, purchase_id, dispute_id, stage, reason,
                        breakage_minor, evaluation, receipt_id, created_by)
     select :tenantId, :environment, g.id, g.external_event_id, g.kind, g.type, g.occurred_at, clock.now, g.amount_minor,
            g.currency, g.tax_minor, g.shipping_minor, g.discount_minor, g.base_minor,
            coalesce(g.customer_id, (select r.id from refreshed r where r.external_id = g.customer_external_id)),
            g.buyer_id, g.attributed_id, g.attribution_rule, g.status, g.plan_version_id, g.content_digests, g.purchase_id,
            g.dispute_id, g.stage, g.reason, g.breakage_minor, g.evaluation,
            (select r.id from receipt r where r.event_id = g.id), g.created_by
     from clock cross join given g order by g.external_event_id
     returning id),
   made as (
     select g.*, clock.now from fresh join given g on g.id = fresh.id cross join clock),
   credited as (
     ${insertReceiptsOfEvents('(select receipt.*, made.now as created_at from made join receipt on receipt.event_id = made.id)')}),
   detail as (
     insert into event_detail (tenant_id, environment, event_id, metadata, line_items, discount_code, customer_country, description, actor)
     select :tenantId, :environment, made.id, made.metadata, made.line_items, made.discount_code, made.customer_country,
            made.description, made.actor
     from made
     where num_nonnulls(made.metadata, made.line_items, made.discount_code, made.customer_country, made.description, made.actor) > 0),
   sold as (
     ${insertPendingSale({ events: 'made', sale: 'made.sale' })}),
   owed as materialized (select g.id as event_id, l.* from given g cross join lateral (${readNewLines('g.lines')}) l),
   line as (${insertLines({ events: 'made', lines: 'owed' })}),
   due as materialized (select g.id as event_id, p.* from given g cross join lateral (${readPostings('g.postings')}) p),
   journal as (
     ${insertJournals(`(
       select 'event' as cause_type, made.id as cause_id, made.occurred_at, made.now as recorded_at
       from made where made.id in (select due.event_id from due))`)}
     returning id, cause_id),
   posted as (
     ${insertPostings(`(
       select journal.id as journal_id, due.seq, due.account, due.member_id, coalesce(due.currency, made.currency) as currency,
              due.amount_minor
       from journal join made on made.id = journal.cause_id join due on due.event_id = made.id)`)})
   select given.id, (select receipt.id from receipt where receipt.event_id = given.id) as receipt_id,
          (select array_agg(owed.id order by owed.n) from owed where owed.event_id = given.id) as line_ids
   from given order by given.n`;

/** Of one, which is expected to be one. */
const insertOne = statement<InsertRow, { event: string }>('events_insert', ({ event }) =>
  raw(insertText('jsonb_to_record(:event::jsonb)'), { event }),
);

const insertMany = statement<InsertRow, { events: string }>('events_insert_many', ({ events }) =>
  raw(insertText('jsonb_to_recordset(:events::jsonb)'), { events }),
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
  const sent = toJson(eventRow(event, 0, actorRef(scope.provenance.actor)));
  const row = await db.lastRow(insertOne(scope, { event: sent }));
  if (!row) throw new Error('the insert of an event returned no row');
  return { eventId: row.id, receiptId: row.receipt_id, lineIds: row.line_ids ?? [] };
}

/** An event whose ids are all known, and who records it. */
export interface GivenEvent {
  event: NewEvent;
  /** An `actorRef`. */
  createdBy: string;
}

/** Many, of which no two have a customer or an external id in common. The frame's last statement. */
export async function insertEvents(db: WriteDb, scope: Scope, events: readonly GivenEvent[]): Promise<void> {
  const rows = events.map(({ event, createdBy }, n) => eventRow(event, n, createdBy));
  if (!(await db.lastRow(insertMany(scope, { events: toJson(rows) })))) throw new Error('the insert of events returned no row');
}

/** By the columns that the statement reads; undefined members are left out of the JSON. */
function eventRow({ given, customer, currency, ...event }: NewEvent, n: number, createdBy: string): object {
  return {
    n,
    given_id: given?.eventId,
    external_event_id: event.externalEventId,
    kind: event.kind,
    type: event.type,
    occurred_at: event.occurredAt,
    amount_minor: event.amountMinor.toString(),
    currency,
    tax_minor: event.taxMinor.toString(),
    shipping_minor: event.shippingMinor.toString(),
    discount_minor: event.discountMinor.toString(),
    base_minor: event.baseMinor.toString(),
    customer_id: customer?.knownId,
    customer_external_id: customer?.externalId,
    customer_email: customer?.email,
    customer_email_norm: customer?.emailNorm,
    customer_name: customer?.name,
    first_referrer_id: customer?.firstReferrerId,
    buyer_id: event.buyerId,
    attributed_id: event.attributedId,
    attribution_rule: event.attributionRule,
    receipt: event.receipt && receiptRow(event.receipt, given?.receiptId),
    status: event.status,
    plan_version_id: event.planVersionId,
    content_digests: event.contentDigests,
    purchase_id: event.purchaseId,
    dispute_id: event.disputeId,
    stage: event.stage,
    reason: event.reason,
    breakage_minor: event.breakageMinor.toString(),
    evaluation: event.evaluation,
    metadata: event.metadata,
    line_items: event.lineItems,
    discount_code: event.discountCode,
    customer_country: event.customerCountry,
    description: event.description,
    actor: event.actor,
    created_by: createdBy,
    sale: saleRow(event.sale),
    lines: newLineRows(event.lines, currency),
    postings: postingRows(event.postings, currency),
  };
}

/** What was sent has whole numbers as bigints. */
function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? Number(item) : item));
}

/** What comes with an event, as it is stored and read. */
export function detailJson(value: unknown): string | null {
  return value === null || value === undefined ? null : toJson(value);
}
