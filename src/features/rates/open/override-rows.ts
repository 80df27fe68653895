/** Agreed rates as rows of a file: the same rules as for POST /rate-overrides, flat, with more ways to name a member or a code. */
import { z } from 'zod';
import { type Cells, integerOf, type RowFault, toRowFaults } from '../../../documents/csv-row.ts';
import { inPlainWords } from '../../../http/field-faults.ts';
import { currency, email, normaliseEmail, text } from '../../../http/schemas.ts';
import type { AgreedTarget } from '../../commissions/open/agreed-rates.ts';
import { customCode } from '../../users/open/referral-code.ts';
import { type NewAgreement, overrideBody } from './override-body.ts';

/** In place of an id, and of which target. */
const NAMES = { email: 'member', external_id: 'member', referral_code: 'code' } as const satisfies Record<string, AgreedTarget>;
export type NameColumn = keyof typeof NAMES;
const NAME_COLUMNS = Object.keys(NAMES) as NameColumn[];
const LISTS = ['skus', 'categories'] as const;

export const OVERRIDE_COLUMNS: readonly string[] = [
  'target',
  'target_id',
  ...NAME_COLUMNS,
  'plan_id',
  'level',
  ...LISTS,
  'rate_bps',
  'flat_minor',
  'currency',
  'per',
  'valid_from',
  'reason',
];

export interface OverrideRow {
  terms: Omit<NewAgreement, 'targetId'>;
  /** Its column, and what stands there. */
  named: { column: 'target_id' | NameColumn; value: string };
}

const named = overrideBody.omit({ targetId: true });

/** Those that POST /rate-overrides has not. */
const furtherCells = z.object({
  email: email.optional(),
  external_id: text(255).optional(),
  referral_code: customCode.optional(),
  currency: currency.optional(),
});

export function readOverrideRow(cells: Cells): { row: OverrideRow } | { faults: RowFault[] } {
  const further = furtherCells.safeParse(cells, inPlainWords);
  const column = NAME_COLUMNS.find((one) => cells[one] !== undefined);
  const { target_id: targetId } = cells;
  const fields = {
    target: cells['target'],
    ...(targetId !== undefined && { targetId }),
    planId: cells['plan_id'],
    level: integerOf(cells['level']),
    items: itemsOf(cells),
    // A fault of the currency is told by its own column.
    pay: payOf(cells, further.data?.currency ?? 'USD'),
    validFrom: cells['valid_from'],
    reason: cells['reason'],
  };
  const own = (targetId === undefined && column !== undefined ? named : overrideBody).safeParse(fields, inPlainWords);
  const faults = [
    ...(own.success ? [] : toRowFaults(own.error, overrideColumnOf)).map(inColumns),
    ...(further.success ? [] : toRowFaults(further.error)),
    ...faultsBetween(cells),
  ];
  if (faults.length > 0 || !own.success || !further.success) return { faults };
  const { email: mail, external_id, referral_code } = further.data;
  const values = { email: mail && normaliseEmail(mail), external_id, referral_code };
  const { targetId: id, ...terms } = own.data as NewAgreement;
  return { row: { terms, named: column ? { column, value: values[column] ?? '' } : { column: 'target_id', value: id } } };
}

/** The column of a field of the operation's body. */
export function overrideColumnOf(field: string): string {
  const [first = '', second] = field.split(/[.[]/);
  if (first === 'pay') return snake(second ?? 'rateBps');
  return snake(first === 'items' ? (second ?? 'skus') : first);
}

function itemsOf(cells: Cells): object | undefined {
  const lists = LISTS.flatMap((name) => {
    const cell = cells[name];
    return cell === undefined ? [] : [[name, cell.split('|').map((one) => one.trim())]];
  });
  return lists.length > 0 ? Object.fromEntries(lists) : undefined;
}

function payOf(cells: Cells, inCurrency: string): object {
  const { rate_bps, flat_minor, per } = cells;
  return {
    ...(rate_bps !== undefined && { rateBps: integerOf(rate_bps) }),
    ...(flat_minor !== undefined && { flatMinor: { [inCurrency]: integerOf(flat_minor) } }),
    ...(per !== undefined && { per }),
  };
}

/** What one cell says against another. */
function faultsBetween(cells: Cells): RowFault[] {
  const [first, ...others] = (['target_id', ...NAME_COLUMNS] as const).filter((column) => cells[column] !== undefined);
  const faults: RowFault[] = others.map((field) => ({ field, message: `must be empty beside ${first}` }));
  if (first !== undefined && first !== 'target_id' && cells['target'] !== NAMES[first]) {
    faults.push({ field: first, message: `stands beside the target ${NAMES[first]} only` });
  }
  const { flat_minor, currency: code } = cells;
  if (flat_minor !== undefined && code === undefined) faults.push({ field: 'currency', message: 'must stand beside flat_minor' });
  if (flat_minor === undefined && code !== undefined) {
    faults.push({ field: 'currency', message: 'stands beside flat_minor only' });
  }
  return faults;
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Its message names fields of the body as their columns. */
const inColumns = ({ message, ...fault }: RowFault): RowFault => ({
  ...fault,
  message: message.replace(/\b[a-z]+(?:[A-Z][a-z]+)+\b/g, snake),
});
