/**
 * What a purchase is decided on: its facts, and whom it could be credited to.
 * Source: docs/specification/events.md#purchase, docs/specification/attribution.md#order.
 */
import { type Actor, actorRef } from '../../../actor.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import type { AttributionService, PurchaseQuery } from '../../attribution/attribution-service.ts';
import type { Purchase } from '../open/purchase.ts';
import type { PurchaseGround } from './decide-purchase.ts';
import { readPurchaseFacts, readPurchasesFacts } from './purchase-facts-queries.ts';

export interface GroundDeps {
  attribution: AttributionService;
}

/** Two statements that travel together. `recorder` is who records the purchase; null where it is only looked at. */
export async function readGround(
  db: Db,
  scope: Scope,
  purchase: Purchase,
  { attribution }: GroundDeps,
  recorder: Actor | null,
): Promise<PurchaseGround> {
  const [facts, credit] = await Promise.all([
    readPurchaseFacts(db, scope, purchase, recorder && actorRef(recorder)),
    attribution.decide(db, scope, { ...creditQuery(purchase), subject: 'purchase' }),
  ]);
  return { facts, credit };
}

/** The same of many purchases that are recorded, in their order, by as many statements. Each has ids ahead. */
export async function readGrounds(
  db: Db,
  scope: Scope,
  asked: readonly { purchase: Purchase; createdBy: string }[],
  { attribution }: GroundDeps,
): Promise<PurchaseGround[]> {
  const [facts, credits] = await Promise.all([
    readPurchasesFacts(db, scope, asked),
    attribution.decideMany(
      db,
      scope,
      asked.map(({ purchase }) => creditQuery(purchase)),
    ),
  ]);
  return facts.map((one, n) => ({ facts: one, credit: credits[n] as PurchaseGround['credit'] }));
}

function creditQuery({ occurredAt, buyerId, customer, named }: Purchase): PurchaseQuery {
  return { ...named, asOf: occurredAt, buyerId, customerExternalId: customer.externalId, emailNorm: customer.emailNorm };
}
