import { type Route, route } from '../../../http/route.ts';
import { toJsonInteger } from '../../../money.ts';
import { commissionParts } from '../../commissions/open/evaluate-plan.ts';
import type { RatePart } from '../../commissions/open/pay-parts.ts';
import type { SalePart } from '../../commissions/open/sale-parts.ts';
import { END, PASSED, WHY } from '../open/explain-reasons.ts';
import { rateChoiceBody } from '../open/rate-schemas.ts';
import { clearsAtOf } from '../purchases/decide-purchase.ts';
import { bornStatus, isSelfPurchase } from '../purchases/purchase-lines.ts';
import { quotePurchase } from './quote-operations.ts';
import type { Quote, QuoteService } from './quote-service.ts';

export function quotesRoutes(quotes: QuoteService): Route[] {
  return [
    route(
      quotePurchase,
      ({ body, ...context }) => quotes.quote(context, body),
      (quote) => ({ status: 200, body: quoteBody(quote) }),
    ),
  ];
}

function quoteBody({ decided, occurredAt, isGivenPlan, purchase }: Quote) {
  const { plan, evaluation, input } = decided;
  const sold = plan ? commissionParts(plan.definition, purchase, decided.baseMinor) : [];
  return {
    planVersionId: plan && !isGivenPlan ? plan.id : null,
    planChoice: decided.choice
      ? {
          group: decided.choice.group,
          // A definition that was given is of no plan.
          passedOver: (isGivenPlan ? [] : decided.choice.passedOver).map(({ plan: { planId, id }, why }) => ({
            planId,
            versionId: id,
            reason: why,
            message: PASSED[why],
          })),
        }
      : null,
    status: bornStatus(decided),
    attribution: { userId: decided.attributedId, rule: decided.attributionRule },
    baseMinor: toJsonInteger(decided.baseMinor),
    breakageMinor: toJsonInteger(evaluation.breakageMinor),
    commissions: evaluation.lines.map((share) => ({
      userId: share.beneficiaryId,
      level: share.level,
      paidLevel: share.paidLevel,
      rateBps: share.rateBps,
      flatMinor: share.flatMinor === null ? null : toJsonInteger(share.flatMinor),
      multiplierMilli: share.multiplierMilli,
      amountMinor: toJsonInteger(share.amountMinor),
      currency: share.currency,
      sourceAmountMinor: share.exchangeRateId === null ? null : toJsonInteger(share.sourceAmountMinor),
      sourceCurrency: share.exchangeRateId === null ? null : share.sourceCurrency,
      cappedMinor: toJsonInteger(share.cappedMinor),
      cap: share.cap,
      holdCause: isSelfPurchase(share, decided) ? ('self_purchase' as const) : null,
      clearsAt: clearsAtOf(plan, share.level, occurredAt),
      ...(share.choice && { chosen: rateChoiceBody(share.choice) }),
      ...(share.parts && { rateParts: share.parts.map((part) => quotedPart(part, sold[part.part])) }),
    })),
    outcomes: evaluation.outcomes.map(({ memberId, level, notPaid }) => ({
      userId: memberId,
      level,
      outcome: notPaid === undefined ? ('paid' as const) : ('not_paid' as const),
      reason: notPaid ?? null,
      message: notPaid === undefined ? null : WHY[notPaid],
    })),
    block: plan ? (input?.block ?? null) : 'NO_PLAN',
    walkEnd: { reason: evaluation.end, message: END[evaluation.end] },
  };
}

function quotedPart({ baseMinor, rateBps, flatMinor, units, multiplierMilli, choice }: RatePart, sold: SalePart | undefined) {
  return {
    sku: sold?.sku ?? null,
    category: sold?.category ?? null,
    baseMinor: toJsonInteger(baseMinor),
    rateBps,
    flatMinor: flatMinor === null ? null : toJsonInteger(flatMinor),
    units,
    multiplierMilli,
    ...rateChoiceBody(choice),
  };
}
