/** From a stored event to its body, as a tenant reads it. */
import { toJsonInteger } from '../../money.ts';
import type { EventCommissionAnswer } from './event-schemas.ts';
import type { EventAnswer } from './events-operations.ts';
import type { StoredEvent } from './events-queries.ts';
import type { RecordedLine } from './recorded-event.ts';

export function eventBody(event: StoredEvent): EventAnswer {
  return {
    event_id: event.eventId,
    external_event_id: event.externalEventId,
    kind: event.kind,
    type: event.type,
    status: event.status,
    occurred_at: event.occurredAt,
    recorded_at: event.recordedAt,
    amount_minor: toJsonInteger(event.amountMinor),
    currency: event.currency,
    tax_minor: toJsonInteger(event.taxMinor),
    shipping_minor: toJsonInteger(event.shippingMinor),
    discount_minor: toJsonInteger(event.discountMinor),
    discount_code: event.discountCode,
    base_minor: toJsonInteger(event.baseMinor),
    breakage_minor: toJsonInteger(event.breakageMinor),
    customer: event.customer && {
      external_id: event.customer.externalId,
      email: event.customer.email,
      name: event.customer.name,
      country: event.customerCountry,
    },
    buyer_user_id: event.buyerId,
    attribution: { user_id: event.attributedId, rule: event.attributionRule, receipt_id: event.receiptId },
    plan_version_id: event.planVersionId,
    purchase: event.purchase && { event_id: event.purchase.eventId, external_event_id: event.purchase.externalEventId },
    dispute_id: event.disputeId,
    stage: event.stage,
    reason: event.reason,
    description: event.description,
    actor: event.actor,
    created_by: event.createdBy,
    commissions: event.lines.map(lineBody),
    line_items: event.lineItems as EventAnswer['line_items'],
    metadata: event.metadata as EventAnswer['metadata'],
  };
}

export function lineBody(line: RecordedLine): EventCommissionAnswer {
  return {
    id: line.id,
    user_id: line.beneficiaryId,
    kind: line.kind,
    level: line.level,
    paid_level: line.paidLevel,
    rate_bps: line.rateBps,
    flat_minor: line.flatMinor === null ? null : toJsonInteger(line.flatMinor),
    multiplier_milli: line.multiplierMilli,
    base_minor: toJsonInteger(line.baseMinor),
    amount_minor: toJsonInteger(line.amountMinor),
    currency: line.currency,
    source_amount_minor: line.conversion && toJsonInteger(line.conversion.amountMinor),
    source_currency: line.conversion?.currency ?? null,
    exchange_rate_id: line.conversion?.exchangeRateId ?? null,
    capped_minor: toJsonInteger(line.cappedMinor),
    cap: line.cap,
    pay_source: line.paySource,
    status: line.status,
    clears_at: line.clearsAt,
    reverses_commission_id: line.reversesLineId,
    ...(line.aboutEventId !== null && { about_event_id: line.aboutEventId }),
  };
}
