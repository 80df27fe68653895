/**
 * The desk of a reviewer: documents and decisions by keys, ten seconds to undo, and the next record fetched ahead. What is
 * decided is sent by the forms of the page. Source: docs/specification/pages.md#reviews.
 */
import { createAhead } from './review-ahead.ts';
import { whileAtWork } from './review-at-work.ts';
import { createWaitingBar } from './review-bar.ts';
import { createDecisions, type Decision } from './review-decisions.ts';
import { fieldOf, follow, formOf, isTyping, lacksReason, reads, renew, sayUnseen } from './review-forms.ts';
import { fetchPage, focusAnew, loadFindings, rootOf, sayTaken } from './review-pages.ts';
import { fieldsOf, sendForm } from './review-send.ts';
import { createViewer } from './review-viewer.ts';

/** What the forms of the page do: the last word on a document or on the record, which waits, and the rest, which does not. */
const OF_RECORD = new Set(['approve', 'reject', 'askAgain']);
const OF_DOCUMENT = new Set(['accept', 'refuse']);
const AT_ONCE = new Set(['take', 'release', 'assign']);
/** A record is taken for 15 minutes: while somebody works on it, again after so long. */
const TAKE_AGAIN_MS = 600_000;

const bar = createWaitingBar(() => undo());
const viewer = createViewer(bar.tell, () => markUnseen());
const decisions = createDecisions({
  changed: bar.show,
  sent(decision) {
    if (decision.about === 'record') done.add(decision.record);
    bar.tell(`Done: ${decision.words}`);
    if (decision.record === recordId()) refreshSoon();
  },
  failed(decision, message, dropped, known) {
    bar.fail({ decision, message, dropped, known, href: addressOf(decision.record) });
    if (decision.record === recordId()) refreshSoon();
  },
});

/** Decided and sent. */
const done = new Set<string>();
/** The addresses of records that were seen on a list. */
const addresses = new Map<string, string>();
/** When each was taken here; what was put back is not taken again. */
const taken = new Map<string, number>();
const ahead = createAhead();
let refreshing = 0;
/** Of all ways to another record the last one counts: what an older one has fetched is dropped. */
let way = 0;
/** The address without its hash. */
let standsAt = placeNow();

const root = (): HTMLElement | null => rootOf(document);
const recordId = (): string => root()?.dataset['review'] ?? '';
const addressOf = (record: string): string => addresses.get(record) ?? location.pathname.replace(/[^/]+$/, record);
const isOff = (): boolean => localStorage.getItem('mcr-keys-off') === 'yes';

function placeNow(): string {
  return location.pathname + location.search;
}

function begin(): void {
  const now = root();
  if (!now) return;
  addresses.set(recordId(), placeNow());
  for (const link of queue()) addresses.set(link.dataset['record'] ?? '', link.pathname + link.search);
  viewer.begin(now);
  markWaiting();
  loadFindings(now);
  take(now);
  ahead.fetch(nextHref());
}

/** Opening a record takes it, unless somebody else has it; and once more while it stays open and somebody works on it. */
function take(now: HTMLElement): void {
  const at = taken.get(recordId()) ?? Number.NEGATIVE_INFINITY;
  if (now.dataset['takes'] !== 'yes' || performance.now() - at < TAKE_AGAIN_MS) return;
  const form = formOf('take');
  if (!form) return;
  taken.set(recordId(), performance.now());
  atOnce(form, false);
}

/** What gets old while a record is looked at for long. */
function keepFresh(): void {
  const now = root();
  if (!now) return;
  take(now);
  ahead.renew();
}

function queue(): HTMLAnchorElement[] {
  return [...document.querySelectorAll<HTMLAnchorElement>('[data-queue] a[data-record]')];
}

/** The first behind this one that is not decided yet, else the first of all. */
function nextHref(): string | undefined {
  const links = queue();
  const here = links.findIndex((link) => link.dataset['record'] === recordId());
  const next = [...links.slice(here + 1), ...links.slice(0, Math.max(here, 0))].find(({ dataset }) => {
    const id = dataset['record'] ?? '';
    return id !== recordId() && !done.has(id) && !decisions.isDecided(id);
  });
  return next?.href;
}

/** To another record; the page is put in the place of this one, so that what waits here goes on waiting. */
async function goTo(href: string): Promise<void> {
  way += 1;
  const mine = way;
  const page = (await ahead.take(href)) ?? (await fetchPage(href));
  if (mine !== way) return;
  if (!page) {
    location.assign(href);
    return;
  }
  history.pushState(null, '', href);
  standsAt = placeNow();
  swap(page);
  scrollTo(0, 0);
  document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
}

function swap(page: Document): void {
  const focused = document.activeElement;
  document.title = page.title;
  for (const part of ['#main', '.nav']) {
    const fresh = page.querySelector(part);
    if (fresh) document.querySelector(part)?.replaceChildren(...fresh.childNodes);
  }
  begin();
  const href = done.has(recordId()) ? nextHref() : undefined;
  focusAnew(
    focused,
    queue().find((link) => link.href === href),
  );
}

/** The same record anew, once nobody is in the midst of typing. */
function refreshSoon(): void {
  clearTimeout(refreshing);
  refreshing = setTimeout(() => void refresh(), 100);
}

async function refresh(): Promise<void> {
  const isBusy = (): boolean =>
    document.querySelector('dialog:modal') !== null || isTyping(document.activeElement) || decisions.waiting().some(isHere);
  if (isBusy()) {
    refreshing = setTimeout(() => void refresh(), 1_000);
    return;
  }
  const mine = way;
  const page = await fetchPage(location.href);
  if (!page || mine !== way || isBusy()) return;
  swap(page);
}

const isHere = ({ decision }: { decision: Decision }): boolean => decision.record === recordId();

async function next(): Promise<void> {
  let href = nextHref();
  if (href === undefined) {
    // The list is as old as the page.
    way += 1;
    const mine = way;
    const page = await fetchPage(location.href);
    if (mine !== way) return;
    if (page) swap(page);
    href = nextHref();
  }
  if (href === undefined) bar.tell('Nothing else waits that nobody else has taken.');
  else await goTo(href);
}

function undo(): void {
  const decision = decisions.undo();
  if (!decision) {
    bar.tell('There is nothing to undo.');
    return;
  }
  bar.undone(decision, decision.record === recordId() ? undefined : addressOf(decision.record));
  markWaiting();
}

function atOnce(form: HTMLFormElement, isAsked = true): void {
  const fields = fieldsOf(form);
  renew(form);
  void sendForm(form.action, fields).then(
    (answer) => {
      if (answer.kind === 'refused') bar.tell(answer.message);
      if (answer.kind === 'done' && !isAsked && form.isConnected) sayTaken();
      if (isAsked && answer.kind === 'away') bar.tell('The service did not answer. Try again.');
      if (isAsked || answer.kind === 'refused') refreshSoon();
    },
    () => isAsked && bar.tell('The service did not answer. Try again.'),
  );
}

function decide(form: HTMLFormElement, action: string): void {
  const record = recordId();
  const fields = fieldsOf(form);
  const about = OF_DOCUMENT.has(action) ? fieldOf(form, 'documentId') : 'record';
  if (about !== 'record' && decisions.isDecided(record)) {
    bar.tell('The record is decided. Undo that first.');
    return;
  }
  if (lacksReason(form)) {
    bar.tell('Choose a reason or write one.');
    form.querySelector<HTMLElement>('[name="listed"]')?.focus();
    return;
  }
  renew(form);
  form.closest('dialog')?.close();
  const name = root()?.dataset['name'] ?? '';
  const label = about === 'record' ? '' : `${paperOf(about)?.dataset['label'] ?? ''} of `;
  const verb = form.querySelector<HTMLElement>('[data-verb]')?.dataset['verb'] ?? 'Decide';
  const { action: address } = form;
  decisions.make({ record, about, words: `${verb} ${label}${name}`, send: () => sendForm(address, fields) });
  bar.tell(`${verb} ${label}${name}: is sent in ten seconds. ${reads(form)}`);
  markWaiting();
}

function paperOf(id: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-document="${CSS.escape(id)}"]`);
}

/** Says beside each document and on top what waits to be sent. */
function markWaiting(): void {
  const waiting = decisions.waiting().filter(isHere);
  for (const mark of document.querySelectorAll<HTMLElement>('[data-waits]')) {
    const found = waiting.find(({ decision }) => decision.about === mark.dataset['waits']);
    mark.textContent = found ? `waits: ${found.decision.words.split(' ')[0]?.toLowerCase() ?? ''}` : '';
  }
  markUnseen();
}

/** Those that an approval would accept though nobody has looked at them here or said anything of them. */
function unseen(): string[] {
  const waiting = new Set(decisions.waiting().map(({ decision }) => decision.about));
  return viewer.unseen().flatMap(({ id, label }) => (waiting.has(id) ? [] : [label]));
}

function markUnseen(): void {
  sayUnseen(unseen());
}

function openDialog(id: string): void {
  document.querySelector<HTMLElement>(`[data-dialog="${CSS.escape(id)}"]`)?.click();
}

function sendDocument(action: string): void {
  const id = viewer.chosen();
  const form = id === undefined ? undefined : formOf(action, id);
  if (!form) bar.tell('This document cannot be decided on now.');
  else if (action === 'accept') form.requestSubmit();
  else openDialog(`refuse-${id}`);
}

/** A key that is held down does these again and again, and nothing else. */
const HELD = new Set(['+', '=', '-']);

const KEYS: Readonly<Record<string, () => void>> = {
  a: () => sendDocument('accept'),
  x: () => sendDocument('refuse'),
  A() {
    const form = formOf('approve');
    if (!form) bar.tell('This record cannot be approved now.');
    // In the vendor's place, with a reason; and what was not looked at is named first.
    else if (form.querySelector('[required]') || unseen().length > 0) openDialog('approve');
    else form.requestSubmit();
  },
  R: () => openDialog('reject'),
  M: () => openDialog('ask-again'),
  u: undo,
  n: () => void next(),
  '+': () => viewer.zoom(1),
  '=': () => viewer.zoom(1),
  '-': () => viewer.zoom(-1),
  r: () => viewer.turn(),
  '[': () => viewer.page(-1),
  ']': () => viewer.page(1),
};

document.addEventListener('keydown', (event) => {
  const { key, target } = event;
  if (!root() || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isOff()) return;
  if (event.repeat && !HELD.has(key)) return;
  const dialog = document.querySelector<HTMLDialogElement>('dialog:modal');
  if (dialog) {
    // A figure chooses a reason.
    const isWriting = target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === 'text');
    const choice = isWriting ? undefined : dialog.querySelectorAll<HTMLInputElement>('[name="listed"]')[Number(key) - 1];
    if (!choice) return;
    event.preventDefault();
    choice.checked = true;
    choice.focus();
    choice.dispatchEvent(new Event('change', { bubbles: true }));
    return;
  }
  if (isTyping(target)) return;
  const act = /^[1-9]$/.test(key) ? () => viewer.choose(key) : KEYS[key];
  if (!act || (/^[A-Z]$/.test(key) && !event.shiftKey)) return;
  event.preventDefault();
  act();
});

document.addEventListener(
  'submit',
  (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.closest('[data-review]')) return;
    const action = fieldOf(form, '_do');
    if (AT_ONCE.has(action)) {
      event.preventDefault();
      if (action === 'release') taken.set(recordId(), Number.POSITIVE_INFINITY);
      atOnce(form);
    } else if (OF_RECORD.has(action) || OF_DOCUMENT.has(action)) {
      event.preventDefault();
      decide(form, action);
    }
  },
  { capture: true },
);

document.addEventListener('input', follow);
document.addEventListener('change', follow);

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[data-record]') : null;
  if (!link || !root() || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  void goTo(link.href);
});

addEventListener('popstate', () => {
  if (placeNow() === standsAt) return;
  standsAt = placeNow();
  way += 1;
  const mine = way;
  void fetchPage(location.href).then((page) => {
    if (mine !== way) return;
    if (page) swap(page);
    else location.reload();
  });
});

whileAtWork(TAKE_AGAIN_MS, keepFresh);

addEventListener('beforeunload', (event) => {
  if (decisions.waiting().length > 0) event.preventDefault();
});

begin();
