/** The three walls between tenants, and how a test takes one away. Source: data.md (Three walls). */
import pg from 'pg';
import { vi } from 'vitest';
import type { Scope } from '../../src/db/frame.ts';
import type { TestDatabase } from './test-database.ts';

const tablesOf = new WeakMap<TestDatabase, Promise<string[]>>();

/** Tables whose rows belong to a tenant, by name; read once a database. `tenant` itself is not among them. */
export function listTenantTables(database: TestDatabase): Promise<string[]> {
  const known = tablesOf.get(database) ?? readTenantTables(database);
  tablesOf.set(database, known);
  return known;
}

async function readTenantTables(database: TestDatabase): Promise<string[]> {
  const rows = await database.asSuperuser<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
     where n.nspname = 'public' and c.relkind in ('r', 'p') order by 1`,
  );
  return rows.map((row) => row.name);
}

/**
 * A digest of every tenant's every row, save those of one scope. Equal digests: nothing was written. It is of where each
 * row lies and which transaction put it there, which any update changes, so no row has to be made text.
 */
export async function digestRows(database: TestDatabase, except?: Scope): Promise<string> {
  const tables = await listTenantTables(database);
  const parts = tables.map(
    (table) => `(select format('%s %s', count(*), bit_xor(hashtidextended(t.ctid, t.xmin::text::bigint))) from ${table} t
      where $1::uuid is null or not (t.tenant_id = $1 and t.environment = $2))`,
  );
  const [row] = await database.asSuperuser<{ digest: string }>(
    `select concat_ws(',', $2::text is null, (select count(*) from tenant), ${parts.join(', ')}) as digest`,
    [except?.tenantId ?? null, except?.environment ?? null],
  );
  return row?.digest ?? '';
}

/** Rows of each tenant table, as text: what a refused write must leave alone. */
export async function countRows(database: TestDatabase): Promise<string> {
  const tables = await listTenantTables(database);
  // One argument a table: a function takes a hundred.
  const counts = tables.map((table) => `(select format('${table} %s', count(*)) from ${table})`);
  const [row] = await database.asSuperuser<{ counts: string }>(`select concat_ws(', ', ${counts.join(', ')}) as counts`);
  return row?.counts ?? '';
}

/** Takes the second wall away. */
export async function dropRowSecurity(database: TestDatabase): Promise<void> {
  for (const table of [...(await listTenantTables(database)), 'tenant']) {
    await database.asSuperuser(`alter table ${table} no force row level security`);
    await database.asSuperuser(`alter table ${table} disable row level security`);
  }
}

/** Takes the foreign keys of the third wall away; the unique keys stay, for the writes need them. */
export async function dropForeignKeys(database: TestDatabase): Promise<void> {
  const keys = await database.asSuperuser<{ name: string; table: string }>(
    `select conname as name, conrelid::regclass::text as table from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  );
  for (const { name, table } of keys) await database.asSuperuser(`alter table ${table} drop constraint ${name}`);
}

export interface SqlTap {
  /** The service's statements so far, as it wrote them. */
  readonly texts: readonly string[];
  /** How many of them were rewritten. */
  readonly rewritten: number;
  restore(): void;
}

const FILTER = /(?:"?\w+"?\.)?"?tenant_id"? = \$(\d+)\s+and\s+(?:"?\w+"?\.)?"?environment"? = \$(\d+)/g;
const TENANT_FILTER = /\b(from tenant where id|join tenant on tenant\.id) = \$(\d+)/g;

/** SQL without the conditions on the tenant that the caller's parameters would set. */
export function withoutTenantFilter(sql: string): string {
  return sql
    .replace(FILTER, '($$$1::uuid is not null and $$$2::text is not null)')
    .replace(TENANT_FILTER, '$1 is not null and $$$2::uuid is not null');
}

/**
 * Listens to every statement that the role svc_app sends and, with `rewrite`, takes the first wall
 * away. To be set up before the service connects: a prepared statement keeps its first text.
 */
export function tapSql({ rewrite }: { rewrite: boolean }): SqlTap {
  const texts: string[] = [];
  let rewritten = 0;
  const original = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [statement, ...rest] = args as [string | { text: string }, ...unknown[]];
    if (this.user !== 'svc_app') return original.apply(this, args) as never;
    const text = typeof statement === 'string' ? statement : statement.text;
    texts.push(text);
    const changed = rewrite ? withoutTenantFilter(text) : text;
    if (changed === text) return original.apply(this, args) as never;
    rewritten += 1;
    return original.call(this, rewrittenTo(statement, changed), ...rest) as never;
  });
  return {
    texts,
    get rewritten() {
      return rewritten;
    },
    restore: () => spy.mockRestore(),
  };
}

/** A query that knows how it is sent is changed in place: a copy would be sent as any other, without its scope. */
function rewrittenTo(statement: string | { text: string }, text: string): unknown {
  if (typeof statement === 'string') return text;
  return statement instanceof pg.Query ? Object.assign(statement, { text }) : { ...statement, text };
}

const NO_ALIAS =
  /^(where|on|join|left|right|inner|cross|full|order|group|limit|for|union|set|using|lateral|select|returning|and)$/;

/** Reads of tenant tables in a statement that lack a condition on tenant and environment, each as a phrase. */
export function findUnfilteredReads(sql: string, tenantTables: readonly string[]): string[] {
  const text = sql.replaceAll('"', '').replace(/\s+/g, ' ').toLowerCase();
  const reads = [...text.matchAll(/\b(?:from|join|(?<!do |key )update) (\w+)(?: as)?(?: (\w+))?/g)];
  const faults: string[] = [];
  let bareReads = 0;
  for (const [phrase, table = '', next = ''] of reads) {
    const columns = table === 'tenant' ? ['id'] : ['tenant_id', 'environment'];
    if (table !== 'tenant' && !tenantTables.includes(table)) continue;
    const alias = next === '' || NO_ALIAS.test(next) ? table : next;
    const named = columns.every((column) => new RegExp(`\\b${alias}\\.${column} = `).test(text));
    if (named) continue;
    bareReads += 1;
    const bare = columns.map((column) => text.match(new RegExp(`(?<![.\\w])${column} = `, 'g'))?.length ?? 0);
    if (alias !== table || Math.min(...bare) < bareReads) faults.push(phrase);
  }
  return faults;
}
