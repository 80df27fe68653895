/** The Markdown files of the repository that a tenant's developer reads, as pages. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { html } from '../pages/html.ts';
import { type PageOfFile, renderMarkdown, withLinksToTwins } from './markdown.ts';
import type { DocsPage, Section } from './page.ts';

const ROOT = path.join(import.meta.dirname, '../..');

/** Longer explanations, in this order, by the name of their file in docs/. */
const EXPLANATIONS = ['commissions', 'referrals', 'payouts', 'kyc', 'webhooks', 'widget', 'exports', 'people', 'scopes'];

interface Place {
  file: string;
  path: string;
  section: Section;
}

/** Guides in the order in which docs/guides/README.md names them. */
function places(): Place[] {
  const guides = path.join(ROOT, 'docs/guides');
  const list = existsSync(path.join(guides, 'README.md')) ? readFileSync(path.join(guides, 'README.md'), 'utf8') : '';
  const named = Array.from(list.matchAll(/\]\(([\w-]+\.md)\)/g), ([, name = '']) => name);
  const there = existsSync(guides) ? readdirSync(guides).filter((name) => name.endsWith('.md') && name !== 'README.md') : [];
  const inOrder = there.toSorted((a, b) => rank(named, a) - rank(named, b));
  return [
    ...inOrder.map(
      (name): Place => ({ file: `docs/guides/${name}`, path: `/docs/guides/${name.replace(/\.md$/, '')}`, section: 'Guides' }),
    ),
    ...EXPLANATIONS.map((name): Place => ({ file: `docs/${name}.md`, path: `/docs/${name}`, section: 'Explanations' })),
    { file: 'packages/sdk/README.md', path: '/docs/sdk', section: 'Explanations' },
    { file: 'CHANGELOG.md', path: '/docs/changelog', section: 'Explanations' },
  ];
}

const rank = (named: readonly string[], name: string): number => (named.includes(name) ? named.indexOf(name) : named.length);

export function filePages(): DocsPage[] {
  const found = places().filter(({ file }) => existsSync(path.join(ROOT, file)));
  const pageOf: PageOfFile = (file) => found.find((one) => one.file === file)?.path;
  return found.map(({ file, path: address, section }) => {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    const { title, lead, opening, body, headings } = renderMarkdown(text, file, pageOf);
    return {
      path: address,
      title,
      description: lead,
      section,
      body: html`${body}`,
      markdown: withLinksToTwins(text, file, pageOf),
      further: opening,
      entries: headings,
    };
  });
}
