/** What a page of the frame has, and how it reads: first its shape, then what it says, or why it cannot. */
import type { Scope, Session } from './answers.ts';
import { type Connection, Failure } from './connection.ts';
import { button, type Child, type Format, h, put } from './kit.ts';
import type { Words } from './words.ts';

export interface Look {
  words: Words;
  format: Format;
  connection: Connection;
  session: Session;
  /** Shows another page, which the session has. */
  open(scope: Scope): void;
  has(scope: Scope): boolean;
  /** Says it to those who do not look. */
  say(text: string): void;
}

/** A module of a page. */
export interface PageModule {
  draw(panel: HTMLElement, look: Look): void;
}

/** What each box shows or waits for. */
const turns = new WeakMap<HTMLElement, symbol>();

/** Empties a box, also of what it waits for. */
export function clear(box: HTMLElement): void {
  turns.delete(box);
  box.removeAttribute('aria-busy');
  put(box);
}

/** Reads and draws into the box, and again when the member asks for that after a failure. */
export async function show<T>(box: HTMLElement, look: Look, read: () => Promise<T>, draw: (answer: T) => Child): Promise<void> {
  const { words } = look;
  const hadFocus = box.contains(document.activeElement);
  const turn = Symbol('turn');
  turns.set(box, turn);
  box.setAttribute('aria-busy', 'true');
  // What can be read stays until there is something else: the page around would jump.
  if (!box.firstElementChild || box.querySelector(':scope > [role=alert]')) put(box, skeleton(words));
  let drawn: Child;
  try {
    drawn = draw(await read());
  } catch (error) {
    drawn = failure(words, error, () => show(box, look, read, draw));
  }
  // Something else was asked for meanwhile.
  if (turns.get(box) !== turn) return;
  put(box, drawn);
  box.removeAttribute('aria-busy');
  if (hadFocus) focusOn(box);
}

/** Puts the focus on what is no control, so that it is not lost. */
export function focusOn(element: HTMLElement): void {
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** The shape of what will come; without words where the language is not known yet. */
export function skeleton(words?: Words): HTMLElement {
  const bars = [1, 2, 3].map(() => h('div', { class: 'bone' }));
  return h('div', { class: 'skeleton' }, words && h('span', { class: 'unseen' }, words.loading), bars);
}

const NO_MODULE = 'NO_MODULE';

/** What is loaded later than the frame. */
export async function loaded<T>(module: Promise<T>): Promise<T> {
  try {
    return await module;
  } catch {
    throw new Failure(0, NO_MODULE);
  }
}

/** What went wrong in the member's words, with what support asks for. */
export function failure(words: Words, error: unknown, retry?: () => unknown): HTMLElement {
  const known = error instanceof Failure ? error : new Failure(0, '');
  // Browsers do not ask again for a module that they could not load.
  const again = known.code === NO_MODULE ? () => location.reload() : retry;
  return h(
    'div',
    { class: 'empty', role: 'alert' },
    h('h2', null, again ? words.failed : words.notDone),
    h('p', null, words.failedWhy[whyOf(known)]),
    again && button(words.retry, again),
    known.requestId !== null && h('p', { class: 'small' }, `${words.requestId}: `, h('code', null, known.requestId)),
  );
}

export function whyOf({ code, status }: Failure): keyof Words['failedWhy'] {
  if (code === 'NETWORK' || code === NO_MODULE) return 'network';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'gone';
  return status === 429 || status === 503 ? 'busy' : 'other';
}

/** A button that puts what comes next behind a list. The focus goes to the first that is new. */
export function moreButton(
  { words }: Look,
  list: HTMLElement,
  load: (cursor: string) => Promise<{ items: HTMLElement[]; next: string | null }>,
  cursor: string | null,
): Child {
  if (cursor === null) return undefined;
  let next = cursor;
  const box = h('div', { class: 'more' });
  const onclick = async (): Promise<void> => {
    more.disabled = true;
    for (const old of box.querySelectorAll('[role=alert]')) old.remove();
    try {
      const { items, next: further } = await load(next);
      list.append(...items);
      if (items[0]) focusOn(items[0]);
      if (further === null) box.remove();
      else next = further;
    } catch (error) {
      box.append(failure(words, error));
    }
    more.disabled = false;
  };
  const more = button(words.more, onclick);
  box.append(more);
  return box;
}

/** A button that copies a text, and marks where it stands in a browser that lets no page copy. */
export function copyButton(
  { words, say }: Look,
  text: string,
  shownIn: HTMLElement,
  props?: Record<string, string>,
): HTMLElement {
  const tell = (word: string): void => {
    copy.textContent = word;
    say(word);
    setTimeout(() => {
      copy.textContent = words.copy;
    }, 2_500);
  };
  const copy = button(
    words.copy,
    async () => {
      try {
        await navigator.clipboard.writeText(text);
        tell(words.copied);
      } catch {
        getSelection()?.selectAllChildren(shownIn);
        tell(words.selected);
      }
    },
    props,
  );
  return copy;
}
