/** Rules of events: attribution, the upline walk, exactly once. Source: api-decisions §3, commissions.md. */
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { violates } from '../../db/constraints.ts';
import type { Db, Frames, Scope } from '../../db/frame.ts';
import { AppError, invalidField } from '../../errors.ts';
import { faultPoint } from '../../fault-points.ts';
import type { RequestContext } from '../../http/operation.ts';
import {
  commissionBase,
  type EvaluatedLine,
  evaluatePlan,
  MAX_ANCESTORS,
  needsMoreUpline,
  type UplineMember,
} from '../commissions/evaluate-plan.ts';
import type { PlanDefinition } from '../commissions/plan-definition.ts';
import type { PlansService } from '../commissions/plans-service.ts';
import { type ContentDigester, differingFields } from './content-digest.ts';
import type { recordPurchase } from './events-operations.ts';
import {
  type AttributionRule,
  eventByIdStatement,
  findEventByExternalId,
  insertPurchase,
  type NewPurchase,
  type StoredEvent,
  toStoredEvent,
} from './events-queries.ts';
import { type FactsQuery, FIRST_READ, type PurchaseFacts, readPurchaseFacts, readUplineAsOf } from './purchase-facts-queries.ts';

type Purchase = z.output<(typeof recordPurchase)['body'] & {}>;

/** What a purchase's answer shows; the same for the first post and every repeat. */
export type Receipt = Pick<StoredEvent, 'eventId' | 'externalEventId' | 'status' | 'attributedId' | 'attributionRule' | 'lines'>;

export interface EventsService {
  /** Stores a purchase and pays its upline. A repeat gets the first receipt; EVENT_ID_REUSED on other content. */
  recordPurchase(context: RequestContext, input: Purchase): Promise<{ created: boolean; receipt: Receipt }>;
  /** An event with its commissions as they stand. NOT_FOUND. */
  readEvent(context: RequestContext, eventId: string): Promise<StoredEvent>;
}

const MINUTE_MS = 60_000;
interface Deps {
  frames: Frames;
  plans: PlansService;
  digester: ContentDigester;
}

export function createEventsService({ frames, plans, digester }: Deps): EventsService {
  /** The purchase with its lines, or undefined when its external id is known already. */
  async function decide(db: Db, scope: Scope, input: Purchase): Promise<NewPurchase | undefined> {
    const query: FactsQuery = {
      occurredAt: input.occurred_at ?? null,
      explicitUserId: input.attribution?.user_id ?? null,
      referralCode: input.attribution?.referral_code ?? null,
      buyerId: input.buyer_user_id ?? null,
      customerExternalId: input.customer.external_id,
      externalEventId: input.external_event_id,
    };
    const facts = await readPurchaseFacts(db, scope, query);
    if (facts.knownEventId !== null) return undefined;
    refuseImpossible(input, facts);
    const plan = plans.parse(facts.planVersionId, facts.planDefinition);
    const amounts = {
      amountMinor: input.amount_minor,
      taxMinor: input.tax_minor ?? 0n,
      shippingMinor: input.shipping_minor ?? 0n,
    };
    const baseMinor = commissionBase(plan.base, amounts);
    let walk = { plan, baseMinor, upline: uplineOf(facts, plan), buyerId: facts.buyerId ?? undefined };
    const [first] = facts.chain;
    if (first && facts.chain.length === FIRST_READ && needsMoreUpline(walk)) {
      facts.chain = await readUplineAsOf(db, scope, first.id, facts.occurredAt, MAX_ANCESTORS + 1);
      walk = { ...walk, upline: uplineOf(facts, plan) };
    }
    const attributed = walk.upline[0]?.id ?? null;
    return {
      ...amounts,
      externalEventId: input.external_event_id,
      type: input.type ?? 'one_time',
      occurredAt: facts.occurredAt,
      currency: input.currency,
      discountMinor: input.discount_minor ?? 0n,
      baseMinor,
      customer: customerOf(input, facts),
      buyerId: facts.buyerId,
      attributedId: attributed,
      attributionRule: ruleOf(facts),
      status: attributed === null ? 'unattributed' : 'accepted',
      planVersionId: facts.planVersionId,
      contentDigests: digester.digest(input),
      clearsAt: facts.clearsAt,
      lines: evaluatePlan(walk).map((line) => ({
        ...line,
        calculationHash: hashCalculation(facts.planVersionId, baseMinor, input.currency, line),
      })),
      metadata: input.metadata ?? null,
      lineItems: input.line_items ?? null,
    };
  }

  async function repeat(db: Db, scope: Scope, input: Purchase): Promise<Receipt> {
    const stored = await findEventByExternalId(db, scope, input.external_event_id);
    if (!stored) throw new Error('a taken external_event_id has no event');
    const fields = differingFields(digester.digest(input), stored.contentDigests);
    if (fields.length > 0) {
      throw new AppError('EVENT_ID_REUSED', 'This external_event_id was used for other content', {
        details: { fields: fields.map((field) => ({ field, message: 'differs from what was sent first' })) },
      });
    }
    // The first answer: lines are born pending, whatever has become of them since.
    return { ...stored, lines: stored.lines.map((line) => ({ ...line, status: 'pending' })) };
  }

  return {
    async recordPurchase({ scope, guard }, input) {
      const record = () =>
        frames.write(
          scope,
          async (db) => {
            const purchase = await decide(db, scope, input);
            if (!purchase) return { created: false, receipt: await repeat(db, scope, input) };
            await faultPoint('purchase:decided');
            const inserted = await insertPurchase(db, scope, purchase);
            await faultPoint('purchase:written');
            return { created: true, receipt: receiptOf(purchase, inserted) };
          },
          { guard, repeatable: true },
        );
      try {
        return await record();
      } catch (error) {
        if (!violates(error, 'event_external_id_key')) throw error;
        return record(); // the same id was recorded meanwhile and is known now
      }
    },

    async readEvent({ scope }, eventId) {
      const [row] = await frames.readOnce(scope, eventByIdStatement(scope.tenantId, scope.environment, eventId));
      if (!row) throw new AppError('NOT_FOUND', 'No such event');
      return toStoredEvent(row);
    },
  };
}

/** What only the database could tell to be wrong: unknown members, a time out of bounds. */
function refuseImpossible(input: Purchase, facts: PurchaseFacts): void {
  if (input.attribution?.user_id != null && facts.explicitUserId === null) {
    throw invalidField('attribution.user_id', 'is not a member of this tenant and environment');
  }
  if (input.buyer_user_id != null && facts.buyerId === null) {
    throw invalidField('buyer_user_id', 'is not a member of this tenant and environment');
  }
  const earliest = new Date(facts.now);
  earliest.setUTCFullYear(earliest.getUTCFullYear() - 5);
  if (facts.occurredAt.getTime() > facts.now.getTime() + 10 * MINUTE_MS) {
    throw invalidField('occurred_at', 'must be at most 10 minutes ahead');
  }
  if (facts.occurredAt < earliest) throw invalidField('occurred_at', 'must be at most 5 years back');
}

function customerOf(input: Purchase, { customer: stored }: PurchaseFacts): NewPurchase['customer'] {
  const { external_id: externalId, email, name } = input.customer;
  const unchanged = (email == null || email === stored?.email) && (name == null || name === stored?.name);
  return { knownId: stored && unchanged ? stored.id : null, externalId, email: email ?? null, name: name ?? null };
}

/** Who is level 1 and above. A personal purchase overrides every attribution (commissions.md, Personal purchase). */
function uplineOf(facts: PurchaseFacts, plan: PlanDefinition): readonly UplineMember[] {
  if (facts.buyerId === null || plan.personalPurchase === 'self_rebate') return facts.chain;
  return plan.personalPurchase === 'sponsor_first' ? facts.chain.slice(1) : [];
}

function ruleOf(facts: PurchaseFacts): AttributionRule {
  if (facts.buyerId !== null) return 'personal_purchase';
  if (facts.explicitUserId !== null) return 'explicit_user';
  return facts.codeOwnerId === null ? 'none' : 'referral_code';
}

/** Binds a line to everything its amount was calculated from. */
function hashCalculation(planVersionId: string, baseMinor: bigint, currency: string, line: EvaluatedLine): Buffer {
  const inputs = [
    planVersionId,
    `${baseMinor}`,
    currency,
    line.level,
    line.paidLevel,
    line.rateBps,
    line.multiplierMilli,
    `${line.amountMinor}`,
  ];
  return createHash('sha256').update(JSON.stringify(inputs)).digest();
}

function receiptOf(purchase: NewPurchase, inserted: { eventId: string; lineIds: string[] }): Receipt {
  return {
    eventId: inserted.eventId,
    externalEventId: purchase.externalEventId,
    status: purchase.status,
    attributedId: purchase.attributedId,
    attributionRule: purchase.attributionRule,
    lines: purchase.lines.map((line, index) => ({
      ...line,
      id: inserted.lineIds[index] ?? '',
      baseMinor: purchase.baseMinor,
      currency: purchase.currency,
      status: 'pending',
      clearsAt: purchase.clearsAt,
    })),
  };
}
