/**
 * CSV of RFC 4180: lines end in CR LF, text is UTF-8. A spreadsheet takes a cell that begins like a
 * formula for one, so text that somebody wrote gets an apostrophe before it.
 */
import { stringify } from 'csv-stringify/sync';

/** Amounts and the like are made by us and pass as they are, a minus included. */
export type CsvCell = { text: string | null } | { value: string | number };

export function textCell(text: string | null): CsvCell {
  return { text };
}

export function valueCell(value: string | number): CsvCell {
  return { value };
}

/** What spreadsheets begin a formula with, in their full-width forms too, and what some skip before one. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;

function contentOf(cell: CsvCell): string {
  if ('value' in cell) return String(cell.value);
  const text = cell.text ?? '';
  return FORMULA.test(text) ? `'${text}` : text;
}

/** By itself the library quotes CR LF, and neither of the two alone. */
const FORM = { record_delimiter: '\r\n', quoted_match: /[\r\n]/ };

export function csvRows(rows: readonly (readonly CsvCell[])[]): string {
  return rows.length === 0
    ? ''
    : stringify(
        rows.map((row) => row.map(contentOf)),
        FORM,
      );
}

/** The lines of a file: its column names, then what comes, page by page. */
export async function* csvPieces(columns: readonly string[], pages: AsyncIterable<readonly CsvCell[][]>): AsyncGenerator<string> {
  yield csvRows([columns.map(valueCell)]);
  for await (const rows of pages) yield csvRows(rows);
}
