/**
 * The frame: it takes the port from the page around it, makes sure that the page may show it, and shows the pages that
 * the session has. Source: docs/specification/widget.md#handshake.
 */
import type { Scope, Session } from './answers.ts';
import { type Connection, connect, Failure, isToken } from './connection.ts';
import { button, type Child, freshId, h, knownLocale, makeFormat, put } from './kit.ts';
import { failure, type Look, loaded, type PageModule, skeleton } from './look.ts';
import { drawSummary } from './summary.ts';
import { applyTheme } from './theme.ts';
import type { Words } from './words.ts';

const HOST_PATIENCE_MS = 15_000;

/** How long the first view is alone before the rest is loaded. */
const REST_AFTER_MS = 2_000;

/** Each but the first is loaded when it is first shown, or a while after the first view. */
const PAGES: Record<Scope, () => Promise<PageModule>> = {
  summary: async () => ({ draw: drawSummary }),
  links: () => import('./links.ts'),
  earnings: () => import('./earnings.ts'),
  team: () => import('./team.ts'),
};

const LANGUAGES: Record<string, () => Promise<{ words: Words }>> = {
  de: () => import('./words-de.ts'),
  en: () => import('./words-en.ts'),
};

const root = document.documentElement;
const main = document.querySelector<HTMLElement>('#widget') ?? document.body;

interface Tongue {
  words: Words;
  /** Figures and days are written by it. */
  locale: string;
}

/** In the wanted language, else in the browser's, else in English. */
async function speak(wanted: unknown): Promise<Tongue> {
  const known = [knownLocale(wanted, navigator.language), knownLocale(navigator.language)];
  const locale = known.find((one) => languageOf(one) in LANGUAGES) ?? 'en';
  const load = LANGUAGES[languageOf(locale)] ?? LANGUAGES['en'];
  if (!load) throw new Error('there is no language');
  const { words } = await load();
  root.lang = locale;
  root.dir = words.dir;
  document.title = words.title;
  return { words, locale };
}

function languageOf(locale: string): string {
  return locale.slice(0, 2 + Number(/^[a-z]{3}/.test(locale)));
}

function beBusy(words?: Words): void {
  put(main, skeleton(words));
  main.setAttribute('aria-busy', 'true');
}

/** The one message that there is, in place of everything else. */
function say({ words }: Tongue, title: string, why?: string, retry?: () => unknown): void {
  main.removeAttribute('aria-busy');
  put(
    main,
    h('h1', { class: 'unseen' }, words.title),
    h(
      'div',
      { class: 'empty', role: 'alert' },
      why === undefined ? h('p', null, title) : [h('h2', null, title), h('p', null, why)],
      retry && button(words.retry, retry),
    ),
  );
}

/** The same before anybody has named a language. */
async function sayAlone(message: (words: Words) => [string, string?, (() => unknown)?]): Promise<void> {
  const tongue = await speak(undefined);
  say(tongue, ...message(tongue.words));
}

function readJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

function sessionOfAddress(): string {
  return location.pathname.split('/').pop()?.toLowerCase() ?? '';
}

/** Whether an origin is in a list, where `:*` stands for any port. */
function isAllowed(origin: string, allowed: readonly string[]): boolean {
  return allowed.some(
    (entry) => entry === origin || (entry.endsWith(':*') && origin.replace(/:\d+$/, '') === entry.slice(0, -2)),
  );
}

/** What comes with the first token. */
interface Start {
  token: string;
  theme: unknown;
  locale: unknown;
}

/** Goes on once the page around has given its first token. */
function begin(port: MessagePort, origin: string): void {
  let tongue: Tongue | undefined;
  let started: Start | undefined;
  const connection = connect(port, {
    sessionId: sessionOfAddress(),
    onEnd: () => {
      connection.tell('session');
      if (tongue) say(tongue, tongue.words.ended, tongue.words.endedWhy, again);
    },
  });

  /** There is no token yet: says so, and asks for one when the member wants that. */
  const wait = (): void => {
    const retry = (): void => {
      beBusy();
      port.postMessage({ type: 'token-needed' });
      expectToken();
    };
    void sayAlone((words) => [words.failed, words.failedWhy.other, retry]);
  };
  let patience: ReturnType<typeof setTimeout> | undefined;
  const expectToken = (): void => {
    clearTimeout(patience);
    patience = setTimeout(() => {
      connection.tell('token');
      wait();
    }, HOST_PATIENCE_MS);
  };
  expectToken();
  port.addEventListener('message', ({ data }: MessageEvent) => {
    if (started || !['start', 'token', 'no-token'].includes(data?.type)) return;
    clearTimeout(patience);
    if (isToken(data.token)) {
      started = data;
      connection.use(data.token);
      void open();
    } else {
      if (data.type !== 'no-token') connection.tell('token');
      wait();
    }
  });
  port.start();
  new ResizeObserver(() => port.postMessage({ type: 'height', height: Math.ceil(root.getBoundingClientRect().height) })).observe(
    root,
  );

  /** The session of the token, if it is this frame's and the page around may show it. */
  async function open(): Promise<void> {
    try {
      const [spoken, session] = await Promise.all([speak(started?.locale), readSession(connection, started?.theme)]);
      tongue = spoken;
      if (session.sessionId.toLowerCase() !== sessionOfAddress()) return refuse(spoken, 'session');
      if (!isAllowed(origin, session.allowedOrigins)) return refuse(spoken, 'origin');
      applyTheme(session.theme);
      connection.endsAt(session.expiresAt);
      draw(spoken, session, connection);
    } catch (error) {
      tongue ??= await speak(started?.locale).catch(() => undefined);
      // Without any words nothing can be said but to the page around.
      if (!tongue) return connection.tell('network');
      if (error instanceof Failure && error.code === 'ENDED') say(tongue, tongue.words.ended, tongue.words.endedWhy, again);
      else put(main, h('h1', { class: 'unseen' }, tongue.words.title), failure(tongue.words, error, open));
      main.removeAttribute('aria-busy');
    }
  }

  function refuse(spoken: Tongue, code: 'origin' | 'session'): void {
    connection.tell(code);
    say(spoken, spoken.words.refused);
  }

  async function again(): Promise<void> {
    beBusy(tongue?.words);
    const given = await connection.renew().catch(() => false);
    if (given) await open();
    else if (tongue) say(tongue, tongue.words.ended, tongue.words.endedWhy, again);
  }
}

/** It is bad, or too much for an address. */
const OF_THE_THEME = [400, 413, 414, 431];

/** What the page around says of the look counts if it is good, and is left out if it is not. */
async function readSession(connection: Connection, theme: unknown): Promise<Session> {
  if (!theme) return connection.get('/session');
  try {
    const text = typeof theme === 'string' ? theme : JSON.stringify(theme);
    return await connection.get(`/session?theme=${encodeURIComponent(text)}`);
  } catch (error) {
    // What cannot be written, as a ring, is no theme either.
    if (error instanceof Failure && !OF_THE_THEME.includes(error.status)) throw error;
    connection.tell('theme');
    return connection.get('/session');
  }
}

function draw({ words, locale }: Tongue, session: Session, connection: Connection): void {
  const scopes = session.scopes.filter((scope) => Object.hasOwn(PAGES, scope));
  const status = h('p', { class: 'unseen', role: 'status' });
  const panels = new Map<Scope, HTMLElement>();
  const tabs = new Map<Scope, HTMLElement>();
  const look: Look = {
    words,
    format: makeFormat(locale, session.timeZone),
    connection,
    session,
    open: (scope) => {
      choose(scope);
      (tabs.get(scope) ?? panels.get(scope))?.focus();
    },
    has: (scope) => scopes.includes(scope),
    say(text) {
      status.textContent = text;
    },
  };

  function choose(scope: Scope): void {
    for (const [one, tab] of tabs) {
      tab.setAttribute('aria-selected', String(one === scope));
      tab.tabIndex = one === scope ? 0 : -1;
    }
    for (const [one, panel] of panels) panel.hidden = one !== scope;
    const panel = panels.get(scope);
    if (panel && !panel.firstChild) void fill(panel, scope);
  }

  async function fill(panel: HTMLElement, scope: Scope): Promise<void> {
    put(panel, skeleton(words));
    try {
      const page = await loaded(PAGES[scope]());
      put(panel);
      page.draw(panel, look);
    } catch (error) {
      put(panel, failure(words, error));
    }
  }

  const list = scopes.length > 1 && tabList(scopes, look, { panels, tabs, choose });
  if (scopes.length === 1) for (const scope of scopes) panels.set(scope, h('div'));
  main.removeAttribute('aria-busy');
  const test = session.environment === 'SANDBOX' && h('p', { class: 'test-data' }, words.testData);
  put(main, h('h1', { class: 'unseen' }, words.title), test, list, [...panels.values()], status);
  const [first] = scopes;
  if (first) choose(first);
  setTimeout(loadRest, REST_AFTER_MS, scopes);
}

/** So that a page is there when the connection is not, or the service has other files by then. */
function loadRest(scopes: readonly Scope[]): void {
  const modules: Promise<unknown>[] = scopes.map((scope) => PAGES[scope]());
  if (scopes.includes('earnings')) modules.push(import('./why.ts'));
  // Whoever chooses the page hears of it.
  void Promise.allSettled(modules);
}

interface Tabs {
  panels: Map<Scope, HTMLElement>;
  tabs: Map<Scope, HTMLElement>;
  choose(scope: Scope): void;
}

function tabList(scopes: readonly Scope[], { words }: Look, { panels, tabs, choose }: Tabs): Child {
  for (const scope of scopes) {
    const [tabId, panelId] = [freshId(), freshId()];
    const props = { type: 'button', role: 'tab', id: tabId, 'aria-controls': panelId, onclick: () => choose(scope) };
    tabs.set(scope, h('button', props, words.page[scope]));
    panels.set(scope, h('div', { role: 'tabpanel', id: panelId, 'aria-labelledby': tabId }));
  }
  const steps: Record<string, (at: number) => number> = {
    ArrowRight: (at) => at + (root.dir === 'rtl' ? -1 : 1),
    ArrowLeft: (at) => at - (root.dir === 'rtl' ? -1 : 1),
    Home: () => 0,
    End: () => scopes.length - 1,
  };
  const onkeydown = (event: Event): void => {
    const at = scopes.findIndex((scope) => tabs.get(scope) === event.target);
    const step = event instanceof KeyboardEvent ? steps[event.key] : undefined;
    const scope = step && at >= 0 ? scopes[(step(at) + scopes.length) % scopes.length] : undefined;
    if (!scope) return;
    event.preventDefault();
    choose(scope);
    tabs.get(scope)?.focus();
  };
  return h('div', { class: 'tabs', role: 'tablist', 'aria-label': words.pages, onkeydown }, [...tabs.values()]);
}

async function start(): Promise<void> {
  applyTheme(readJson(root.dataset['theme']));
  beBusy();
  if (window.parent === window) {
    await sayAlone((words) => [words.notFramed]);
    return;
  }
  const patience = setTimeout(() => void sayAlone((words) => [words.noHost]), HOST_PATIENCE_MS);
  const take = ({ source, data, ports, origin }: MessageEvent): void => {
    const [port] = ports;
    if (source !== window.parent || data !== 'mcr:port' || !port || ports.length !== 1) return;
    removeEventListener('message', take);
    clearTimeout(patience);
    begin(port, origin);
  };
  addEventListener('message', take);
  window.parent.postMessage('mcr:ready', '*');
}

void start();
