/** Links of a page, as somebody finds them: by their words. */
import type { Browser, Opened } from './browser.ts';

/** Where the first link of these words leads; throws where there is none. */
export function hrefOf({ text }: Pick<Opened, 'text'>, words: string | RegExp): string {
  const links = [...text.matchAll(/<a\b[^>]*\shref="([^"]*)"[^>]*>(.*?)<\/a>/gs)].map(([, href = '', inner = '']) => ({
    href: href.replaceAll('&amp;', '&'),
    words: inner
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('&amp;', '&')
      .trim(),
  }));
  const found = links.find((link) => (typeof words === 'string' ? link.words === words : words.test(link.words)));
  if (!found) throw new Error(`no link ${words} on the page, only: ${links.map((link) => link.words).join(' | ')}`);
  return found.href;
}

/** Opens it; throws unless it is there. */
export async function follow(browser: Browser, page: Opened, words: string | RegExp): Promise<Opened> {
  const href = hrefOf(page, words);
  const opened = await browser.open(href);
  if (opened.status !== 200) throw new Error(`${href} answered ${opened.status}: ${opened.text.slice(0, 1_000)}`);
  return opened;
}

/** The page that a form leads to. */
export async function arrive(browser: Browser, answer: Opened): Promise<Opened> {
  if (answer.location === undefined) throw new Error(`leads nowhere: ${answer.status} ${wordsOf(answer).slice(0, 1_500)}`);
  return browser.open(answer.location);
}

/** What somebody reads of a page. */
export function wordsOf({ text }: Pick<Opened, 'text'>): string {
  const main = text.slice(Math.max(0, text.indexOf('<main')));
  return main
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
