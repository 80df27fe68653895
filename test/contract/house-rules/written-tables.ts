/**
 * Which tables SQL writes, and whose they are. Whole statements are read by PostgreSQL's own parser. A literal is often a
 * part of a statement only, which no parser takes: its tokens are read instead.
 */
import { loadModule, parseSync, type ScanToken, scanSync } from 'libpg-query';
import { type AnyNode, featureOf, isOpen, nodesIn, type SourceFile } from './source-files.ts';

await loadModule();

/** A statement that the program sends, with the file that declares it. */
export interface Declared {
  name: string;
  text: string;
  file: string;
}

export interface Owned {
  name: string;
  tables?: readonly string[];
}

/** What stands for a part of a literal that is not known from the text. */
const HOLE = '__hole__';
/** What they write is made of what each feature's description says of its own tables: `tables`, and `sealed`. */
const COMPOSERS = new Set(['src/db/composed-functions.ts', 'src/features/data-keys/reencrypt-queries.ts']);

/** The tables that statements write, one entry a write, also inside CTEs. Throws on what is no SQL. */
export function tablesWritten(sql: string): string[] {
  const written: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [kind, node] of Object.entries(value as Record<string, unknown>)) {
      written.push(...writesOfNode(kind, node as Record<string, unknown>).map(tableName));
      walk(node);
    }
  };
  walk(parseSync(sql).stmts);
  return written;
}

interface Relation {
  schemaname?: string;
  relname?: string;
}

const tableName = ({ schemaname, relname = '' }: Relation): string =>
  schemaname && schemaname !== 'public' ? `${schemaname}.${relname}` : relname;

function writesOfNode(kind: string, node: Record<string, unknown>): Relation[] {
  if (/^(InsertStmt|UpdateStmt|DeleteStmt|MergeStmt)$/.test(kind)) return [node['relation'] as Relation];
  if (kind === 'TruncateStmt') return (node['relations'] as { RangeVar: Relation }[]).map(({ RangeVar }) => RangeVar);
  const copied = node['relation'] as Relation | undefined;
  return kind === 'CopyStmt' && node['is_from'] === true && copied ? [copied] : [];
}

/** The same of any part of a statement, by its tokens. */
export function tablesWrittenInPart(part: string): string[] {
  const tokens = wordsOf(part);
  const at = (index: number): string => tokens[index] ?? '';
  const written: string[] = [];
  /** The table that is named at this place, and the place behind it. */
  const named = (index: number): [string, number] => {
    let next = index;
    while (at(next) === 'only' || at(next) === 'table') next += 1;
    if (at(next + 1) !== '.') return [at(next), next + 1];
    return [at(next) === 'public' ? at(next + 2) : `${at(next)}.${at(next + 2)}`, next + 3];
  };
  for (const [index, token] of tokens.entries()) {
    const twoWords = `${token} ${at(index + 1)}`;
    if (twoWords === 'insert into' || twoWords === 'delete from' || twoWords === 'merge into') {
      written.push(named(index + 2)[0]);
    } else if (token === 'update' && !/^(for|do|key|on|before|after|or)$/.test(at(index - 1))) {
      const [table, next] = named(index + 1);
      const behind = at(next) === '*' ? next + 1 : next;
      const places = at(behind) === 'as' ? [behind + 2] : [behind, behind + 1];
      if (places.some((place) => at(place) === 'set')) written.push(table);
    } else if (token === 'truncate' && /^(table|only|[a-z_]+)$/.test(at(index + 1))) {
      let [table, next] = named(index + 1);
      written.push(table);
      while (at(next) === ',') {
        [table, next] = named(next + 1);
        written.push(table);
      }
    } else if (token === 'copy') {
      const [table, next] = named(index + 1);
      const behind = at(next) === '(' ? tokens.indexOf(')', next) + 1 : next;
      if (at(behind) === 'from') written.push(table);
    }
  }
  return written;
}

/** In lower case, quoted names without their quotes, without comments. */
export function wordsOf(part: string): string[] {
  const words = (tokens: readonly ScanToken[]): string[] =>
    tokens.filter(({ tokenName }) => !/COMMENT/.test(tokenName)).map(({ text }) => text.replace(/^"(.*)"$/s, '$1').toLowerCase());
  try {
    return words(scanSync(part).tokens);
  } catch {
    // Prose with an apostrophe, or a literal that begins within a quotation.
    return (
      part
        .toLowerCase()
        .replaceAll('"', '')
        .match(/[a-z_]\w*|[^\s\w]/g) ?? []
    );
  }
}

/** Most literals have none of these words, and need no closer look. */
const WRITES = /insert|update|delete|merge|truncate|copy/i;

/** A literal of the source that writes tables. */
export interface WritingLiteral {
  file: string;
  line: number;
  /** Its known parts, in order. */
  parts: readonly string[];
  tables: readonly string[];
}

/** The literals of a file whose text writes a table, with constants of the file filled in. */
export function writingLiterals({ name, program }: SourceFile): WritingLiteral[] {
  const constants = constantsOf(program);
  const inner = new Set<AnyNode>();
  const found: WritingLiteral[] = [];
  for (const node of nodesIn(program)) {
    if (inner.has(node) || !isText(node)) continue;
    if (node.type === 'BinaryExpression') for (const below of nodesIn(node)) inner.add(below);
    const text = fold(node, constants);
    const tables = WRITES.test(text) ? tablesWrittenInPart(text) : [];
    const line = (node['loc'] as { start: { line: number } }).start.line;
    if (tables.length > 0) found.push({ file: name, line, parts: text.split(HOLE), tables });
  }
  return found;
}

const isText = ({ type, operator }: AnyNode): boolean =>
  type === 'StringLiteral' || type === 'TemplateLiteral' || (type === 'BinaryExpression' && operator === '+');

function constantsOf(program: object): Map<string, AnyNode> {
  const declared = nodesIn(program).filter(({ type, kind }) => type === 'VariableDeclaration' && kind === 'const');
  const pairs = declared.flatMap((node) =>
    (node['declarations'] as AnyNode[]).map((one): [string, AnyNode | null] => [
      (one['id'] as AnyNode)['name'] as string,
      one['init'] as AnyNode | null,
    ]),
  );
  return new Map(pairs.filter((pair): pair is [string, AnyNode] => pair[0] !== undefined && pair[1] !== null && isText(pair[1])));
}

function fold(node: AnyNode, constants: ReadonlyMap<string, AnyNode>, depth = 0): string {
  if (depth > 20) return HOLE;
  const next = (below: unknown): string => fold(below as AnyNode, constants, depth + 1);
  if (node.type === 'StringLiteral') return node['value'] as string;
  if (node.type === 'BinaryExpression' && node['operator'] === '+') return next(node['left']) + next(node['right']);
  if (node.type === 'TemplateLiteral') {
    const holes = node['expressions'] as AnyNode[];
    const texts = (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
    return texts.map((text, index) => (index === 0 ? text : next(holes[index - 1]) + text)).join('');
  }
  const constant = node.type === 'Identifier' ? constants.get(node['name'] as string) : undefined;
  return constant ? next(constant) : HOLE;
}

/** Calls of a query builder that write: `builder('lead').update(…)`. */
export function builtWrites({ program }: SourceFile): string[] {
  const written: string[] = [];
  for (const node of nodesIn(program)) {
    const callee = node.type === 'CallExpression' ? (node['callee'] as AnyNode) : undefined;
    if (callee?.type !== 'MemberExpression') continue;
    const method = (callee['property'] as AnyNode)['name'] as string;
    if (!/^(insert|update|upsert|del|delete|truncate|increment|decrement)$/.test(method)) continue;
    for (const below of nodesIn(callee['object'] as AnyNode)) {
      if (below.type === 'StringLiteral') written.push((below['value'] as string).split(/\s/)[0] as string);
    }
  }
  return written;
}

export class Owners {
  readonly #owners: ReadonlyMap<string, string>;

  constructor(features: readonly Owned[]) {
    this.#owners = new Map(features.flatMap(({ name, tables = [] }) => tables.map((table) => [table, name])));
  }

  /** Undefined for a table that no feature lists. */
  ownerOf(table: string): string | undefined {
    return this.#owners.get(table);
  }
}

/** The feature in whose name a file writes; what stands in no feature's folder is the platform's. */
const writerOf = (file: string): string => featureOf(file) ?? 'platform';

/** Literals that write a table of another feature than the one whose folder they stand in. */
export function literalFaults(
  sources: readonly SourceFile[],
  features: readonly Owned[],
  declared: readonly Declared[],
): string[] {
  const owners = new Owners(features);
  const texts = declared.map(({ text }) => normalised(text));
  return sources.flatMap((file) => {
    const { name } = file;
    const foreign = (table: string): boolean => owners.ownerOf(table) !== undefined && owners.ownerOf(table) !== writerOf(name);
    const built = builtWrites(file)
      .filter(foreign)
      .map((table) => `${name} writes ${table} of ${owners.ownerOf(table)} through a builder`);
    const literal = writingLiterals(file).flatMap(({ line, parts, tables }) =>
      tables.flatMap((table) => {
        if (foreign(table)) return [`${name}:${line} writes ${table} of ${owners.ownerOf(table)}`];
        if (!table.includes(HOLE) || COMPOSERS.has(name)) return [];
        const known = parts.map(normalised);
        return texts.some((text) => known.every((part) => text.includes(part)))
          ? []
          : [`${name}:${line} writes a table that neither its text names nor a statement that is declared when the module loads`];
      }),
    );
    return [...built, ...literal];
  });
}

/**
 * Declared statements that write a table of another feature in words that its owner has not handed out from `open/`, and
 * those that write a table of nobody.
 */
export function statementFaults(
  sources: readonly SourceFile[],
  features: readonly Owned[],
  declared: readonly Declared[],
): string[] {
  const owners = new Owners(features);
  const handedOut = sources.filter(({ name }) => isOpen(name)).flatMap(writingLiterals);
  return declared
    .filter(({ file }) => !COMPOSERS.has(file))
    .flatMap(({ name, text, file }) => {
      const writer = writerOf(file);
      // What the owners have handed out is theirs; the writer answers for the rest.
      const rest = (owner: string): string =>
        handedOut
          .filter((literal) => featureOf(literal.file) === owner)
          .flatMap(({ parts }) =>
            parts.filter((part) => tablesWrittenInPart(part).some((table) => owners.ownerOf(table) === owner)),
          )
          .map(normalised)
          .toSorted((a, b) => b.length - a.length)
          .reduce((left, part) => left.replaceAll(part, ' '), normalised(text));
      return [...new Set(tablesWritten(text))].flatMap((table) => {
        if (table.includes('.')) return [];
        const owner = owners.ownerOf(table);
        if (owner === undefined) return [`${name} (${file}) writes ${table}, which no feature lists`];
        if (owner === writer || !tablesWrittenInPart(rest(owner)).includes(table)) return [];
        return [`${name} (${file}) writes ${table} of ${owner}`];
      });
    });
}

/** Without what differs between a fragment and the statement that it stands in: spaces, and how a parameter is written. */
function normalised(text: string): string {
  return text
    .replace(/(?<!:):[A-Za-z_]\w*|\$\d+/g, '?')
    .replace(/\s+/g, ' ')
    .trim();
}
