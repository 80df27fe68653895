/** Rows of answers as CSV: a column for each path of a field, as `attribution.user_id`. */
import { exactName } from '../money.ts';
import { type CsvCell, csvRows, textCell, valueCell } from './csv.ts';

/** A row as JSON has it: dates are texts. */
export type JsonRow = Readonly<Record<string, unknown>>;

export interface RowsAsCsv {
  /** The line of the columns' names. */
  head: string;
  lines(rows: readonly JsonRow[]): string;
}

export function rowsAsCsv(columns: readonly string[]): RowsAsCsv {
  const paths = columns.map((column) => column.split('.'));
  return {
    head: csvRows([columns.map(valueCell)]),
    lines: (rows) => csvRows(rows.map((row) => paths.map((path) => cellOf(valueAt(row, path))))),
  };
}

function valueAt(row: JsonRow, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => {
    const at = value as JsonRow | null | undefined;
    // A sum that no number holds exactly has its digits beside it.
    return at?.[name] ?? at?.[exactName(name)];
  }, row);
}

/** A list or an object is one cell of JSON. */
function cellOf(value: unknown): CsvCell {
  if (value === null || value === undefined) return textCell(null);
  if (typeof value === 'number' || typeof value === 'boolean') return valueCell(String(value));
  return textCell(typeof value === 'string' ? value : JSON.stringify(value));
}
