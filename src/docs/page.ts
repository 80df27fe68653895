/** A page of the documentation, before it is drawn with what stands around all of them. */
import type { Html } from '../pages/html.ts';

export interface DocsPage {
  /** As `/docs/guides/payouts`. */
  path: string;
  title: string;
  /** One sentence, for search and for machines. */
  description: string;
  section: Section;
  body: Html;
  /** The same as Markdown. */
  markdown: string;
  /** More text by which search finds the page itself. */
  further?: string;
  /** What search finds on it, beside the title. */
  entries: readonly SearchEntry[];
}

export interface SearchEntry {
  title: string;
  /** Further words by which it is found. */
  words: string;
  /** More of them, which are not shown: names of fields, the text below a heading. */
  further?: string;
  /** Behind the page's path. */
  anchor: string;
  kind: 'operation' | 'heading' | 'code' | 'event';
}

export type Section = 'Guides' | 'Explanations' | 'Reference';

/** `Payout Accounts`: `payout-accounts`. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[`'’]/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
}

/** Where a page stands as Markdown. */
export function twinOf(path: string): string {
  return `${path === '/docs' ? '/docs/index' : path}.md`;
}
