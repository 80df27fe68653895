/** A process that migrates, to be killed: `node migrate-process.ts <owner URL> <folder>`, with the migrations of a folder behind ours. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { listMigrations, migrateToLatest, migrationSource } from '../../../src/db/migrate.ts';
import { schema } from '../../../src/service.ts';

const [ownerUrl = '', folder = ''] = process.argv.slice(2);
const added = readdirSync(folder)
  .map((file) => path.parse(file).name)
  .toSorted();

const ran = await migrateToLatest(ownerUrl, schema, {
  say: (line) => process.stdout.write(`${line}\n`),
  source: {
    getMigrations: async () => [...listMigrations(), ...added],
    getMigrationName: (name) => name,
    getMigration: async (name) =>
      added.includes(name) ? import(path.join(folder, `${name}.mjs`)) : migrationSource.getMigration(name),
  },
});
process.stdout.write(`ran ${ran.join(' ')}\n`);
