/** Explain documents of random sales, made from the service's evaluator. */
import fc from 'fast-check';
import {
  commissionBase,
  type Evaluation,
  type EvaluationInput,
  evaluatePlan,
  type PurchaseAmounts,
} from '../../src/features/commissions/evaluate-plan.ts';
import type { PricedShare } from '../../src/features/commissions/price-shares.ts';
import { EXACT_DENOMINATOR } from '../../src/features/commissions/walk-upline.ts';
import { toJsonInteger } from '../../src/money.ts';
import type { ExplainDocument, ExplainShare } from '../../tools/explain-document.ts';
import { saleArbitrary } from './plan-arbitrary.ts';

/** The document of one evaluated sale, as it goes over the wire. */
export function explainDocumentOf(sale: EvaluationInput, purchase: PurchaseAmounts, evaluation: Evaluation): ExplainDocument {
  const minor = (amount: bigint | undefined): number | null => (amount === undefined ? null : toJsonInteger(amount));
  const document: ExplainDocument = {
    event_id: 'event',
    kind: 'purchase',
    currency: sale.currency,
    plan: { version_id: 'version', version: 1, definition: sale.plan },
    inputs: {
      type: 'one_time',
      base_minor: toJsonInteger(sale.baseMinor),
      amount_minor: toJsonInteger(purchase.amountMinor),
      tax_minor: toJsonInteger(purchase.taxMinor),
      shipping_minor: toJsonInteger(purchase.shippingMinor),
      line_items: purchase.lineItems.map(({ sku, category, amountMinor }) => ({
        sku,
        category,
        amount_minor: toJsonInteger(amountMinor),
      })),
      buyer_user_id: sale.buyerId ?? null,
      upline: sale.upline.map((member, index) => ({
        user_id: member.id,
        level: index + 1,
        tier: member.tier,
        is_active: member.isActive,
        pay_currency: member.payCurrency ?? null,
        kyc_approved: member.kycApproved ?? null,
        personal_sales_minor: minor(member.personalSalesMinor),
        active_directs: member.activeDirects ?? null,
      })),
      block: sale.block ?? null,
      member_rooms: [...(sale.memberRoomMinor ?? [])].map(([user_id, room]) => ({ user_id, room_minor: toJsonInteger(room) })),
      customer_room_minor: minor(sale.customerRoomMinor),
      rates: [...(sale.rates ?? [])].map(([target_currency, { id, numerator, denominator }]) => ({
        id,
        target_currency,
        numerator: toJsonInteger(numerator),
        denominator: toJsonInteger(denominator),
      })),
    },
    outcomes: evaluation.outcomes.map(({ memberId, level, notPaid, shares }) => ({
      user_id: memberId,
      level,
      outcome: notPaid === undefined ? 'paid' : 'not_paid',
      reason: notPaid ?? null,
      shares: shares.map(toExplainShare),
    })),
    breakage_minor: toJsonInteger(evaluation.breakageMinor),
  };
  return JSON.parse(JSON.stringify(document)) as ExplainDocument;
}

function toExplainShare(share: PricedShare): ExplainShare {
  return {
    paid_level: share.paidLevel,
    rate_bps: share.rateBps,
    flat_minor: share.flatMinor === null ? null : toJsonInteger(share.flatMinor),
    multiplier_milli: share.multiplierMilli,
    exact: { numerator: `${share.exactNumerator}`, denominator: `${EXACT_DENOMINATOR}` },
    rounded_minor: toJsonInteger(share.roundedMinor),
    after_ceiling_minor: toJsonInteger(share.ceiledMinor),
    capped_minor: toJsonInteger(share.cappedMinor),
    cap: share.cap,
    source_amount_minor: toJsonInteger(share.sourceAmountMinor),
    amount_minor: toJsonInteger(share.amountMinor),
    currency: share.currency,
    exchange_rate_id: share.exchangeRateId,
  };
}

const SKUS = ['tea', 'cup', 'pot'];
const CATEGORIES = ['drinks', 'ware'];
const someOf = (names: string[]) => fc.option(fc.subarray(names, { minLength: 1 }), { nil: null, freq: 2 });

/** Over the whole plan model, every base and scopes of products. */
export const explainArbitrary: fc.Arbitrary<ExplainDocument> = fc
  .record({
    sale: saleArbitrary,
    base: fc.constantFrom('gross', 'net_of_tax', 'net_of_tax_shipping', 'line_items'),
    taxMinor: fc.bigInt({ min: 0n, max: 500n }),
    shippingMinor: fc.bigInt({ min: 0n, max: 500n }),
    items: fc.array(
      fc.tuple(fc.constantFrom(...SKUS), fc.constantFrom(null, ...CATEGORIES), fc.bigInt({ min: 0n, max: 5_000n })),
      {
        maxLength: 4,
      },
    ),
    skus: someOf(SKUS),
    categories: someOf(CATEGORIES),
  })
  .map(({ sale, base, taxMinor, shippingMinor, items, skus, categories }) => {
    const plan = { ...sale.plan, base, scope: { ...sale.plan.scope, skus, categories } };
    const lineItems = items.map(([sku, category, amountMinor]) => ({ sku, category, amountMinor }));
    const purchase = { amountMinor: sale.baseMinor + taxMinor + shippingMinor, taxMinor, shippingMinor, lineItems };
    const input = { ...sale, plan, baseMinor: commissionBase(plan, purchase) };
    return explainDocumentOf(input, purchase, evaluatePlan(input));
  });
