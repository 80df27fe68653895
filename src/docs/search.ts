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

export function searchPages(pages: readonly DocsPage[], sought: string): Found[] {
  const words = sought.slice(0, LONGEST).toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const found = pages.flatMap((page): Found[] => [
    {
      title: page.title,
      where: page.description,
      href: page.path,
      kind: 'page',
      score: scoreOf(words, page.title, `${page.description} ${page.further ?? ''}`) + 1,
    },
    ...page.entries.map((entry) => ({
      title: entry.title,
      where: `${page.title} ${entry.words}`.trim(),
      href: `${page.path}${entry.anchor}`,
      kind: entry.kind,
      score: scoreOf(words, entry.title, `${entry.words} ${entry.further ?? ''} ${page.title}`),
    })),
  ]);
  return found
    .filter(({ score }) => score > 1)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST);
}

function scoreOf(words: readonly string[], title: string, further: string): number {
  const inTitle = title.toLowerCase();
  const beside = further.toLowerCase();
  let score = 0;
  for (const word of words) {
    if (inTitle === word) score += 20;
    else if (inTitle.includes(word)) score += 10;
    else if (beside.includes(word)) score += 3;
    else return 0;
  }
  return score;
}

export function drawSearch(pages: readonly DocsPage[], sought: string): Html {
  const found = searchPages(pages, sought);
  const list = found.map(({ title, where, href }) => html`<li><a href="${href}">${title}</a><br><small>${where}</small></li>`);
  return html`<h1>Search</h1><form class="search" action="/docs/search"><label>Words <input type="search" name="q" value="${sought.slice(0, LONGEST)}"></label> <button type="submit">Search</button></form>${
    sought.trim() !== '' && (found.length > 0 ? html`<ol>${list}</ol>` : html`<p>Nothing has all of these words.</p>`)
  }`;
}
