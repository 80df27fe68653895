/**
 * How the amount of a member's line follows from its sale, told so that the member may read it: of everybody else a
 * verdict alone. No id, name, tier, volume, room or amount of another member is in it. A pure function, recomputed by
 * tools/evaluate-explain.ts. Source: docs/specification/commissions.md#verdicts.
 */
import { toJsonInteger } from '../../money.ts';
import type { DerivationAnswer } from './commissions-operations.ts';
import type { LineSale } from './derivation-queries.ts';
import type { CommissionLine } from './open/commission-line.ts';
import { evaluatePlan } from './open/evaluate-plan.ts';
import { bySource, EXACT_DENOMINATOR, type SourcePay } from './open/pay-parts.ts';
import type { PlanDefinition } from './open/plan-definition.ts';
import type { PricedShare, Rate } from './open/price-shares.ts';
import { restoreInput } from './open/stored-evaluation.ts';

export function deriveLine(line: CommissionLine, sale: LineSale, plan: PlanDefinition): DerivationAnswer {
  const input = restoreInput(sale, sale.inputs ?? {}, plan);
  const { outcomes } = evaluatePlan(input);
  const own = outcomes.find(({ level }) => level === line.level);
  const paid = own?.shares.find(({ paidLevel }) => paidLevel === line.paidLevel);
  return {
    plan: {
      planId: sale.planId,
      versionId: sale.versionId,
      version: sale.version,
      mode: plan.mode,
      compression: plan.compression,
    },
    baseMinor: toJsonInteger(sale.baseMinor),
    currency: sale.currency,
    verdicts: outcomes.map(({ level, notPaid, shares }) => ({
      level,
      own: level === line.level,
      qualified: shares.length > 0,
      reason: notPaid ?? null,
      usedLevels: shares.map(({ paidLevel }) => paidLevel),
    })),
    shares: (own?.shares ?? []).map((share) => ownShare(share, input.rates)),
    recomputed: paid?.amountMinor === line.amountMinor && paid.currency === line.currency,
  };
}

function ownShare(share: PricedShare, rates: ReadonlyMap<string, Rate> | undefined): DerivationAnswer['shares'][number] {
  const { roundedMinor, ceiledMinor, sourceAmountMinor } = share;
  const rate = share.exchangeRateId === null ? undefined : rates?.get(share.currency);
  return {
    paidLevel: share.paidLevel,
    rateBps: share.rateBps,
    flatMinor: share.flatMinor === null ? null : toJsonInteger(share.flatMinor),
    multiplierMilli: share.multiplierMilli,
    ...(share.parts && { parts: bySource(share.parts).map(ownPart) }),
    exact: { numerator: share.exactNumerator.toString(), denominator: EXACT_DENOMINATOR.toString() },
    roundedMinor: toJsonInteger(roundedMinor),
    ceilingLeavesMinor: ceiledMinor === roundedMinor ? null : toJsonInteger(ceiledMinor),
    capsLeaveMinor: sourceAmountMinor === ceiledMinor ? null : toJsonInteger(sourceAmountMinor),
    rate: rate ? { numerator: toJsonInteger(rate.numerator), denominator: toJsonInteger(rate.denominator) } : null,
    amountMinor: toJsonInteger(share.amountMinor),
    currency: share.currency,
  };
}

function ownPart({ baseMinor, flatMinor, ...pay }: SourcePay) {
  return { ...pay, baseMinor: toJsonInteger(baseMinor), flatMinor: flatMinor === null ? null : toJsonInteger(flatMinor) };
}
