/**
 * The explanation of an event: what was read, what the plan says, and for every member that was
 * considered exactly one outcome. A pure function that evaluates the stored inputs again, so the
 * document stands on its own: tools/evaluate-explain.ts recomputes it without this code.
 */
import { minorSum, toJsonInteger } from '../../../money.ts';
import { candidateBody } from '../../attribution/open/candidate-schemas.ts';
import type { AgreedRate } from '../../commissions/open/agreed-rates.ts';
import type { JudgedPart, SaleFacts } from '../../commissions/open/choose-rate.ts';
import type { CommissionLine } from '../../commissions/open/commission-line.ts';
import { commissionParts, type Evaluation, type EvaluationInput, evaluatePlan } from '../../commissions/open/evaluate-plan.ts';
import { EXACT_DENOMINATOR } from '../../commissions/open/pay-parts.ts';
import type { PlanDefinition } from '../../commissions/open/plan-definition.ts';
import { itemTests, verdictTests } from '../../commissions/open/plan-rules.ts';
import type { PricedShare } from '../../commissions/open/price-shares.ts';
import { restoreInput } from '../../commissions/open/stored-evaluation.ts';
import type { StoredChoice, StoredEvaluation } from '../event-kinds.ts';
import type { StoredEvent } from '../events-queries.ts';
import { END, HELD, PASSED, WHY } from '../open/explain-reasons.ts';
import { rateChoiceBody, ratePartBody } from '../open/rate-schemas.ts';
import type { ExplainAnswer } from './explain-operations.ts';
import type { ExplainExtras, ExplainedReceipt } from './explain-queries.ts';

export function explanationOf(event: StoredEvent, extras: ExplainExtras, plan: PlanDefinition | undefined): ExplainAnswer {
  const stored = event.evaluation ?? {};
  const input = event.kind === 'purchase' && plan ? restoreInput(event, stored, plan) : undefined;
  const evaluation = input && evaluatePlan(input);
  return {
    event_id: event.eventId,
    external_event_id: event.externalEventId,
    kind: event.kind,
    status: event.status,
    occurred_at: event.occurredAt,
    recorded_at: event.recordedAt,
    amount_minor: toJsonInteger(event.amountMinor),
    currency: event.currency,
    attribution: { user_id: event.attributedId, rule: event.attributionRule, receipt_id: event.receiptId },
    credit: extras.receipt && creditOf(extras.receipt),
    plan: extras.plan && {
      plan_id: extras.plan.planId,
      version_id: extras.plan.versionId,
      version: extras.plan.version,
      effective_from: extras.plan.effectiveFrom === null ? null : new Date(extras.plan.effectiveFrom),
      definition: plan ? { ...plan } : extras.plan.definition,
    },
    plan_choice: stored.choice ? choiceOf(stored.choice, extras.passedOver) : null,
    inputs: event.kind === 'purchase' ? inputsOf(event, stored, input) : null,
    outcomes: evaluation ? outcomesOf(event, evaluation, extras.lines) : [],
    breakage_minor: toJsonInteger(event.breakageMinor),
    walk_end: evaluation ? { reason: evaluation.end, message: END[evaluation.end] } : null,
    reversal: reversalOf(stored),
    period: stored.period ?? null,
    commissions: extras.lines.map((line) => ({
      id: line.id,
      event_id: line.eventId,
      external_event_id: line.externalEventId,
      kind: line.kind,
      status: line.status,
      hold_cause: line.holdCause,
      amount_minor: toJsonInteger(line.amountMinor),
      reverses_commission_id: line.reversesLineId,
      about_event_id: line.aboutEventId,
      cleared_by_journal_id: line.clearedJournalId,
    })),
    journal: extras.journal && {
      id: extras.journal.id,
      recorded_at: new Date(extras.journal.recordedAt),
      postings: extras.journal.postings.map((posting) => ({
        seq: posting.seq,
        account: posting.account,
        user_id: posting.userId,
        currency: posting.currency,
        amount_minor: toJsonInteger(posting.amountMinor),
      })),
    },
    recomputed: evaluation ? agrees(event, evaluation) : null,
  };
}

function creditOf({ model, windowDays, asOf, candidates }: ExplainedReceipt): ExplainAnswer['credit'] {
  return { model, window_days: windowDays, as_of: new Date(asOf), candidates: candidates.map(candidateBody) };
}

function choiceOf({ group, passedOver }: StoredChoice, plans: ExplainExtras['passedOver']): ExplainAnswer['plan_choice'] {
  return {
    group,
    passed_over: passedOver.map(({ versionId, why }) => {
      const plan = plans.find((one) => one.versionId === versionId);
      if (!plan) throw new Error('a plan version that was passed over is gone');
      return { plan_id: plan.planId, version_id: versionId, name: plan.name, reason: why, message: PASSED[why] };
    }),
  };
}

function inputsOf(event: StoredEvent, stored: StoredEvaluation, input: EvaluationInput | undefined): ExplainAnswer['inputs'] {
  const items = event.lineItems as SentItem[] | null;
  return {
    type: event.type ?? 'one_time',
    base_minor: toJsonInteger(event.baseMinor),
    amount_minor: toJsonInteger(event.amountMinor),
    tax_minor: toJsonInteger(event.taxMinor),
    shipping_minor: toJsonInteger(event.shippingMinor),
    line_items:
      items?.map((item) => ({ sku: item.sku, category: item.category ?? null, amount_minor: item.amount_minor })) ?? null,
    buyer_user_id: event.buyerId,
    upline: (input?.upline ?? []).map((member, index) => ({
      user_id: member.id,
      level: index + 1,
      tier: member.tier,
      is_active: member.isActive,
      ...(member.standing && { standing: member.standing }),
      ...(member.isTestUser && { is_test_user: true }),
      pay_currency: member.payCurrency ?? null,
      kyc_approved: member.kycApproved ?? null,
      ...(member.personalSalesMinor === undefined
        ? { personal_sales_minor: null }
        : minorSum('personal_sales_minor', member.personalSalesMinor)),
      active_directs: member.activeDirects ?? null,
      ...(member.group !== undefined && { group: member.group }),
      ...(member.ageDays !== undefined && { age_days: member.ageDays }),
      ...(member.salesMinor !== undefined && {
        sales: { amount_minor: member.salesMinor.toString(), count: member.salesCount ?? 0 },
      }),
      ...(member.ladderSums && {
        ladder_sums: Object.fromEntries(Object.entries(member.ladderSums).map(([id, sum]) => [id, sum.toString()])),
      }),
      ...(member.agreed && { overrides: member.agreed.map(overrideOf) }),
    })),
    ...(input?.facts && factsOf(input.facts, input.plan)),
    ...(input?.facts?.parts && { parts: partsOf(input.facts.parts, input, items) }),
    block: stored.block ?? null,
    member_rooms: Object.entries(stored.memberRooms ?? {}).map(([user_id, room]) => ({
      user_id,
      ...minorSum('room_minor', room),
    })),
    ...(stored.customerRoom === undefined ? { customer_room_minor: null } : minorSum('customer_room_minor', stored.customerRoom)),
    rates: Object.entries(stored.rates ?? {}).map(([target_currency, rate]) => ({
      id: rate.id,
      target_currency,
      numerator: toJsonInteger(rate.numerator),
      denominator: toJsonInteger(rate.denominator),
    })),
  };
}

interface SentItem {
  sku: string;
  category?: string | null;
  quantity?: number | null;
  amount_minor: number;
}

function factsOf({ values, holds, parts = [] }: SaleFacts, { rules }: PlanDefinition) {
  const ofParts = itemTests(rules).map((test, index) => {
    const held = parts.flatMap((part, number) => (part.holds.includes(index) ? [number] : []));
    return { test: { ...test }, holds: held.length > 0, parts: held };
  });
  return {
    facts: Object.entries(values).map(([fact, value]) => ({ fact, value: value.toString() })),
    verdicts: [...verdictTests(rules).map((test, index) => ({ test: { ...test }, holds: holds.includes(index) })), ...ofParts],
  };
}

/** Which products they are the line items say, until they are erased. */
function partsOf(parts: readonly JudgedPart[], { plan, baseMinor }: EvaluationInput, items: readonly SentItem[] | null) {
  const sold = (items ?? []).map((item) => ({
    sku: item.sku,
    category: item.category ?? null,
    quantity: item.quantity ?? 1,
    amountMinor: BigInt(item.amount_minor),
  }));
  const named = commissionParts(plan, { lineItems: sold }, baseMinor);
  return parts.map((part, index) => ({
    sku: named[index]?.sku ?? null,
    category: named[index]?.category ?? null,
    base_minor: toJsonInteger(part.baseMinor),
    quantity: part.quantity,
  }));
}

function overrideOf({ id, target, level, forPlan, pay, parts }: AgreedRate) {
  return { id, target, level, for_plan: forPlan, pay, ...(parts && { parts: [...parts] }) };
}

function outcomesOf(event: StoredEvent, evaluation: Evaluation, lines: readonly CommissionLine[]): ExplainAnswer['outcomes'] {
  return evaluation.outcomes.map(({ memberId, level, notPaid, shares }) => ({
    user_id: memberId,
    level,
    outcome: notPaid === undefined ? ('paid' as const) : ('not_paid' as const),
    reason: notPaid ?? null,
    message: notPaid === undefined ? null : WHY[notPaid],
    shares: shares.map((share) => shareOf(share, lineOf(event, share), lines)),
  }));
}

function lineOf(event: StoredEvent, share: PricedShare): CommissionLine | undefined {
  return event.lines.find((line) => line.level === share.level && line.paidLevel === share.paidLevel);
}

function shareOf(share: PricedShare, line: CommissionLine | undefined, lines: readonly CommissionLine[]) {
  const holdCause = lines.find((other) => other.id === line?.id)?.holdCause ?? null;
  const linked = lines.filter((other) => line !== undefined && other.reversesLineId === line.id);
  return {
    commission_id: line?.id ?? null,
    paid_level: share.paidLevel,
    rate_bps: share.rateBps,
    flat_minor: share.flatMinor === null ? null : toJsonInteger(share.flatMinor),
    multiplier_milli: share.multiplierMilli,
    exact: { numerator: share.exactNumerator.toString(), denominator: EXACT_DENOMINATOR.toString() },
    rounded_minor: toJsonInteger(share.roundedMinor),
    after_ceiling_minor: toJsonInteger(share.ceiledMinor),
    capped_minor: toJsonInteger(share.cappedMinor),
    cap: share.cap,
    source_amount_minor: toJsonInteger(share.sourceAmountMinor),
    amount_minor: toJsonInteger(share.amountMinor),
    currency: share.currency,
    exchange_rate_id: share.exchangeRateId,
    nothing_because: share.nothing ?? null,
    clears_at: line?.clearsAt ?? null,
    status: line?.status ?? null,
    hold: holdCause === null ? null : { cause: holdCause, message: HELD[holdCause] },
    ...(share.choice && { chosen: rateChoiceBody(share.choice) }),
    ...(share.parts && { rate_parts: share.parts.map(ratePartBody) }),
    net_minor: line ? toJsonInteger(linked.reduce((sum, other) => sum + other.amountMinor, line.amountMinor)) : 0,
  };
}

function reversalOf({ reversal }: StoredEvaluation): ExplainAnswer['reversal'] {
  if (!reversal) return null;
  return {
    purchase_minor: toJsonInteger(reversal.purchaseMinor),
    refunded_before_minor: toJsonInteger(reversal.refundedBefore),
    refunded_after_minor: toJsonInteger(reversal.refundedAfter),
    lines: reversal.lines.map((line) => ({
      commission_id: line.lineId,
      amount_minor: toJsonInteger(line.amountMinor),
      exact: {
        numerator: (BigInt(line.amountMinor) * BigInt(reversal.refundedAfter)).toString(),
        denominator: reversal.purchaseMinor,
      },
      reversed_in_all_minor: toJsonInteger(line.targetMinor),
      reversed_before_minor: toJsonInteger(line.alreadyMinor),
      posted_minor: toJsonInteger(line.postedMinor),
    })),
    moved_commission_ids: reversal.moved ?? [],
    forgiven: (reversal.forgiven ?? []).map((one) => ({
      commission_id: one.lineId,
      user_id: one.memberId,
      currency: one.currency,
      clawed_back_minor: toJsonInteger(one.clawedBackMinor),
      ...minorSum('balance_before_minor', one.balanceMinor),
      floor_minor: one.floorMinor === null ? null : toJsonInteger(one.floorMinor),
      amount_minor: toJsonInteger(one.amountMinor),
    })),
    recovered: (reversal.recovered ?? []).map((one) => ({
      commission_id: one.lineId,
      user_id: one.memberId,
      currency: one.currency,
      reinstated_minor: toJsonInteger(one.reinstatedMinor),
      ...minorSum('forgiven_before_minor', one.forgivenMinor),
      amount_minor: toJsonInteger(one.amountMinor),
    })),
  };
}

/** Whether the evaluation of the stored inputs gives the stored lines, to the minor unit. */
function agrees(event: StoredEvent, evaluation: Evaluation): boolean {
  return (
    evaluation.breakageMinor === event.breakageMinor &&
    evaluation.lines.length === event.lines.length &&
    evaluation.lines.every((share) => lineOf(event, share)?.amountMinor === share.amountMinor)
  );
}
