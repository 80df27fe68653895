/**
 * Migrations that write again what is made of the features' parts. `migrate` installs that behind the migrations, so that
 * a feature adds its own part and copies nobody else's.
 */

import type { Knex } from 'knex';
import { loadModule, parseSync } from 'libpg-query';
import { wordsOf } from './written-tables.ts';

await loadModule();

/** What is made of the features' parts: the functions that are composed, and the feature of each table. */
export interface House {
  composed: readonly string[];
  owners: ReadonlyMap<string, string>;
}

/** What a migration sends. */
export async function textsOf(migrate: (knex: Knex) => PromiseLike<unknown>): Promise<string[]> {
  const texts: string[] = [];
  await migrate({ raw: async (text: string) => texts.push(text) } as unknown as Knex);
  return texts;
}

/** The faults of what one migration sends in one direction. */
export function statelessParts(texts: readonly string[], { composed, owners }: House): string[] {
  return texts
    .flatMap((text) => parseSync(text).stmts ?? [])
    .flatMap(({ stmt }) => statementFaults(stmt as unknown as Statement, composed, owners));
}

type Statement = Record<string, Record<string, unknown>>;

function statementFaults(statement: Statement, composed: readonly string[], owners: ReadonlyMap<string, string>): string[] {
  const [kind = '', node = {}] = Object.entries(statement)[0] ?? [];
  if (kind === 'CreateFunctionStmt') {
    const name = lastName(node['funcname']);
    if (composed.includes(name)) return [`creates ${name}()`];
    return severalFeatures(`the function ${name}()`, bodiesIn(node).flatMap(relationsOf), owners);
  }
  const isView = kind === 'ViewStmt' || (kind === 'CreateTableAsStmt' && node['objtype'] === 'OBJECT_MATVIEW');
  if (isView) return severalFeatures('a view', valuesOf(node, 'relname'), owners);
  const named = /^(AlterFunctionStmt|DropStmt|RenameStmt|AlterOwnerStmt|AlterObjectSchemaStmt)$/.test(kind)
    ? functionsNamed(node)
    : [];
  const hidden = kind === 'DoStmt' ? bodiesIn(node).flatMap(functionsMade) : [];
  return [...named, ...hidden].filter((name) => composed.includes(name)).map((name) => `changes ${name}()`);
}

/** Of no feature's: every row is of one. */
const ABOVE_ALL = 'tenant';

/** A function or a view of the tables of several features is made of their parts. */
function severalFeatures(what: string, relations: readonly string[], owners: ReadonlyMap<string, string>): string[] {
  const tables = [...new Set(relations)].filter((relation) => owners.has(relation) && relation !== ABOVE_ALL);
  const features = new Set(tables.map((table) => owners.get(table)));
  return features.size > 1 ? [`creates ${what} of the tables ${tables.join(', ')}, which are of several features`] : [];
}

/** What a body reads and writes. */
function relationsOf(body: string): string[] {
  const words = wordsOf(body).filter((word) => !/^(only|table|public|\.)$/.test(word));
  return words.filter((_word, index) => /^(from|join|into|update|using|truncate)$/.test(words[index - 1] ?? ''));
}

/** The texts between dollars or quotes that a statement holds. */
const bodiesIn = (node: unknown): string[] => valuesOf(node, 'sval');

/** The texts under a field, at any depth. */
function valuesOf(node: unknown, wanted: string): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([field, value]) =>
    field === wanted && typeof value === 'string' ? [value] : valuesOf(value, wanted),
  );
}

/** What a block of code creates or drops when it runs, also in SQL that it puts together. */
function functionsMade(body: string): string[] {
  const words = wordsOf(body.replaceAll("'", ' '));
  return words.flatMap((word, index) => (/^(function|procedure|routine)$/.test(word) ? words.slice(index + 1, index + 6) : []));
}

/** The names that an altered or dropped function goes by. */
function functionsNamed(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([field, value]) => (field === 'objname' ? [lastName(value)] : functionsNamed(value)));
}

function lastName(parts: unknown): string {
  const last = (parts as { String: { sval: string } }[]).at(-1);
  return last?.String.sval ?? '';
}
