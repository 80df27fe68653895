/** Recording a purchase inside the caller's transaction. Source: api-decisions §3. */
import type { Db, Scope, WriteDb } from '../../db/frame.ts';
import { faultPoint } from '../../fault-points.ts';
import type { NewLine } from '../commissions/commission-line.ts';
import { postLines } from '../commissions/journal.ts';
import type { PricedShare } from '../commissions/price-shares.ts';
import {
  clearsAtOf,
  type DecideDeps,
  type DecidedPurchase,
  decidePurchase,
  hashCalculation,
  refuseImpossible,
} from './decide-purchase.ts';
import { type StoredEvaluation, storeUpline } from './event.ts';
import { insertEvent, type NewEvent, PLAIN_EVENT } from './event-insert-queries.ts';
import { type FactsQuery, type PurchaseFacts, readPurchaseFacts } from './purchase-facts-queries.ts';
import type { PurchaseInput } from './purchase-operations.ts';
import { type Recorded, type RecorderDeps, recordedOf, repeatOf } from './recorded.ts';

export interface PurchaseDeps extends RecorderDeps, DecideDeps {}

/** Stores a purchase and pays its upline; a repeat gets the first answer. EVENT_ID_REUSED, EXCHANGE_RATE_MISSING. */
export async function recordPurchase(db: WriteDb, scope: Scope, input: PurchaseInput, deps: PurchaseDeps): Promise<Recorded> {
  const facts = await readPurchaseFacts(db, scope, factsQuery(input));
  if (facts.knownEventId !== null) return repeatOf(db, scope, input, deps);
  const event = await decide(db, scope, input, facts, deps);
  await faultPoint('purchase:decided');
  const inserted = await insertEvent(db, scope, event);
  await faultPoint('purchase:written');
  return recordedOf(event, inserted, undefined);
}

async function decide(db: Db, scope: Scope, input: PurchaseInput, facts: PurchaseFacts, deps: PurchaseDeps): Promise<NewEvent> {
  refuseImpossibleInput(input, facts);
  return eventOf(input, facts, await decidePurchase(db, scope, purchaseOf(input), facts, deps), deps);
}

function refuseImpossibleInput(input: PurchaseInput, facts: PurchaseFacts): void {
  refuseImpossible({ attributionUserId: input.attribution?.user_id ?? null, buyerId: input.buyer_user_id ?? null }, facts);
}

function factsQuery(input: PurchaseInput): FactsQuery {
  return {
    occurredAt: input.occurred_at ?? null,
    explicitUserId: input.attribution?.user_id ?? null,
    referralCode: input.attribution?.referral_code ?? null,
    buyerId: input.buyer_user_id ?? null,
    customerExternalId: input.customer.external_id,
    externalEventId: input.external_event_id,
  };
}

function purchaseOf(input: PurchaseInput) {
  return {
    type: input.type ?? 'one_time',
    currency: input.currency,
    customerExternalId: input.customer.external_id,
    amounts: {
      amountMinor: input.amount_minor,
      taxMinor: input.tax_minor ?? 0n,
      shippingMinor: input.shipping_minor ?? 0n,
      lineItems: (input.line_items ?? []).map((item) => ({
        sku: item.sku,
        category: item.category ?? null,
        amountMinor: item.amount_minor,
      })),
    },
  } as const;
}

function eventOf(input: PurchaseInput, facts: PurchaseFacts, decided: DecidedPurchase, deps: PurchaseDeps): NewEvent {
  const { type, amounts } = purchaseOf(input);
  const { evaluation, attributedId } = decided;
  const lines = evaluation.lines.map((share) => newLine(share, type, facts.occurredAt, decided));
  return {
    ...PLAIN_EVENT,
    kind: 'purchase',
    externalEventId: input.external_event_id,
    type,
    occurredAt: facts.occurredAt,
    amountMinor: amounts.amountMinor,
    currency: input.currency,
    taxMinor: amounts.taxMinor,
    shippingMinor: amounts.shippingMinor,
    discountMinor: input.discount_minor ?? 0n,
    baseMinor: decided.baseMinor,
    customer: customerOf(input, facts),
    buyerId: facts.buyerId,
    attributedId,
    attributionRule: decided.attributionRule,
    status: attributedId === null ? 'unattributed' : 'accepted',
    planVersionId: decided.plan?.id ?? null,
    contentDigests: deps.digester.digest(input),
    breakageMinor: evaluation.breakageMinor,
    evaluation: storedEvaluation(decided),
    metadata: input.metadata ?? null,
    lineItems: input.line_items ?? null,
    lines,
    postings: postLines(
      lines.map((line) => ({ ...line, account: 'member:pending' })),
      { breakage: { amountMinor: evaluation.breakageMinor, currency: input.currency } },
    ),
  };
}

function newLine(share: PricedShare, type: string, occurredAt: Date, { plan, baseMinor }: DecidedPurchase): NewLine {
  const planVersionId = plan?.id ?? null;
  const { exchangeRateId } = share;
  return {
    beneficiaryId: share.beneficiaryId,
    kind: 'commission',
    source: type === 'one_time' ? 'sales' : 'subscription',
    level: share.level,
    legId: share.legId,
    paidLevel: share.paidLevel,
    rateBps: share.rateBps,
    flatMinor: share.flatMinor,
    multiplierMilli: share.multiplierMilli,
    baseMinor,
    amountMinor: share.amountMinor,
    currency: share.currency,
    conversion:
      exchangeRateId === null ? null : { amountMinor: share.sourceAmountMinor, currency: share.sourceCurrency, exchangeRateId },
    cappedMinor: share.cappedMinor,
    cap: share.cap,
    status: 'pending',
    holdCause: null,
    clearsAt: clearsAtOf(plan, share.level, occurredAt),
    occurredAt,
    planVersionId,
    calculationHash: hashCalculation(planVersionId, baseMinor, share.currency, share),
    reversesLineId: null,
  };
}

/** What explain evaluates again: the inputs, of the upline only who was considered. */
export function storedEvaluation({ input, evaluation, plan }: DecidedPurchase): StoredEvaluation {
  if (!plan || !input) return { block: 'NO_PLAN' };
  return {
    upline: storeUpline(input.upline.slice(0, evaluation.outcomes.length)),
    ...(input.block !== undefined && { block: input.block }),
    ...(input.memberRoomMinor && {
      memberRooms: Object.fromEntries([...input.memberRoomMinor].map(([id, room]) => [id, room.toString()])),
    }),
    ...(input.customerRoomMinor !== undefined && { customerRoom: input.customerRoomMinor.toString() }),
    ...(input.rates && {
      rates: Object.fromEntries(
        [...input.rates].map(([currency, { id, numerator, denominator }]) => [
          currency,
          { id, numerator: numerator.toString(), denominator: denominator.toString() },
        ]),
      ),
    }),
  };
}

function customerOf(input: PurchaseInput, { customer: stored }: PurchaseFacts): NewEvent['customer'] {
  const { external_id: externalId, email, name } = input.customer;
  const unchanged = (email == null || email === stored?.email) && (name == null || name === stored?.name);
  return { knownId: stored && unchanged ? stored.id : null, externalId, email: email ?? null, name: name ?? null };
}
