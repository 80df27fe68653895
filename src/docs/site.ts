/** The documentation, drawn once: what is served by which address. */
import type { CodeRow } from '../errors.ts';
import type { JsonObject } from '../http/document/objects.ts';
import { html } from '../pages/html.ts';
import { readDocumentParts } from './document.ts';
import { filePages } from './files.ts';
import { drawDocs, type Frame } from './layout.ts';
import { renderPiece } from './markdown.ts';
import { type DocsPage, twinOf } from './page.ts';
import { errorsPage, eventsPage, groupPages } from './reference.ts';
import { createSearch } from './search.ts';

export interface DocsSite {
  pages: readonly DocsPage[];
  /** HTML and Markdown, by path. */
  texts: ReadonlyMap<string, { type: string; text: string }>;
  /** The page of what was looked for. */
  search(sought: string): string;
  /** The page of an address that leads nowhere. */
  missing(path: string, nearest: DocsPage | undefined): string;
}

const HTML = 'text/html; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';

export function drawSite(
  source: JsonObject,
  errors: Readonly<Record<string, CodeRow>>,
  files: Pick<Frame, 'styles' | 'script'>,
): DocsSite {
  const document = readDocumentParts(source);
  const own = [...filePages(), ...groupPages(document, errors), eventsPage(document), errorsPage(document, errors)];
  const front: DocsPage = {
    path: '/docs',
    title: 'Documentation',
    description: `${document.title}: guides, explanations and reference`,
    section: 'Guides',
    body: html`<h1>${document.title}</h1>${renderPiece(document.overview)}<h2>Begin</h2><ol><li>Take the SANDBOX key from the first screen of <code>npm start</code>, or make one on the dashboard.</li><li>Make two members and record a purchase: <a href="/docs/guides/first-purchase">first purchase</a>.</li><li>Hear of it on your server: <a href="/docs/guides/webhooks">webhooks</a>.</li></ol><h2>Guides</h2><ul>${own
      .filter(({ section }) => section === 'Guides')
      .map(
        ({ path, title, description }) => html`<li><a href="${path}">${title}</a>: ${description}</li>`,
      )}</ul><h2>Explanations</h2><ul>${own
      .filter(({ section }) => section === 'Explanations')
      .map(({ path, title }) => html`<li><a href="${path}">${title}</a></li>`)}</ul><h2>Reference</h2><ul>${own
      .filter(({ section }) => section === 'Reference')
      .map(({ path, title, description }) => html`<li><a href="${path}">${title}</a>: ${description}</li>`)}</ul>`,
    markdown: `# ${document.title}\n\n${document.overview}\n\n${own.map(({ path, title, description }) => `- [${title}](${twinOf(path)}): ${description}\n`).join('')}`,
    entries: [],
  };
  const pages = [front, ...own];
  const frame: Frame = { ...files, pages: own };
  const search = createSearch(pages);
  const draw = (page: DocsPage): string => drawDocs(frame, { ...page, hasTwin: true });
  const texts = new Map<string, { type: string; text: string }>(
    pages.flatMap((page) => [
      [page.path, { type: HTML, text: draw(page) }] as const,
      [twinOf(page.path), { type: MARKDOWN, text: page.markdown }] as const,
    ]),
  );
  texts.set('/llms.txt', { type: 'text/plain; charset=utf-8', text: llmsText(document.title, document.overview, own) });
  return {
    pages,
    texts,
    search: (sought) =>
      drawDocs(frame, {
        title: 'Search',
        description: 'Search in the documentation',
        path: '/docs/search',
        body: search(sought),
        hasTwin: false,
      }),
    missing: (path, nearest) =>
      drawDocs(frame, {
        title: 'No such page',
        description: 'No such page',
        path,
        body: html`<h1>No such page</h1><p>Nothing is at <code>${path}</code>.${nearest && html` Did you mean <a href="${nearest.path}">${nearest.title}</a>?`}</p>`,
        hasTwin: false,
      }),
  };
}

/** As https://llmstxt.org has it: a title, a summary, and lists of links to Markdown. */
function llmsText(title: string, overview: string, pages: readonly DocsPage[]): string {
  const sections = (['Guides', 'Explanations', 'Reference'] as const).map((section) => {
    const lines = pages
      .filter((page) => page.section === section)
      .map(({ path, title: name, description }) => `- [${name}](${twinOf(path)}): ${description.replaceAll('\n', ' ')}`);
    return `## ${section}\n\n${lines.join('\n')}\n`;
  });
  const [summary = ''] = overview.split('\n');
  return `# ${title}\n\n> ${summary}\n\n${sections.join('\n')}\n## Machine-readable\n\n- [OpenAPI 3.1](/api/v1/openapi.json): the whole API\n`;
}
