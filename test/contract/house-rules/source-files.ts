/** Source files as the rules of the house read them: parsed, with what each imports, types too. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type ParseResult, parse } from '@babel/parser';

export type Program = ParseResult['program'];
export type TopLevel = Program['body'][number];

export interface SourceFile {
  /** From the root, with forward slashes: `src/app.ts`. */
  name: string;
  text: string;
  program: Program;
  imports: readonly Import[];
}

export interface Import {
  /** From the root for our own files, else the package. */
  target: string;
  /** The name that the other module exports; none where the whole module is meant. */
  name?: string;
  /** What it is called here. */
  local?: string;
  typeOnly: boolean;
}

/** Any node of the tree, where its kind does not matter. */
export interface AnyNode {
  type: string;
  [field: string]: unknown;
}

const root = path.join(import.meta.dirname, '../../..');

/** Every file below src, parsed. */
export function readSources(): SourceFile[] {
  return globSync('src/**/*.ts', { cwd: root })
    .map((found) => found.split(path.sep).join('/'))
    .toSorted()
    .map((name) => parseSource(name, readFileSync(path.join(root, name), 'utf8')));
}

/** Files that do not exist, for the tests of the rules. */
export function plant(files: Readonly<Record<string, string>>): SourceFile[] {
  return Object.entries(files).map(([name, text]) => parseSource(name, text));
}

/** One file, with others in the place of those of the same name. */
export function replant(sources: readonly SourceFile[], files: Readonly<Record<string, string>>): SourceFile[] {
  return [...sources.filter(({ name }) => !(name in files)), ...plant(files)];
}

export function parseSource(name: string, text: string): SourceFile {
  const { program } = parse(text, { sourceType: 'module', plugins: ['typescript', 'importAttributes'], sourceFilename: name });
  return { name, text, program, imports: importsOf(name, program) };
}

function importsOf(name: string, program: Program): Import[] {
  const targetOf = (specifier: string): string =>
    specifier.startsWith('.') ? path.posix.join(path.posix.dirname(name), specifier) : specifier;
  const imports = program.body.flatMap((statement) => statically(statement, targetOf));
  for (const node of nodesIn(program)) {
    const specifier = writtenInPlace(node);
    if (specifier !== undefined) imports.push({ target: targetOf(specifier), typeOnly: node.type === 'TSImportType' });
  }
  return imports;
}

function statically(statement: TopLevel, targetOf: (specifier: string) => string): Import[] {
  if (statement.type === 'ImportDeclaration') {
    const target = targetOf(statement.source.value);
    const typeOnly = statement.importKind === 'type';
    if (statement.specifiers.length === 0) return [{ target, typeOnly }];
    return statement.specifiers.map((specifier) => {
      if (specifier.type !== 'ImportSpecifier') return { target, local: specifier.local.name, typeOnly };
      const { imported, local, importKind } = specifier;
      return { target, name: nameOf(imported), local: local.name, typeOnly: typeOnly || importKind === 'type' };
    });
  }
  if ((statement.type === 'ExportNamedDeclaration' || statement.type === 'ExportAllDeclaration') && statement.source) {
    return [{ target: targetOf(statement.source.value), typeOnly: statement.exportKind === 'type' }];
  }
  return [];
}

export const nameOf = (named: { type: 'Identifier'; name: string } | { type: 'StringLiteral'; value: string }): string =>
  named.type === 'Identifier' ? named.name : named.value;

/** `import('…')` as a value and as a type, and the address of a module that a worker runs. */
function writtenInPlace(node: AnyNode): string | undefined {
  const literal = (value: unknown): string | undefined => {
    const { type, value: text } = value as { type?: string; value?: string };
    return type === 'StringLiteral' ? text : undefined;
  };
  const args = (node['arguments'] ?? []) as AnyNode[];
  if (node.type === 'CallExpression' && (node['callee'] as AnyNode).type === 'Import') return literal(args[0]);
  if (node.type === 'ImportExpression') return literal(node['source']);
  if (node.type === 'TSImportType') return literal(node['argument']);
  const [address, base] = args;
  if (node.type !== 'NewExpression' || (node['callee'] as AnyNode)['name'] !== 'URL' || base?.type !== 'MemberExpression')
    return undefined;
  const text = literal(address);
  return text?.endsWith('.ts') ? text : undefined;
}

/** The node and all below it, as they stand in the text. */
export function nodesIn(node: object): AnyNode[] {
  const found: AnyNode[] = [];
  const open = [node as AnyNode];
  for (let at = open.pop(); at; at = open.pop()) {
    found.push(at);
    const below: AnyNode[] = [];
    for (const [field, value] of Object.entries(at)) {
      if (field === 'loc' || field === 'extra' || field.endsWith('Comments')) continue;
      for (const child of Array.isArray(value) ? value : [value]) {
        if (typeof (child as AnyNode | null)?.type === 'string') below.push(child as AnyNode);
      }
    }
    open.push(...below.toReversed());
  }
  return found;
}

/** The feature whose folder the file stands in. */
export function featureOf(name: string): string | undefined {
  return /^src\/features\/([^/]+)\//.exec(name)?.[1];
}

export const isOpen = (name: string): boolean => /^src\/features\/[^/]+\/open\//.test(name);
