/** Migrations: where they lie, how they run, and whether a database has them all. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import knexFactory, { type Knex } from 'knex';
import pg from 'pg';
import type { JobDeclaration } from '../jobs/declarations.ts';
import { installJobs } from '../jobs/install.ts';
import type { FunctionParts } from './composed-functions.ts';
import { installComposedFunctions } from './install-functions.ts';

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

/** Knex as the schema owner. Destroy it after use. */
export function openOwnerKnex(ownerUrl: string): Knex {
  return knexFactory({
    client: 'pg',
    // A migration that cannot have its lock soon must fail, not make every request queue behind it.
    connection: ownerUrl,
    pool: {
      min: 0,
      max: 2,
      afterCreate: (client: pg.Client, done: (error: Error | null) => void) => client.query("set lock_timeout = '3s'", done),
    },
    migrations: { migrationSource },
  });
}

/**
 * Brings the schema, the functions of all features' parts and the background jobs' schema up to date; returns the names of the
 * migrations that ran. Runners queue on an advisory lock, so Knex's own lock, which a killed runner would leave behind,
 * is known to be stale.
 */
export async function migrateToLatest(ownerUrl: string, { jobs, functions }: SchemaParts): Promise<string[]> {
  const lock = new pg.Client({ connectionString: ownerUrl });
  const knex = openOwnerKnex(ownerUrl);
  await lock.connect();
  try {
    await lock.query('select pg_advisory_lock($1)', [RUNNER_LOCK]);
    await knex.migrate.forceFreeMigrationsLock();
    const [, ran] = (await knex.migrate.latest()) as [number, string[]];
    await knex.raw('grant select on knex_migrations to svc_app, svc_worker, svc_admin');
    await installComposedFunctions(ownerUrl, functions);
    await installJobs(ownerUrl, jobs);
    return ran;
  } finally {
    await knex.destroy();
    await lock.end();
  }
}
