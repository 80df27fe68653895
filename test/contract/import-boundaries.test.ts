/** Who may import what, and how long a file may be. Source: docs/specification/conventions.md#code-shape. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { featureOf, type Import, readSources, type SourceFile } from './house-rules/source-files.ts';

const sources = readSources().map((file) => ({ ...file, code: file.text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g, '') }));

/** `file -> target` for every import that a rule forbids. */
function importsThat(forbidden: (file: SourceFile, imported: Import) => boolean): string[] {
  const found = sources.flatMap((file) =>
    file.imports.filter((imported) => forbidden(file, imported)).map(({ target }) => `${file.name} -> ${target}`),
  );
  return [...new Set(found)];
}

test('the sources are found and their imports read', () => {
  expect(sources.length).toBeGreaterThan(50);
  const importsOf = (file: string) => sources.find(({ name }) => name === file)?.imports;
  expect(importsOf('src/features.ts')).toContainEqual(
    expect.objectContaining({ target: 'src/features/users/users-feature.ts', typeOnly: false }),
  );
  expect(importsOf('src/features/leads/leads-feature.ts')).toContainEqual(
    expect.objectContaining({
      target: 'src/features/users/users-service.ts',
      typeOnly: true,
    }),
  );
  expect(importsOf('src/app.ts')).toContainEqual(expect.objectContaining({ target: 'express', typeOnly: false }));
  const isThere = (target: string): boolean =>
    sources.some(({ name }) => name === target) ||
    (target.endsWith('.json') && existsSync(path.resolve(import.meta.dirname, '../..', target)));
  const missing = importsThat((_file, { target }) => target.startsWith('src/') && !isThere(target));
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

  test('only src/metrics knows in which library metrics are kept', () => {
    expect(importsThat((file, { target }) => target === 'prom-client' && !file.name.startsWith('src/metrics/'))).toEqual([]);
    expect(sources.some(({ imports }) => imports.some(({ target }) => target === 'prom-client'))).toBe(true);
  });

  test('the routes of a feature are imported by its description alone', () => {
    const foreign = importsThat(
      (file, { target }) =>
        target.endsWith('-routes.ts') && file.name !== `src/features/${featureOf(target)}/${featureOf(target)}-feature.ts`,
    );
    expect(foreign).toEqual([]);
  });

  test('queries know no rules and no HTTP: they import neither services, routers nor operations', () => {
    expect(
      importsThat((file, { target }) => file.name.endsWith('-queries.ts') && /-(service|routes|operations)\.ts$/.test(target)),
    ).toEqual([]);
  });

  test("operators' queries, which read across tenants, are used by operators' commands only", () => {
    const users = importsThat((_file, { target }) => target.endsWith('operator-queries.ts')).map(
      (entry) => entry.split(' ')[0] ?? '',
    );
    const mayRead = (name: string): boolean =>
      /^src\/(cli|doctor)/.test(name) || name.endsWith('-commands.ts') || name === 'src/features/tenants/tenants-service.ts';
    expect(users.filter((name) => !mayRead(name))).toEqual([]);
  });
});

describe('the files', () => {
  /** tables.ts is written by a command. */
  const EXEMPT = new Set(['src/app.ts', 'src/compose.ts', 'src/db/tables.ts']);

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
