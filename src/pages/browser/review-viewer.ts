/**
 * Two documents side by side, drawn straight from the signed addresses. An address is asked for when its document is
 * shown, for each is written down as a reading. Sizes are set by a style sheet that is built here: the policy of the page
 * lets no style stand in it. Source: docs/specification/pages.md#reviews.
 */
import { isJson } from './review-outcome.ts';
import { type OpenPdf, openPdf } from './review-pdf.ts';

/** A row of the list of documents. */
interface Paper {
  id: string;
  /** The key that chooses it. */
  number: string;
  mime: string;
  label: string;
  /** Nobody has decided on it. */
  open: boolean;
  row: HTMLElement;
}

interface Sheet {
  drawn: HTMLImageElement | HTMLCanvasElement;
  zoom: number;
  /** Quarter turns to the right. */
  turn: number;
  pdf?: OpenPdf;
  /** That is drawn. */
  page: number;
  /** That was asked for last. */
  wanted: number;
  /** Whether the page that was asked for last cannot be drawn. */
  failed: boolean;
}

export interface Viewer {
  /** Takes over the list and the panes of the page as it is now; what was shown of the same record is put in place again. */
  begin(root: HTMLElement): void;
  /** By its number on the list; beside the one that was chosen before. */
  choose(number: string): void;
  /** The id of the document that is chosen. */
  chosen(): string | undefined;
  /** Those that count, that nobody has decided on and that were not shown here. */
  unseen(): Pick<Paper, 'id' | 'label'>[];
  zoom(steps: number): void;
  turn(): void;
  /** Of a PDF. */
  page(steps: number): void;
}

const AS_OPENED = { zoom: 0, turn: 0, page: 1, wanted: 1, failed: false };
const ZOOMS = [1, 1.5, 2, 3, 4, 6];

/** `seen`: one more document is shown. */
export function createViewer(tell: (text: string) => void, seen: () => void): Viewer {
  const rules = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, rules];
  let record = '';
  let papers: Paper[] = [];
  let panes: HTMLElement[] = [];
  /** The ids of the documents in the panes. */
  let pair: (string | undefined)[] = [];
  let current: string | undefined;
  let sheets = new Map<string, Promise<Sheet>>();
  const ready = new Map<string, Sheet>();
  /** The ids of those that were in a pane. */
  const shown = new Set<string>();

  function forget(): void {
    for (const sheet of ready.values()) sheet.pdf?.close();
    ready.clear();
    shown.clear();
    sheets = new Map();
    pair = [];
    current = undefined;
  }

  async function load({ id, mime, label }: Paper): Promise<Sheet> {
    const address = new URL(location.href);
    address.search = new URLSearchParams({ document: id, as: 'json' }).toString();
    const answer = await fetch(address);
    if (!answer.ok || !isJson(answer)) throw new Error('not answered');
    const { url } = (await answer.json()) as { url: string };
    if (mime === 'application/pdf') {
      const file = await fetch(url, { mode: 'cors', credentials: 'omit' });
      if (!file.ok) throw new Error('not answered');
      const pdf = await openPdf(new Uint8Array(await file.arrayBuffer()));
      return { drawn: named(await pdf.draw(1), `${label}, page 1`), ...AS_OPENED, pdf };
    }
    const image = new Image();
    image.alt = label;
    image.src = url;
    await image.decode();
    return { drawn: image, ...AS_OPENED };
  }

  function put(at: number): void {
    const pane = panes[at];
    const id = pair[at];
    if (!pane) return;
    const paper = papers.find((one) => one.id === id);
    pane.hidden = paper === undefined;
    if (!paper) return;
    const caption = pane.querySelector('[data-caption]');
    if (caption) caption.textContent = `${paper.number === '' ? '' : `${paper.number} `}${paper.label}`;
    const box = boxOf(pane);
    const sheet = ready.get(paper.id);
    if (sheet) {
      if (sheet.failed) box.replaceChildren(words('This page cannot be drawn here.'));
      else if (sheet.drawn.parentElement !== box.firstElementChild || box.childElementCount !== 1)
        box.replaceChildren(holding(sheet.drawn));
      layOut();
      paper.row.classList.add('is-seen');
      if (!shown.has(paper.id)) {
        shown.add(paper.id);
        seen();
      }
      return;
    }
    box.replaceChildren(words('Loading…'));
    const asked = sheets.get(paper.id) ?? load(paper);
    sheets.set(paper.id, asked);
    asked.then(
      (loaded) => {
        if (sheets.get(paper.id) !== asked) {
          loaded.pdf?.close();
          return;
        }
        ready.set(paper.id, loaded);
        const now = pair.indexOf(paper.id);
        if (now !== -1) put(now);
      },
      () => {
        if (sheets.get(paper.id) !== asked) return;
        sheets.delete(paper.id);
        const now = pair.indexOf(paper.id);
        const place = panes[now];
        if (place) boxOf(place).replaceChildren(words('This file cannot be drawn here. Save it and look at it elsewhere.'));
        tell(`${paper.label} cannot be drawn here.`);
      },
    );
  }

  /** How large each sheet is: whole in its box, and then as many times as large as was asked for. */
  function layOut(): void {
    const texts = panes.map((pane, at) => {
      const sheet = ready.get(pair[at] ?? '');
      const pages = pane.querySelector<HTMLElement>('[data-pages]');
      if (pages) pages.hidden = (sheet?.pdf?.pages ?? 1) < 2;
      if (!sheet) return '';
      const said = pane.querySelector('[data-page-of]');
      if (said) said.textContent = `Page ${sheet.failed ? sheet.wanted : sheet.page} of ${sheet.pdf?.pages ?? 1}`;
      const { width, height } = sizeOf(sheet.drawn);
      const lies = sheet.turn % 2 === 1;
      const box = boxOf(pane);
      const fit = Math.min(box.clientWidth / (lies ? height : width), box.clientHeight / (lies ? width : height));
      const scale = fit * (ZOOMS[sheet.zoom] ?? 1);
      const [w, h] = [Math.floor(width * scale), Math.floor(height * scale)];
      const place = `[data-pane="${at}"] .review-sheet`;
      return `${place}{width:${lies ? h : w}px;height:${lies ? w : h}px}${place}>*{width:${w}px;height:${h}px;rotate:${sheet.turn * 90}deg}`;
    });
    rules.replaceSync(texts.join(''));
  }

  function mark(): void {
    for (const { id, row } of papers) {
      row.classList.toggle('is-shown', pair.includes(id));
      row.classList.toggle('is-current', id === current);
    }
    for (const link of document.querySelectorAll<HTMLElement>('[data-show]')) {
      link.setAttribute('aria-current', String(link.dataset['show'] === current));
    }
    for (const [at, pane] of panes.entries()) pane.classList.toggle('is-current', pair[at] === current);
  }

  function show(id: string): void {
    const paper = papers.find((one) => one.id === id);
    if (!paper) return;
    if (!pair.includes(id)) {
      // The one that was chosen last stays beside it; of none the first pane is taken.
      const at = panes.findIndex((_pane, nr) => pair[nr] === undefined);
      const place =
        at === -1
          ? Math.max(
              0,
              panes.findIndex((_pane, nr) => pair[nr] !== current),
            )
          : at;
      pair[place] = id;
      put(place);
    }
    current = id;
    mark();
    tell(`${paper.label}, ${paper.row.querySelector('.chip')?.textContent ?? ''}`);
  }

  const currentSheet = (): Sheet | undefined => ready.get(current ?? '');

  addEventListener('resize', layOut);

  document.addEventListener('click', (event) => {
    const target = event.target instanceof Element ? event.target : null;
    if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = target?.closest<HTMLElement>('[data-show]');
    if (link && papers.some(({ id }) => id === link.dataset['show'])) {
      event.preventDefault();
      show(link.dataset['show'] ?? '');
      return;
    }
    const button = target?.closest<HTMLElement>('[data-view]');
    const at = Number(button?.closest<HTMLElement>('[data-pane]')?.dataset['pane'] ?? Number.NaN);
    if (!button || pair[at] === undefined) return;
    current = pair[at];
    mark();
    const act = button.dataset['view'];
    if (act === 'in') viewer.zoom(1);
    else if (act === 'out') viewer.zoom(-1);
    else if (act === 'turn') viewer.turn();
    else viewer.page(act === 'next' ? 1 : -1);
  });

  const viewer: Viewer = {
    begin(root) {
      const now = root.dataset['review'] ?? '';
      if (now !== record) forget();
      record = now;
      papers = [...root.querySelectorAll<HTMLElement>('[data-document]')].map((row) => ({
        id: row.dataset['document'] ?? '',
        number: row.dataset['number'] ?? '',
        mime: row.dataset['mime'] ?? '',
        label: row.dataset['label'] ?? '',
        open: row.dataset['open'] === 'yes',
        row,
      }));
      panes = [...root.querySelectorAll<HTMLElement>('[data-pane]')];
      for (const { id, row } of papers) row.classList.toggle('is-seen', shown.has(id));
      pair = pair.filter((id) => papers.some((one) => one.id === id));
      if (pair.length === 0) {
        const first = papers.filter(({ number }) => number !== '').slice(0, panes.length);
        pair = first.map(({ id }) => id);
        current = pair[0];
      }
      if (!pair.includes(current)) current = pair[0];
      for (const at of panes.keys()) put(at);
      mark();
    },

    choose(number) {
      const paper = papers.find((one) => one.number === number);
      if (paper) show(paper.id);
    },

    chosen: () => current,

    unseen: () => papers.filter(({ id, number, open }) => number !== '' && open && !shown.has(id)),

    zoom(steps) {
      const sheet = currentSheet();
      if (!sheet) return;
      sheet.zoom = Math.min(Math.max(sheet.zoom + steps, 0), ZOOMS.length - 1);
      layOut();
      tell(`${(ZOOMS[sheet.zoom] ?? 1) * 100} percent`);
    },

    turn() {
      const sheet = currentSheet();
      if (!sheet) return;
      sheet.turn = (sheet.turn + 1) % 4;
      layOut();
      tell('Turned to the right');
    },

    page(steps) {
      const sheet = currentSheet();
      const { pdf } = sheet ?? {};
      const paper = papers.find(({ id }) => id === current);
      if (!sheet || !pdf || !paper) return;
      const wanted = Math.min(Math.max(sheet.wanted + steps, 1), pdf.pages);
      if (wanted === sheet.wanted) return;
      sheet.wanted = wanted;
      const end = (failed: boolean, said: string): void => {
        sheet.failed = failed;
        const now = pair.indexOf(paper.id);
        if (now !== -1) put(now);
        tell(said);
      };
      const isLate = (): boolean => sheet.wanted !== wanted || ready.get(paper.id) !== sheet;
      void pdf.draw(wanted).then(
        (drawn) => {
          if (isLate()) return;
          sheet.drawn.replaceWith(named(drawn, `${paper.label}, page ${wanted}`));
          sheet.drawn = drawn;
          sheet.page = wanted;
          end(false, `Page ${wanted} of ${pdf.pages}`);
        },
        () => {
          if (!isLate()) end(true, `Page ${wanted}: this page cannot be drawn here.`);
        },
      );
    },
  };
  return viewer;
}

function boxOf(pane: HTMLElement): HTMLElement {
  return pane.querySelector<HTMLElement>('[data-box]') ?? pane;
}

function holding(drawn: HTMLElement): HTMLElement {
  const sheet = document.createElement('div');
  sheet.className = 'review-sheet';
  sheet.append(drawn);
  return sheet;
}

function named(canvas: HTMLCanvasElement, label: string): HTMLCanvasElement {
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', label);
  return canvas;
}

function words(text: string): HTMLElement {
  const said = document.createElement('p');
  said.className = 'review-words';
  said.textContent = text;
  return said;
}

function sizeOf(drawn: HTMLImageElement | HTMLCanvasElement): { width: number; height: number } {
  const [width, height] =
    drawn instanceof HTMLImageElement ? [drawn.naturalWidth, drawn.naturalHeight] : [drawn.width, drawn.height];
  return { width: Math.max(1, width), height: Math.max(1, height) };
}
