/** Leads as rows of a file: the same rules as for POST /leads/capture. */
import { type Cells, type RowFault, toRowFaults } from '../../../documents/csv-row.ts';
import { inPlainWords } from '../../../http/field-faults.ts';
import { type Capture, captureBody } from './capture.ts';

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
  const parsed = captureBody.safeParse(cells, inPlainWords);
  return parsed.success ? { lead: parsed.data } : { faults: toRowFaults(parsed.error) };
}
