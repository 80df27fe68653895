/**
 * What a purchase is decided on: its facts, and whom it could be credited to.
 * Source: docs/specification/events.md#purchase, docs/specification/attribution.md#order.
 */
import { type Actor, actorRef } from '../../../actor.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import type { AttributionService } from '../../attribution/attribution-service.ts';
import type { Purchase } from '../open/purchase.ts';
import type { PurchaseGround } from './decide-purchase.ts';
import { readPurchaseFacts } from './purchase-facts-queries.ts';

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
  const { occurredAt, buyerId, customer, named } = purchase;
  const [facts, credit] = await Promise.all([
    readPurchaseFacts(db, scope, purchase, recorder && actorRef(recorder)),
    attribution.decide(db, scope, {
      ...named,
      subject: 'purchase',
      asOf: occurredAt,
      buyerId,
      customerExternalId: customer.externalId,
      emailNorm: customer.emailNorm,
    }),
  ]);
  return { facts, credit };
}
