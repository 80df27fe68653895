/**
 * The plan editor: soon after each change what was found, and the quote, are asked for anew, and what is wrong stands beside
 * its field. Whoever leaves with something unsaved is asked. Without script a button does the same.
 */
const WAIT_MS = 300;

const editor = document.querySelector<HTMLElement>('[data-plan-editor]');
const form = editor?.closest('form');
const side = document.querySelector<HTMLElement>(`#${editor?.dataset['planEditor'] ?? 'none'}`);

if (editor && form && side) follow(editor, form, side);

function follow(root: HTMLElement, sent: HTMLFormElement, shown: HTMLElement): void {
  let timer: number | undefined;
  let running: AbortController | undefined;
  let unsaved = root.dataset['unsaved'] !== undefined;

  async function ask(): Promise<void> {
    const own = new AbortController();
    running = own;
    try {
      const body = new URLSearchParams();
      for (const [name, value] of new FormData(sent)) if (typeof value === 'string') body.append(name, value);
      body.append('deed', 'check');
      const headers = { 'hx-request': 'true', 'hx-target': shown.id };
      const answer = await fetch(sent.action, { method: 'POST', body, headers, signal: own.signal });
      const text = await answer.text();
      if (running !== own) return;
      // Whoever was signed out is led elsewhere, and finds the form here until then.
      if (!answer.ok || answer.redirected) return notUpToDate(shown);
      const fresh = new DOMParser().parseFromString(text, 'text/html');
      shown.replaceChildren(...fresh.body.childNodes);
      tell(root, shown);
    } catch {
      if (running === own) notUpToDate(shown);
    } finally {
      if (running === own) shown.removeAttribute('aria-busy');
    }
  }

  sent.addEventListener('input', () => {
    unsaved = true;
    // What stands there is of what was typed before, until the answer to the last change has come.
    running?.abort();
    running = undefined;
    shown.setAttribute('aria-busy', 'true');
    clearTimeout(timer);
    timer = window.setTimeout(() => void ask(), WAIT_MS);
  });
  sent.addEventListener('submit', () => {
    unsaved = false;
  });
  window.addEventListener('beforeunload', (event) => {
    if (unsaved) event.preventDefault();
  });
}

/** In the place of what was said of an earlier draft. */
function notUpToDate(shown: HTMLElement): void {
  const text = document.createElement('p');
  text.className = 'notice notice-bad';
  text.setAttribute('role', 'alert');
  text.textContent = 'Not up to date: this could not be checked.';
  shown.replaceChildren(text);
}

/** Puts what was found beside the fields, in the place of what stood there. */
function tell(root: HTMLElement, shown: HTMLElement): void {
  for (const old of root.querySelectorAll('.fault, .plan-warning')) old.remove();
  for (const field of root.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid');
  for (const item of shown.querySelectorAll<HTMLElement>('[data-told-at]')) {
    const id = item.dataset['toldAt'] ?? '';
    const field = document.querySelector<HTMLElement>(`[id="${CSS.escape(id)}"], [id="${CSS.escape(`${id}-0`)}"]`);
    if (!field) continue;
    const isBad = item.dataset['tone'] === 'bad';
    const text = document.createElement('p');
    text.className = isBad ? 'fault' : 'plan-warning';
    text.textContent = item.textContent;
    (field.closest('.field') ?? field).append(text);
    field.closest('details')?.setAttribute('open', '');
    if (!isBad || !field.matches('input, select, textarea')) continue;
    text.id = `${id}-fault`;
    field.setAttribute('aria-invalid', 'true');
    field.setAttribute('aria-describedby', `${id}-hint ${text.id}`);
  }
}
