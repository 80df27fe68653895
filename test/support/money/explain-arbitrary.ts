/** Explain documents of random sales, made from the service's evaluator. */
import fc from 'fast-check';
import type { CommissionLine } from '../../../src/features/commissions/open/commission-line.ts';
import {
  commissionBase,
  type Evaluation,
  type EvaluationInput,
  evaluatePlan,
  type PurchaseAmounts,
} from '../../../src/features/commissions/open/evaluate-plan.ts';
import type { PlanRule } from '../../../src/features/commissions/open/plan-rules.ts';
import type { PricedShare } from '../../../src/features/commissions/open/price-shares.ts';
import { PLAIN_EVENT } from '../../../src/features/events/event-insert-queries.ts';
import type { StoredEvent } from '../../../src/features/events/events-queries.ts';
import { explanationOf } from '../../../src/features/events/explain/explain-event.ts';
import { storedEvaluation } from '../../../src/features/events/purchases/record-purchase.ts';
import { toJsonInteger } from '../../../src/money.ts';
import type { ExplainDocument } from '../../../tools/explain-document.ts';
import { saleArbitrary } from './plan-arbitrary.ts';
import { groundArbitrary, laddersArbitrary, overridesArbitrary, rulesArbitrary, withRules } from './rules-arbitrary.ts';

/** The document of one evaluated sale, as it goes over the wire: stored, read back and explained by the service's code. */
export function explainDocumentOf(sale: EvaluationInput, purchase: PurchaseAmounts, evaluation: Evaluation): ExplainDocument {
  const at = new Date('2026-01-31T12:00:00Z');
  const stored = storedEvaluation({
    plan: { id: 'version', clearsAt: at, definition: sale.plan },
    choice: undefined,
    input: sale,
    evaluation,
  });
  const event: StoredEvent = {
    ...PLAIN_EVENT,
    eventId: 'event',
    externalEventId: 'event',
    kind: 'purchase',
    type: 'one_time',
    occurredAt: at,
    recordedAt: at,
    ...purchase,
    currency: sale.currency,
    baseMinor: sale.baseMinor,
    breakageMinor: evaluation.breakageMinor,
    buyerId: sale.buyerId ?? null,
    purchase: null,
    receiptId: null,
    createdBy: null,
    evaluation: JSON.parse(JSON.stringify(stored)),
    contentDigests: {},
    lineItems: purchase.lineItems.map(({ amountMinor, ...item }) => ({ ...item, amount_minor: toJsonInteger(amountMinor) })),
    lines: evaluation.lines.map((share, index) => storedLine(share, sale.baseMinor, `line-${index}`, at)),
  };
  const plan = { planId: 'plan', versionId: 'version', version: 1, effectiveFrom: null, definition: { ...sale.plan } };
  const explained = explanationOf(event, { plan, passedOver: [], journal: null, lines: [], receipt: null }, sale.plan);
  if (explained.recomputed !== true) throw new Error('the explanation does not come to the stored amounts');
  return JSON.parse(JSON.stringify(explained)) as ExplainDocument;
}

function storedLine(share: PricedShare, baseMinor: bigint, id: string, at: Date): CommissionLine {
  const { exchangeRateId } = share;
  return {
    ...share,
    id,
    eventId: 'event',
    kind: 'commission',
    source: 'sales',
    baseMinor,
    conversion:
      exchangeRateId === null ? null : { amountMinor: share.sourceAmountMinor, currency: share.sourceCurrency, exchangeRateId },
    status: 'pending',
    holdCause: null,
    holdReason: null,
    clearsAt: at,
    occurredAt: at,
    createdAt: at,
    planVersionId: 'version',
    paySource: null,
    reversesLineId: null,
    aboutEventId: null,
    clearedJournalId: null,
  };
}

const SKUS = ['tea', 'cup', 'pot'];
const CATEGORIES = ['drinks', 'ware'];
const someOf = (names: string[]) => fc.option(fc.subarray(names, { minLength: 1 }), { nil: null, freq: 2 });

/** Over the whole plan model, every base and scopes of products. */
export const explainArbitrary: fc.Arbitrary<ExplainDocument> = fc
  .record({
    ruled: saleArbitrary.chain((sale) =>
      fc.tuple(
        fc.constant(sale),
        fc.oneof(fc.constant<PlanRule[]>([]), { weight: 2, arbitrary: rulesArbitrary(sale.plan.mode) }),
        groundArbitrary,
        overridesArbitrary,
        laddersArbitrary,
        fc.constantFrom(undefined, 'sums', 'counts'),
      ),
    ),
    base: fc.constantFrom('gross', 'net_of_tax', 'net_of_tax_shipping', 'line_items'),
    taxMinor: fc.bigInt({ min: 0n, max: 500n }),
    shippingMinor: fc.bigInt({ min: 0n, max: 500n }),
    items: fc.array(
      fc.tuple(
        fc.constantFrom(...SKUS),
        fc.constantFrom(null, ...CATEGORIES),
        fc.integer({ min: 1, max: 4 }),
        fc.bigInt({ min: 0n, max: 5_000n }),
      ),
      {
        maxLength: 4,
      },
    ),
    skus: someOf(SKUS),
    categories: someOf(CATEGORIES),
  })
  .map(
    ({ ruled: [sale, rules, ground, overrides, ladders, ofFirst], base, taxMinor, shippingMinor, items, skus, categories }) => {
      const usesLadder = ofFirst !== undefined || rules.some(({ pay }) => pay.ladder !== undefined);
      const levels = sale.plan.levels.map((one, index) => (index === 0 && ofFirst ? { level: one.level, ladder: ofFirst } : one));
      const plan = {
        ...sale.plan,
        levels,
        rules,
        overrides,
        ladders: usesLadder ? ladders : [],
        base,
        scope: { ...sale.plan.scope, skus, categories },
      };
      const lineItems = items.map(([sku, category, quantity, amountMinor]) => ({ sku, category, quantity, amountMinor }));
      const purchase = { amountMinor: sale.baseMinor + taxMinor + shippingMinor, taxMinor, shippingMinor, lineItems };
      const priced = { ...sale, plan, baseMinor: commissionBase(plan, purchase) };
      const input = withRules(priced, purchase, ground);
      return explainDocumentOf(input, purchase, evaluatePlan(input));
    },
  );
