/** The page has each requirement once, what its rows name is there, and its count is right. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const file = path.join(import.meta.dirname, '../../docs/security/asvs.md');
const folder = path.dirname(file);
const page = readFileSync(file, 'utf8');

/** Of ASVS 5.0.0: each section with its last requirement, and behind a hyphen those of level 3, which have no row. */
const SECTIONS = `1.1:2 1.2:10-10 1.3:12-12 1.4:3 1.5:3-3 2.1:3 2.2:3 2.3:5-5 2.4:2-2 3.1:1-1 3.2:3-3 3.3:5-5
  3.4:8-7,8 3.5:8-6,7,8 3.6:1-1 3.7:5-3,4,5 4.1:5-4,5 4.2:5-2,3,4,5 4.3:2 4.4:4 5.1:1 5.2:6-4,5,6 5.3:3-3 5.4:3
  6.1:3 6.2:12 6.3:8-5,6,7,8 6.4:6-5,6 6.5:8-6,7,8 6.6:4-4 6.7:2-1,2 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:3-3 7.6:2
  8.1:4-3,4 8.2:4-4 8.3:3-2,3 8.4:2-2 9.1:3 9.2:4 10.1:2 10.2:3-3 10.3:5-5 10.4:16-12,13,14,15,16 10.5:5 10.6:2
  10.7:3 11.1:4-3,4 11.2:5-4,5 11.3:5-4,5 11.4:4 11.5:2-2 11.6:2-2 11.7:2-1,2 12.1:5-4,5 12.2:2 12.3:5-5
  13.1:4-2,3,4 13.2:6-6 13.3:4-3,4 13.4:7-6,7 14.1:2 14.2:8-5,6,7,8 14.3:3 15.1:5-4,5 15.2:5-4,5 15.3:7
  15.4:4-1,2,3,4 16.1:1 16.2:5 16.3:4 16.4:3 16.5:4-4 17.1:2-2 17.2:8-5,6,7,8 17.3:2`;

const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| v'))
  .map((line) => {
    const [id = '', level = '', asked = '', how = '', tests = '', ...more] = line.slice(2, -2).split(' | ');
    return { id, level, asked, how, tests, more };
  });

test('has each requirement of levels 1 and 2 once, in order, in five columns', () => {
  const ids = SECTIONS.split(/\s+/).flatMap((entry) => {
    const [section, last, left = ''] = entry.split(/[:-]/);
    const numbers = Array.from({ length: Number(last) }, (_, index) => String(index + 1));
    return numbers.filter((number) => !left.split(',').includes(number)).map((number) => `v5.0.0-${section}.${number}`);
  });
  expect(rows.map(({ id }) => id)).toEqual(ids);
  expect(
    rows.filter(({ level, asked, how, tests, more }) => !/^[12]$/.test(level) || !asked || !how || !tests || more[0]),
  ).toEqual([]);
});

test('links to files and anchors that are there', () => {
  const links = [...page.matchAll(/\]\((?!https:)([^)#]+)(?:#([^)]+))?\)/g)];
  expect(links.length).toBeGreaterThan(rows.length);
  const faults = links.filter(([, target = '', anchor]) => {
    const linked = path.join(folder, target);
    return !existsSync(linked) || (anchor !== undefined && !anchorsOf(readFileSync(linked, 'utf8')).includes(anchor));
  });
  expect(faults.map(([link]) => link)).toEqual([]);
});

test('names tests that are there, and a link with each', () => {
  const faults = rows.flatMap(({ id, tests }) => {
    if (tests === '–' || tests === 'no test') return [];
    return tests.split('; [').flatMap((one) => {
      const [, suite, title = ''] = /^\[?[^\]]+\]\((\.\.\/\.\.\/test\/[^)]+)\) `([^`]+)`$/.exec(one) ?? [];
      const code = suite === undefined ? '' : readFileSync(path.join(folder, suite), 'utf8');
      return quoted(title).some((text) => code.includes(text)) ? [] : [`${id}: ${one}`];
    });
  });
  expect(faults).toEqual([]);
});

test('says how many there are of each kind, and gives a test to no other kind', () => {
  const kindOf = ({ how, tests }: (typeof rows)[number]) =>
    /^(n\/a|not met|operator): /.exec(how)?.[1] ?? (tests === 'no test' ? tests : 'test');
  const count = (kind: string) => rows.filter((row) => kindOf(row) === kind).length;
  expect(rows.filter((row) => (row.tests === '–') === ['test', 'no test'].includes(kindOf(row)))).toEqual([]);
  expect(/^\*\*.*\*\*$/m.exec(page)?.[0]).toBe(
    `**${rows.length} requirements: ${count('test')} met with a test, ${count('no test')} met without one, ` +
      `${count('operator')} for the operator, ${count('not met')} not met, ${count('n/a')} not applicable.**`,
  );
});

/** As a string may stand in code. */
function quoted(title: string): string[] {
  return [`'${title.replaceAll("'", String.raw`\'`)}'`, `"${title}"`, `\`${title}\``];
}

/** Explicit anchors, and those of headings of plain words. */
function anchorsOf(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading.toLowerCase().replaceAll(/[^\w -]/g, ''));
  return [...text.matchAll(/<a id="([^"]+)"/g)]
    .map(([, id = '']) => id)
    .concat(headings.map((name) => name.replaceAll(' ', '-')));
}
