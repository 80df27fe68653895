/** What a purchase adds to the sums of its member's sales, and what takes it back. Source: docs/decisions/0033-sales-sums.md. */
import { divideRoundHalfUp } from '../../../money.ts';

/** `own`: the credited member is the buyer. `test`: the sale was blocked as one of a test member, whoever bought. */
export type SalePart = 'credited' | 'own' | 'test';

/** A credited purchase, as it was sold. */
export interface Sold {
  memberId: string;
  occurredAt: Date;
  part: SalePart;
  baseMinor: bigint;
  /** Gross. */
  amountMinor: bigint;
}

/** A row of sales_pending. The currency is the event's. */
export interface SaleChange extends Sold {
  sales: -1 | 0 | 1;
}

/** The part of a credited purchase; salePartText says the same in SQL. */
export function salePartOf(sale: { block: string | undefined; buyerId: string | null; attributedId: string }): SalePart {
  if (sale.block === 'TEST_USER') return 'test';
  return sale.buyerId === sale.attributedId ? 'own' : 'credited';
}

/** What a purchase adds when it is recorded; null when that is nothing. */
export function changeBySale(sold: Sold): SaleChange | null {
  return changed(sold, { baseMinor: 0n, amountMinor: 0n, sales: 0 }, netOf(sold, 0n));
}

/**
 * What the sums change by when the gross amount that is taken back of a purchase becomes another one; null when that is
 * nothing. Changes of a purchase add up to what is left of it, in whatever steps it is taken back and given back.
 */
export function changeByReversal(sold: Sold, refundedBefore: bigint, refundedAfter: bigint): SaleChange | null {
  return changed(sold, netOf(sold, refundedBefore), netOf(sold, refundedAfter));
}

interface Net {
  baseMinor: bigint;
  amountMinor: bigint;
  sales: number;
}

/** It is a sale while something of its gross is left. Of nothing, nothing can be taken back. */
function netOf({ baseMinor, amountMinor }: Sold, refunded: bigint): Net {
  const takenMinor = amountMinor === 0n ? 0n : divideRoundHalfUp(baseMinor * refunded, amountMinor);
  return { baseMinor: baseMinor - takenMinor, amountMinor: amountMinor - refunded, sales: refunded < amountMinor ? 1 : 0 };
}

function changed(sold: Sold, before: Net, after: Net): SaleChange | null {
  const baseMinor = after.baseMinor - before.baseMinor;
  const amountMinor = after.amountMinor - before.amountMinor;
  const sales = (after.sales - before.sales) as SaleChange['sales'];
  return baseMinor === 0n && amountMinor === 0n && sales === 0 ? null : { ...sold, baseMinor, amountMinor, sales };
}
