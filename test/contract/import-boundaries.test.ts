/** Who may import what, and how long a file may be. Source: architecture.md (Names and comments, Folders). */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '../..');

interface SourceFile {
  /** From the root, with forward slashes. */
  name: string;
  text: string;
  /** Without comments. */
  code: string;
  imports: Import[];
}

interface Import {
  /** A path from the root for our own files, else the package. */
  target: string;
  typeOnly: boolean;
}

const STATEMENT = /(?:^|\n)\s*(import|export)\s+(type\s+)?([^;'"]*?)\s*(?:from\s*)?['"]([^'"]+)['"]/g;
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]/g;

function read(name: string): SourceFile {
  const text = readFileSync(path.join(root, name), 'utf8');
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g, '');
  const targetOf = (specifier: string): string =>
    specifier.startsWith('.') ? path.posix.join(path.posix.dirname(name), specifier) : specifier;
  const imports = [...code.matchAll(STATEMENT)].map(([, , typed, names = '', specifier = '']) => ({
    target: targetOf(specifier),
    typeOnly:
      typed !== undefined ||
      (names.startsWith('{') &&
        names
          .slice(1, -1)
          .split(',')
          .every((part) => part.trim() === '' || /^\s*type\s/.test(part))),
  }));
  const dynamic = [...code.matchAll(DYNAMIC)].map(([, specifier = '']) => ({ target: targetOf(specifier), typeOnly: false }));
  return { name, text, code, imports: [...imports, ...dynamic] };
}

const sources = globSync('src/**/*.ts', { cwd: root }).map((name) => read(name.split(path.sep).join('/')));
const featureOf = (name: string): string | undefined => /^src\/features\/([^/]+)\//.exec(name)?.[1];

/** `file -> target` for every import that a rule forbids. */
function importsThat(forbidden: (file: SourceFile, imported: Import) => boolean): string[] {
  return sources.flatMap((file) =>
    file.imports.filter((imported) => forbidden(file, imported)).map(({ target }) => `${file.name} -> ${target}`),
  );
}

test('the sources are found and their imports read', () => {
  expect(sources.length).toBeGreaterThan(50);
  const app = sources.find(({ name }) => name === 'src/app.ts');
  expect(app?.imports).toContainEqual({ target: 'src/features/users/users-router.ts', typeOnly: false });
  expect(app?.imports).toContainEqual({ target: 'src/features/users/users-service.ts', typeOnly: true });
  expect(app?.imports).toContainEqual({ target: 'express', typeOnly: false });
  const missing = importsThat((_file, { target }) => target.startsWith('src/') && !sources.some(({ name }) => name === target));
  expect(missing).toEqual([]);
});

describe('the boundaries', () => {
  test('only config.ts reads the environment', () => {
    const readers = sources.filter(({ code }) => /\bprocess\s*(\.|\[\s*['"])\s*env\b|\benv\s*\}\s*=\s*process\b/.test(code));
    expect(readers.map(({ name }) => name)).toEqual(['src/config.ts']);
  });

  test('Knex is imported only in *-queries.ts, src/db, migrations and the knexfile', () => {
    const mayBuildSql = (name: string): boolean => name.endsWith('-queries.ts') || name.startsWith('src/db/');
    expect(importsThat((file, { target }) => target === 'knex' && !mayBuildSql(file.name))).toEqual([]);
  });

  test("only src/vendors imports the vendors' own packages", () => {
    const isVendors = (target: string): boolean => /^(stripe|@aws-sdk\/.*)$/.test(target.replace(/^stripe\/.*/, 'stripe'));
    expect(importsThat((file, { target }) => isVendors(target) && !file.name.startsWith('src/vendors/'))).toEqual([]);
    expect(sources.some(({ imports }) => imports.some(({ target }) => target === 'stripe'))).toBe(true);
  });

  test("a feature does not use another feature's queries", () => {
    const crosses = importsThat(
      (file, { target, typeOnly }) =>
        featureOf(file.name) !== undefined &&
        featureOf(target) !== undefined &&
        featureOf(file.name) !== featureOf(target) &&
        target.endsWith('-queries.ts') &&
        !typeOnly,
    );
    expect(crosses).toEqual([]);
  });

  test("a feature does not use another feature's operations", () => {
    const crosses = importsThat(
      (file, { target }) =>
        featureOf(file.name) !== undefined &&
        featureOf(target) !== undefined &&
        featureOf(file.name) !== featureOf(target) &&
        target.endsWith('-operations.ts'),
    );
    expect(crosses).toEqual([]);
  });

  test('nothing but app.ts imports a router', () => {
    expect(importsThat((file, { target }) => target.endsWith('-router.ts') && file.name !== 'src/app.ts')).toEqual([]);
  });

  test('queries know no rules and no HTTP: they import neither services, routers nor operations', () => {
    expect(
      importsThat((file, { target }) => file.name.endsWith('-queries.ts') && /-(service|router|operations)\.ts$/.test(target)),
    ).toEqual([]);
  });

  test('the database layer knows no feature', () => {
    expect(importsThat((file, { target }) => file.name.startsWith('src/db/') && target.startsWith('src/features/'))).toEqual([]);
  });

  test("operators' queries, which read across tenants, are used by operators' commands only", () => {
    const users = importsThat((_file, { target }) => target.endsWith('operator-queries.ts')).map(
      (entry) => entry.split(' ')[0] ?? '',
    );
    expect(users.filter((name) => !/^src\/(cli|doctor)/.test(name))).toEqual([]);
  });
});

describe('the files', () => {
  const EXEMPT = new Set(['src/app.ts', 'src/compose.ts']);

  test('have at most 350 lines', () => {
    const long = sources
      .filter(({ name }) => !EXEMPT.has(name))
      .map(({ name, text }) => ({ name, lines: text.split('\n').length - 1 }))
      .filter(({ lines }) => lines > 350);
    expect(long).toEqual([]);
  });

  test('export by name, and re-export nothing', () => {
    expect(sources.filter(({ code }) => /^export default\b/m.test(code)).map(({ name }) => name)).toEqual([]);
    expect(
      sources.filter(({ code }) => /^export\s+(?:type\s+)?(?:\*|\{[^}]*\})\s+from\b/m.test(code)).map(({ name }) => name),
    ).toEqual([]);
    expect(sources.filter(({ name }) => /\/(index|utils?|helpers?|common)\.ts$/.test(name)).map(({ name }) => name)).toEqual([]);
  });

  test('are named in kebab case', () => {
    expect(sources.filter(({ name }) => !/^[a-z0-9/-]+\.ts$/.test(name)).map(({ name }) => name)).toEqual([]);
  });
});
