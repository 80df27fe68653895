/**
 * What a line of a purchase lacks once the period of its ladder is over: the purchase is evaluated again from what was kept
 * with it, with what the member has reached by the end. A pure function. Source: docs/specification/rates.md#whole-period.
 */
import { evaluatePlan } from '../../commissions/open/evaluate-plan.ts';
import type { PlanDefinition } from '../../commissions/open/plan-definition.ts';
import { type Ladder, startOf, stepAt } from '../../commissions/open/plan-ladders.ts';
import { eventCeiling, type PricedShare } from '../../commissions/open/price-shares.ts';
import { restoreInput } from '../../commissions/open/stored-evaluation.ts';
import type { Reached, SoldLine } from './settling-queries.ts';

/** The line itself, as it is stored. */
export interface ToppedLine {
  beneficiaryId: string;
  level: number;
  paidLevel: number;
  amountMinor: bigint;
  currency: string;
  conversion: { amountMinor: bigint } | null;
}

export interface TopUpDue {
  /** Never 0. */
  amountMinor: bigint;
  sourceAmountMinor: bigint | null;
  /** What the sale was paid by, as it was recorded. */
  paid: { sum: bigint; step: number };
  /** What the line comes to by the end, with all its top-ups. */
  settledMinor: bigint;
}

/** The step that counts from now on: a refund behind a run does not take back what that has reached. */
export function reach(ladder: Ladder, sum: bigint, currency: string, before: Reached): Reached[string] {
  return { step: Math.max(stepAt(ladder, sum, currency), before[currency]?.step ?? 0), sum: sum.toString() };
}

/** A sum that the step begins at or that lies above it. */
function sumReached({ steps }: Ladder, { step, sum }: Reached[string], currency: string): bigint {
  const at = steps[step];
  const start = BigInt((at && startOf(at, currency)) ?? 0);
  return BigInt(sum) > start ? BigInt(sum) : start;
}

/** The ladders of the plan that are settled for the day of the sale, with what the member has reached. */
export type SettledBy = readonly { ladder: Ladder; reached: Reached }[];

/** Undefined where the ladder does not pay the line, or nothing is missing. */
export function topUpDue(
  line: ToppedLine,
  sold: SoldLine,
  { plan, ladder, settledBy }: { plan: PlanDefinition; ladder: Ladder; settledBy: SettledBy },
): TopUpDue | undefined {
  const input = restoreInput(sold, sold.evaluation, plan);
  const { beneficiaryId } = line;
  const paid = input.upline.find(({ id }) => id === beneficiaryId)?.ladderSums?.[ladder.id];
  const sums = settledBy.flatMap(({ ladder: one, reached }) => {
    const { [sold.currency]: at } = reached;
    return at ? [[one.id, sumReached(one, at, sold.currency)] as const] : [];
  });
  const upline = input.upline.map((member) =>
    member.id === beneficiaryId ? { ...member, ladderSums: { ...member.ladderSums, ...Object.fromEntries(sums) } } : member,
  );
  const ceiling = eventCeiling(plan, sold.baseMinor);
  const { outcomes } = evaluatePlan({
    ...input,
    upline,
    // What others were paid stays: there is no more than the rest of the ceiling.
    ...(ceiling !== undefined && { memberRoomMinor: new Map([[beneficiaryId, ceiling - sold.othersMinor]]) }),
  });
  const share = outcomes
    .flatMap(({ shares }) => shares)
    .find((one) => one.beneficiaryId === beneficiaryId && one.level === line.level && one.paidLevel === line.paidLevel);
  if (paid === undefined || !share || !laddersOf(share).includes(ladder.id)) return undefined;
  const amountMinor = share.amountMinor - line.amountMinor - sold.toppedUpMinor;
  if (amountMinor === 0n) return undefined;
  return {
    amountMinor,
    sourceAmountMinor: line.conversion && share.sourceAmountMinor - line.conversion.amountMinor - sold.toppedUpSourceMinor,
    paid: { sum: paid, step: stepAt(ladder, paid, sold.currency) },
    settledMinor: share.amountMinor,
  };
}

/** The ladders that a share is paid by, wholly or for parts of the sale. */
export function laddersOf({ choice, parts }: Pick<PricedShare, 'choice' | 'parts'>): string[] {
  const choices = parts ? parts.map((part) => part.choice) : [choice];
  return [...new Set(choices.flatMap((one) => one?.ladder?.id ?? []))];
}
