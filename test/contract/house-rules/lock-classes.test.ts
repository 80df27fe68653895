/** Each advisory lock of the service has a class of its own, and takes it from one list. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LOCK_CLASSES } from '../../../src/db/lock-classes.ts';
import { readSources } from './source-files.ts';

const root = path.join(import.meta.dirname, '../../..');
const REGISTRY = 'src/db/lock-classes.ts';
/** Those of `migrate` alone: whole numbers of their own, on connections that belong to no tenant. */
const OF_MIGRATE = ['src/db/migrate.ts', 'src/db/roles.ts'];
/** Says which SQL function of a migration takes which class: its number stays. */
const IN_MIGRATIONS: Record<string, readonly number[]> = { '20261122100000_downline_counts.ts': [LOCK_CLASSES.tree] };

/** What names a lock by itself. `transaction.ts` puts the name of the function before a number from the list. */
const NAMED_LOCK = /advisory(_xact)?_(un)?lock(_shared)?\s*\(/;

function strays(files: readonly { name: string; text: string }[]): string[] {
  return files.filter(({ text }) => NAMED_LOCK.test(text)).map(({ name }) => name);
}

/** The classes of the locks in a text. */
const classesIn = (text: string): number[] =>
  text.split('\n').flatMap((line) => {
    const [, number] = /advisory\w*\(hashtextextended\(.*, (\d+)\)/.exec(line) ?? [];
    return number === undefined ? [] : [Number(number)];
  });

test('no two classes have the same number', () => {
  const numbers = Object.values(LOCK_CLASSES);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test('no file but the list names an advisory lock', () => {
  const sources = readSources().filter(({ name }) => name !== REGISTRY && !OF_MIGRATE.includes(name));
  expect(strays(sources)).toEqual([]);
});

test('a migration takes a lock of the list or none', () => {
  const found = globSync('migrations/*.ts', { cwd: root }).map((name) => {
    const text = readFileSync(path.join(root, name), 'utf8');
    return { name: path.basename(name), classes: classesIn(text), locks: text.match(/advisory\w*\(/g)?.length ?? 0 };
  });
  for (const { name, classes, locks } of found) {
    expect(classes, name).toEqual(IN_MIGRATIONS[name] ?? []);
    expect(locks, name).toBe(classes.length);
  }
});

test('finds a lock beside the list', () => {
  const planted = (text: string) => strays([{ name: 'x.ts', text }]);
  expect(planted("raw('select pg_advisory_xact_lock(hashtextextended(:key, 6))')")).toEqual(['x.ts']);
  expect(planted("raw('select pg_try_advisory_xact_lock(7)')")).toEqual(['x.ts']);
  expect(planted("raw('select pg_advisory_lock_shared (1, 2)')")).toEqual(['x.ts']);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a source
  expect(planted("raw(`select ${tryLock('tree')} as mine`)")).toEqual([]);
  expect(classesIn('perform pg_advisory_xact_lock(hashtextextended(a, 5));')).toEqual([5]);
});
