/** What a runbook has somebody type was run by a drill, or the runbook says that it was not. Source: docs/coming-back.md. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openForm } from '../../drill/kit.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const filesOf = (folder: string, ending: string): string[] =>
  readdirSync(path.join(ROOT, folder)).filter((file) => file.endsWith(ending));

const ran = new Set(
  filesOf('drill/ran', '.txt').flatMap((file) => readFileSync(path.join(ROOT, 'drill/ran', file), 'utf8').split('\n')),
);

/** Lines of the blocks that are not marked `not run`. */
function commandsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^ *```sh(.*)\n([\s\S]*?)^ *```$/gm)]
    .filter(([, mark = '']) => !mark.includes('not run'))
    .flatMap(([, , body = '']) => body.split('\n').map((line) => line.trim()))
    .filter((line) => line !== '' && !line.startsWith('#'));
}

test.each(filesOf('docs/runbooks', '.md'))('each command of %s was run by a drill', (file) => {
  const commands = commandsOf(readFileSync(path.join(ROOT, 'docs/runbooks', file), 'utf8'));
  const notRun = commands.filter((command) => !ran.has(openForm(command.replace('npm run -s cli -- ', 'cli '))));
  expect(notRun).toEqual([]);
});
