/**
 * The palette: one input for pages, for what the role may do, and for records by any id. Ctrl K or `/` opens it. What was
 * opened by it is remembered in this browser by its address alone, which has ids and no names.
 */
interface Found {
  href: string;
  title: string;
  kind: string;
  note?: string;
}

/** As the search page answers. */
interface Hit extends Omit<Found, 'href'> {
  href: string | null;
  state: string;
  exact: boolean;
}

interface Answered {
  results: Hit[];
  deeds: { title: string; href: string }[];
}

const RECENT = 'mcr-recent';
const KEPT = 6;
const WAIT_MS = 150;
/** States that go without saying. */
const USUAL = new Set(['active', 'accepted']);
const opener = document.querySelector<HTMLAnchorElement>('[data-palette]');
/** `/dashboard/{slug}/{environment}`. */
const home = location.pathname.split('/').slice(0, 4).join('/');
let deeds: Promise<Found[]> | undefined;

if (opener) {
  opener.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open();
  });
  document.addEventListener('keydown', (event) => {
    const typing =
      event.target instanceof HTMLElement &&
      (event.target.isContentEditable || /^(?:INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName));
    const byCtrl = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k';
    const bySlash =
      event.key === '/' && !event.ctrlKey && !event.metaKey && !typing && localStorage.getItem('mcr-keys-off') !== 'yes';
    if (!byCtrl && !bySlash) return;
    event.preventDefault();
    if (!document.querySelector('dialog:modal')) open();
  });
}

async function ask(text: string, signal?: AbortSignal): Promise<Answered> {
  const address = `${opener?.href ?? ''}?${new URLSearchParams({ as: 'json', q: text })}`;
  const answer = await fetch(address, signal ? { signal } : {});
  // Whoever is not signed in any more is led to sign in.
  if (answer.redirected) location.reload();
  if (!answer.ok || answer.redirected) throw new Error(`the search answered ${answer.status}`);
  return (await answer.json()) as Answered;
}

function pagesOf(): Found[] {
  return [...document.querySelectorAll<HTMLAnchorElement>('.nav a')].map((link) => ({
    href: link.pathname,
    title: link.querySelector('span')?.textContent ?? '',
    kind: 'Page',
  }));
}

/** Asked for once a page, when the palette is first opened. */
function deedsOf(): Promise<Found[]> {
  deeds ??= ask('').then(
    (answer) => answer.deeds.map((deed) => ({ ...deed, kind: 'Begin' })),
    () => [],
  );
  return deeds;
}

function recents(): Found[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(RECENT) ?? '[]');
    if (!Array.isArray(kept)) return [];
    return kept
      .filter((one): one is string => typeof one === 'string' && one.startsWith(`${home}/`))
      .slice(0, KEPT)
      .map((href) => ({ href, ...nameOf(href) }));
  } catch {
    return [];
  }
}

/** `/members/01a2…` is the page Members with the id behind it. */
function nameOf(href: string): Pick<Found, 'title' | 'kind' | 'note'> {
  const [, first = '', ...rest] = href.slice(home.length).split(/[/?]/);
  const page = pagesOf().find((one) => one.href === `${home}/${first}`);
  const title = page?.title ?? first.charAt(0).toUpperCase() + first.slice(1);
  return { title, kind: 'Recent', note: rest.join(' / ').slice(0, 40) };
}

function remember(href: string): void {
  if (!href.startsWith(`${home}/`)) return;
  const others = recents().filter((one) => one.href !== href);
  localStorage.setItem(RECENT, JSON.stringify([href, ...others.map((one) => one.href)].slice(0, KEPT)));
}

function part(className: string, text: string): HTMLElement {
  const span = document.createElement('span');
  if (className !== '') span.className = className;
  span.textContent = text;
  return span;
}

function open(): void {
  const dialog = document.createElement('dialog');
  dialog.className = 'dialog palette';
  dialog.setAttribute('aria-label', 'Search or jump to');
  const input = document.createElement('input');
  input.type = 'text';
  input.setAttribute('role', 'combobox');
  input.setAttribute('aria-controls', 'palette-list');
  input.setAttribute('aria-autocomplete', 'list');
  input.setAttribute('aria-label', 'Name, email, id or order number');
  input.placeholder = 'Name, email, id or order number';
  input.autocomplete = 'off';
  input.spellcheck = false;
  const list = document.createElement('div');
  list.id = 'palette-list';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Found');
  const say = document.createElement('p');
  say.className = 'palette-say';
  say.setAttribute('role', 'status');
  dialog.append(input, list, say);
  document.body.append(dialog);

  let found: Found[] = [];
  let at = 0;
  /** One for each text that was typed; the last that was answered, and the last in which a row was chosen by keys. */
  let turn = 0;
  let answered = 0;
  let moved = 0;
  let timer = 0;
  /** Enter was pressed before the answer was there. */
  let hurried = false;
  let last: AbortController | undefined;

  dialog.addEventListener('close', () => {
    clearTimeout(timer);
    last?.abort();
    dialog.remove();
  });

  const go = (chosen: Found | undefined): void => {
    if (!chosen) return;
    remember(chosen.href);
    location.assign(chosen.href);
  };

  const choose = (index: number): void => {
    at = Math.min(Math.max(index, 0), Math.max(found.length - 1, 0));
    for (const [nr, option] of [...list.children].entries()) option.setAttribute('aria-selected', String(nr === at));
    list.children[at]?.scrollIntoView({ block: 'nearest' });
    if (found.length > 0) input.setAttribute('aria-activedescendant', `palette-${at}`);
    else input.removeAttribute('aria-activedescendant');
  };

  const show = (all: Found[]): void => {
    found = all;
    list.replaceChildren(
      ...all.map((one, index) => {
        const option = document.createElement('div');
        option.id = `palette-${index}`;
        option.setAttribute('role', 'option');
        const title = document.createElement('bdi');
        title.textContent = one.title;
        option.append(title, part('muted palette-note', one.note ?? ''), part('palette-kind', one.kind));
        option.addEventListener('click', () => go(one));
        return option;
      }),
    );
    input.setAttribute('aria-expanded', String(all.length > 0));
    choose(0);
  };

  /** Of pages and of what one can begin what has the word, and of records whatever the service finds. */
  const search = async (): Promise<void> => {
    clearTimeout(timer);
    const text = input.value.trim();
    const mine = turn;
    last?.abort();
    last = new AbortController();
    try {
      const [begin, { results }] = await Promise.all([deedsOf(), ask(text, last.signal)]);
      if (mine !== turn) return;
      const hits = results.flatMap(({ href, state, ...hit }) => {
        const note = [hit.note ?? '', USUAL.has(state) ? '' : state].filter(Boolean).join(' · ');
        return href === null ? [] : [{ ...hit, href, note }];
      });
      const near = [...pagesOf(), ...begin].filter(({ title }) => has(title, text));
      // What was named whole is what is wanted.
      show([...hits.filter(({ exact }) => exact), ...near, ...hits.filter(({ exact }) => !exact)]);
      answered = mine;
      say.textContent = found.length === 0 ? 'Nothing by that name or id.' : `${found.length} found`;
      if (hurried) go(found[0]);
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return;
      say.textContent = 'The search did not answer.';
    }
    hurried = false;
  };

  const typed = (): void => {
    const text = input.value.trim();
    turn += 1;
    hurried = false;
    clearTimeout(timer);
    last?.abort();
    say.textContent = '';
    if (text !== '') {
      show(pagesOf().filter(({ title }) => has(title, text)));
      timer = setTimeout(() => void search(), WAIT_MS);
      return;
    }
    const mine = turn;
    answered = mine;
    show([...recents(), ...pagesOf()]);
    void deedsOf().then((begin) => {
      if (mine !== turn || !dialog.isConnected) return;
      const before = at;
      show([...recents(), ...pagesOf(), ...begin]);
      choose(before);
    });
  };

  input.addEventListener('input', typed);
  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      moved = turn;
      choose(at + (event.key === 'ArrowDown' ? 1 : -1));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (answered === turn || moved === turn) return go(found[at]);
      // A pasted id opens by Enter at once: as soon as the answer is there.
      hurried = true;
      void search();
    }
  });
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.showModal();
  typed();
}

function has(title: string, text: string): boolean {
  return title.toLowerCase().includes(text.toLowerCase());
}

export {};
