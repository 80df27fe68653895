/** The one statement that stores an event of any kind with its lines and its journal. */
import type { Scope, WriteDb } from '../../db/frame.ts';
import { prepared } from '../../db/statement.ts';
import type { NewReceipt } from '../attribution/receipt.ts';
import { type NewLine, SELF_PURCHASE_REASON } from '../commissions/commission-line.ts';
import type { NewPosting } from '../commissions/journal.ts';
import type { AttributionRule, EventKind, EventStatus, EventType, Stage, StoredEvaluation } from './event.ts';

interface NewCustomer {
  /** When the customer is stored just so; otherwise it is inserted or refreshed. */
  knownId: string | null;
  externalId: string;
  email: string | null;
  emailNorm: string | null;
  name: string | null;
  /** Whom its purchases are credited to from now on, unless somebody is stored by then. */
  firstReferrerId: string | null;
}

export interface NewEvent {
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
  description: string | null;
  actor: string | null;
  lines: readonly NewLine[];
  postings: readonly NewPosting[];
}

/** What an event is before anything particular to its kind is said. */
export const PLAIN_EVENT = {
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
  description: null,
  actor: null,
} as const satisfies Partial<NewEvent>;

/**
 * Recorded times are those of the scope's clock. What all lines of an event share travels once, as
 * parameters; what differs is in $33. Of two first purchases of a customer at once the one stored first has its referrer.
 */
const insert = prepared<{ id: string; receipt_id: string | null; line_ids: string[] | null }, [string, string, ...unknown[]]>(
  'events_insert',
  `with clock as (select case when $2 = 'SANDBOX' then scope_now($1, $2) else now() end as now),
   refreshed as (
     insert into customer (tenant_id, environment, external_id, email, name, email_norm, first_referrer_id, first_referrer_at)
     select $1, $2, $13, $14, $15, $36, $37::uuid, case when $37::uuid is not null then clock.now end
     from clock where $13::text is not null and $16::uuid is null
     on conflict (tenant_id, environment, external_id) do update
       set email = coalesce(excluded.email, customer.email), name = coalesce(excluded.name, customer.name),
           email_norm = coalesce(excluded.email_norm, customer.email_norm),
           first_referrer_id = coalesce(customer.first_referrer_id, excluded.first_referrer_id),
           first_referrer_at = case when customer.first_referrer_id is null then excluded.first_referrer_at
                                    else customer.first_referrer_at end,
           updated_at = now()
     returning id),
   receipt as materialized (
     select uuidv7() as id, r.* from jsonb_to_record($35::jsonb) as r(rule text, winner_id uuid, model text, window_days int,
       as_of timestamptz, buyer_id uuid, self_id uuid, candidates jsonb)
     where $35::jsonb is not null),
   fresh as (
     insert into event (tenant_id, environment, external_event_id, kind, type, occurred_at, recorded_at, amount_minor, currency,
                        tax_minor, shipping_minor, discount_minor, base_minor, customer_id, buyer_member_id, attributed_member_id,
                        attribution_rule, status, plan_version_id, content_digests, purchase_id, dispute_id, stage, reason,
                        breakage_minor, evaluation, receipt_id)
     select $1, $2, $3, $4, $5, $6::timestamptz, clock.now, $7, $8, $9, $10, $11, $12, coalesce($16::uuid, (select id from refreshed)),
            $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28,
            (select receipt.id from receipt) from clock
     returning id),
   credited as (
     insert into attribution_receipt (tenant_id, environment, id, event_id, rule, winner_id, model, window_days, as_of, buyer_id,
                                      self_id, candidates, created_at)
     select $1, $2, receipt.id, fresh.id, receipt.rule, receipt.winner_id, receipt.model, receipt.window_days, receipt.as_of,
            receipt.buyer_id, receipt.self_id, receipt.candidates, clock.now
     from clock cross join fresh cross join receipt),
   detail as (
     insert into event_detail (tenant_id, environment, event_id, metadata, line_items, description, actor)
     select $1, $2, fresh.id, $29::jsonb, $30::jsonb, $31, $32 from fresh
     where $29::jsonb is not null or $30::jsonb is not null or $31::text is not null or $32::text is not null),
   owed as materialized (
     select uuidv7() as id, l.* from jsonb_to_recordset($33::jsonb) as l(n int, beneficiary_id uuid, kind text, source text,
       level smallint, paid_level smallint, rate_bps int, flat_minor bigint, multiplier_milli int, base_minor bigint,
       amount_minor bigint, currency text, source_amount_minor bigint, source_currency text, exchange_rate_id uuid,
       capped_minor bigint, cap text, status text, clears_at timestamptz, occurred_at timestamptz, plan_version_id uuid,
       calculation_hash text, reverses_line_id uuid, hold_cause text, hold_reason text, write_off_after_days int, write_off_minor bigint,
       leg_id uuid)),
   line as (
     insert into commission_line (tenant_id, environment, id, event_id, beneficiary_id, kind, source, level, paid_level, rate_bps,
                                  flat_minor, multiplier_milli, base_minor, amount_minor, currency, source_amount_minor,
                                  source_currency, exchange_rate_id, capped_minor, cap, status, clears_at, occurred_at,
                                  plan_version_id, calculation_hash, reverses_line_id, hold_cause, hold_reason, created_at, write_off_at,
                                  write_off_minor, leg_id)
     select $1, $2, owed.id, fresh.id, owed.beneficiary_id, owed.kind, owed.source, owed.level, owed.paid_level, owed.rate_bps,
            owed.flat_minor, owed.multiplier_milli, owed.base_minor, owed.amount_minor, coalesce(owed.currency, $8),
            owed.source_amount_minor, owed.source_currency, owed.exchange_rate_id, coalesce(owed.capped_minor, 0), owed.cap,
            owed.status, owed.clears_at, coalesce(owed.occurred_at, $6::timestamptz), owed.plan_version_id,
            decode(owed.calculation_hash, 'base64'), owed.reverses_line_id, owed.hold_cause, owed.hold_reason, clock.now,
            clock.now + owed.write_off_after_days * interval '24 hours', owed.write_off_minor,
            owed.leg_id
     from clock cross join fresh cross join owed),
   due as materialized (
     select p.* from jsonb_to_recordset($34::jsonb) as p(seq smallint, account text, member_id uuid, currency text, amount_minor bigint)),
   journal as (
     insert into journal_entry (tenant_id, environment, cause_type, cause_id, occurred_at, recorded_at)
     select $1, $2, 'event', fresh.id, $6::timestamptz, clock.now from fresh cross join clock where exists (select from due)
     returning id),
   posted as (
     insert into posting (tenant_id, environment, journal_id, seq, account, member_id, currency, amount_minor)
     select $1, $2, journal.id, due.seq, due.account, due.member_id, coalesce(due.currency, $8), due.amount_minor
     from journal cross join due)
   select fresh.id, (select receipt.id from receipt) as receipt_id, (select array_agg(owed.id order by owed.n) from owed) as line_ids from fresh`,
);

export interface InsertedEvent {
  eventId: string;
  receiptId: string | null;
  lineIds: string[];
}

/**
 * Stores the event. Waits for a concurrent transaction that uses the same external id, then throws
 * the constraint's error. The frame's last statement.
 */
export async function insertEvent(db: WriteDb, scope: Scope, event: NewEvent): Promise<InsertedEvent> {
  const row = await db.lastRow(
    insert(
      scope.tenantId,
      scope.environment,
      event.externalEventId,
      event.kind,
      event.type,
      event.occurredAt,
      event.amountMinor,
      event.currency,
      event.taxMinor,
      event.shippingMinor,
      event.discountMinor,
      event.baseMinor,
      event.customer?.externalId ?? null,
      event.customer?.email ?? null,
      event.customer?.name ?? null,
      event.customer?.knownId ?? null,
      event.buyerId,
      event.attributedId,
      event.attributionRule,
      event.status,
      event.planVersionId,
      event.contentDigests,
      event.purchaseId,
      event.disputeId,
      event.stage,
      event.reason,
      event.breakageMinor,
      event.evaluation,
      json(event.metadata),
      json(event.lineItems),
      event.description,
      event.actor,
      JSON.stringify(event.lines.map((line, n) => lineJson(line, n, event.currency))),
      JSON.stringify(event.postings.map((posting, seq) => postingJson(posting, seq, event.currency))),
      receiptJson(event.receipt),
      event.customer?.emailNorm ?? null,
      event.customer?.firstReferrerId ?? null,
    ),
  );
  if (!row) throw new Error('the insert of an event returned no row');
  return { eventId: row.id, receiptId: row.receipt_id, lineIds: row.line_ids ?? [] };
}

/** Undefined members are left out of the JSON: what most lines have in common does not travel. */
function lineJson(line: NewLine, n: number, currency: string): object {
  return {
    n,
    beneficiary_id: line.beneficiaryId,
    kind: line.kind,
    source: line.source,
    level: line.level,
    paid_level: line.paidLevel,
    rate_bps: line.rateBps,
    flat_minor: line.flatMinor?.toString(),
    multiplier_milli: line.multiplierMilli,
    base_minor: line.baseMinor.toString(),
    amount_minor: line.amountMinor.toString(),
    currency: line.currency === currency ? undefined : line.currency,
    source_amount_minor: line.conversion?.amountMinor.toString(),
    source_currency: line.conversion?.currency,
    exchange_rate_id: line.conversion?.exchangeRateId,
    capped_minor: line.cappedMinor === 0n ? undefined : line.cappedMinor.toString(),
    cap: line.cap ?? undefined,
    status: line.status,
    hold_cause: line.holdCause ?? undefined,
    hold_reason: line.holdCause === 'self_purchase' ? SELF_PURCHASE_REASON : undefined,
    clears_at: line.clearsAt,
    occurred_at: line.kind === 'commission' ? undefined : line.occurredAt,
    plan_version_id: line.planVersionId ?? undefined,
    calculation_hash: line.calculationHash.toString('base64'),
    reverses_line_id: line.reversesLineId ?? undefined,
    write_off_after_days: line.writeOff?.afterDays,
    write_off_minor: line.writeOff?.amountMinor.toString(),
    leg_id: line.legId ?? undefined,
  };
}

function receiptJson(receipt: NewReceipt | null): string | null {
  return (
    receipt &&
    JSON.stringify({
      rule: receipt.rule,
      winner_id: receipt.winnerId,
      model: receipt.model,
      window_days: receipt.windowDays,
      as_of: receipt.asOf,
      buyer_id: receipt.buyerId,
      self_id: receipt.selfId,
      candidates: receipt.candidates,
    })
  );
}

function postingJson({ account, memberId, currency, amountMinor }: NewPosting, seq: number, eventCurrency: string): object {
  return {
    seq,
    account,
    member_id: memberId ?? undefined,
    currency: currency === eventCurrency ? undefined : currency,
    amount_minor: amountMinor.toString(),
  };
}

function json(value: unknown): string | null {
  return value === null || value === undefined
    ? null
    : JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? Number(item) : item));
}
