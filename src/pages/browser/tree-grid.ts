/**
 * Makes a treegrid of the table of a team (WAI-ARIA Authoring Practices, treegrid): a row opens by a click or →, closes by
 * ←, ↑ ↓ Home End move, Enter opens the member. Each opening asks for one level. Source: docs/specification/pages.md#tree.
 */
import {
  below,
  canOpen,
  fetchLevel,
  isOpen,
  kindOf,
  levelOf,
  membersBelow,
  parentOf,
  putBehind,
  type Row,
  rowsOf,
  showBelow,
  shownOf,
  takeOutFarAway,
} from './tree-levels.ts';

/** Kept in the address, so that the page is the same when it is opened again. */
const MOST_IN_ADDRESS = 10;
const TYPING_MS = 200;

const table = document.querySelector<HTMLTableElement>('table[data-tree]');
const body = table?.tBodies[0];
if (table && body) start(table, body);

function start(table: HTMLTableElement, body: HTMLTableSectionElement): void {
  const say = document.querySelector<HTMLElement>('[data-tree-say]');
  const asking = new Map<Row | undefined, AbortController>();
  let current: Row | undefined;

  table.setAttribute('role', 'treegrid');
  table.setAttribute('aria-label', table.caption?.textContent ?? '');
  for (const row of rowsOf(body)) dress(row);
  for (const parent of [undefined, ...rowsOf(body).filter(isOpen)]) number(body, parent);
  const sought = body.querySelector<Row>('tr[data-found]') ?? soughtByAddress(body);
  setCurrent(sought ?? shownOf(body)[0]);
  if (sought) {
    sought.focus({ preventScroll: true });
    sought.scrollIntoView({ block: 'center' });
  }

  function tell(text: string): void {
    if (say) say.textContent = text;
  }

  /** One row is in the order of Tab, and so are its links. */
  function setCurrent(row: Row | undefined, focus = false): void {
    if (row && row !== current) {
      if (current?.isConnected) leave(current);
      current = row;
      enter(row);
    }
    if (row && focus) {
      const target = kindOf(row) === 'filter' ? row.querySelector<HTMLElement>('input[type="search"]') : row;
      target?.focus();
    }
  }

  /** Asks for a level, once at a time. Undefined where another question came between, or where it went wrong: it is said. */
  async function ask(href: string, parent: Row | undefined): Promise<Row[] | undefined> {
    asking.get(parent)?.abort();
    const own = new AbortController();
    asking.set(parent, own);
    const busy = parent ?? table;
    busy.setAttribute('aria-busy', 'true');
    try {
      return await fetchLevel(href, parent, own.signal);
    } catch (error) {
      if (!own.signal.aborted)
        tell(error instanceof Error && !(error instanceof TypeError) ? error.message : 'The service did not answer. Try again.');
      return undefined;
    } finally {
      if (asking.get(parent) === own) {
        asking.delete(parent);
        busy.removeAttribute('aria-busy');
      }
    }
  }

  function put(anchor: Row | undefined, parent: Row | undefined, rows: readonly Row[]): Row[] {
    const fresh = putBehind(body, anchor, rows);
    for (const row of fresh) dress(row);
    number(body, parent);
    takeOutFarAway(body, current);
    return fresh;
  }

  async function open(row: Row): Promise<void> {
    if (!canOpen(row) || isOpen(row)) return;
    setOpen(row, true);
    if (below(body, row).length === 0) {
      const href = row.querySelector<HTMLAnchorElement>('a[data-team]')?.href;
      const rows = href === undefined ? undefined : await ask(href, row);
      // Closed again before they came: they are asked for when it is opened.
      if (!rows || !isOpen(row) || below(body, row).length > 0) {
        if (!rows && below(body, row).length === 0 && !asking.has(row)) setOpen(row, false);
        return;
      }
      put(row, row, rows);
      const name = nameIn(row);
      tell(`${membersBelow(body, row).length} of ${Number(row.dataset['direct']).toLocaleString()} recruits of ${name}`);
    }
    showBelow(body, row);
    keepAddress();
  }

  function close(row: Row): void {
    if (!isOpen(row)) return;
    setOpen(row, false);
    if (current && below(body, row).includes(current)) setCurrent(row, document.activeElement !== document.body);
    showBelow(body, row);
    takeOutFarAway(body, current);
    keepAddress();
  }

  async function showMore(row: Row): Promise<void> {
    const href = row.querySelector('a')?.href;
    const parent = parentOf(row);
    if (href === undefined || asking.has(parent)) return;
    const rows = await ask(href, parent);
    if (!rows || !row.isConnected) return;
    const had = current === row;
    const added = put(
      row,
      parent,
      rows.filter((one) => kindOf(one) !== 'filter' && kindOf(one) !== 'back'),
    );
    row.remove();
    const first = added[0] ?? parent;
    if (had) setCurrent(first, true);
    tell(`${added.filter((one) => kindOf(one) === 'member').length} more`);
  }

  async function filter(row: Row): Promise<void> {
    const form = row.querySelector('form');
    if (!form) return;
    const sent = [...new FormData(form)].filter(
      (pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1] !== '',
    );
    const query = new URLSearchParams(sent).toString();
    const parent = parentOf(row);
    const rows = await ask(query === '' ? form.action : `${form.action}?${query}`, parent);
    if (!rows || !row.isConnected) return;
    const stays = parent ? [] : rowsOf(body).slice(0, rowsOf(body).indexOf(row));
    for (const one of below(body, parent)) if (one !== row && !stays.includes(one)) one.remove();
    const added = put(
      row,
      parent,
      rows.filter((one) => kindOf(one) !== 'filter'),
    );
    const count = added.filter((one) => kindOf(one) === 'member').length;
    tell(count === 0 ? 'Nobody' : `${count}${added.some((one) => kindOf(one) === 'more') ? ' or more' : ''} found`);
  }

  /** Which rows are open stands in the address; who was looked for is found. */
  function keepAddress(): void {
    const own = table.dataset['tree'];
    const ids = shownOf(body)
      .filter(isOpen)
      .map(({ id }) => id.slice(2))
      .filter((id) => id !== own);
    const url = new URL(location.href);
    url.searchParams.delete('at');
    url.searchParams.set('open', ids.slice(-MOST_IN_ADDRESS).join('.') || '-');
    url.hash = '';
    history.replaceState(null, '', url);
  }

  function move(row: Row, step: number): void {
    const shown = shownOf(body);
    setCurrent(shown[Math.min(Math.max(shown.indexOf(row) + step, 0), shown.length - 1)], true);
  }

  const keys: Readonly<Record<string, (row: Row) => void>> = {
    ArrowDown: (row) => move(row, 1),
    ArrowUp: (row) => move(row, -1),
    Home: (row) => move(row, Number.NEGATIVE_INFINITY),
    End: (row) => move(row, Number.POSITIVE_INFINITY),
    ArrowRight: (row) => {
      if (!canOpen(row)) return;
      if (isOpen(row)) move(row, 1);
      else void open(row);
    },
    ArrowLeft: (row) => (isOpen(row) ? close(row) : setCurrent(parentOf(row) ?? row, true)),
    Enter: (row) => row.querySelector<HTMLAnchorElement>('.tree-cell a')?.click(),
  };

  table.addEventListener('keydown', (event) => {
    const { target, key } = event;
    const row = target instanceof Element ? target.closest<Row>('tr[data-row]') : null;
    if (!row || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const isTyping = target instanceof HTMLInputElement;
    // Within the input they move the caret, and Enter sends; on a link Enter follows it.
    if (isTyping && key !== 'ArrowDown' && key !== 'ArrowUp') return;
    if (key === 'Enter' && target !== row) return;
    const act = keys[key];
    if (!act) return;
    event.preventDefault();
    act(row);
  });

  table.addEventListener('focusin', ({ target }) => {
    const row = target instanceof Element ? target.closest<Row>('tr[data-row]') : null;
    if (row) setCurrent(row);
  });

  table.addEventListener('click', (event) => {
    const target = event.target instanceof Element ? event.target : null;
    const row = target?.closest<Row>('tr[data-row]');
    if (!row || event.defaultPrevented) return;
    const link = target?.closest('a');
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (link) {
      const filtered = link.dataset['clear'] !== undefined;
      if (!isPlain || (kindOf(row) !== 'more' && !filtered)) return;
      event.preventDefault();
      if (!filtered) return void showMore(row);
      const input = row.querySelector<HTMLInputElement>('input[type="search"]');
      if (input) input.value = '';
      link.remove();
      input?.focus();
      return void filter(row);
    }
    if (target?.closest('form, button') || getSelection()?.isCollapsed === false) return;
    setCurrent(row, true);
    if (isOpen(row)) close(row);
    else void open(row);
  });

  let timer = 0;
  table.addEventListener('input', ({ target }) => {
    const row = target instanceof Element ? target.closest<Row>('tr[data-row="filter"]') : null;
    clearTimeout(timer);
    if (row) timer = setTimeout(() => void filter(row), TYPING_MS);
  });

  table.addEventListener('submit', (event) => {
    const row = event.target instanceof Element ? event.target.closest<Row>('tr[data-row="filter"]') : null;
    if (!row) return;
    event.preventDefault();
    clearTimeout(timer);
    void filter(row);
  });
}

/** Of a row that came with the address, as after a link that opened it. */
function soughtByAddress(body: HTMLTableSectionElement): Row | undefined {
  const named = location.hash === '' ? null : document.getElementById(location.hash.slice(1));
  return named instanceof HTMLTableRowElement && body.contains(named) ? named : undefined;
}

/** What a row of a treegrid says of itself. The link that opens it becomes a sign: the row opens itself. */
function dress(row: Row): void {
  row.setAttribute('aria-level', String(levelOf(row)));
  if (canOpen(row)) row.setAttribute('aria-expanded', String(isOpen(row)));
  const turn = row.querySelector('a.tree-turn');
  if (turn) {
    const sign = document.createElement('span');
    sign.className = 'tree-turn';
    const icon = turn.querySelector('svg');
    if (icon) sign.append(icon);
    turn.replaceWith(sign);
  }
  leave(row);
}

function setOpen(row: Row, open: boolean): void {
  row.dataset['open'] = open ? 'yes' : 'no';
  row.setAttribute('aria-expanded', String(open));
}

function leave(row: Row): void {
  row.tabIndex = -1;
  for (const one of row.querySelectorAll<HTMLElement>('a, input, button')) one.tabIndex = -1;
}

/** The row that holds an input is not stopped at beside it. */
function enter(row: Row): void {
  if (kindOf(row) !== 'filter') row.tabIndex = 0;
  for (const one of row.querySelectorAll<HTMLElement>('a, input, button')) one.removeAttribute('tabindex');
}

/** The place of each member of a level, and how many there are: of a level that was not read to its end they are not known. */
function number(body: HTMLTableSectionElement, parent: Row | undefined): void {
  const level = levelOf(parent) + 1;
  const own = below(body, parent).filter((row) => levelOf(row) === level);
  const isWhole = !own.some((row) => kindOf(row) === 'more');
  const members = own.filter((row) => kindOf(row) === 'member');
  for (const [index, row] of members.entries()) {
    row.setAttribute('aria-posinset', String(index + 1));
    row.setAttribute('aria-setsize', isWhole ? String(members.length) : (parent?.dataset['direct'] ?? '-1'));
  }
}

function nameIn(row: Row): string {
  return row.querySelector('.tree-who a')?.textContent ?? '';
}

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-tree-options]')) {
  form.addEventListener('change', () => form.requestSubmit());
}
