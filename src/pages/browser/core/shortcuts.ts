/**
 * Keys: `g` and a letter go to a page, `j` and `k` choose a row, Enter opens it, `?` shows all, those of the page first.
 * Keys without Ctrl can be switched off, for who speaks to the computer (WCAG 2.1.4).
 */
const OFF = 'mcr-keys-off';

const isOff = (): boolean => localStorage.getItem(OFF) === 'yes';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|SELECT|TEXTAREA)$/.test(target.tagName));

let going = false;
let chosen = -1;

document.addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (document.querySelector('dialog:modal')) return;
  if (isOff()) return;
  if (event.key === '?') {
    event.preventDefault();
    showKeys();
    return;
  }
  if (going) {
    going = false;
    const link = document.querySelector<HTMLAnchorElement>(`[data-go="${CSS.escape(event.key)}"]`);
    // A letter behind `g` means nothing else, also where it leads nowhere.
    if (event.key.length === 1) event.preventDefault();
    link?.click();
    return;
  }
  if (event.key === 'g') {
    going = true;
    setTimeout(() => {
      going = false;
    }, 1_500);
  } else if (event.key === 'j' || event.key === 'k') choose(event.key === 'j' ? 1 : -1);
  else if (event.key === 'Enter' && event.target === document.body)
    rows()[chosen]?.querySelector<HTMLAnchorElement>('a')?.click();
});

const rows = (): HTMLTableRowElement[] =>
  [...document.querySelectorAll<HTMLTableRowElement>('main .table tbody tr')].filter((row) => row.offsetParent !== null);

function choose(step: number): void {
  const all = rows();
  if (all.length === 0) return;
  all[chosen]?.classList.remove('is-chosen');
  chosen = Math.min(Math.max(chosen + step, 0), all.length - 1);
  const row = all[chosen];
  row?.classList.add('is-chosen');
  row?.scrollIntoView({ block: 'nearest' });
  const link = row?.querySelector<HTMLAnchorElement>('a');
  if (link) link.focus({ preventScroll: true });
}

function showKeys(): void {
  document.getElementById('keys')?.remove();
  const dialog = document.createElement('dialog');
  dialog.id = 'keys';
  dialog.className = 'dialog';
  dialog.setAttribute('aria-labelledby', 'keys-title');
  const title = document.createElement('h2');
  title.id = 'keys-title';
  title.textContent = 'Keyboard shortcuts';
  const list = document.createElement('dl');
  list.className = 'keys';
  const go = [...document.querySelectorAll<HTMLAnchorElement>('[data-go]')].map((link): [string, string] => [
    `g ${link.dataset['go']}`,
    link.querySelector('span')?.textContent ?? '',
  ]);
  const own = [...document.querySelectorAll<HTMLElement>('[data-page-key]')].map((one): [string, string] => [
    one.dataset['pageKey'] ?? '',
    one.querySelector('dd')?.textContent ?? '',
  ]);
  for (const [keys, what] of [
    ...own,
    ['Ctrl K  /', 'Search or jump to'],
    ...go,
    ['j  k', 'Next or previous row'],
    ['Enter', 'Open the row'],
    ['?', 'These keys'],
  ] as [string, string][]) {
    const name = document.createElement('dt');
    const key = document.createElement('kbd');
    key.textContent = keys;
    name.append(key);
    const means = document.createElement('dd');
    means.textContent = what;
    list.append(name, means);
  }
  const label = document.createElement('label');
  const box = document.createElement('input');
  box.type = 'checkbox';
  box.checked = !isOff();
  box.addEventListener('change', () => {
    if (box.checked) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, 'yes');
  });
  label.append(box, ' Keys of one letter are on');
  const close = document.createElement('button');
  close.type = 'button';
  close.className = 'button';
  close.textContent = 'Close';
  close.addEventListener('click', () => dialog.close());
  const end = document.createElement('div');
  end.className = 'dialog-close';
  end.append(label, document.createElement('br'), close);
  dialog.append(title, list, end);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

document.addEventListener('click', (event) => {
  if (event.target instanceof Element && event.target.closest('[data-keys-help]')) showKeys();
});
