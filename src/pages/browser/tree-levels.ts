/**
 * The rows of the tree of a team: which stand below which, how a level comes and how it is taken out again. A row has its
 * level in `data-level`, what it is in `data-row`, and where it can be opened whether it is in `data-open`.
 */
export type Row = HTMLTableRowElement;

/** More are kept only where somebody has them open. */
const MOST_ROWS = 500;

const DEEPEST_INDENT = 12;
/** The part of a page that has the rows of one level. */
const PART = 'rows';

export const levelOf = (row: Row | undefined): number => Number(row?.dataset['level'] ?? 0);
export const kindOf = (row: Row): string => row.dataset['row'] ?? '';
export const isOpen = (row: Row): boolean => row.dataset['open'] === 'yes';
export const canOpen = (row: Row): boolean => row.dataset['open'] !== undefined;
export const rowsOf = (body: HTMLTableSectionElement): Row[] => [...body.rows];
export const shownOf = (body: HTMLTableSectionElement): Row[] => rowsOf(body).filter((row) => !row.hidden);

/** All rows below one, at any depth; of nobody all that there are. */
export function below(body: HTMLTableSectionElement, row: Row | undefined): Row[] {
  const found: Row[] = [];
  let next = row ? row.nextElementSibling : body.firstElementChild;
  while (next instanceof HTMLTableRowElement && levelOf(next) > levelOf(row)) {
    found.push(next);
    next = next.nextElementSibling;
  }
  return found;
}

/** The member whose level the row is of; nobody for a root. */
export function parentOf(row: Row): Row | undefined {
  let before = row.previousElementSibling;
  while (before instanceof HTMLTableRowElement) {
    if (levelOf(before) < levelOf(row)) return before;
    before = before.previousElementSibling;
  }
  return undefined;
}

/** Members of one level, in their order. */
export function membersBelow(body: HTMLTableSectionElement, parent: Row | undefined): Row[] {
  const level = levelOf(parent) + 1;
  return below(body, parent).filter((row) => levelOf(row) === level && kindOf(row) === 'member');
}

/** Shows what stands below an open row, but not what stands below a closed one in it; hides what stands below a closed one. */
export function showBelow(body: HTMLTableSectionElement, row: Row): void {
  let closedAt = isOpen(row) ? Number.POSITIVE_INFINITY : levelOf(row);
  for (const one of below(body, row)) {
    const level = levelOf(one);
    if (level <= closedAt) closedAt = Number.POSITIVE_INFINITY;
    one.hidden = level > closedAt;
    if (!one.hidden && canOpen(one) && !isOpen(one)) closedAt = level;
  }
}

/** The rows of one level from the server, standing one further in than `parent`. Throws what went wrong, in words. */
export async function fetchLevel(href: string, parent: Row | undefined, signal: AbortSignal): Promise<Row[]> {
  const answer = await fetch(href, { signal, headers: { 'HX-Request': 'true', 'HX-Target': PART } });
  if (answer.redirected) {
    // The session has ended: the page itself says so.
    location.reload();
    return [];
  }
  if (!answer.ok) throw new Error(answer.status === 404 ? 'The member is gone.' : 'The level could not be read. Try again.');
  const holder = document.createElement('template');
  holder.innerHTML = await answer.text();
  const rows = [...holder.content.querySelectorAll('tr')];
  for (const row of rows) setLevel(row, levelOf(row) + levelOf(parent));
  return rows;
}

function setLevel(row: Row, level: number): void {
  row.classList.remove(`tree-level-${Math.min(levelOf(row), DEEPEST_INDENT)}`);
  row.dataset['level'] = String(level);
  row.classList.add(`tree-level-${Math.min(level, DEEPEST_INDENT)}`);
}

/** Puts a level's rows behind a row. A member that stands there already is not put in twice. */
export function putBehind(body: HTMLTableSectionElement, anchor: Row | undefined, rows: readonly Row[]): Row[] {
  const fresh = rows.filter((row) => row.id === '' || document.getElementById(row.id) === null);
  const next = anchor ? anchor.nextElementSibling : body.firstElementChild;
  for (const row of fresh) body.insertBefore(row, next);
  return fresh;
}

/**
 * Takes out what stands below closed rows, the furthest from `current` first, until there are few enough. It comes again
 * when the row is opened.
 */
export function takeOutFarAway(body: HTMLTableSectionElement, current: Row | undefined): void {
  if (body.rows.length <= MOST_ROWS) return;
  const all = rowsOf(body);
  const here = current ? all.indexOf(current) : 0;
  const closed = all
    .map((row, at) => ({ row, away: Math.abs(at - here) }))
    .filter(({ row }) => canOpen(row) && !isOpen(row) && levelOf(nextOf(row)) > levelOf(row))
    .toSorted((a, b) => b.away - a.away);
  for (const { row } of closed) {
    if (body.rows.length <= MOST_ROWS) return;
    for (const one of below(body, row)) one.remove();
  }
}

function nextOf(row: Row): Row | undefined {
  return row.nextElementSibling instanceof HTMLTableRowElement ? row.nextElementSibling : undefined;
}
