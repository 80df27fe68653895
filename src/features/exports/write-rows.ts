/** Rows as the text of a file: CSV with a header line, or a JSON object a line. */
import { type JsonRow, rowsAsCsv } from '../../documents/rows-as-csv.ts';
import type { ExportFormat } from './export-run.ts';

export interface RowWriter {
  /** What stands before the first row. */
  head: string;
  write(rows: readonly JsonRow[]): string;
}

export function createRowWriter(format: ExportFormat, columns: readonly string[]): RowWriter {
  if (format === 'ndjson') {
    return { head: '', write: (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join('') };
  }
  const { head, lines } = rowsAsCsv(columns);
  return { head, write: lines };
}
