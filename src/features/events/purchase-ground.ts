/** What a purchase is decided on: its facts, and whom it could be credited to. Source: api-decisions §3 and §4. */
import type { Db, Scope } from '../../db/frame.ts';
import { normaliseEmail } from '../../http/schemas.ts';
import type { AttributionService } from '../attribution/attribution-service.ts';
import type { PurchaseGround } from './decide-purchase.ts';
import { readPurchaseFacts } from './purchase-facts-queries.ts';

export interface GroundDeps {
  attribution: AttributionService;
}

interface GroundQuery {
  externalEventId: string;
  occurredAt: string | null;
  buyerId: string | null;
  /** Null: a new customer that has no id yet. */
  customerExternalId: string | null;
  customerEmail: string | null;
  explicitUserId: string | null;
  referralCode: string | null;
  linkId: string | null;
  clickId: string | null;
  leadId: string | null;
}

/** Two statements that travel together. */
export async function readGround(
  db: Db,
  scope: Scope,
  { externalEventId, customerExternalId, customerEmail, ...named }: GroundQuery,
  { attribution }: GroundDeps,
): Promise<PurchaseGround> {
  const emailNorm = customerEmail === null ? null : normaliseEmail(customerEmail);
  const [facts, credit] = await Promise.all([
    readPurchaseFacts(db, scope, { ...named, externalEventId, customerExternalId }),
    attribution.decide(db, scope, { ...named, subject: 'purchase', asOf: named.occurredAt, customerExternalId, emailNorm }),
  ]);
  return { facts, credit };
}
