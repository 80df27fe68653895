/**
 * The check before serving: the schema is current and the connected role cannot see past row-level
 * security. A service that fails it must not answer a single request. Source: data.md (three walls).
 */
import { DEAD_LETTERS, JOBS } from '../jobs/declarations.ts';
import { jobTables, listQueues } from '../jobs/job-queries.ts';
import type { Frames } from './frame.ts';
import { listMigrations } from './migrate.ts';
import { prepared } from './statement.ts';

const roleAndTables = prepared<
  {
    name: string;
    rolsuper: boolean;
    rolbypassrls: boolean;
    unbound: string | null;
    owned: string | null;
    unwalled: string | null;
  },
  []
>(
  'boot_check_role',
  `with base as (
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
   from pg_roles r where r.rolname = current_user`,
);

const migrationsTable = prepared<{ present: boolean }, []>(
  'boot_check_migrations_table',
  "select to_regclass('public.knex_migrations') is not null as present",
);

const appliedMigrations = prepared<{ name: string }, []>(
  'boot_check_migrations',
  'select name from knex_migrations order by name',
);

/** Plain sentences, one a fault; empty when the service may serve. */
export async function findBootFaults(frames: Frames): Promise<string[]> {
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
  const missing = await missingMigrations(frames);
  if (missing.length > 0) {
    faults.push(
      `the database schema is old: ${missing.length} migrations missing, first ${missing[0]}; run: npm run -s cli -- migrate`,
    );
  } else if (!(await hasJobQueues(frames))) {
    faults.push('the queues of the background jobs are missing or old; run: npm run -s cli -- migrate');
  }
  return faults;
}

async function hasJobQueues(frames: Frames): Promise<boolean> {
  const [tables] = await frames.unscoped(jobTables());
  if (!tables?.present) return false;
  const queues = (await frames.unscoped(listQueues())).map(({ name }) => name);
  return [DEAD_LETTERS, ...JOBS.map(({ name }) => name)].every((name) => queues.includes(name));
}

async function missingMigrations(frames: Frames): Promise<string[]> {
  const [table] = await frames.unscoped(migrationsTable());
  const applied = table?.present ? (await frames.unscoped(appliedMigrations())).map((row) => row.name) : [];
  return listMigrations().filter((name) => !applied.includes(name));
}
