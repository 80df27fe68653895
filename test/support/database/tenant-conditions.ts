/**
 * The first wall, read off a statement by PostgreSQL's own parser: every tenant table in it is bound to one tenant and
 * one environment, by a parameter or by the columns of a table that is. Source: docs/specification/tenancy.md#walls.
 */
import { loadModule, parseSync } from 'libpg-query';

await loadModule();

type Tree = Readonly<Record<string, unknown>>;

/** What the columns of a name are: of a tenant's table, of `tenant` itself, or of something that was made of those. */
type Kind = 'tenant table' | 'tenant' | 'other';
type Names = ReadonlyMap<string, Kind>;

const KEYS = ['tenant_id', 'environment'] as const;

/** What a statement leaves open, each as a phrase; none: the wall stands. Throws on what is no SQL. */
export function findOpenTables(sql: string, tenantTables: readonly string[]): string[] {
  const { stmts = [] } = parseSync(sql) as { stmts?: { stmt: Tree }[] };
  const reader = new Reader(new Set(tenantTables));
  for (const { stmt } of stmts) reader.readAny(stmt, new Map(), new Set());
  return reader.faults;
}

class Reader {
  readonly faults: string[] = [];
  readonly #tenantTables: ReadonlySet<string>;

  constructor(tenantTables: ReadonlySet<string>) {
    this.#tenantTables = tenantTables;
  }

  /** Reads every statement in `value`, which stands where `outer` names can be used. */
  readAny(value: unknown, outer: Names, ctes: ReadonlySet<string>): void {
    if (Array.isArray(value)) {
      for (const one of value) this.readAny(one, outer, ctes);
      return;
    }
    if (!isTree(value)) return;
    for (const [kind, node] of Object.entries(value)) {
      if (kind === 'SelectStmt') this.#readSelect(node as Tree, outer, ctes);
      else if (kind === 'UpdateStmt') this.#readChange('update', node as Tree, outer, ctes, 'fromClause');
      else if (kind === 'DeleteStmt') this.#readChange('delete from', node as Tree, outer, ctes, 'usingClause');
      else if (kind === 'InsertStmt') this.#readInsert(node as Tree, outer, ctes);
      else this.readAny(node, outer, ctes);
    }
  }

  #readSelect(select: Tree, outer: Names, known: ReadonlySet<string>): void {
    const ctes = this.#readCtes(select, outer, known);
    for (const side of ['larg', 'rarg']) if (isTree(select[side])) this.#readSelect(select[side], outer, ctes);
    this.#readScope(listOf(select['fromClause']), [], select, ['fromClause', 'withClause', 'larg', 'rarg'], outer, ctes);
  }

  #readChange(verb: string, change: Tree, outer: Names, known: ReadonlySet<string>, others: string): void {
    const ctes = this.#readCtes(change, outer, known);
    const relation = { RangeVar: change['relation'] } as Tree;
    this.#readScope([relation, ...listOf(change[others])], [verb], change, ['relation', others, 'withClause'], outer, ctes);
  }

  #readInsert(insert: Tree, outer: Names, known: ReadonlySet<string>): void {
    const ctes = this.#readCtes(insert, outer, known);
    const { relname } = insert['relation'] as { relname: string };
    if (this.#tenantTables.has(relname)) this.#readInserted(relname, insert);
    const conflict = insert['onConflictClause'] as Tree | undefined;
    const inserted: Names = new Map([...outer, [relname, 'other'], ['excluded', 'other']]);
    this.readAny(insert['selectStmt'], outer, ctes);
    if (conflict) for (const part of ['targetList', 'whereClause']) this.readAny(conflict[part], inserted, ctes);
    this.readAny(insert['returningList'], inserted, ctes);
  }

  /** The columns that are inserted begin with the keys, and a conflict is one within them. */
  #readInserted(table: string, insert: Tree): void {
    const columns = listOf(insert['cols']).map((column) => ((column['ResTarget'] as Tree)['name'] as string) ?? '');
    const rows = insertedRows(insert['selectStmt'] as Tree | undefined);
    for (const key of KEYS) {
      const place = columns.indexOf(key);
      if (place === -1 || rows.length === 0 || !rows.every((row) => isKeyValue(row[place], key))) {
        this.faults.push(`insert into ${table}: ${key}`);
      }
    }
    const infer = (insert['onConflictClause'] as Tree | undefined)?.['infer'] as Tree | undefined;
    if (!infer || infer['conname']) return;
    const named = listOf(infer['indexElems']).map((element) => (element['IndexElem'] as Tree)['name']);
    if (!KEYS.every((key) => named.includes(key))) this.faults.push(`insert into ${table}: on conflict (${named.join(', ')})`);
  }

  #readCtes(statement: Tree, outer: Names, known: ReadonlySet<string>): ReadonlySet<string> {
    const list = listOf((statement['withClause'] as Tree | undefined)?.['ctes']).map((cte) => cte['CommonTableExpr'] as Tree);
    const ctes = new Set([...known, ...list.map((cte) => cte['ctename'] as string)]);
    for (const cte of list) this.readAny(cte['ctequery'], outer, ctes);
    return ctes;
  }

  /** One list of tables with the conditions on them. */
  #readScope(
    from: Tree[],
    [verb = 'from']: string[],
    statement: Tree,
    read: string[],
    outer: Names,
    ctes: ReadonlySet<string>,
  ): void {
    const own = new Map<string, Kind>();
    const conditions: Tree[] = conjuncts(statement['whereClause']);
    const behind: unknown[] = [];
    for (const item of from) this.#collect(item, ctes, own, conditions, behind);
    const names: Names = new Map([...outer, ...own]);
    const bound = boundColumns(conditions, own, outer);
    for (const [name, kind] of own) {
      const keys = kind === 'tenant table' ? KEYS : kind === 'tenant' ? (['id'] as const) : [];
      for (const key of keys) if (!bound.has(`${name}.${key}`)) this.faults.push(`${verb} ${name}: ${key}`);
    }
    this.readAny(behind, names, ctes);
    const rest = Object.entries(statement).filter(([part]) => !read.includes(part));
    for (const [part, node] of rest) this.readAny({ [part]: node }, names, ctes);
  }

  /** The names of a `from`, the conditions of its joins, and what has to be read in its turn. */
  #collect(item: Tree, ctes: ReadonlySet<string>, names: Map<string, Kind>, conditions: Tree[], behind: unknown[]): void {
    const [[kind, node] = ['', {}]] = Object.entries(item) as [string, Tree][];
    const alias = (node['alias'] as { aliasname?: string } | undefined)?.aliasname;
    if (kind === 'JoinExpr') {
      for (const side of ['larg', 'rarg']) this.#collect(node[side] as Tree, ctes, names, conditions, behind);
      conditions.push(...conjuncts(node['quals']));
      behind.push(node['quals']);
    } else if (kind === 'RangeVar') {
      const table = node['relname'] as string;
      const isTenants = node['schemaname'] === undefined || node['schemaname'] === 'public';
      names.set(alias ?? table, ctes.has(table) || !isTenants ? 'other' : this.#kindOf(table));
    } else {
      if (alias) names.set(alias, 'other');
      behind.push(item);
    }
  }

  #kindOf(table: string): Kind {
    if (table === 'tenant') return 'tenant';
    return this.#tenantTables.has(table) ? 'tenant table' : 'other';
  }
}

/** The columns that are known to be one tenant's: `m.tenant_id`, and `t.id` of `tenant`. */
function boundColumns(conditions: readonly Tree[], own: ReadonlyMap<string, Kind>, outer: Names): ReadonlySet<string> {
  const bound = new Set<string>();
  const isBound = (side: Side): boolean => {
    if (side.kind === 'parameter') return true;
    if (side.kind !== 'column') return false;
    const name = side.column.split('.')[0] ?? '';
    return bound.has(side.column) || (!own.has(name) && outer.has(name)) || own.get(name) === 'other';
  };
  const pairs = conditions.flatMap((condition) => equality(condition, own));
  for (let before = -1; before < bound.size; ) {
    before = bound.size;
    for (const [one, other] of pairs) {
      if (one.kind === 'column' && isBound(other)) bound.add(one.column);
      if (other.kind === 'column' && isBound(one)) bound.add(other.column);
    }
  }
  return bound;
}

type Side = { kind: 'column'; column: string } | { kind: 'parameter' } | { kind: 'else' };

function equality(condition: Tree, own: ReadonlyMap<string, Kind>): [Side, Side][] {
  const expression = condition['A_Expr'] as Tree | undefined;
  if (expression?.['kind'] !== 'AEXPR_OP' || nameOf(expression['name']) !== '=') return [];
  return [[sideOf(expression['lexpr'], own), sideOf(expression['rexpr'], own)]];
}

function sideOf(value: unknown, own: ReadonlyMap<string, Kind>): Side {
  if (!isTree(value)) return { kind: 'else' };
  if (value['ParamRef']) return { kind: 'parameter' };
  if (value['TypeCast']) return sideOf((value['TypeCast'] as Tree)['arg'], own);
  const column = nameOf((value['ColumnRef'] as Tree | undefined)?.['fields']);
  if (column === '') return { kind: 'else' };
  if (column.includes('.')) return { kind: 'column', column };
  const tables = [...own].filter(([, kind]) => kind !== 'other').map(([name]) => name);
  return tables.length === 1 ? { kind: 'column', column: `${tables[0]}.${column}` } : { kind: 'else' };
}

/** What is joined by `and`: with an `or` above it a condition binds nothing. */
function conjuncts(value: unknown): Tree[] {
  if (!isTree(value)) return [];
  const and = value['BoolExpr'] as Tree | undefined;
  if (and?.['boolop'] === 'AND_EXPR') return listOf(and['args']).flatMap(conjuncts);
  return [value];
}

function insertedRows(select: Tree | undefined): unknown[][] {
  const node = (select?.['SelectStmt'] ?? select) as Tree | undefined;
  if (!node) return [];
  if (node['valuesLists']) return listOf(node['valuesLists']).map((row) => (row['List'] as { items: unknown[] }).items);
  const sides = ['larg', 'rarg'].flatMap((side) => (isTree(node[side]) ? insertedRows(node[side]) : []));
  if (sides.length > 0) return sides;
  return [listOf(node['targetList']).map((target) => (target['ResTarget'] as Tree)['val'])];
}

function isKeyValue(value: unknown, key: string): boolean {
  if (!isTree(value)) return false;
  if (value['ParamRef']) return true;
  if (value['TypeCast']) return isKeyValue((value['TypeCast'] as Tree)['arg'], key);
  return (
    nameOf((value['ColumnRef'] as Tree | undefined)?.['fields'])
      .split('.')
      .at(-1) === key
  );
}

const nameOf = (fields: unknown): string =>
  listOf(fields)
    .map((field) => (field['String'] as { sval?: string } | undefined)?.sval ?? '*')
    .join('.');

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): Tree[] => (Array.isArray(value) ? (value as Tree[]) : []);
