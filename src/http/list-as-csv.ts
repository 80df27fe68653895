/**
 * A list as CSV, for callers whose `Accept` asks for `text/csv`: its operation read page after page, so that a file says
 * what the API says. Source: docs/specification/conventions.md#csv.
 */
import type { Request } from 'express';
import { type JsonRow, rowsAsCsv } from '../documents/rows-as-csv.ts';
import { type CsvForm, type PiecedAnswer, savedAs } from './operation.ts';

/** Rows that are read at a time. */
const PAGE_ROWS = 100;

/** Whether CSV is preferred to JSON: whoever accepts anything gets JSON. */
export function prefersCsv(req: Request): boolean {
  return req.accepts(['application/json', 'text/csv']) === 'text/csv';
}

export interface ReadList {
  csv: CsvForm;
  /** The request's own, as they came. */
  query: Readonly<Record<string, unknown>>;
  /** The path and query of the request. */
  url: string;
  /** The answer of the operation in JSON, for these parameters in place of the request's. */
  read(paging: { limit?: number; cursor?: string }): Promise<JsonRow>;
  /** Called before each page but the first: throws when the caller may not read any more. */
  goOn(): Promise<void>;
}

/**
 * All rows from `cursor` on, or the first; with `limit` one page, and the next in the header `Link` (RFC 8288). What the
 * first page throws is thrown before anything is sent; a later fault cuts the file off.
 */
export async function listAsCsv({ csv, query, url, read, goOn }: ReadList): Promise<PiecedAnswer> {
  const { head, lines } = rowsAsCsv(csv.columns);
  const headers = savedAs(csv.fileName);
  const rowsOf = csv.rowsOf ?? rowsOfList;
  if (query['limit'] !== undefined) {
    const page = await read({});
    const cursor = cursorOf(page);
    const link = cursor === undefined ? {} : { Link: `<${withCursor(url, cursor)}>; rel="next"` };
    return { status: 200, pieces: [head, lines(rowsOf(page))], headers: { ...headers, ...link } };
  }
  const isPaged = csv.rowsOf === undefined;
  async function* pieces(): AsyncGenerator<string> {
    yield head;
    let page = await read(isPaged ? { limit: PAGE_ROWS } : {});
    yield lines(rowsOf(page));
    for (let cursor = cursorOf(page); cursor !== undefined; cursor = cursorOf(page)) {
      await goOn();
      page = await read({ limit: PAGE_ROWS, cursor });
      yield lines(rowsOf(page));
    }
  }
  return { status: 200, pieces: pieces(), headers };
}

function rowsOfList(body: JsonRow): JsonRow[] {
  return body['data'] as JsonRow[];
}

function cursorOf(body: JsonRow): string | undefined {
  const next = body['nextCursor'] ?? body['next_cursor'];
  return typeof next === 'string' ? next : undefined;
}

function withCursor(url: string, cursor: string): string {
  const next = new URL(url, 'http://relative');
  next.searchParams.set('cursor', cursor);
  return `${next.pathname}${next.search}`;
}
