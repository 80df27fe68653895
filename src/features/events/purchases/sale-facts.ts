/**
 * What rules are judged by of a sale, its customer and the credited member, as of the sale.
 * Source: docs/specification/rates.md#facts.
 */
import type { Db, Scope } from '../../../db/scope.ts';
import type { DecidedAttribution } from '../../attribution/attribution-service.ts';
import { factsAsked, type SaleFacts, verdictsOf } from '../../commissions/open/choose-rate.ts';
import type { PlanDefinition } from '../../commissions/open/plan-definition.ts';
import type { Purchase } from '../open/purchase.ts';
import { type CustomerFacts, lockInOrder, readCustomerFacts } from './plan-limits-queries.ts';
import type { PurchaseFacts } from './purchase-facts-queries.ts';

interface FactsGround {
  plan: PlanDefinition;
  baseMinor: bigint;
  facts: PurchaseFacts;
  credit: DecidedAttribution;
  /** What facts are taken to be, by a quote. */
  taken?: Readonly<Record<string, string | bigint>> | undefined;
  /** See `DecideDeps`. */
  mayWait?: (() => void) | undefined;
}

/** What the rules of the plan ask for; undefined of a plan without rules. */
export async function saleFacts(
  db: Db,
  scope: Scope,
  purchase: Purchase,
  { plan, baseMinor, facts, credit, taken, mayWait }: FactsGround,
): Promise<SaleFacts | undefined> {
  if (plan.rules.length === 0) return undefined;
  const asked = factsAsked(plan.rules);
  if (asked.has('customer.purchaseNumber')) mayWait?.();
  const [credited] = facts.chain;
  const customer = await customerFacts(db, scope, purchase, asked, facts.occurredAt);
  const known: Record<string, string | bigint | undefined> = {
    'sale.type': purchase.type,
    'sale.currency': purchase.currency,
    'sale.source': credit.attribution.rule,
    'sale.amountMinor': purchase.amountMinor,
    'sale.baseMinor': baseMinor,
    'customer.isMember': facts.buyerId === null ? 0n : 1n,
    'customer.purchaseNumber': customer && BigInt(customer.purchases) + 1n,
    'customer.monthsSinceFirst': customer && BigInt(customer.months),
    'credited.group': credited?.group,
    'credited.tier': credited?.tier,
    'credited.ageDays': credited?.ageDays === undefined ? undefined : BigInt(credited.ageDays),
    ...taken,
  };
  const values = [...asked].flatMap((fact) => (known[fact] === undefined ? [] : [[fact, known[fact]] as const]));
  return { values: Object.fromEntries(values), holds: verdictsOf(plan.rules, purchase.detail) };
}

/** The number of a purchase is read behind the customer's lock, so that two at once have two numbers. */
async function customerFacts(
  db: Db,
  scope: Scope,
  { customer }: Purchase,
  asked: ReadonlySet<string>,
  occurredAt: Date,
): Promise<CustomerFacts | undefined> {
  const wantsNumber = asked.has('customer.purchaseNumber');
  if (!wantsNumber && !asked.has('customer.monthsSinceFirst')) return undefined;
  if (wantsNumber) await lockInOrder(db, scope, [`customer:${customer.externalId}`]);
  return readCustomerFacts(db, scope, customer.externalId, occurredAt);
}
