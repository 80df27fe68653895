/** Leads as rows of a file: the same rules as for POST /leads/capture. */
import { type Cells, type RowFault, toRowFaults } from '../../documents/csv-row.ts';
import { captureLead } from './leads-operations.ts';
import type { Capture } from './leads-service.ts';

export const LEAD_COLUMNS: readonly string[] = [
  'email',
  'name',
  'phone',
  'referral_code',
  'source',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'click_id',
];

export function readLeadRow(cells: Cells): { lead: Capture } | { faults: RowFault[] } {
  const parsed = captureLead.body?.safeParse(cells);
  if (!parsed) throw new Error('the operation that captures a lead has no body');
  return parsed.success ? { lead: parsed.data } : { faults: toRowFaults(parsed.error) };
}
