/** Search over the documentation: every word must be found, those in titles first. */
import { type Html, html } from '../pages/html.ts';
import type { DocsPage, SearchEntry } from './page.ts';

interface Found {
  title: string;
  where: string;
  href: string;
  kind: SearchEntry['kind'] | 'page';
  score: number;
}

const MOST = 40;
/** Longer ones are nobody's. */
const LONGEST = 200;

/** Something that can be found, with its words in lower case. */
interface Findable extends Omit<Found, 'score'> {
  inTitle: string;
  beside: string;
}

/** Reads all pages once; what is answered looks for the words in that. */
export function createSearch(pages: readonly DocsPage[]): (sought: string) => Html {
  const all = pages.flatMap((page): Findable[] => [
    {
      title: page.title,
      where: page.description,
      href: page.path,
      kind: 'page',
      inTitle: page.title.toLowerCase(),
      beside: `${page.description} ${page.further ?? ''}`.toLowerCase(),
    },
    ...page.entries.map((entry) => ({
      title: entry.title,
      where: `${page.title} ${entry.words}`.trim(),
      href: `${page.path}${entry.anchor}`,
      kind: entry.kind,
      inTitle: entry.title.toLowerCase(),
      beside: `${entry.words} ${entry.further ?? ''} ${page.title}`.toLowerCase(),
    })),
  ]);
  return (sought) => drawFound(sought, find(all, sought));
}

function find(all: readonly Findable[], sought: string): Found[] {
  const words = sought.slice(0, LONGEST).toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return all
    .map((one) => ({ ...one, score: scoreOf(words, one) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST);
}

/** 0: one of the words is nowhere. A page comes before its parts that are as near. */
function scoreOf(words: readonly string[], { inTitle, beside, kind }: Findable): number {
  let score = kind === 'page' ? 1 : 0;
  for (const word of words) {
    if (inTitle === word) score += 20;
    else if (inTitle.includes(word)) score += 10;
    else if (beside.includes(word)) score += 3;
    else return 0;
  }
  return score;
}

function drawFound(sought: string, found: readonly Found[]): Html {
  const list = found.map(({ title, where, href }) => html`<li><a href="${href}">${title}</a><br><small>${where}</small></li>`);
  return html`<h1>Search</h1><form class="search" action="/docs/search"><label>Words <input type="search" name="q" value="${sought.slice(0, LONGEST)}"></label> <button type="submit">Search</button></form>${
    sought.trim() !== '' && (found.length > 0 ? html`<ol>${list}</ol>` : html`<p>Nothing has all of these words.</p>`)
  }`;
}
