/** The inventory of cryptography lists what the code has, and nothing else. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { house } from '../../src/features.ts';
import { sealedOf } from '../../src/house/house.ts';

const root = path.join(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/security/cryptography.md'), 'utf8');

test('names every key that is derived', () => {
  const code = globSync('src/**/*.ts', { cwd: root }).map((name) => readFileSync(path.join(root, name), 'utf8'));
  const labels = code.flatMap((text) =>
    [...text.matchAll(/hkdfSync\('sha256', [\w.]+, '', '([\w-]+)'/g)].map(([, label = '']) => label),
  );
  const derivations = code.flatMap((text) => [...text.matchAll(/hkdfSync\(/g)]).length;
  // One more has its label from the limit that it is for.
  expect(labels.length).toBe(derivations - 1);
  const table = page.split('| Label |')[1]?.split('\n\n')[0] ?? '';
  const listed = [...table.matchAll(/^\| `([\w-]+)`/gm)].map(([, label = '']) => label);
  expect(listed).toContain('bad-key-limits');
  expect(listed.filter((label) => label !== 'bad-key-limits').toSorted()).toEqual(labels.toSorted());
});

test('names every column that is sealed', () => {
  const columns = sealedOf(house).flatMap((sealed) =>
    ('columns' in sealed ? sealed.columns : [sealed]).map(({ column }) => `${sealed.table}.${column}`),
  );
  const listed = [...page.matchAll(/`(\w+\.\w+)`/g)].map(([, column = '']) => column);
  expect(listed.toSorted()).toEqual(columns.toSorted());
});
