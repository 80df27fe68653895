/**
 * A table: its first column is the link to the row, figures stand on the right, secondary columns fold into the first
 * cell where there is no room. Source: docs/specification/pages.md#tables.
 */
import type { PageContext } from '../define-page.ts';
import { type Drawn, type Html, html } from '../html.ts';

export interface Column<Row> {
  title: string;
  cell(row: Row): Drawn;
  /** Figures stand on the right. */
  number?: boolean;
  /** Folds into the first cell on a narrow screen. */
  secondary?: boolean;
}

export interface Table<Row> {
  /** What the table is, for who does not see it. */
  caption: string;
  /** At most seven. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Where a row leads; its first cell is the link. */
  link?(row: Row): string;
  /** In place of the table where there are no rows. */
  empty: Html;
  id?: string;
}

export function table<Row>({ caption, columns, rows, link, empty, id }: Table<Row>): Html {
  if (rows.length === 0) return empty;
  const [first, ...others] = columns;
  if (!first) throw new Error('a table has a column');
  const folding = others.filter(({ secondary }) => secondary);
  const head = columns.map((column) => html`<th scope="col" class="${classOf(column)}">${column.title}</th>`);
  const body = rows.map((row) => {
    const name = first.cell(row);
    const folded = folding.map(
      ({ title, cell }) => html`<span class="folded"><span class="muted">${title}</span> ${cell(row)}</span>`,
    );
    const cells = others.map((column) => html`<td class="${classOf(column)}">${column.cell(row)}</td>`);
    return html`<tr><th scope="row">${link ? html`<a href="${link(row)}">${name}</a>` : name}${folded}</th>${cells}</tr>`;
  });
  return html`<section class="scroll" aria-label="${caption}" tabindex="0"><table class="table"${id !== undefined && html` id="${id}"`}><caption class="unseen">${caption}</caption><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></section>`;
}

function classOf({ number, secondary }: Column<never> | { number?: boolean; secondary?: boolean }): string {
  return [number && 'number', secondary && 'secondary'].filter(Boolean).join(' ') || 'cell';
}

export interface Pages {
  /** The address of the page before; absent on the first. */
  newer?: string | undefined;
  older?: string | undefined;
}

/** Paging by cursor: there are no page numbers to promise. */
export function pager({ newer, older }: Pages): Html {
  if (newer === undefined && older === undefined) return html``;
  return html`<nav class="pager" aria-label="Pages">${newer !== undefined && html`<a class="button" rel="prev" href="${newer}">Newer</a>`}${older !== undefined && html`<a class="button" rel="next" href="${older}">Older</a>`}</nav>`;
}

/** How many pages back are remembered in the address. */
const LONGEST_TRAIL = 10;

/** The pager of a list whose cursors lead forward only: the way back stands in the address. */
export function pagerOf(page: Pick<PageContext, 'query' | 'here'>, nextCursor: string | null): Html {
  const { cursor, trail = '' } = page.query;
  const before = trail === '' && cursor === undefined ? [] : trail.split('~');
  const newer = cursor === undefined ? undefined : page.here({ cursor: before.at(-1), trail: before.slice(0, -1).join('~') });
  const behind = cursor === undefined ? '' : [...(trail === '' ? [''] : before), cursor].slice(-LONGEST_TRAIL).join('~');
  return pager({ newer, older: nextCursor === null ? undefined : page.here({ cursor: nextCursor, trail: behind }) });
}
