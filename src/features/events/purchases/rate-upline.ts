/**
 * What the members of an upline are judged by where a plan has more than levels: what was agreed with them, and the parts of
 * the sale. Source: docs/specification/rates.md#overrides, docs/specification/rates.md#parts.
 */
import { raw, statement } from '../../../db/query.ts';
import type { Db, Scope } from '../../../db/scope.ts';
import type { DecidedAttribution } from '../../attribution/attribution-service.ts';
import type { AgreedRate } from '../../commissions/open/agreed-rates.ts';
import { judgePart, type SaleFacts } from '../../commissions/open/choose-rate.ts';
import { commissionParts } from '../../commissions/open/evaluate-plan.ts';
import type { PlanDefinition } from '../../commissions/open/plan-definition.ts';
import { asksForParts } from '../../commissions/open/plan-rules.ts';
import type { SalePart } from '../../commissions/open/sale-parts.ts';
import type { UplineMember } from '../../commissions/open/walk-upline.ts';
import { AGREED_AT, type AgreedItems, type AgreedRow, type BroughtBy } from '../../rates/open/agreed-at.ts';
import type { ChainMember } from '../open/chain-member.ts';
import type { Purchase } from '../open/purchase.ts';

export interface Rated {
  upline: UplineMember[];
  facts: SaleFacts | undefined;
}

interface AgreedParameters extends BroughtBy {
  memberIds: readonly string[];
  at: Date;
  planId: string;
}

const agreedAt = statement<AgreedRow, AgreedParameters>('rates_agreed_at', ({ memberIds, at, planId, linkId, code, clickId }) =>
  raw(AGREED_AT, { memberIds, at, planId, linkId, code, clickId }),
);

interface AgreedGround {
  plan: { planId: string; definition: PlanDefinition };
  upline: readonly ChainMember[];
  at: Date;
  credit: DecidedAttribution;
}

/** One statement where the plan allows it and anything was ever agreed with somebody of the upline; else none. */
export async function agreedWith(
  db: Db,
  scope: Scope,
  { plan: { planId, definition }, upline, at, credit }: AgreedGround,
): Promise<AgreedRow[]> {
  const memberIds = upline.filter(({ hasOverride }) => hasOverride).map(({ id }) => id);
  if (definition.overrides === null || memberIds.length === 0) return [];
  return db.rows(agreedAt(scope, { memberIds, at, planId, ...broughtBy(credit) }));
}

/** Whom a buyer is credited to the plan alone says: no link brought that sale. */
function broughtBy({ attribution: { rule, winner } }: DecidedAttribution): BroughtBy {
  const won = (source: string): string | null => (rule === source && winner?.source === source ? winner.reference : null);
  return { linkId: won('link'), code: won('referral_code'), clickId: won('click') };
}

interface RateGround {
  plan: PlanDefinition;
  purchase: Pick<Purchase, 'lineItems'>;
  baseMinor: bigint;
}

/** Parts are made where a rule or something that was agreed asks which products were sold, or how many. */
export function rate(
  upline: readonly UplineMember[],
  agreed: readonly AgreedRow[],
  said: SaleFacts | undefined,
  { plan, purchase, baseMinor }: RateGround,
): Rated {
  const asked = asksForParts(plan.rules) || agreed.some(({ items, pay }) => items !== null || pay.per === 'unit');
  const parts = asked ? commissionParts(plan, purchase, baseMinor) : undefined;
  const { values, holds } = said ?? { values: {}, holds: [] };
  const facts = parts ? { values, holds, parts: parts.map((part) => judgePart(plan.rules, part)) } : said;
  if (agreed.length === 0) return { upline: [...upline], facts };
  return {
    facts,
    upline: upline.map((member) => {
      const own = agreed.filter(({ memberId }) => memberId === member.id);
      return own.length === 0 ? member : { ...member, agreed: own.map((row) => agreedRate(row, parts)) };
    }),
  };
}

function agreedRate({ id, target, level, forPlan, items, pay }: AgreedRow, parts: readonly SalePart[] | undefined): AgreedRate {
  const named = items && (parts ?? []).flatMap((part, index) => (names(items, part) ? [index] : []));
  return { id, target, level, forPlan, pay, ...(named && { parts: named }) };
}

function names({ skus = [], categories = [] }: AgreedItems, { sku, category }: SalePart): boolean {
  return (sku !== null && skus.includes(sku)) || (category !== null && categories.includes(category));
}
