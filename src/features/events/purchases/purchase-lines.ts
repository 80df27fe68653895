/**
 * The lines that a purchase pays its upline, as they are born.
 * Source: docs/specification/commissions.md#who-is-paid, docs/specification/attribution.md#self-purchase.
 */
import type { LineStatus, NewLine } from '../../commissions/open/commission-line.ts';
import { paySourceOf } from '../../commissions/open/pay-parts.ts';
import type { PricedShare } from '../../commissions/open/price-shares.ts';
import type { EventStatus } from '../event-kinds.ts';
import type { PurchaseType } from '../open/purchase-body.ts';
import { clearsAtOf, type DecidedPurchase, hashCalculation } from './decide-purchase.ts';

/** In the order of the answer. */
export function linesOf(decided: DecidedPurchase, type: PurchaseType, occurredAt: Date): NewLine[] {
  return decided.evaluation.lines
    .map((share) => newLine(share, type, occurredAt, decided))
    .toSorted((a, b) => a.level - b.level || a.paidLevel - b.paidLevel);
}

/** Whether the line is paid to whoever may have bought: it has the customer's email, and no buyer was named. */
export function isSelfPurchase({ beneficiaryId }: Pick<PricedShare, 'beneficiaryId'>, { selfId }: DecidedPurchase): boolean {
  return beneficiaryId === selfId;
}

/** Of the event, when it is recorded. */
export function bornStatus(decided: DecidedPurchase): EventStatus {
  if (decided.attributedId === null) return 'unattributed';
  return decided.evaluation.lines.some((share) => isSelfPurchase(share, decided)) ? 'held' : 'accepted';
}

/** What the event keeps of lines that are born held; nothing when none is. */
export function bornHeld(lines: readonly NewLine[]): { selfMember?: string; firstStatuses?: LineStatus[] } {
  const held = lines.find(({ holdCause }) => holdCause === 'self_purchase');
  return held ? { selfMember: held.beneficiaryId, firstStatuses: lines.map(({ status }) => status) } : {};
}

function newLine(share: PricedShare, type: PurchaseType, occurredAt: Date, decided: DecidedPurchase): NewLine {
  const { plan, baseMinor } = decided;
  const planVersionId = plan?.id ?? null;
  const { exchangeRateId } = share;
  const isHeld = isSelfPurchase(share, decided);
  return {
    beneficiaryId: share.beneficiaryId,
    kind: 'commission',
    source: type === 'one_time' ? 'sales' : 'subscription',
    level: share.level,
    legId: share.legId,
    paidLevel: share.paidLevel,
    rateBps: share.rateBps,
    flatMinor: share.flatMinor,
    multiplierMilli: share.multiplierMilli,
    baseMinor,
    amountMinor: share.amountMinor,
    currency: share.currency,
    conversion:
      exchangeRateId === null ? null : { amountMinor: share.sourceAmountMinor, currency: share.sourceCurrency, exchangeRateId },
    cappedMinor: share.cappedMinor,
    cap: share.cap,
    status: isHeld ? 'held' : 'pending',
    holdCause: isHeld ? 'self_purchase' : null,
    clearsAt: clearsAtOf(plan, share.level, occurredAt),
    occurredAt,
    planVersionId,
    paySource: paySourceOf(share),
    calculationHash: hashCalculation(planVersionId, baseMinor, share.currency, share),
    reversesLineId: null,
    aboutEventId: null,
  };
}
