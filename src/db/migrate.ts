/** Migrations: where they lie, how they run, and whether a database has them all. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import knexFactory, { type Knex } from 'knex';
import pg from 'pg';
import type { JobDeclaration } from '../jobs/declarations.ts';
import { installJobs } from '../jobs/install.ts';
import type { FunctionParts } from './composed-functions.ts';
import { setFirstStatistics } from './first-statistics.ts';
import { installComposedFunctions } from './install-functions.ts';
import { findPooling } from './pooler.ts';
import { standingOf, tellNewer } from './schema-standing.ts';

const directory = path.join(import.meta.dirname, '../../migrations');
const RUNNER_LOCK = 7_420_113_001n;

/** What is installed behind the migrations. */
export interface SchemaParts {
  /** Of every feature, what the functions must know that are made of all features' parts. */
  functions: readonly FunctionParts[];
  jobs: readonly JobDeclaration[];
}

interface Migration {
  up(knex: Knex): Promise<void>;
  down(knex: Knex): Promise<void>;
}

/** Names of all migrations, oldest first. */
export function listMigrations(): string[] {
  return readdirSync(directory)
    .filter((file) => /^\d{14}_\w+\.ts$/.test(file))
    .map((file) => file.slice(0, -3))
    .toSorted();
}

export const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: async () => listMigrations(),
  getMigrationName: (name) => name,
  getMigration: async (name) => (await import(path.join(directory, `${name}.ts`))) as Migration,
};

/** What each session of the owner is set to. */
const SESSION = `
  -- A migration that cannot have its lock soon must fail, not make every request queue behind it.
  set lock_timeout = '3s';
  -- The server looks whether we are still there, else the statement of a killed runner would hold its locks until it ends.
  set client_connection_check_interval = '500ms'`;

/** Knex as the schema owner. Destroy it after use. */
export function openOwnerKnex(ownerUrl: string, source = migrationSource): Knex {
  return knexFactory({
    client: 'pg',
    connection: ownerUrl,
    pool: {
      min: 0,
      max: 2,
      afterCreate: (client: pg.Client, done: (error: Error | null) => void) => client.query(SESSION, done),
    },
    migrations: { migrationSource: source },
  });
}

export interface MigrateOptions {
  /** Told in a line of what the operator may want to know. */
  say?: ((line: string) => void) | undefined;
  /** Of another release, in tests. */
  source?: Knex.MigrationSource<string>;
}

/**
 * Brings the schema, the functions of all features' parts and the background jobs' schema up to date; returns the names of the
 * migrations that ran. Runners queue on an advisory lock, so Knex's own lock, which a killed runner would leave behind,
 * is known to be stale. A schema that is newer than this code is left as it is; one that needs newer code, or is of another
 * line of releases, is refused, and so is a pooler that gives the lock's session to others: MigrationRefused.
 */
export async function migrateToLatest(
  ownerUrl: string,
  { jobs, functions }: SchemaParts,
  { say = () => undefined, source = migrationSource }: MigrateOptions = {},
): Promise<string[]> {
  if ((await findPooling(ownerUrl)).startsWith('shared')) {
    throw new MigrationRefused(
      "the owner's address of the database leads through a pooler that gives its session to others; set DATABASE_OWNER_URL to the server's own address",
    );
  }
  const lock = new pg.Client({ connectionString: ownerUrl });
  const knex = openOwnerKnex(ownerUrl, source);
  await lock.connect();
  try {
    await lock.query('select pg_advisory_lock($1)', [RUNNER_LOCK]);
    await lock.query(SESSION);
    const standing = standingOf(await source.getMigrations([]), await listApplied(lock), await listNeeded(lock));
    if (standing.kind === 'refused') throw new MigrationRefused(standing.fault);
    if (standing.kind === 'newer') {
      say(tellNewer(standing.unknown));
      return [];
    }
    for (const index of await dropUnfinishedIndexes(lock)) say(`dropped ${index}, which a killed migration had left unfinished`);
    await knex.migrate.forceFreeMigrationsLock();
    const [, ran] = (await knex.migrate.latest()) as [number, string[]];
    await knex.raw('grant select on knex_migrations to svc_app, svc_worker, svc_admin');
    await installComposedFunctions(ownerUrl, functions);
    await installJobs(ownerUrl, jobs);
    await setFirstStatistics(ownerUrl);
    return ran;
  } finally {
    await knex.destroy();
    await lock.end();
  }
}

/** Why nothing was migrated, in a plain line. */
export class MigrationRefused extends Error {}

async function listApplied(client: pg.Client): Promise<string[]> {
  return (await isThere(client, 'knex_migrations')) ? names(client, 'select name from knex_migrations') : [];
}

async function listNeeded(client: pg.Client): Promise<string[]> {
  return (await isThere(client, 'schema_need')) ? names(client, 'select migration as name from schema_need') : [];
}

async function isThere(client: pg.Client, table: string): Promise<boolean> {
  const { rowCount } = await client.query("select from pg_class where oid = to_regclass('public.' || $1)", [table]);
  return rowCount === 1;
}

async function names(client: pg.Client, sql: string): Promise<string[]> {
  return (await client.query<{ name: string }>(sql)).rows.map(({ name }) => name);
}

/**
 * An index whose concurrent building broke off is of no use to any query and costs every write; `create index concurrently
 * if not exists` takes it for the finished one. Returns their names.
 */
async function dropUnfinishedIndexes(client: pg.Client): Promise<string[]> {
  const unfinished = await names(
    client,
    `select c.oid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indexrelid
     where not i.indisvalid and c.relkind = 'i' and c.relnamespace = 'public'::regnamespace and pg_has_role(c.relowner, 'USAGE')`,
  );
  for (const name of unfinished) await client.query(`drop index concurrently if exists ${name}`);
  return unfinished;
}
