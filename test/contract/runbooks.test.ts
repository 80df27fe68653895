/** Every command of every runbook was run by a drill, or the page says that it was not: docs/runbooks/README.md. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openForm } from '../../drill/kit.ts';

const root = path.join(import.meta.dirname, '../..');
const pages = readdirSync(path.join(root, 'docs/runbooks')).filter((file) => file.endsWith('.md'));
const read = (page: string): string => readFileSync(path.join(root, 'docs/runbooks', page), 'utf8');
const ran = new Set(
  readdirSync(path.join(root, 'drill/ran')).flatMap((file) =>
    readFileSync(path.join(root, 'drill/ran', file), 'utf8')
      .split('\n')
      .filter(Boolean),
  ),
);

const OPS = 'docker compose run --rm ops ';

/** The commands of a page in the drills' form, but for the blocks that are marked: ```sh not run: why. */
function commandsOf(text: string): string[] {
  return [...text.matchAll(/^ *```sh(.*)\n([\s\S]*?)^ *```$/gm)]
    .filter(([, mark = '']) => !/^ not run: ./.test(mark))
    .flatMap(([, , block = '']) => block.split('\n').map((line) => line.trim()))
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => openForm(line.replace(OPS, 'cli ')));
}

describe.each(pages)('%s', (page) => {
  test('names no command that no drill has run', () => {
    expect(commandsOf(read(page)).filter((command) => !ran.has(command))).toEqual([]);
  });

  test('leads to pages that there are', () => {
    const links = [...read(page).matchAll(/\]\(([\w./-]+\.md)(?:#[\w-]*)?\)/g)].map(([, file = '']) => file);
    expect(links.filter((file) => !existsSync(path.join(root, 'docs/runbooks', file)))).toEqual([]);
  });
});

test('the list has every page', () => {
  const listed = [...read('README.md').matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, file = '']) => file);
  expect(pages.filter((page) => page !== 'README.md' && !listed.includes(page))).toEqual([]);
});
