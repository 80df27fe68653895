/**
 * Parts of a sale, for plans that pay by what was bought: line items of one product each, which the base is shared over.
 * Pure functions. Source: docs/specification/rates.md#parts.
 */
import { allocateByLargestRemainder } from '../../../money.ts';

export interface SoldItem {
  sku: string;
  category: string | null;
  /** Pieces. */
  quantity: number;
  amountMinor: bigint;
}

/** Line items with the same article number and category; both are null of a sale that says nothing of what was bought. */
export interface SalePart {
  sku: string | null;
  category: string | null;
  quantity: number;
  baseMinor: bigint;
}

/**
 * In the order sent. The base is shared by the items' amounts with the largest remainders, ties to the earlier, so the
 * parts sum to it whatever discounts, tax and shipping did. Items that sum to nothing, or none, are one part.
 */
export function partsOf(items: readonly SoldItem[], baseMinor: bigint): SalePart[] {
  const merged = mergeItems(items);
  const weights = merged.map(({ amountMinor }) => amountMinor);
  if (weights.every((weight) => weight === 0n)) {
    const quantity = items.reduce((sum, item) => sum + item.quantity, 0);
    return [{ sku: null, category: null, quantity: quantity === 0 ? 1 : quantity, baseMinor }];
  }
  const bases = allocateByLargestRemainder(baseMinor, weights);
  return merged.map(({ sku, category, quantity }, index) => ({ sku, category, quantity, baseMinor: bases[index] ?? 0n }));
}

function mergeItems(items: readonly SoldItem[]): SoldItem[] {
  const merged = new Map<string, SoldItem>();
  for (const item of items) {
    const key = JSON.stringify([item.sku, item.category]);
    const known = merged.get(key);
    const quantity = item.quantity + (known?.quantity ?? 0);
    merged.set(key, { ...item, quantity, amountMinor: item.amountMinor + (known?.amountMinor ?? 0n) });
  }
  return [...merged.values()];
}
