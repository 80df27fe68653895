/**
 * The palette: one input for pages, for what the role may do, and for records by any id. Ctrl K or `/` opens it. Of what
 * was opened by it only addresses are remembered.
 */
interface Found {
  href: string;
  title: string;
  kind: string;
  note?: string;
}

const RECENT = 'mcr-recent';
const opener = document.querySelector<HTMLAnchorElement>('[data-palette]');
const slug = location.pathname.split('/').slice(0, 4).join('/');

if (opener) {
  opener.addEventListener('click', (event) => {
    event.preventDefault();
    open();
  });
  document.addEventListener('keydown', (event) => {
    const typing = event.target instanceof HTMLElement && /^(?:INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    const byCtrl = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
    const bySlash = event.key === '/' && !typing && localStorage.getItem('mcr-keys-off') !== 'yes';
    if (!byCtrl && !bySlash) return;
    event.preventDefault();
    if (!document.querySelector('dialog:modal')) open();
  });
}

function pagesOf(): Found[] {
  return [...document.querySelectorAll<HTMLAnchorElement>('.nav a')].map((link) => ({
    href: link.pathname,
    title: link.querySelector('span')?.textContent ?? '',
    kind: 'Page',
  }));
}

function recents(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(RECENT) ?? '[]');
    return Array.isArray(kept) ? kept.filter((one): one is string => typeof one === 'string' && one.startsWith(slug)) : [];
  } catch {
    return [];
  }
}

function remember(href: string): void {
  localStorage.setItem(RECENT, JSON.stringify([href, ...recents().filter((one) => one !== href)].slice(0, 8)));
}

function open(): void {
  const dialog = document.createElement('dialog');
  dialog.className = 'dialog palette';
  dialog.setAttribute('aria-label', 'Search or jump to');
  const input = document.createElement('input');
  input.type = 'text';
  input.setAttribute('role', 'combobox');
  input.setAttribute('aria-expanded', 'true');
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
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();

  let found: Found[] = [];
  let at = 0;
  let asked = 0;
  let timer = 0;
  let last: AbortController | undefined;

  const go = (): void => {
    const chosen = found[at];
    if (!chosen) return;
    remember(chosen.href);
    location.assign(chosen.href);
  };

  const draw = (): void => {
    at = Math.min(at, Math.max(found.length - 1, 0));
    list.replaceChildren(
      ...found.map((one, index) => {
        const option = document.createElement('div');
        option.id = `palette-${index}`;
        option.setAttribute('role', 'option');
        option.setAttribute('aria-selected', String(index === at));
        const title = document.createElement('span');
        title.textContent = one.title;
        const note = document.createElement('span');
        note.className = 'muted';
        note.textContent = one.note ?? '';
        const kind = document.createElement('span');
        kind.className = 'palette-kind';
        kind.textContent = one.kind;
        option.append(title, note, kind);
        option.addEventListener('click', () => {
          at = index;
          go();
        });
        return option;
      }),
    );
    list.children[at]?.scrollIntoView({ block: 'nearest' });
    if (found.length > 0) input.setAttribute('aria-activedescendant', `palette-${at}`);
    else input.removeAttribute('aria-activedescendant');
  };

  const search = async (text: string, turn: number): Promise<void> => {
    last?.abort();
    last = new AbortController();
    try {
      const address = `${opener?.href ?? ''}?${new URLSearchParams({ as: 'json', q: text })}`;
      const answer = await fetch(address, { signal: last.signal });
      if (!answer.ok || turn !== asked) return;
      const { results } = (await answer.json()) as { results: Found[] };
      const pages = found.filter(({ kind }) => kind === 'Page');
      // What was searched for by its id is what is wanted.
      found = [...results, ...pages];
      at = 0;
      say.textContent = found.length === 0 ? 'Nothing by that name or id.' : '';
      draw();
    } catch (error) {
      if (!(error instanceof DOMException)) say.textContent = 'The search did not answer.';
    }
  };

  const typed = (): void => {
    const text = input.value.trim();
    asked += 1;
    clearTimeout(timer);
    if (text === '') {
      const all = pagesOf();
      const known = recents().map(
        (href): Found => ({ href, title: decodeURIComponent(href.slice(slug.length + 1)) || 'Overview', kind: 'Recent' }),
      );
      found = [...known, ...all];
      say.textContent = '';
    } else {
      const word = text.toLowerCase();
      found = pagesOf().filter(({ title }) => title.toLowerCase().includes(word));
      const turn = asked;
      timer = setTimeout(() => void search(text, turn), 150);
    }
    at = 0;
    draw();
  };

  input.addEventListener('input', typed);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      at = Math.min(Math.max(at + (event.key === 'ArrowDown' ? 1 : -1), 0), Math.max(found.length - 1, 0));
      draw();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      go();
    }
  });
  typed();
}

export {};
