/**
 * The check before serving: the schema is current and the connected role cannot see past row-level
 * security. A service that fails it must not answer a single request.
 * Source: docs/specification/tenancy.md#boot-check.
 */
import { describeUrl } from '../boot-errors.ts';
import { DEAD_LETTERS, type JobDeclaration } from '../jobs/declarations.ts';
import { jobTables, listQueues } from '../jobs/job-queries.ts';
import { type FunctionParts, listErasedTables } from './composed-functions.ts';
import type { Frames } from './frame.ts';
import { WHAT_TO_DO } from './lost-statements.ts';
import { listMigrations, type SchemaParts } from './migrate.ts';
import { findPooling } from './pooler.ts';
import { knex, raw, unscopedStatement } from './query.ts';
import { standingOf } from './schema-standing.ts';

const roleAndTables = unscopedStatement<{
  name: string;
  rolsuper: boolean;
  rolbypassrls: boolean;
  unbound: string | null;
  owned: string | null;
  unwalled: string | null;
}>('boot_check_role', () =>
  raw(`with base as (
     select c.oid, c.relname, c.relowner, c.relrowsecurity and c.relforcerowsecurity as walled,
            c.relname = 'tenant' or exists (
              select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped) as tenanted
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p'))
   select r.rolname as name, r.rolsuper, r.rolbypassrls,
          (select string_agg(x.rolname, ', ' order by x.rolname) from pg_roles x
           where (x.rolsuper or x.rolbypassrls) and pg_has_role(r.oid, x.oid, 'MEMBER')) as unbound,
          (select string_agg(b.relname, ', ' order by b.relname) from base b where pg_has_role(r.oid, b.relowner, 'MEMBER')) as owned,
          (select string_agg(b.relname, ', ' order by b.relname) from base b where b.tenanted and not b.walled) as unwalled
   from pg_roles r where r.rolname = current_user`),
);

const migrationsTable = unscopedStatement<{ present: boolean; needs: boolean }>('boot_check_migrations_table', () =>
  raw(
    "select to_regclass('public.knex_migrations') is not null as present, to_regclass('public.schema_need') is not null as needs",
  ),
);

const appliedMigrations = unscopedStatement<{ name: string }>('boot_check_migrations', () =>
  knex('knex_migrations').orderBy('name').select('name'),
);

const neededMigrations = unscopedStatement<{ migration: string }>('boot_check_needs', () =>
  knex('schema_need').select('migration'),
);

const composedFunctions = unscopedStatement<{ name: string; text: string }>('boot_check_functions', () =>
  raw(`select proname as name, prosrc as text from pg_proc
   where pronamespace = 'public'::regnamespace and proname in ('due_scopes', 'erase_sandbox')`),
);

/** Plain sentences, one a fault; empty when the service may serve. With the address of `frames` also of what lies between. */
export async function findBootFaults(frames: Frames, { jobs, functions }: SchemaParts, url?: string): Promise<string[]> {
  // First, for behind such a pooler no other question has a sure answer.
  if (url !== undefined && (await findPooling(url)) === 'shared, statements lost') {
    return [`database: ${describeUrl(url)} leads through a pooler that loses prepared statements; ${WHAT_TO_DO}`];
  }
  const faults: string[] = [];
  const [role] = await frames.unscoped(roleAndTables());
  if (!role) return ['the connected database role does not exist'];
  if (role.rolsuper) faults.push(`the database role ${role.name} is a superuser; connect as svc_app`);
  else if (role.rolbypassrls) faults.push(`the database role ${role.name} has BYPASSRLS; connect as svc_app`);
  else if (role.unbound)
    faults.push(
      `the database role ${role.name} may become ${role.unbound}, which sees past row-level security; connect as svc_app`,
    );
  else if (role.owned)
    faults.push(`the database role ${role.name} owns or may become the owner of ${role.owned}; connect as svc_app`);
  if (role.unwalled) faults.push(`these tables lack forced row-level security: ${role.unwalled}`);
  const standing = standingOf(listMigrations(), await readAppliedMigrations(frames), await readNeededMigrations(frames));
  if (standing.kind === 'refused') faults.push(standing.fault);
  else if (standing.kind === 'old') {
    const { missing } = standing;
    faults.push(
      `the database schema is old: ${missing.length} migrations missing, first ${missing[0]}; run: npm run -s cli -- migrate`,
    );
  } else if (!(await hasJobQueues(frames, jobs))) {
    faults.push('the queues of the background jobs are missing or old; run: npm run -s cli -- migrate');
  } else if (standing.kind === 'current' && !(await haveAllParts(frames, functions))) {
    // Those of a newer schema are a newer release's, which may have other parts.
    faults.push("the functions of all features' parts are missing or old; run: npm run -s cli -- migrate");
  }
  return faults;
}

async function hasJobQueues(frames: Frames, jobs: readonly JobDeclaration[]): Promise<boolean> {
  const [tables] = await frames.unscoped(jobTables());
  if (!tables?.present) return false;
  const queues = (await frames.unscoped(listQueues())).map(({ name }) => name);
  return [DEAD_LETTERS, ...jobs.map(({ name }) => name)].every((name) => queues.includes(name));
}

/** As Knex run by hand would leave them: a sweep that is not asked for never runs, and tables that are not erased break a reset. */
async function haveAllParts(frames: Frames, features: readonly FunctionParts[]): Promise<boolean> {
  const texts = new Map((await frames.unscoped(composedFunctions())).map(({ name, text }) => [name, text]));
  const sweeps = features.flatMap(({ due = {} }) => Object.keys(due));
  return (
    sweeps.every((sweep) => texts.get('due_scopes')?.includes(`'${sweep}'`)) &&
    listErasedTables(features).every((table) => texts.get('erase_sandbox')?.includes(`delete from ${table} where`))
  );
}

async function readAppliedMigrations(frames: Frames): Promise<string[]> {
  const [table] = await frames.unscoped(migrationsTable());
  return table?.present ? (await frames.unscoped(appliedMigrations())).map(({ name }) => name) : [];
}

async function readNeededMigrations(frames: Frames): Promise<string[]> {
  const [table] = await frames.unscoped(migrationsTable());
  return table?.needs ? (await frames.unscoped(neededMigrations())).map(({ migration }) => migration) : [];
}

/** The newest migration that the database has, for the start line. */
export async function readNewestMigration(frames: Frames): Promise<string> {
  return (await readAppliedMigrations(frames)).at(-1) ?? 'none';
}
