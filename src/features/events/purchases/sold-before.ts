/**
 * What the members of an upline have sold before a sale, where a plan has ladders or its rules ask for it.
 * Source: docs/specification/rates.md#ladders.
 */
import type { Db, Scope } from '../../../db/scope.ts';
import { factsAsked, salesAsked } from '../../commissions/open/choose-rate.ts';
import type { PlanDefinition } from '../../commissions/open/plan-definition.ts';
import type { Ladder } from '../../commissions/open/plan-ladders.ts';
import type { UplineMember } from '../../commissions/open/walk-upline.ts';
import { readSales, type SalesByPart } from '../sales-sums/read-sales.ts';

interface Asked {
  plan: PlanDefinition;
  upline: readonly { id: string }[];
  at: Date;
  currency: string;
}

type Sold = ReadonlyMap<string, Pick<UplineMember, 'ladderSums' | 'salesMinor' | 'salesCount'>>;

/**
 * One statement for all members and periods; none for a plan that asks for no sales. Sales that are recorded at once do not
 * see each other.
 */
export async function soldBefore(db: Db, scope: Scope, { plan, upline, at, currency }: Asked): Promise<Sold> {
  const periods = salesAsked(plan);
  if (periods.length === 0 || upline.length === 0) return new Map();
  const found = await readSales(db, scope, { memberIds: upline.map(({ id }) => id), currency, periods, asOf: at });
  const asked = factsAsked(plan.rules);
  const wantsMonth = asked.has('member.salesMinor') || asked.has('member.salesCount');
  const ladders = plan.ladders.filter(({ period }) => periods.includes(period));
  return new Map(
    [...found].map(([id, by]) => [
      id,
      {
        ...(wantsMonth && { salesMinor: by.month.credited.amountMinor, salesCount: by.month.credited.sales }),
        ...(ladders.length > 0 && {
          ladderSums: Object.fromEntries(ladders.map((ladder) => [ladder.id, ladderSum(ladder, by[ladder.period])])),
        }),
      },
    ]),
  );
}

/** Own purchases count where the ladder says so; those of test members never. */
export function ladderSum({ measure, ownPurchases }: Pick<Ladder, 'measure' | 'ownPurchases'>, by: SalesByPart): bigint {
  const sums = ownPurchases ? [by.credited, by.own] : [by.credited];
  return sums.reduce((total, { baseMinor, amountMinor, sales }) => {
    return total + { base: baseMinor, amount: amountMinor, sales: BigInt(sales) }[measure];
  }, 0n);
}

export function withSales(upline: readonly UplineMember[], sold: Sold): UplineMember[] {
  return upline.map((member) => ({ ...member, ...sold.get(member.id) }));
}
