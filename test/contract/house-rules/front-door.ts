/** What of a feature others may import, and what may stand in its `open/` folder. */
import { type AnyNode, featureOf, type Import, isOpen, nodesIn, type SourceFile } from './source-files.ts';

/** `file -> target` for every import, types too, that goes past a feature's front door. */
export function innerImports(sources: readonly SourceFile[]): string[] {
  return unique(
    sources.flatMap(({ name, imports }) =>
      imports
        .filter(({ target }) => featureOf(target) !== featureOf(name) && isInner(target))
        // Pages call operations, whatever feature's they are.
        .filter(({ target }) => !(isOfPages(name) && target.endsWith('-operations.ts')))
        .map(({ target }) => `${name} -> ${target}`),
    ),
  );
}

const isOfPages = (name: string): boolean => name.startsWith('src/features/dashboard/') || isView(name);
/** What the frame of the widget shows. */
const isView = (name: string): boolean => name.startsWith('src/features/widget/views/');

/** What a page of its own folder imports beside operations, what is open, and the parts of pages: it asks for data by operations alone. */
export function pageFaults(sources: readonly SourceFile[]): string[] {
  return sources
    .filter(({ name }) => /^src\/features\/dashboard\/[\w-]+\//.test(name) || isView(name))
    .flatMap(({ name, imports }) =>
      unique(
        imports
          .filter(({ target, typeOnly }) => !mayPageImport(name, target, typeOnly))
          .map(({ target }) => `${name} -> ${target}`),
      ),
    );
}

/** Of the frame of pages, beside the page's own folder. */
function mayPageImport(name: string, target: string, typeOnly: boolean): boolean {
  const own = name.slice(0, name.lastIndexOf('/') + 1);
  if (target.startsWith(own) || target.startsWith('src/pages/')) return !target.startsWith('src/pages/browser/');
  if (featureOf(target) !== undefined) {
    return isOpen(target) || target.endsWith('-operations.ts') || target === 'src/features/dashboard/addresses.ts';
  }
  return isNeutral(target) || (typeOnly && target.startsWith('src/'));
}

/** Values without a way to data. */
const isNeutral = (target: string): boolean =>
  ['src/errors.ts', 'src/money.ts', 'src/http/field-faults.ts', 'src/http/invoke.ts', 'src/http/schemas.ts', 'zod'].includes(
    target,
  ) || target.startsWith('d3-');

function isInner(target: string): boolean {
  const feature = featureOf(target);
  if (feature === undefined || isOpen(target)) return false;
  return target !== `src/features/${feature}/${feature}-feature.ts` && target !== `src/features/${feature}/${feature}-service.ts`;
}

/** Packages and parts of Node that compute and reach nothing outside the process. */
const PURE_PACKAGES = new Set([
  'zod',
  'node:crypto',
  'currency-codes',
  'i18n-iso-countries/index.js',
  'i18n-iso-countries/langs/en.json',
  'ibantools',
]);
/** What a statement is sent with. */
const CONNECTIONS = new Set(['Db', 'WriteDb', 'ClaimDb', 'Frames', 'FrameGuard', 'Gate']);

/** What is in an `open/` folder and is neither a type, nor a pure rule, nor a fragment of SQL. */
export function openFaults(sources: readonly SourceFile[]): string[] {
  const byName = new Map(sources.map((file) => [file.name, file]));
  return sources
    .filter(({ name }) => isOpen(name))
    .flatMap((file) =>
      [...unique(file.imports.flatMap((imported) => importFault(imported, byName))), ...unique(connectionFaults(file))].map(
        (fault) => `${file.name} ${fault}`,
      ),
    );
}

function importFault({ target, typeOnly }: Import, byName: ReadonlyMap<string, SourceFile>): string[] {
  if (featureOf(target) !== undefined) return isOpen(target) ? [] : [`imports ${target}, which is not open`];
  if (typeOnly) return [];
  const way = wayOut(target, byName);
  return way ? [`imports ${way.join(', which imports ')}`] : [];
}

/** How a module comes to something that is not pure, by its imports of values; undefined when it does not. */
function wayOut(target: string, byName: ReadonlyMap<string, SourceFile>): string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[target, undefined]]);
  for (const [at] of cameFrom) {
    if (isImpure(at)) {
      const way: string[] = [];
      for (let step: string | undefined = at; step !== undefined; step = cameFrom.get(step)) way.unshift(step);
      return way;
    }
    for (const { target: next, typeOnly } of byName.get(at)?.imports ?? []) {
      if (!typeOnly && !cameFrom.has(next)) cameFrom.set(next, at);
    }
  }
  return undefined;
}

/** A package that may reach out of the process, as the one that speaks to the database does. */
const isImpure = (target: string): boolean => !target.startsWith('src/') && !PURE_PACKAGES.has(target);

/** Functions that take a connection, and calls that send on one. A type may name a connection: it does nothing with it. */
function connectionFaults({ program, imports }: SourceFile): string[] {
  const connections = new Set(
    imports.flatMap(({ target, name, local }) => (target.startsWith('src/db/') && name && CONNECTIONS.has(name) ? [local] : [])),
  );
  const faults: string[] = [];
  for (const node of nodesIn(program)) {
    if (/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|ObjectMethod|ClassMethod)$/.test(node.type)) {
      const taken = (node['params'] as AnyNode[]).flatMap(typesNamed).filter((name) => connections.has(name));
      for (const name of taken) faults.push(`has a function that takes a ${name}`);
    }
    if (node.type !== 'CallExpression') continue;
    const callee = node['callee'] as AnyNode;
    const called = (callee.type === 'MemberExpression' ? (callee['property'] as AnyNode) : callee)['name'] as string;
    if (callee.type === 'MemberExpression' && /^(row|rows|lastRow)$/.test(called))
      faults.push(`sends a statement by ${called}()`);
    if (callee.type === 'Identifier' && /^(fetch|setTimeout|setInterval)$/.test(called)) faults.push(`calls ${called}()`);
  }
  return faults;
}

const typesNamed = (parameter: AnyNode): string[] =>
  nodesIn(parameter)
    .filter(({ type }) => type === 'TSTypeReference')
    .map((node) => (node['typeName'] as AnyNode)['name'] as string);

const unique = (words: readonly string[]): string[] => [...new Set(words)];
