/**
 * From a purchase as it was sent to everything that is stored of it: attribution, the plan in force,
 * the facts the plan asks for, the evaluation. Reads, never writes; takes locks only for plans with
 * caps or a limit of events. Source: docs/specification/events.md#purchase,
 * docs/specification/commissions.md#who-is-paid.
 */
import { createHash } from 'node:crypto';
import type { Db, Scope } from '../../../db/scope.ts';
import { AppError, invalidField } from '../../../errors.ts';
import type { DecidedAttribution } from '../../attribution/attribution-service.ts';
import { type NewReceipt, receiptOf } from '../../attribution/open/receipt.ts';
import { choosePlan, type PlanCandidate, type PlanChoice } from '../../commissions/open/choose-plan.ts';
import { factsAsked } from '../../commissions/open/choose-rate.ts';
import {
  commissionBase,
  type Evaluation,
  type EvaluationInput,
  type EventBlock,
  evaluatePlan,
} from '../../commissions/open/evaluate-plan.ts';
import type { RatePart } from '../../commissions/open/pay-parts.ts';
import type { PlanDefinition } from '../../commissions/open/plan-definition.ts';
import type { PricedShare, Rate } from '../../commissions/open/price-shares.ts';
import { MAX_ANCESTORS, needsMoreUpline, type UplineMember, walkUpline } from '../../commissions/open/walk-upline.ts';
import type { AttributionRule } from '../event-kinds.ts';
import type { ChainMember } from '../open/chain-member.ts';
import { eventsErrors } from '../open/events-errors.ts';
import type { Purchase } from '../open/purchase.ts';
import {
  lockInOrder,
  readEarnedInMonth,
  readLocalMonth,
  readPaidOnCustomer,
  readQualification,
  readRecurringState,
} from './plan-limits-queries.ts';
import { FIRST_READ, type PurchaseFacts } from './purchase-facts-queries.ts';
import { agreedWith, type Rated, rate } from './rate-upline.ts';
import { saleFacts } from './sale-facts.ts';
import { soldBefore, withSales } from './sold-before.ts';
import { readUplineAsOf } from './upline-as-of-queries.ts';

/** Read in one round trip: see `readGround`. */
export interface PurchaseGround {
  facts: PurchaseFacts;
  credit: DecidedAttribution;
  /** Of a quote: groups that members are taken to be in, by their ids. */
  groups?: ReadonlyMap<string, string>;
  /** What facts are taken to be, by a quote. */
  assumed?: Readonly<Record<string, string | bigint>>;
}

export type DecidedChoice = Pick<PlanChoice<PlanCandidate>, 'passedOver'> & { group: string | null };

export interface DecidedPurchase {
  /** Undefined when no plan covers the purchase. */
  plan: { id: string; clearsAt: Date; definition: PlanDefinition } | undefined;
  /** Set where a plan in force names groups. */
  choice: DecidedChoice | undefined;
  baseMinor: bigint;
  attributedId: string | null;
  attributionRule: AttributionRule;
  receipt: NewReceipt;
  /**
   * The member with the customer's email while no buyer is named: its lines are held
   * (docs/specification/attribution.md#self-purchase).
   */
  selfId: string | null;
  input: EvaluationInput | undefined;
  evaluation: Evaluation;
}

/** When a line of this level clears: after the holding, or at the sale when the plan does not hold it. */
export function clearsAtOf(plan: DecidedPurchase['plan'], level: number, occurredAt: Date): Date {
  return plan && (plan.definition.holding.appliesTo === 'all_levels' || level === 1) ? plan.clearsAt : occurredAt;
}

export interface DecideDeps {
  parsePlan(versionId: string, definition: unknown): PlanDefinition;
  /** The latest rate effective at the sale for each target currency that has one. */
  readRates(db: Db, scope: Scope, source: string, targets: readonly string[], at: Date): Promise<ReadonlyMap<string, Rate>>;
  /** Called ahead of locks and of sums that are long to read. It throws where others would have to wait for them. */
  mayWait?(): void;
}

const NOBODY: Evaluation = { lines: [], outcomes: [], breakageMinor: 0n, end: 'END_OF_UPLINE' };

export async function decidePurchase(
  db: Db,
  scope: Scope,
  purchase: Purchase,
  { facts: read, credit, groups, assumed: taken }: PurchaseGround,
  deps: DecideDeps,
): Promise<DecidedPurchase> {
  const assumed = (member: ChainMember): ChainMember => ({ ...member, group: groups?.get(member.id) ?? member.group });
  const facts = { ...read, chain: (await creditedChain(db, scope, read, credit)).map(assumed) };
  const versions = facts.plans.map((plan) => ({ ...plan, definition: deps.parsePlan(plan.id, plan.definition) }));
  const [credited] = facts.chain;
  const group = credited?.group ?? null;
  const { plan, passedOver } = choosePlan(versions, { ...purchase, group });
  const choice = versions.some(({ definition }) => definition.scope.groups !== null) ? { group, passedOver } : undefined;
  if (!plan) {
    const attributedId = uplineOf(facts, facts.chain, 'sponsor_first')[0]?.id ?? null;
    return { plan, choice, baseMinor: 0n, ...creditOf(credit, attributedId), input: undefined, evaluation: NOBODY };
  }
  const baseMinor = commissionBase(plan.definition, purchase);
  const walk = { plan: plan.definition, baseMinor, currency: purchase.currency, buyerId: facts.buyerId ?? undefined };
  // Not waited for yet: it travels with what is read of the upline.
  const saying = saleFacts(db, scope, purchase, {
    plan: plan.definition,
    baseMinor,
    facts,
    credit,
    taken,
    mayWait: deps.mayWait,
  });
  const rated = async (chain: readonly ChainMember[]): Promise<Rated> => {
    const upline = uplineOf(facts, chain, plan.definition.personalPurchase);
    const at = facts.occurredAt;
    const [said, qualified, agreed, sold] = await Promise.all([
      saying,
      withQualification(db, scope, plan.definition, upline, facts, purchase.currency, deps),
      agreedWith(db, scope, { plan, upline, at, credit }),
      soldBefore(db, scope, { plan: plan.definition, upline, at, currency: purchase.currency }),
    ]);
    return rate(withSales(qualified, sold), agreed, said, { plan: plan.definition, purchase, baseMinor });
  };
  let { upline, facts: judged } = await rated(facts.chain);
  if (credited && facts.chain.length === FIRST_READ && needsMoreUpline({ ...walk, facts: judged, upline })) {
    const whole = await readUplineAsOf(db, scope, credited.id, facts.occurredAt, MAX_ANCESTORS + 1);
    ({ upline, facts: judged } = await rated(whole.map(assumed)));
  }
  const nobody = upline.length > 0 ? undefined : facts.chain.length > 0 ? 'PERSONAL_PURCHASE' : 'UNATTRIBUTED';
  const input: EvaluationInput = {
    ...walk,
    facts: judged,
    upline,
    block:
      nobody ??
      (isOfTestUser(facts, upline, credit) ? 'TEST_USER' : await blockOf(db, scope, purchase, plan.definition, facts, deps)),
  };
  if (input.block === undefined) await addLimits(db, scope, purchase, facts, input, deps);
  const evaluation = evaluatePlan(input);
  return { plan, choice, baseMinor, ...creditOf(credit, upline[0]?.id ?? null), input, evaluation };
}

/** The facts begin with who was named. Nobody was, or what was read last says otherwise: the chain is read from the one who won. */
async function creditedChain(
  db: Db,
  scope: Scope,
  { buyerId, chain, occurredAt }: PurchaseFacts,
  { attribution }: DecidedAttribution,
): Promise<ChainMember[]> {
  const firstId = buyerId ?? attribution.winner?.memberId ?? null;
  if (firstId === null) return [];
  return chain[0]?.id === firstId ? chain : readUplineAsOf(db, scope, firstId, occurredAt, FIRST_READ);
}

function creditOf(credit: DecidedAttribution, attributedId: string | null) {
  const { rule } = credit.attribution;
  if (rule === 'standing') throw new Error('a purchase has no referrer already');
  const selfId = rule === 'personal_purchase' ? null : credit.emailMemberId;
  return { attributedId, attributionRule: rule, receipt: receiptOf(credit, attributedId), selfId };
}

/**
 * Who is level 1 and above. A personal purchase overrides every attribution
 * (docs/specification/commissions.md#personal-purchase).
 */
function uplineOf(
  facts: PurchaseFacts,
  chain: readonly ChainMember[],
  personalPurchase: PlanDefinition['personalPurchase'],
): readonly ChainMember[] {
  if (facts.buyerId === null || personalPurchase === 'self_rebate') return chain;
  return personalPurchase === 'sponsor_first' ? chain.slice(1) : [];
}

/** Reads what the plan qualifies by, and leaves out what it does not look at. */
async function withQualification(
  db: Db,
  scope: Scope,
  plan: PlanDefinition,
  upline: readonly ChainMember[],
  facts: PurchaseFacts,
  currency: string,
  { mayWait }: DecideDeps,
): Promise<UplineMember[]> {
  const { kycApproved, minPersonalSalesMinor, minActiveDirects } = plan.qualification;
  const wantsSales = (minPersonalSalesMinor[currency] ?? 0) > 0;
  const asked = factsAsked(plan.rules);
  if (wantsSales) mayWait?.();
  const wantsKyc = kycApproved || asked.has('member.kycApproved');
  const wantsDirects = minActiveDirects > 0 || asked.has('member.activeDirects');
  const wanted = wantsKyc || wantsSales || wantsDirects;
  const ids = upline.map((member) => member.id);
  const found = wanted && ids.length > 0 ? await readQualification(db, scope, ids, facts.occurredAt, currency) : undefined;
  return upline.map(({ payCurrency, group, ageDays, hasOverride: _override, ...member }) => {
    const qualification = found?.get(member.id);
    return {
      ...member,
      ...(plan.fx.payCurrency === 'member' && payCurrency !== undefined && { payCurrency }),
      ...(asked.has('member.group') && { group }),
      ...(asked.has('member.ageDays') && ageDays !== undefined && { ageDays }),
      ...(qualification && wantsKyc && { kycApproved: qualification.kycApproved }),
      ...(qualification && wantsSales && { personalSalesMinor: qualification.personalSalesMinor }),
      ...(qualification && wantsDirects && { activeDirects: qualification.activeDirects }),
    };
  });
}

/** Bought or brought in by a test member (docs/specification/commissions.md#test-members). */
function isOfTestUser(
  { buyerId, chain }: PurchaseFacts,
  upline: readonly UplineMember[],
  { isEmailOfTestUser }: DecidedAttribution,
): boolean {
  const buyer = buyerId === null ? undefined : chain[0];
  return isEmailOfTestUser || upline[0]?.isTestUser === true || buyer?.isTestUser === true;
}

/** Why the plan pays nobody for this event, if so. */
async function blockOf(
  db: Db,
  scope: Scope,
  { type, customer }: Purchase,
  { recurring }: PlanDefinition,
  facts: PurchaseFacts,
  { mayWait }: DecideDeps,
): Promise<EventBlock | undefined> {
  if (type !== 'subscription_renewal') return undefined;
  if (!recurring.enabled) return 'RECURRING_DISABLED';
  if (recurring.maxMonths === null && recurring.maxEvents === null) return undefined;
  if (recurring.maxEvents !== null) mayWait?.();
  if (recurring.maxEvents !== null) await lockInOrder(db, scope, [`customer:${customer.externalId}`]);
  const state = await readRecurringState(db, scope, customer.externalId, facts.occurredAt, recurring.maxMonths);
  if (state.ended) return 'RECURRING_MONTHS';
  return recurring.maxEvents !== null && state.events >= recurring.maxEvents ? 'RECURRING_EVENTS' : undefined;
}

/** The room left under caps, behind their locks, and the rates that the beneficiaries' currencies need. */
async function addLimits(
  db: Db,
  scope: Scope,
  { currency, customer }: Purchase,
  facts: PurchaseFacts,
  input: EvaluationInput,
  deps: DecideDeps,
): Promise<void> {
  const { perMemberPeriodMinor, perCustomerLifetimeMinor } = input.plan.caps;
  const memberCap = perMemberPeriodMinor?.[currency];
  const customerCap = perCustomerLifetimeMinor?.[currency];
  const { shares } = walkUpline(input);
  const beneficiaries = [...new Set(shares.map((share) => share.beneficiaryId))];
  if (customerCap !== undefined || memberCap !== undefined) deps.mayWait?.();
  // The customer first: a renewal of a plan with a limit of events has that lock already.
  if (customerCap !== undefined) await lockInOrder(db, scope, [`customer:${customer.externalId}`]);
  if (memberCap !== undefined) {
    const month = await readLocalMonth(db, scope, facts.occurredAt);
    await lockInOrder(
      db,
      scope,
      beneficiaries.map((id) => `member:${id}:${month}`),
    );
    const earned = await readEarnedInMonth(db, scope, beneficiaries, facts.occurredAt, currency);
    input.memberRoomMinor = new Map(beneficiaries.map((id) => [id, BigInt(memberCap) - (earned.get(id) ?? 0n)]));
  }
  if (customerCap !== undefined) {
    input.customerRoomMinor = BigInt(customerCap) - (await readPaidOnCustomer(db, scope, customer.externalId, currency));
  }
  const payCurrencies = new Map(input.upline.map((member) => [member.id, member.payCurrency ?? currency]));
  const targets = [...new Set(beneficiaries.map((id) => payCurrencies.get(id) ?? currency))].filter(
    (target) => target !== currency,
  );
  if (targets.length === 0) return;
  const rates = await deps.readRates(db, scope, currency, targets, facts.occurredAt);
  const missing = targets.filter((target) => !rates.has(target));
  if (missing.length > 0) {
    throw new AppError(
      eventsErrors.EXCHANGE_RATE_MISSING,
      `No exchange rate from ${currency} to ${missing.join(', ')} at the time of the sale`,
      {
        details: { sourceCurrency: currency, targetCurrencies: missing },
      },
    );
  }
  input.rates = rates;
}

const MINUTE_MS = 60_000;

/** How the caller's group names the fields. */
const SNAKE = { attributionUserId: 'attribution.user_id', buyerId: 'buyer_user_id', occurredAt: 'occurred_at' };

/** 400 for what only the database could tell to be wrong: unknown members, a time out of bounds. */
export function refuseImpossible(
  { named, buyerId }: Pick<Purchase, 'named' | 'buyerId'>,
  facts: PurchaseFacts,
  names = SNAKE,
): void {
  if (named.explicitUserId !== null && facts.explicitUserId === null) {
    throw invalidField(names.attributionUserId, 'is not a member of this tenant and environment');
  }
  if (buyerId !== null && facts.buyerId === null) {
    throw invalidField(names.buyerId, 'is not a member of this tenant and environment');
  }
  refuseTimeOutOfBounds(facts.occurredAt, facts.now, names.occurredAt);
}

/** An event may lie at most 10 minutes ahead and 5 years back of the scope's clock. */
export function refuseTimeOutOfBounds(occurredAt: Date, now: Date, name = SNAKE.occurredAt): void {
  const earliest = new Date(now);
  earliest.setUTCFullYear(earliest.getUTCFullYear() - 5);
  if (occurredAt.getTime() > now.getTime() + 10 * MINUTE_MS) throw invalidField(name, 'must be at most 10 minutes ahead');
  if (occurredAt < earliest) throw invalidField(name, 'must be at most 5 years back');
}

/** Binds a line to everything its amount was calculated from. */
export function hashCalculation(planVersionId: string | null, baseMinor: bigint, currency: string, line: HashedLine): Buffer {
  const inputs = [
    planVersionId,
    `${baseMinor}`,
    currency,
    line.level,
    line.paidLevel,
    line.rateBps,
    line.multiplierMilli,
    `${line.amountMinor}`,
    // Absent of plans that have but levels, whose hashes are what they were.
    ...(line.choice ? [`${line.choice.source}:${line.choice.id ?? ''}`] : []),
    ...(line.parts ?? []).map(hashedPart),
  ];
  return createHash('sha256').update(JSON.stringify(inputs)).digest();
}

function hashedPart({ baseMinor, rateBps, flatMinor, multiplierMilli, choice: { source, id } }: RatePart): string {
  return [baseMinor, source, id ?? '', rateBps, flatMinor ?? '', multiplierMilli].join(':');
}

type HashedLine = Pick<PricedShare, 'level' | 'paidLevel' | 'rateBps' | 'multiplierMilli' | 'amountMinor' | 'choice' | 'parts'>;
