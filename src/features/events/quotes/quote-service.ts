/** Quotes: the decision of a purchase with nothing stored. */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Frames } from '../../../db/frame.ts';
import type { RequestContext } from '../../../http/operation.ts';
import type { PlanDefinition } from '../../commissions/open/plan-definition.ts';
import { kindOf } from '../../commissions/open/plan-rules.ts';
import type { Purchase } from '../open/purchase.ts';
import { type DecideDeps, type DecidedPurchase, decidePurchase, refuseImpossible } from '../purchases/decide-purchase.ts';

import { type GroundDeps, readGround } from '../purchases/purchase-ground.ts';
import { readHoldingEnd } from '../purchases/upline-as-of-queries.ts';
import type { quotePurchase } from './quote-operations.ts';

type Input = z.output<(typeof quotePurchase)['body'] & {}>;

export interface Quote {
  decided: DecidedPurchase;
  /** Of the purchase, for lines that are not held. */
  occurredAt: Date;
  isGivenPlan: boolean;
  purchase: Pick<Purchase, 'lineItems'>;
}

export interface QuoteService {
  /** EXCHANGE_RATE_MISSING. */
  quote(context: RequestContext, input: Input): Promise<Quote>;
}

const GIVEN = 'given';

export function createQuoteService({ frames, ...deps }: { frames: Frames } & DecideDeps & GroundDeps): QuoteService {
  return {
    quote: ({ scope, guard, shape }, input) =>
      frames.write(
        scope,
        async (db) => {
          const purchase = purchaseOf(input);
          const { facts, credit } = await readGround(db, scope, purchase, deps, null);
          refuseImpossible(purchase, facts, CAMEL);
          const given: PlanDefinition | undefined = input.definition ?? undefined;
          if (given) {
            const clearsAt = await readHoldingEnd(db, scope, facts.occurredAt, given.holding.days);
            facts.plans = [{ id: GIVEN, planId: GIVEN, effectiveFrom: null, definition: given, clearsAt }];
          }
          const parsePlan: DecideDeps['parsePlan'] = (id, definition) =>
            id === GIVEN && given ? given : deps.parsePlan(id, definition);
          const groups = new Map(Object.entries(input.groups ?? {}));
          const decided = await decidePurchase(
            db,
            scope,
            purchase,
            { facts, credit, groups, assumed: assumedFacts(input.facts ?? {}) },
            { ...deps, parsePlan },
          );
          return { decided, occurredAt: facts.occurredAt, isGivenPlan: given !== undefined, purchase };
        },
        { guard, shape, repeatable: true },
      ),
  };
}

/** A new customer, and the purchase itself, have an id that nothing else has. Of what is only stored a quote has nothing. */
function purchaseOf(input: Input): Purchase {
  const { attribution } = input;
  return {
    externalEventId: randomUUID(),
    content: {},
    type: input.type ?? 'one_time',
    occurredAt: input.occurredAt ?? null,
    amountMinor: input.amountMinor,
    currency: input.currency,
    taxMinor: input.taxMinor ?? 0n,
    shippingMinor: input.shippingMinor ?? 0n,
    discountMinor: 0n,
    lineItems: (input.lineItems ?? []).map((item) => ({
      ...item,
      category: item.category ?? null,
      quantity: item.quantity ?? 1,
    })),
    customer: { externalId: input.customerExternalId ?? randomUUID(), email: null, emailNorm: null, name: null },
    buyerId: input.buyerUserId ?? null,
    named: {
      explicitUserId: attribution?.userId ?? null,
      referralCode: attribution?.referralCode ?? null,
      linkId: attribution?.linkId ?? null,
      clickId: attribution?.clickId ?? null,
      leadId: attribution?.leadId ?? null,
    },
    detail: {
      metadata: input.metadata ?? null,
      lineItems: null,
      discountCode: input.discountCode ?? null,
      customerCountry: input.customerCountry ?? null,
    },
  };
}

/** This group's names of the fields that only the database could tell to be wrong. */
const CAMEL = { attributionUserId: 'attribution.userId', buyerId: 'buyerUserId', occurredAt: 'occurredAt' };

/** Texts as they are, and integers as facts have them. */
function assumedFacts(facts: Readonly<Record<string, string | number | undefined>>): Record<string, string | bigint> {
  return Object.fromEntries(
    Object.entries(facts).flatMap(([fact, value]) =>
      value === undefined ? [] : [[fact, kindOf(fact) === 'text' ? String(value) : BigInt(value)]],
    ),
  );
}
