/** Recording a purchase inside the caller's transaction. Source: docs/specification/events.md#purchase. */
import type { ActingScope, Provenance } from '../../../actor.ts';
import type { Db, Scope, WriteDb } from '../../../db/scope.ts';
import { faultPoint } from '../../../fault-points.ts';
import { storeFacts, storeUpline } from '../../commissions/open/stored-evaluation.ts';
import { toldLines } from '../../commissions/open/told-lines.ts';
import { refuseBeyondLimit } from '../../ledger/ledger-service.ts';
import { postLines } from '../../ledger/open/journal.ts';
import { matchesType } from '../../webhooks/open/event-types.ts';
import { tell } from '../../webhooks/webhooks-service.ts';
import { type InsertedEvent, insertEvent, type NewCustomer, type NewEvent, PLAIN_EVENT } from '../event-insert-queries.ts';
import type { StoredEvaluation } from '../event-kinds.ts';
import type { BuyingCustomer, Purchase } from '../open/purchase.ts';
import { type Recorded, type RecorderDeps, recordedOf, repeatOf } from '../recorded-event.ts';
import { changeBySale, type SaleChange, salePartOf } from '../sales-sums/sale-change.ts';
import { notePaidByLadders } from '../settling/note-ladders.ts';
import {
  type DecideDeps,
  type DecidedPurchase,
  decidePurchase,
  type PurchaseGround,
  refuseImpossible,
} from './decide-purchase.ts';
import { type Foretold, foretell } from './foretell-purchase.ts';
import type { PurchaseFacts } from './purchase-facts-queries.ts';
import { type GroundDeps, readGround } from './purchase-ground.ts';
import { bornHeld, bornStatus, linesOf } from './purchase-lines.ts';

export interface PurchaseDeps extends RecorderDeps, DecideDeps, GroundDeps {}

/** Stores a purchase and pays its upline; a repeat gets the first answer. EVENT_ID_REUSED, EXCHANGE_RATE_MISSING, BALANCE_LIMIT. */
export async function recordPurchase(db: WriteDb, scope: ActingScope, purchase: Purchase, deps: PurchaseDeps): Promise<Recorded> {
  const ground = await readGround(db, scope, purchase, deps, scope.provenance.actor);
  if (ground.facts.knownEventId !== null) return repeatOf(db, scope, purchase, deps);
  const { decided, event } = await decideEvent(db, scope, purchase, ground, deps);
  await refuseBeyondLimit(db, scope, event.postings, 'amount_minor');
  await faultPoint('purchase:decided');
  const [, inserted] = await Promise.all([
    notePaidByLadders(db, scope, event, decided),
    insertAndTell(db, scope, event, ground.facts),
  ]);
  await faultPoint('purchase:written');
  return recordedOf(event, inserted);
}

/** What is stored of a purchase that is not known yet. 400 for what only the database could tell to be wrong, EXCHANGE_RATE_MISSING. */
export async function decideEvent(
  db: Db,
  scope: Scope,
  purchase: Purchase,
  ground: PurchaseGround,
  deps: PurchaseDeps,
): Promise<{ decided: DecidedPurchase; event: NewEvent }> {
  refuseImpossible(purchase, ground.facts);
  const decided = await decidePurchase(db, scope, purchase, ground, deps);
  return { decided, event: eventOf(purchase, ground.facts, decided, deps) };
}

/** Most of what is told is known ahead: the insert, what is told and the commit travel together then. */
async function insertAndTell(db: WriteDb, scope: ActingScope, event: NewEvent, facts: PurchaseFacts): Promise<InsertedEvent> {
  const { provenance } = scope;
  const { tellsSale, tellsLines } = heardOf(event, facts);
  if (!tellsSale && !tellsLines) return insertEvent(db, scope, event);
  const foretold = foretell(event, facts);
  if (foretold) {
    tellForetold(db, provenance, foretold, facts);
    return insertEvent(db, scope, foretold.event);
  }
  const inserted = await insertEvent({ ...db, lastRow: (statement) => db.row(statement) }, scope, event);
  const { eventId } = inserted;
  if (tellsSale) tell(db, provenance, 'event.purchase_recorded', eventId, { heard: true });
  if (tellsLines) tell(db, provenance, 'commissions.created', eventId, toldLines({ eventId, isNew: true, heard: true }));
  return inserted;
}

/** What is told of the event: what somebody hears of. */
export function heardOf({ lines }: NewEvent, { heard }: PurchaseFacts): { tellsSale: boolean; tellsLines: boolean } {
  return {
    tellsSale: matchesType(heard, 'event.purchase_recorded'),
    tellsLines: lines.length > 0 && matchesType(heard, 'commissions.created'),
  };
}

export function tellForetold(db: WriteDb, by: Provenance, { sale, lines, event }: Foretold, facts: PurchaseFacts): void {
  const { tellsSale, tellsLines } = heardOf(event, facts);
  const { event_id: eventId } = sale;
  if (tellsSale) tell(db, by, 'event.purchase_recorded', eventId, { data: sale, heard: true });
  if (tellsLines) tell(db, by, 'commissions.created', eventId, { data: lines, heard: true });
}

/** The purchase itself goes on as it is; what was found and decided is added. */
function eventOf(
  { named: _named, content, detail, ...sold }: Purchase,
  facts: PurchaseFacts,
  decided: DecidedPurchase,
  deps: PurchaseDeps,
): NewEvent {
  const { attributedId, attributionRule, receipt, baseMinor } = decided;
  const { breakageMinor } = decided.evaluation;
  const lines = linesOf(decided, sold.type, facts.occurredAt);
  return {
    ...PLAIN_EVENT,
    ...sold,
    ...detail,
    kind: 'purchase',
    occurredAt: facts.occurredAt,
    buyerId: facts.buyerId,
    customer: { ...sold.customer, ...standingOf(sold.customer, facts, decided) },
    contentDigests: deps.digester.digest(content),
    attributedId,
    attributionRule,
    receipt,
    baseMinor,
    breakageMinor,
    status: bornStatus(decided),
    planVersionId: decided.plan?.id ?? null,
    evaluation: { ...storedEvaluation(decided), ...bornHeld(lines) },
    sale: saleOf(sold.amountMinor, facts, decided),
    lines,
    postings: postLines(
      lines.map((line) => ({ ...line, account: 'member:pending' })),
      { breakage: { amountMinor: breakageMinor, currency: sold.currency } },
    ),
  };
}

/** What a purchase adds to the sums of sales, where it is credited to somebody. */
function saleOf(
  amountMinor: bigint,
  { occurredAt, buyerId }: PurchaseFacts,
  { attributedId, baseMinor, input }: DecidedPurchase,
): SaleChange | null {
  if (attributedId === null) return null;
  const part = salePartOf({ block: input?.block, buyerId, attributedId });
  return changeBySale({ memberId: attributedId, occurredAt, part, baseMinor, amountMinor });
}

/** What explain evaluates again: the inputs, of the upline only who was considered. */
export function storedEvaluation({
  input,
  evaluation,
  plan,
  choice,
}: Pick<DecidedPurchase, 'input' | 'evaluation' | 'plan' | 'choice'>): StoredEvaluation {
  const chosen = choice && {
    choice: { group: choice.group, passedOver: choice.passedOver.map(({ plan: lost, why }) => ({ versionId: lost.id, why })) },
  };
  if (!plan || !input) return { block: 'NO_PLAN', ...chosen };
  return {
    ...chosen,
    upline: storeUpline(input.upline.slice(0, evaluation.outcomes.length)),
    ...(input.facts && { facts: storeFacts(input.facts) }),
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

/** A sale may say itself whom it is credited to. The next ones are then credited to the same, unless somebody was stored before. */
function standingOf(
  { email, emailNorm, name }: BuyingCustomer,
  { customer: stored }: PurchaseFacts,
  { attributionRule, attributedId }: DecidedPurchase,
): Pick<NewCustomer, 'knownId' | 'firstReferrerId'> {
  const isCredit = attributionRule !== 'personal_purchase' && attributionRule !== 'none';
  const firstReferrerId = isCredit && !stored?.firstReferrerId ? attributedId : null;
  const unchanged =
    (email === null || (email === stored?.email && emailNorm === stored.emailNorm)) && (name === null || name === stored?.name);
  return { knownId: stored && unchanged && firstReferrerId === null ? stored.id : null, firstReferrerId };
}
