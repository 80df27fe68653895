/**
 * Whoever reads a comment or a page can open what it names: no file cites a page that is not in the
 * repository, and every page and anchor that is cited is there. How rules are cited:
 * docs/specification/README.md#how-a-rule-is-cited.
 */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '../..');
const THIS_FILE = path.relative(root, import.meta.filename);

/** What keeps comments that cite. */
const CODE = 'src test migrations bench seeds tools .ci'.split(' ');
const TEXT = /\.(?:[cm]?[jt]sx?|sql|sh|json|toml|ya?ml|md|css|html|csv|txt)$/;
const DOCUMENTS = ['docs/**/*.md', '*.md'];

/** Pages that were written elsewhere. One that comes to exist here may be cited, by its path. */
const FOREIGN =
  /\bapi-decisions\b|\bservice-description\b|\breliability (?:§|[ACFIW]-\d)|(?<![\w/.-])(?:spec|design|shared|lab)\/[\w-]+\.(?:md|mjs)\b/i;

/** Sections of these need no page of ours. */
const STANDARD = /\b(?:RFC \d+|ISO[ /]\d+|OpenID|OIDC|W3C|WCAG|Web Authentication|FIPS|NIST|PCI)\b/;

/** A path of letters, digits, dots, hyphens and slashes that ends in a Markdown page, with its anchor. */
const PAGE = /(?<![\w@-])((?:\.{0,2}\/)?[\w.-]+(?:\/[\w.-]+)*\.md)\b(?:#([\w-]*))?/g;

interface TextFile {
  /** From the root, with forward slashes. */
  name: string;
  lines: string[];
}

function read(patterns: readonly string[]): TextFile[] {
  return globSync(patterns, { cwd: root })
    .map((name) => name.split(path.sep).join('/'))
    .filter((name) => name !== THIS_FILE && statSync(path.join(root, name)).isFile())
    .toSorted()
    .map((name) => ({ name, lines: readFileSync(path.join(root, name), 'utf8').split('\n') }));
}

const code = read(CODE.map((folder) => `${folder}/**/*`)).filter(({ name }) => TEXT.test(name) || name.startsWith('.ci/'));
const documents = read(DOCUMENTS);

/** `file:line: text` for each line of which `faultsOf` says something. */
function faultsIn(files: readonly TextFile[], faultsOf: (line: string, file: TextFile, index: number) => string[]): string[] {
  return files.flatMap((file) =>
    file.lines.flatMap((line, index) => faultsOf(line, file, index).map((fault) => `${file.name}:${index + 1}: ${fault}`)),
  );
}

/** As GitHub makes the anchor of a heading. */
function slugOf(heading: string): string {
  return heading
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
}

/** Lines outside fenced code; the others are empty. */
function prose(lines: readonly string[]): string[] {
  let fenced = false;
  return lines.map((line) => {
    const fence = /^\s*(?:```|~~~)/.test(line);
    if (fence) fenced = !fenced;
    return fence || fenced ? '' : line;
  });
}

/** Every anchor of a page, in order: explicit ones and those of headings, of which equal ones are numbered. */
function anchorsOf(lines: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return prose(lines).flatMap((line) => {
    const explicit = [...line.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id = '']) => id);
    const heading = /^#{1,6}\s+(.*)/.exec(line)?.[1];
    if (heading === undefined) return explicit;
    const slug = slugOf(heading);
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    return [...explicit, times === 0 ? slug : `${slug}-${times}`];
  });
}

const anchors = new Map<string, ReadonlySet<string>>();

/** What is wrong with a page and its anchor; undefined when both are there. */
function faultOf(page: string, anchor: string | undefined): string | undefined {
  const full = path.join(root, page);
  if (!existsSync(full)) return `${page} is not there`;
  if (anchor === undefined) return undefined;
  if (!page.endsWith('.md')) return `${page} has no anchors`;
  const known = anchors.get(page) ?? new Set(anchorsOf(readFileSync(full, 'utf8').split('\n')));
  anchors.set(page, known);
  return known.has(anchor) ? undefined : `${page} has no anchor ${anchor}`;
}

test('the files are found', () => {
  expect(code.length).toBeGreaterThan(500);
  expect(code.some(({ name }) => name === '.ci/run')).toBe(true);
  expect(documents.map(({ name }) => name)).toEqual(expect.arrayContaining(['README.md', 'docs/specification/README.md']));
  const cited = code.flatMap(({ lines }) => lines.filter((line) => line.includes('docs/specification/')));
  expect(cited.length).toBeGreaterThan(200);
});

describe('the code', () => {
  test('cites no page from elsewhere', () => {
    expect(faultsIn(code, (line) => FOREIGN.exec(line)?.slice(0, 1) ?? [])).toEqual([]);
  });

  test('names pages by their path from the root, or from the file that names them, and their anchors are there', () => {
    const faults = faultsIn(code, (line, { name }) =>
      [...line.matchAll(PAGE)].flatMap(([, page = '', anchor]) => {
        const beside = path.posix.join(path.posix.dirname(name), page);
        return faultOf(existsSync(path.join(root, beside)) ? beside : page, anchor) ?? [];
      }),
    );
    expect(faults).toEqual([]);
  });

  test('names no section by its number alone, save of public standards', () => {
    const faults = faultsIn(code, (line, { lines }, index) => {
      if (!/§\s?\d/.test(line)) return [];
      return STANDARD.test(lines.slice(Math.max(0, index - 3), index + 1).join(' ')) ? [] : [line.trim()];
    });
    expect(faults).toEqual([]);
  });
});

describe('the documents', () => {
  test('cite no page from elsewhere', () => {
    const faults = faultsIn(documents, (line) => FOREIGN.exec(line)?.slice(0, 1) ?? []);
    expect(faults).toEqual([]);
  });

  test('link to what is there', () => {
    const faults = documents.flatMap((document) => {
      const { name } = document;
      return faultsIn([{ name, lines: prose(document.lines) }], (line) =>
        [...line.replaceAll(/`[^`]*`/g, '').matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g)].flatMap(([, target = '']) => {
          if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return [];
          const [page = '', anchor] = target.split('#');
          return faultOf(page === '' ? name : path.posix.join(path.posix.dirname(name), decodeURI(page)), anchor) ?? [];
        }),
      );
    });
    expect(faults).toEqual([]);
  });

  test('cite, as the code does, what is there', () => {
    const faults = faultsIn(documents, (line) =>
      [...line.matchAll(PAGE)].flatMap(([, page = '', anchor]) => (page.startsWith('docs/') && faultOf(page, anchor)) || []),
    );
    expect(faults).toEqual([]);
  });

  test('give each anchor to one place', () => {
    const faults = documents.flatMap(({ name, lines }) => {
      const all = anchorsOf(lines);
      return all.filter((anchor, index) => all.indexOf(anchor) !== index).map((anchor) => `${name}#${anchor}`);
    });
    expect(faults).toEqual([]);
  });
});

test.each([
  ["Vendors' events", 'vendors-events'],
  ['`external_id` and *more*', 'external_id-and-more'],
  ['Why was somebody paid, and somebody else not?', 'why-was-somebody-paid-and-somebody-else-not'],
  ['A [link](x.md) & dots…', 'a-link--dots'],
])('the anchor of "%s"', (heading, slug) => {
  expect(slugOf(heading)).toBe(slug);
});
