/** A purchase on its way in: made once of what was sent, then quoted or decided, and stored. */
import { normaliseEmail } from '../../../http/schemas.ts';
import type { PurchaseAmounts } from '../../commissions/open/evaluate-plan.ts';
import type { PurchaseInput, PurchaseType } from './purchase-body.ts';
import type { SentEvent } from './sent-event.ts';

export interface Purchase extends PurchaseAmounts, SentEvent {
  type: PurchaseType;
  /** Null: now, by the scope's clock. */
  occurredAt: string | null;
  currency: string;
  /** For the record; it is taken off `amountMinor` already. */
  discountMinor: bigint;
  customer: BuyingCustomer;
  /** The member that buys, when one does. */
  buyerId: string | null;
  named: NamedReferrer;
  /** Kept beside the event as they were sent. */
  detail: PurchaseDetail;
}

export interface PurchaseDetail {
  metadata: unknown;
  lineItems: unknown;
  discountCode: string | null;
  customerCountry: string | null;
}

export interface BuyingCustomer {
  externalId: string;
  /** As it was typed; null when it was not sent. */
  email: string | null;
  /** As emails are compared. */
  emailNorm: string | null;
  name: string | null;
}

/** Whom, or by what, the caller says that the purchase came. */
export interface NamedReferrer {
  explicitUserId: string | null;
  referralCode: string | null;
  linkId: string | null;
  clickId: string | null;
  leadId: string | null;
}

/** The purchase that a body tells of, or a row of a file that reads like one. */
export function purchaseOf(body: PurchaseInput): Purchase {
  const { attribution, customer } = body;
  const email = customer.email ?? null;
  return {
    externalEventId: body.external_event_id,
    content: body,
    type: body.type ?? 'one_time',
    occurredAt: body.occurred_at ?? null,
    amountMinor: body.amount_minor,
    currency: body.currency,
    taxMinor: body.tax_minor ?? 0n,
    shippingMinor: body.shipping_minor ?? 0n,
    discountMinor: body.discount_minor ?? 0n,
    lineItems: (body.line_items ?? []).map((item) => ({
      sku: item.sku,
      category: item.category ?? null,
      quantity: item.quantity ?? 1,
      amountMinor: item.amount_minor,
    })),
    customer: {
      externalId: customer.external_id,
      email,
      emailNorm: email === null ? null : normaliseEmail(email),
      name: customer.name ?? null,
    },
    buyerId: body.buyer_user_id ?? null,
    named: {
      explicitUserId: attribution?.user_id ?? null,
      referralCode: attribution?.referral_code ?? null,
      linkId: attribution?.link_id ?? null,
      clickId: attribution?.click_id ?? null,
      leadId: attribution?.lead_id ?? null,
    },
    detail: {
      metadata: body.metadata ?? null,
      lineItems: body.line_items ?? null,
      discountCode: body.discount_code ?? null,
      customerCountry: customer.country ?? null,
    },
  };
}
