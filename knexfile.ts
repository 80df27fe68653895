/** For the Knex command line (`npx knex migrate:status`); the service itself migrates with `npm run -s cli -- migrate`. */
import { loadConfig } from './src/config.ts';
import { migrationSource } from './src/db/migrate.ts';

const config = loadConfig();

export default {
  client: 'pg',
  connection: config.DATABASE_OWNER_URL ?? config.DATABASE_URL,
  migrations: { migrationSource },
};
