/** Purchases as rows of a file: the same rules as for POST /events/purchase, flat, without line items and metadata. */
import { type Cells, integerOf, type RowFault, toRowFaults } from '../../../documents/csv-row.ts';
import { inPlainWords } from '../../../http/field-faults.ts';
import { type Purchase, purchaseOf } from './purchase.ts';
import { purchaseBody } from './purchase-body.ts';

const AMOUNTS = ['amount_minor', 'tax_minor', 'shipping_minor', 'discount_minor'];
const CUSTOMER = ['customer_external_id', 'customer_email', 'customer_name', 'customer_country'];
const ATTRIBUTION = [
  'attribution_user_id',
  'attribution_referral_code',
  'attribution_link_id',
  'attribution_lead_id',
  'attribution_click_id',
];

export const PURCHASE_COLUMNS: readonly string[] = [
  'external_event_id',
  'type',
  'occurred_at',
  ...AMOUNTS,
  'currency',
  'discount_code',
  ...CUSTOMER,
  'buyer_user_id',
  ...ATTRIBUTION,
];

export const PURCHASE_REQUIRED: readonly string[] = ['external_event_id', 'amount_minor', 'currency', 'customer_external_id'];

export function readPurchaseRow(cells: Cells): { purchase: Purchase } | { faults: RowFault[] } {
  const customer = under('customer_', CUSTOMER, cells);
  const attribution = under('attribution_', ATTRIBUTION, cells);
  const own = Object.entries(cells)
    .filter(([column]) => !CUSTOMER.includes(column) && !ATTRIBUTION.includes(column))
    .map(([column, cell]) => [column, AMOUNTS.includes(column) ? integerOf(cell) : cell]);
  const row = { ...Object.fromEntries(own), customer, ...(Object.keys(attribution).length > 0 && { attribution }) };
  const parsed = purchaseBody.safeParse(row, inPlainWords);
  return parsed.success ? { purchase: purchaseOf(parsed.data) } : { faults: toRowFaults(parsed.error, purchaseColumnOf) };
}

/** The column of a field of the operation's body. */
export function purchaseColumnOf(field: string): string {
  return field.replace(/\./, '_');
}

function under(prefix: string, columns: readonly string[], cells: Cells): Record<string, string> {
  return Object.fromEntries(
    columns.flatMap((column) => {
      const cell = cells[column];
      return cell === undefined ? [] : [[column.slice(prefix.length), cell]];
    }),
  );
}
