import type { Router } from 'express';
import type { Mount } from '../../http/mount.ts';
import { toJsonInteger } from '../../money.ts';
import { type EventAnswer, getEvent, type PurchaseAnswer, recordPurchase } from './events-operations.ts';
import type { StoredEvent, StoredLine } from './events-queries.ts';
import type { EventsService, Receipt } from './events-service.ts';

export function mountEvents(router: Router, mount: Mount, events: EventsService): void {
  mount(
    router,
    recordPurchase,
    ({ body, ...context }) => events.recordPurchase(context, body),
    ({ created, receipt }) => ({
      status: created ? 201 : 200,
      body: receiptBody(receipt),
    }),
  );
  mount(
    router,
    getEvent,
    ({ params, ...context }) => events.readEvent(context, params.event_id),
    (event) => ({
      status: 200,
      body: eventBody(event),
    }),
  );
}

function receiptBody(receipt: Receipt): PurchaseAnswer {
  return {
    event_id: receipt.eventId,
    external_event_id: receipt.externalEventId,
    status: receipt.status,
    attribution: { user_id: receipt.attributedId, rule: receipt.attributionRule, receipt_id: null },
    commissions: receipt.lines.map(lineBody),
  };
}

function lineBody(line: StoredLine): PurchaseAnswer['commissions'][number] {
  return {
    id: line.id,
    user_id: line.beneficiaryId,
    level: line.level,
    paid_level: line.paidLevel,
    rate_bps: line.rateBps,
    multiplier_milli: line.multiplierMilli,
    base_minor: toJsonInteger(line.baseMinor),
    amount_minor: toJsonInteger(line.amountMinor),
    currency: line.currency,
    status: line.status,
    clears_at: line.clearsAt,
  };
}

function eventBody(event: StoredEvent): EventAnswer {
  return {
    ...receiptBody(event),
    kind: 'purchase',
    type: event.type,
    occurred_at: event.occurredAt,
    recorded_at: event.recordedAt,
    amount_minor: toJsonInteger(event.amountMinor),
    currency: event.currency,
    tax_minor: toJsonInteger(event.taxMinor),
    shipping_minor: toJsonInteger(event.shippingMinor),
    discount_minor: toJsonInteger(event.discountMinor),
    base_minor: toJsonInteger(event.baseMinor),
    customer: { external_id: event.customer.externalId, email: event.customer.email, name: event.customer.name },
    buyer_user_id: event.buyerId,
    plan_version_id: event.planVersionId,
    line_items: event.lineItems as EventAnswer['line_items'],
    metadata: event.metadata as EventAnswer['metadata'],
  };
}
