/** Quotes: the decision of a purchase with nothing stored. */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Frames } from '../../db/frame.ts';
import type { RequestContext } from '../../http/operation.ts';
import type { PlanDefinition } from '../commissions/plan-definition.ts';
import { type DecideDeps, type DecidedPurchase, decidePurchase, refuseImpossible } from './decide-purchase.ts';
import { readHoldingEnd } from './purchase-facts-queries.ts';
import { type GroundDeps, readGround } from './purchase-ground.ts';
import type { quotePurchase } from './quote-operations.ts';

type Input = z.output<(typeof quotePurchase)['body'] & {}>;

export interface Quote {
  decided: DecidedPurchase;
  /** Of the purchase, for lines that are not held. */
  occurredAt: Date;
  isGivenPlan: boolean;
}

export interface QuoteService {
  /** EXCHANGE_RATE_MISSING. */
  quote(context: RequestContext, input: Input): Promise<Quote>;
}

const GIVEN = 'given';

export function createQuoteService({ frames, ...deps }: { frames: Frames } & DecideDeps & GroundDeps): QuoteService {
  return {
    quote: ({ scope, guard }, input) =>
      frames.write(
        scope,
        async (db) => {
          const { facts, credit } = await readGround(db, scope, groundQuery(input), deps);
          refuseImpossible(
            { attributionUserId: input.attribution?.userId ?? null, buyerId: input.buyerUserId ?? null },
            facts,
            CAMEL,
          );
          const given: PlanDefinition | undefined = input.definition ?? undefined;
          if (given) {
            const clearsAt = await readHoldingEnd(db, scope, facts.occurredAt, given.holding.days);
            facts.plans = [{ id: GIVEN, planId: GIVEN, effectiveFrom: null, definition: given, clearsAt }];
          }
          const parsePlan: DecideDeps['parsePlan'] = (id, definition) =>
            id === GIVEN && given ? given : deps.parsePlan(id, definition);
          const purchase = {
            type: input.type ?? 'one_time',
            currency: input.currency,
            customerExternalId: input.customerExternalId ?? randomUUID(),
            amounts: {
              amountMinor: input.amountMinor,
              taxMinor: input.taxMinor ?? 0n,
              shippingMinor: input.shippingMinor ?? 0n,
              lineItems: (input.lineItems ?? []).map((item) => ({ ...item, category: item.category ?? null })),
            },
          } as const;
          const decided = await decidePurchase(db, scope, purchase, { facts, credit }, { ...deps, parsePlan });
          return { decided, occurredAt: facts.occurredAt, isGivenPlan: given !== undefined };
        },
        { guard, repeatable: true },
      ),
  };
}

function groundQuery({ attribution, ...input }: Input): Parameters<typeof readGround>[2] {
  return {
    externalEventId: randomUUID(),
    occurredAt: input.occurredAt ?? null,
    buyerId: input.buyerUserId ?? null,
    customerExternalId: input.customerExternalId ?? null,
    customerEmail: null,
    explicitUserId: attribution?.userId ?? null,
    referralCode: attribution?.referralCode ?? null,
    linkId: attribution?.linkId ?? null,
    clickId: attribution?.clickId ?? null,
    leadId: attribution?.leadId ?? null,
  };
}

/** This group's names of the fields that only the database could tell to be wrong. */
const CAMEL = { attributionUserId: 'attribution.userId', buyerId: 'buyerUserId', occurredAt: 'occurredAt' };
