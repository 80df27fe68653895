/**
 * Recording refunds and the stages of disputes inside the caller's transaction.
 * Source: docs/specification/events.md#refund, docs/specification/events.md#chargeback.
 */
import type { ActingScope } from '../../../actor.ts';
import type { Db, Scope, WriteDb } from '../../../db/scope.ts';
import { AppError, invalidField } from '../../../errors.ts';
import { faultPoint } from '../../../fault-points.ts';
import type { LineLocks, LockedLine } from '../../commissions/open/line-locks.ts';
import { toldLines } from '../../commissions/open/told-lines.ts';
import { refuseBeyondLimit } from '../../ledger/ledger-service.ts';
import { tell } from '../../webhooks/webhooks-service.ts';
import { type SettleDeps, settleDebts } from '../debts/settle-debts.ts';
import { type InsertedEvent, insertEvent, type NewEvent, PLAIN_EVENT } from '../event-insert-queries.ts';
import type { Stage } from '../event-kinds.ts';
import { findEventIdByExternalId } from '../events-queries.ts';
import { eventsErrors } from '../open/events-errors.ts';
import type { SentEvent } from '../open/sent-event.ts';
import { refuseTimeOutOfBounds } from '../purchases/decide-purchase.ts';
import { lockInOrder } from '../purchases/plan-limits-queries.ts';
import { type Recorded, type RecorderDeps, recordedOf, repeatOf } from '../recorded-event.ts';
import { changeByReversal } from '../sales-sums/sale-change.ts';
import { settleAgainFor } from '../settling/settling-queries.ts';
import type { ChargebackInput, RefundInput } from './reversal-operations.ts';
import { isDisputeElsewhere, type PriorReversal, readPriorReversals, readPurchaseToReverse } from './reversal-queries.ts';
import { planTakeBack, type TakeBackInput } from './take-back.ts';

export interface ReversalDeps extends RecorderDeps, SettleDeps {
  lines: LineLocks;
}

type Purchase = NonNullable<Awaited<ReturnType<typeof readPurchaseToReverse>>['purchase']>;

/** What an event takes back and what it does to held lines, once the purchase's history is known. */
interface Decision {
  event: Pick<NewEvent, 'kind' | 'amountMinor' | 'disputeId' | 'stage'>;
  /** Added to what is refunded in all; negative for a dispute that was lost and is won after all. */
  effectMinor: bigint;
  dispute: TakeBackInput['dispute'];
  /** The stage at which that dispute was lost. */
  undoneEventId?: string | undefined;
}

interface State {
  purchase: Purchase;
  prior: PriorReversal[];
  refundedMinor: bigint;
}

/** Stores a refund and takes its share of every line back. NOT_FOUND, CURRENCY_MISMATCH, REFUND_EXCEEDS_PURCHASE. */
export function recordRefund(db: WriteDb, scope: ActingScope, input: RefundInput, deps: ReversalDeps): Promise<Recorded> {
  return recordReversal(db, scope, input, deps, async (state) => {
    const amountMinor = amountWithin(input.amount_minor, state);
    return { event: { kind: 'refund', amountMinor, disputeId: null, stage: null }, effectMinor: amountMinor, dispute: undefined };
  });
}

/** Stores a stage of a dispute. As for a refund, and STATE_CONFLICT when the stage does not follow from the one before. */
export function recordChargeback(db: WriteDb, scope: ActingScope, input: ChargebackInput, deps: ReversalDeps): Promise<Recorded> {
  return recordReversal(db, scope, input, deps, async (state) => {
    const { dispute_id: disputeId, stage } = input;
    if (await isDisputeElsewhere(db, scope, disputeId, state.purchase.id)) {
      throw new AppError('STATE_CONFLICT', 'The dispute is about another purchase');
    }
    const own = state.prior.filter((event) => event.disputeId === disputeId);
    const before = own.at(-1)?.stage ?? undefined;
    if (!STAGES_AFTER[before ?? 'none'].includes(stage)) {
      throw new AppError(
        'STATE_CONFLICT',
        before ? `A dispute that is ${before} cannot become ${stage}` : `A dispute cannot begin as ${stage}`,
      );
    }
    const lostEvent = own.find((event) => event.stage === 'lost');
    const lost = lostEvent?.amountMinor;
    const disputed = own.at(-1)?.amountMinor;
    const amountMinor =
      stage === 'won' ? (lost ?? disputed ?? 0n) : amountWithin(input.amount_minor ?? atMost(disputed, leftOf(state)), state);
    if (stage === 'won' && input.amount_minor != null && input.amount_minor !== amountMinor) {
      throw invalidField('amount_minor', `must be what was disputed, ${amountMinor}, or left out`);
    }
    return {
      event: { kind: 'chargeback', amountMinor, disputeId, stage },
      undoneEventId: lostEvent?.id,
      effectMinor: stage === 'lost' ? amountMinor : stage === 'won' && lost !== undefined ? -lost : 0n,
      dispute: stage === 'opened' ? 'hold' : hasOtherOpenDispute(state.prior, disputeId) ? 'keep' : 'release',
    };
  });
}

/** A dispute may be reported late, at its end; a lost one may still be won, and nothing follows a won one. */
const STAGES_AFTER: Record<'none' | Stage, readonly Stage[]> = {
  none: ['opened', 'lost'],
  opened: ['won', 'lost'],
  lost: ['won'],
  won: [],
};

async function recordReversal(
  db: WriteDb,
  scope: ActingScope,
  input: RefundInput | ChargebackInput,
  deps: ReversalDeps,
  decide: (state: State) => Promise<Decision>,
): Promise<Recorded> {
  const sent = { externalEventId: input.external_event_id, content: input };
  db.listen();
  const { now, occurredAt, purchase } = await readPurchaseToReverse(
    db,
    scope,
    input.purchase_external_event_id,
    input.occurred_at ?? null,
  );
  if (!purchase) {
    if (await isKnown(db, scope, sent)) return repeatOf(db, scope, sent, deps);
    throw new AppError('NOT_FOUND', 'No purchase with this purchase_external_event_id; it may not have been recorded yet');
  }
  // Behind the lock everything is read anew: another event may have taken the rest of the purchase, or be this very one.
  await lockInOrder(db, scope, [`purchase:${purchase.id}`]);
  const [known, prior, lines] = await Promise.all([
    isKnown(db, scope, sent),
    readPriorReversals(db, scope, purchase.id),
    deps.lines.lockPurchaseLines(db, scope, purchase.id),
  ]);
  if (known) return repeatOf(db, scope, sent, deps);
  refuseTimeOutOfBounds(occurredAt, now);
  if (occurredAt < purchase.occurredAt) throw invalidField('occurred_at', 'must not be before the purchase');
  if (input.currency != null && input.currency !== purchase.currency) {
    throw new AppError(eventsErrors.CURRENCY_MISMATCH, `The purchase is in ${purchase.currency}`, {
      details: { fields: [{ field: 'currency', message: `must be ${purchase.currency}` }] },
    });
  }
  const refundedMinor = refundedOf(prior);
  const decision = await decide({ purchase, prior, refundedMinor });
  const refundedAfter = refundedMinor + decision.effectMinor;
  const takeBack = planTakeBack({
    purchase,
    lines,
    breakageBeforeMinor: prior.reduce((sum, event) => sum + event.breakageMinor, 0n),
    refundedBefore: refundedMinor,
    refundedAfter,
    now,
    dispute: decision.dispute,
  });
  const plan = await settleDebts(db, scope, takeBack, { now, occurredAt, undoneEventId: decision.undoneEventId }, deps);
  const event: NewEvent = {
    ...PLAIN_EVENT,
    ...decision.event,
    externalEventId: sent.externalEventId,
    occurredAt,
    currency: purchase.currency,
    contentDigests: deps.digester.digest(input),
    purchaseId: purchase.id,
    reason: input.reason ?? null,
    breakageMinor: plan.breakageMinor,
    evaluation: { reversal: plan.reversal, firstStatuses: inAnswerOrder(plan.lines).map((line) => line.status) },
    sale: purchase.sold && changeByReversal(purchase.sold, refundedMinor, refundedAfter),
    lines: plan.lines,
    postings: plan.postings,
  };
  await refuseBeyondLimit(db, scope, plan.postings, 'amount_minor');
  if (plan.changes.length > 0) await deps.lines.changeStatuses(db, scope, plan.changes);
  if (decision.effectMinor < 0n && lines.some(isPaidByLadder)) await settleAgainFor(db, scope, purchase.id);
  await faultPoint('reversal:decided');
  const inserted = await insertEvent({ ...db, lastRow: (statement) => db.row(statement) }, scope, event);
  tellReversal(db, scope, event, { ...inserted, changedIds: plan.changes.map(({ lineId }) => lineId) });
  await faultPoint('reversal:written');
  return recordedOf(event, inserted, { purchaseExternalId: input.purchase_external_event_id });
}

/** Or may be: a rule can pay by a ladder. */
function isPaidByLadder({ paySource }: Pick<LockedLine, 'paySource'>): boolean {
  return paySource !== null && ['ladder', 'rule', 'final_rule', 'mixed'].includes(paySource);
}

/** The event, and the lines that it made or changed: an open dispute holds them, the others take back or give back. */
function tellReversal(
  db: WriteDb,
  scope: ActingScope,
  { kind, stage }: NewEvent,
  { eventId, lineIds, changedIds }: InsertedEvent & { changedIds: readonly string[] },
): void {
  tell(db, scope.provenance, kind === 'refund' ? 'event.refunded' : 'event.disputed', eventId);
  if (stage === 'opened') for (const id of changedIds) tell(db, scope.provenance, 'commission.held', id);
  else if (stage === 'won') for (const id of changedIds) tell(db, scope.provenance, 'commission.released', id);
  else tell(db, scope.provenance, 'commissions.reversed', eventId, toldLines({ eventId, isNew: true, lineIds: changedIds }));
  const gives = stage === 'opened' || stage === 'won';
  if (gives && lineIds.length > 0)
    tell(db, scope.provenance, 'commissions.created', eventId, toldLines({ eventId, isNew: true }));
}

async function isKnown(db: Db, scope: Scope, { externalEventId }: SentEvent): Promise<boolean> {
  return (await findEventIdByExternalId(db, scope, externalEventId)) !== undefined;
}

function inAnswerOrder<Line extends { level: number; paidLevel: number }>(lines: readonly Line[]): Line[] {
  return lines.toSorted((a, b) => a.level - b.level || a.paidLevel - b.paidLevel);
}

/** Refunds and lost disputes, less those that were won after all. */
export function refundedOf(prior: readonly PriorReversal[]): bigint {
  return prior.reduce((sum, event) => {
    if (event.kind === 'refund' || event.stage === 'lost') return sum + event.amountMinor;
    const wasLost = prior.some((other) => other.disputeId === event.disputeId && other.stage === 'lost');
    return event.stage === 'won' && wasLost ? sum - event.amountMinor : sum;
  }, 0n);
}

function leftOf({ purchase, refundedMinor }: State): bigint {
  return purchase.amountMinor - refundedMinor;
}

/** What was disputed, or as much of it as no refund has taken since. */
function atMost(disputed: bigint | undefined, left: bigint): bigint | undefined {
  return disputed !== undefined && disputed > left ? left : disputed;
}

function amountWithin(wanted: bigint | null | undefined, state: State): bigint {
  const { purchase } = state;
  const left = leftOf(state);
  const amountMinor = wanted ?? left;
  if (amountMinor > left || amountMinor <= 0n) {
    throw new AppError(
      eventsErrors.REFUND_EXCEEDS_PURCHASE,
      `${left} of the purchase's ${purchase.amountMinor} ${purchase.currency} is left`,
      {
        details: { fields: [{ field: 'amount_minor', message: `must be at most ${left}` }] },
      },
    );
  }
  return amountMinor;
}

/** Whether a dispute is open among what took the purchase back, apart from this one. */
export function hasOtherOpenDispute(prior: readonly PriorReversal[], disputeId: string | undefined): boolean {
  const last = new Map(prior.filter((event) => event.disputeId !== disputeId).map((event) => [event.disputeId, event.stage]));
  return [...last.values()].includes('opened');
}
