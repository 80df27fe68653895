/** Lints the SQL of every migration's `up` with squawk: `npm run lint:migrations`. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Knex } from 'knex';
import { listMigrations, migrationSource } from '../../src/db/migrate.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'squawk-'));
const files = { together: [] as string[], alone: [] as string[] };
for (const name of listMigrations()) {
  const statements: string[] = [];
  const migration: Knex.Migration & { config?: { transaction?: boolean } } = await migrationSource.getMigration(name);
  await migration.up({ raw: async (sql: string) => statements.push(sql) } as unknown as Knex);
  const file = path.join(directory, `${name}.sql`);
  writeFileSync(file, statements.join('\n'));
  files[migration.config?.transaction === false ? 'alone' : 'together'].push(file);
}
const squawk = path.join(path.dirname(createRequire(import.meta.url).resolve('squawk-cli/package.json')), 'js/bin/squawk');
const lint = (given: readonly string[]): number =>
  spawnSync(process.execPath, [squawk, '--config', '.squawk.toml', ...given], { stdio: 'inherit' }).status ?? 1;
// What is not in a transaction may build its indexes beside those who write.
const failed = [lint(files.together), lint(['--no-assume-in-transaction', ...files.alone])].find((status) => status !== 0);
rmSync(directory, { recursive: true });
process.exitCode = failed ?? 0;
