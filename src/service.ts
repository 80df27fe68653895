/** The configuration and the schema of the service: what is of the house, with what the features add to it. */
import { type Config, loadConfig } from './config.ts';
import { migrateToLatest, type SchemaParts } from './db/migrate.ts';
import { house } from './features.ts';
import { envOf, jobsOf } from './house/house.ts';

/** Reads the configuration from the process environment, or from `env`. */
export function loadServiceConfig(env?: NodeJS.ProcessEnv, options: { needSecrets?: boolean } = {}): Config {
  return loadConfig(env, { ...options, features: envOf(house) });
}

/** What the features put into the database beside their migrations. */
export const schema: SchemaParts = {
  get jobs() {
    return jobsOf(house);
  },
  get functions() {
    return house.features;
  },
};

/** Brings a database up to date; returns the names of the migrations that ran. A newer one is left as it is. */
export function migrateService(ownerUrl: string, say?: (line: string) => void): Promise<string[]> {
  return migrateToLatest(ownerUrl, schema, { say });
}
