/** Markdown of the repository as pages: no HTML of its own, headings with anchors, links between files as links between pages. */
import path from 'node:path';
import markdownIt from 'markdown-it';
import { type Html, trusted } from '../pages/html.ts';
import { type SearchEntry, slugOf, twinOf } from './page.ts';

/** One for all: making it takes a millisecond. */
const engine = markdownIt({ html: false, linkify: false, typographer: false });

/** The page of a file of the repository, as `docs/kyc.md`; undefined where it is none. */
export type PageOfFile = (file: string) => string | undefined;

export interface RenderedMarkdown {
  title: string;
  /** The first paragraph, as text. */
  lead: string;
  /** What stands above the first heading, for search. */
  opening: string;
  body: Html;
  headings: SearchEntry[];
}

/** `file`: where the text lies, for its relative links. What is no page is named without a link. */
export function renderMarkdown(text: string, file: string, pageOf: PageOfFile): RenderedMarkdown {
  const tokens = engine.parse(withoutAnchors(text), {});
  const headings: SearchEntry[] = [];
  const taken = new Set<string>();
  let title = '';
  let lead = '';
  const opening: string[] = [];
  let below = opening;
  const texts: string[][] = [];
  for (const [index, token] of tokens.entries()) {
    const inline = tokens[index + 1];
    if (token.type === 'heading_open' && inline) {
      const words = plainText(inline.content);
      let anchor = slugOf(words);
      while (taken.has(anchor)) anchor = `${anchor}-`;
      taken.add(anchor);
      token.attrSet('id', anchor);
      if (token.tag === 'h1') title ||= words;
      else {
        headings.push({ title: words, words: '', anchor: `#${anchor}`, kind: 'heading' });
        below = [];
        texts.push(below);
      }
    } else if (token.content !== '') below.push(plainText(token.content));
    if (token.type === 'paragraph_open' && inline && lead === '') lead = plainText(inline.content);
    if (token.type === 'fence' || token.type === 'code_block') token.attrSet('tabindex', '0');
    // A column without a name has no head that could be read out.
    const close = tokens[index + 2];
    if (token.type === 'th_open' && inline?.content === '' && close) token.tag = close.tag = 'td';
    // The policy of pages stops a style that stands at an element.
    if (token.type === 'th_open' || token.type === 'td_open') token.attrs = null;
    if (token.children) rewriteLinks(token.children, file, pageOf);
  }
  // A table may be wider than the page.
  const drawn = engine.renderer
    .render(tokens, engine.options, {})
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
  const found = headings.map((heading, index) => ({ ...heading, further: texts[index]?.join(' ') ?? '' }));
  return { title, lead, opening: opening.join(' '), body: trusted(drawn), headings: found };
}

/** A piece of Markdown, as a description of the API's document. */
export function renderPiece(text: string): Html {
  return trusted(engine.render(text));
}

export function renderInline(text: string): Html {
  return trusted(engine.renderInline(text));
}

/** Files of the repository have anchors for citations, as HTML, which pages need not. */
function withoutAnchors(text: string): string {
  return text.replaceAll(/<a id="[\w-]+"><\/a>/g, '');
}

function plainText(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');
}

type Tokens = NonNullable<ReturnType<ReturnType<typeof markdownIt>['parse']>[number]['children']>;

function rewriteLinks(tokens: Tokens, file: string, pageOf: PageOfFile): void {
  const open: boolean[] = [];
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const target = linkTo(token.attrGet('href') ?? '', file, pageOf);
      open.push(target !== undefined);
      if (target === undefined) hide(token);
      else token.attrSet('href', target);
    } else if (token.type === 'link_close' && open.pop() === false) hide(token);
    else if (token.type === 'image') {
      // Pictures of the repository are not served.
      token.type = 'text';
      token.content = token.content || 'Picture';
      token.children = null;
    }
  }
}

function hide(token: Tokens[number]): void {
  token.type = 'text';
  token.tag = '';
  token.content = '';
  token.nesting = 0;
}

/** The text as a page of its own is read: links between files lead to the pages' twins, and what is no page is named alone. */
export function withLinksToTwins(text: string, file: string, pageOf: PageOfFile): string {
  const rewritten = (prose: string): string =>
    prose.replaceAll(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (_whole, isPicture: string, words: string, href: string) => {
      const target = isPicture ? undefined : linkTo(href, file, (one) => twinFor(pageOf(one)));
      return target === undefined ? words : `[${words}](${target})`;
    });
  // What stands in a block of code is no link.
  const parts = text.split(/^(```[\s\S]*?^```)/m);
  return parts.map((part) => (part.startsWith('```') ? part : rewritten(part))).join('');
}

const twinFor = (page: string | undefined): string | undefined => (page === undefined ? undefined : twinOf(page));

export function linkTo(href: string, file: string, pageOf: PageOfFile): string | undefined {
  if (/^(?:https?:|mailto:|#)/.test(href)) return href;
  const [target = '', anchor] = href.split('#');
  const page = pageOf(path.posix.normalize(path.posix.join(path.posix.dirname(file), target)));
  return page === undefined ? undefined : `${page}${anchor === undefined ? '' : `#${anchor}`}`;
}
