/** The three walls between tenants, and how a test takes one away. Source: docs/specification/tenancy.md#walls. */
import pg from 'pg';
import { vi } from 'vitest';
import type { Scope } from '../../../src/db/scope.ts';
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
    // A function takes a hundred arguments; an array takes them all.
    `select array_to_string(array[($2::text is null)::text, (select count(*)::text from tenant), ${parts.join(', ')}], ',') as digest`,
    [except?.tenantId ?? null, except?.environment ?? null],
    'digest-rows', // of its 20 ms planning takes 10 and more, and it is asked twice for each cell of the access matrix
  );
  return row?.digest ?? '';
}

/** Rows of each tenant table, as text: what a refused write must leave alone. */
export async function countRows(database: TestDatabase): Promise<string> {
  const tables = await listTenantTables(database);
  const counts = tables.map((table) => `(select format('${table} %s', count(*)) from ${table})`);
  const [row] = await database.asSuperuser<{ counts: string }>(
    `select array_to_string(array[${counts.join(', ')}], ', ') as counts`,
  );
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
  /** What the service has sent so far. */
  readonly texts: readonly string[];
  restore(): void;
}

/** Listens to every statement that the role svc_app sends. */
export function tapSql(): SqlTap {
  const texts: string[] = [];
  const original = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [statement] = args as [string | { text: string }];
    if (this.user === 'svc_app') texts.push(typeof statement === 'string' ? statement : statement.text);
    return original.apply(this, args) as never;
  });
  return { texts, restore: () => spy.mockRestore() };
}

const REMOVED = '(:tenantId::uuid is not null and :environment::text is not null)';
/** How a text without the first wall is known. */
export const WITHOUT_FILTER = '::uuid is not null and $2::text is not null)';

/**
 * What stands for src/db/tenant-condition.ts where the first wall is away: `vi.mock` puts it in its place before a query
 * is built. Joins stay as they are: they compare rows with rows.
 */
export function withoutTenantCondition<Module extends { ofTenant(alias: string): string }>(original: Module): Module {
  return {
    ...original,
    ofTenant: () => REMOVED,
    theTenant: (alias: string) => `(${alias}.id is not null and :tenantId::uuid is not null)`,
  };
}
