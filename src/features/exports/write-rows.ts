/** Rows as the text of a file: CSV with a header line, or a JSON object a line. */
import { type CsvCell, csvRows, textCell, valueCell } from '../../documents/csv.ts';
import { exactName } from '../../money.ts';
import type { ExportedRow } from './export-kinds.ts';
import type { ExportFormat } from './export-run.ts';

export interface RowWriter {
  /** What stands before the first row. */
  head: string;
  write(rows: readonly ExportedRow[]): string;
}

export function createRowWriter(format: ExportFormat, columns: readonly string[]): RowWriter {
  if (format === 'ndjson') {
    return { head: '', write: (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join('') };
  }
  const paths = columns.map((column) => column.split('.'));
  return {
    head: csvRows([columns.map(valueCell)]),
    write: (rows) => csvRows(rows.map((row) => paths.map((path) => cellOf(valueAt(row, path))))),
  };
}

function valueAt(row: ExportedRow, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => {
    const at = value as ExportedRow | null | undefined;
    // Of a sum that no number holds exactly there are the digits beside it.
    return at?.[name] ?? at?.[exactName(name)];
  }, row);
}

/** A list or an object is one cell of JSON. */
function cellOf(value: unknown): CsvCell {
  if (value === null || value === undefined) return textCell(null);
  if (typeof value === 'number' || typeof value === 'boolean') return valueCell(String(value));
  return textCell(typeof value === 'string' ? value : JSON.stringify(value));
}
