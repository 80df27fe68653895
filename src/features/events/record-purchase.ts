/** Recording a purchase inside the caller's transaction. Source: api-decisions §3. */
import type { Db, Scope, WriteDb } from '../../db/frame.ts';
import { faultPoint } from '../../fault-points.ts';
import { normaliseEmail } from '../../http/schemas.ts';
import { postLines } from '../commissions/journal.ts';
import {
  type DecideDeps,
  type DecidedPurchase,
  decidePurchase,
  type PurchaseGround,
  refuseImpossible,
} from './decide-purchase.ts';
import { type StoredEvaluation, storeUpline } from './event.ts';
import { insertEvent, type NewEvent, PLAIN_EVENT } from './event-insert-queries.ts';
import type { PurchaseFacts } from './purchase-facts-queries.ts';
import { type GroundDeps, readGround } from './purchase-ground.ts';
import { bornHeld, bornStatus, linesOf } from './purchase-lines.ts';
import type { PurchaseInput } from './purchase-operations.ts';
import { type Recorded, type RecorderDeps, recordedOf, repeatOf } from './recorded.ts';

export interface PurchaseDeps extends RecorderDeps, DecideDeps, GroundDeps {}

/** Stores a purchase and pays its upline; a repeat gets the first answer. EVENT_ID_REUSED, EXCHANGE_RATE_MISSING. */
export async function recordPurchase(db: WriteDb, scope: Scope, input: PurchaseInput, deps: PurchaseDeps): Promise<Recorded> {
  const ground = await readGround(db, scope, groundQuery(input), deps);
  if (ground.facts.knownEventId !== null) return repeatOf(db, scope, input, deps);
  const event = await decide(db, scope, input, ground, deps);
  await faultPoint('purchase:decided');
  const inserted = await insertEvent(db, scope, event);
  await faultPoint('purchase:written');
  return recordedOf(event, inserted, undefined);
}

async function decide(db: Db, scope: Scope, input: PurchaseInput, ground: PurchaseGround, deps: PurchaseDeps): Promise<NewEvent> {
  refuseImpossibleInput(input, ground.facts);
  return eventOf(input, ground.facts, await decidePurchase(db, scope, purchaseOf(input), ground, deps), deps);
}

function refuseImpossibleInput(input: PurchaseInput, facts: PurchaseFacts): void {
  refuseImpossible({ attributionUserId: input.attribution?.user_id ?? null, buyerId: input.buyer_user_id ?? null }, facts);
}

function groundQuery({ attribution, ...input }: PurchaseInput): Parameters<typeof readGround>[2] {
  return {
    externalEventId: input.external_event_id,
    occurredAt: input.occurred_at ?? null,
    buyerId: input.buyer_user_id ?? null,
    customerExternalId: input.customer.external_id,
    customerEmail: input.customer.email ?? null,
    explicitUserId: attribution?.user_id ?? null,
    referralCode: attribution?.referral_code ?? null,
    linkId: attribution?.link_id ?? null,
    clickId: attribution?.click_id ?? null,
    leadId: attribution?.lead_id ?? null,
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
  const lines = linesOf(decided, type, facts.occurredAt);
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
    customer: customerOf(input, facts, decided),
    buyerId: facts.buyerId,
    attributedId,
    attributionRule: decided.attributionRule,
    receipt: decided.receipt,
    status: bornStatus(decided),
    planVersionId: decided.plan?.id ?? null,
    contentDigests: deps.digester.digest(input),
    breakageMinor: evaluation.breakageMinor,
    evaluation: { ...storedEvaluation(decided), ...bornHeld(lines) },
    metadata: input.metadata ?? null,
    lineItems: input.line_items ?? null,
    lines,
    postings: postLines(
      lines.map((line) => ({ ...line, account: 'member:pending' })),
      { breakage: { amountMinor: evaluation.breakageMinor, currency: input.currency } },
    ),
  };
}

/** What explain evaluates again: the inputs, of the upline only who was considered. */
export function storedEvaluation({
  input,
  evaluation,
  plan,
}: Pick<DecidedPurchase, 'input' | 'evaluation' | 'plan'>): StoredEvaluation {
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

/** Of a sale that said itself whom it is credited to the next ones are credited to the same, unless somebody was stored before. */
function customerOf(input: PurchaseInput, { customer: stored }: PurchaseFacts, decided: DecidedPurchase): NewEvent['customer'] {
  const { external_id: externalId, email = null, name = null } = input.customer;
  const emailNorm = email === null ? null : normaliseEmail(email);
  const isCredit = decided.attributionRule !== 'personal_purchase' && decided.attributionRule !== 'none';
  const firstReferrerId = isCredit && !stored?.firstReferrerId ? decided.attributedId : null;
  const unchanged =
    (email === null || (email === stored?.email && emailNorm === stored.emailNorm)) && (name === null || name === stored?.name);
  const knownId = stored && unchanged && firstReferrerId === null ? stored.id : null;
  return { knownId, externalId, email, emailNorm, name, firstReferrerId };
}
