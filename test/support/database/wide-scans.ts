/** Plans that walk an index by less than is asked for, where a unique index would find the row. */
import type { TestDatabase } from './test-database.ts';

export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Filter?: string;
  Plans?: PlanNode[];
}

export interface Index {
  table: string;
  name: string;
  isUnique: boolean;
  /** Null for an expression. */
  columns: (string | null)[];
  isPartial: boolean;
}

export function readIndexes(database: TestDatabase): Promise<Index[]> {
  return database.asSuperuser<Index>(
    `select x.indrelid::regclass::text as table, x.indexrelid::regclass::text as name, x.indisunique as "isUnique",
            x.indpred is not null as "isPartial",
            array(select a.attname::text from unnest(x.indkey) with ordinality k(number, n)
                  left join pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.number and k.number > 0 order by n) as columns
     from pg_index x join pg_class c on c.oid = x.indrelid where c.relnamespace = 'public'::regnamespace`,
  );
}

/** Each as "table by index instead of index". */
export function findWideScans(plan: PlanNode, indexes: readonly Index[]): string[] {
  return [...findOfNode(plan, indexes), ...(plan.Plans ?? []).flatMap((child) => findWideScans(child, indexes))];
}

function findOfNode(node: PlanNode, indexes: readonly Index[]): string[] {
  // A bitmap is made of one index below, whose rows are filtered here.
  const [walk = node] = node['Node Type'] === 'Bitmap Heap Scan' ? (node.Plans ?? []) : [node];
  if (node['Node Type'] === 'Bitmap Index Scan') return [];
  const used = indexes.find(({ name }) => name === walk['Index Name']);
  if (!used && node['Node Type'] !== 'Seq Scan') return [];
  const condition = walk['Index Cond'] ?? '';
  const filter = node.Filter ?? '';
  const walkedBy = used?.columns.filter((column) => equals(condition, column)).length ?? 0;
  if (used?.isUnique && walkedBy === used.columns.length) return [];
  const table = used?.table ?? node['Relation Name'];
  const better = indexes.find(
    ({ table: of, isUnique, isPartial, columns }) =>
      of === table &&
      isUnique &&
      !isPartial &&
      columns.length > walkedBy &&
      columns.every((column) => equals(condition, column) || equals(filter, column)),
  );
  return better ? [`${table} by ${used?.name ?? 'all of it'} instead of ${better.name}`] : [];
}

/** Whether all rows that are asked for have the column equal to something. */
function equals(condition: string, column: string | null): boolean {
  return column !== null && termsOf(condition).some((term) => term.startsWith(`${column} = `));
}

/** What is joined by "and" at the top of a condition, each without the brackets around it. */
function termsOf(condition: string): string[] {
  const inner = unwrapped(condition);
  const terms: string[] = [];
  let depth = 0;
  let begun = 0;
  for (let at = 0; at < inner.length; at++) {
    if (inner[at] === '(') depth += 1;
    if (inner[at] === ')') depth -= 1;
    if (depth > 0) continue;
    if (inner.startsWith(' OR ', at)) return [];
    if (!inner.startsWith(' AND ', at)) continue;
    terms.push(unwrapped(inner.slice(begun, at)));
    begun = at + ' AND '.length;
  }
  return [...terms, unwrapped(inner.slice(begun))];
}

/** Without the brackets that enclose all of it. */
function unwrapped(text: string): string {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return at === text.length - 1 && text.startsWith('(') ? unwrapped(text.slice(1, -1)) : text;
  }
  return text;
}
