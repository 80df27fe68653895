/** The release that follows this one, for a drill: a copy of the sources with migrations added. */
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DrillKit } from './kit.ts';
import { SOURCE } from './processes.ts';

/** By file name. The first is done in a transaction, the second beside one, as an index on a large table is made. */
export const NEXT_MIGRATIONS = {
  '20991231000000_next_release.ts': `import type { Knex } from 'knex';
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create table next_release (n int); alter table member add column next_release int');
}
export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table member drop column next_release; drop table next_release');
}
`,
  '20991231000100_next_index.ts': `import type { Knex } from 'knex';
export const config = { transaction: false };
export async function up(knex: Knex): Promise<void> {
  await knex.raw('create index concurrently if not exists member_next_release_idx on member (next_release)');
}
export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop index concurrently if exists member_next_release_idx');
}
`,
};

/** What the release before cannot live with says so itself. */
export const BREAKING_MIGRATION = {
  '20991231000200_breaking.ts': `import type { Knex } from 'knex';
export async function up(knex: Knex): Promise<void> {
  await knex.raw("insert into schema_need values ('20991231000200_breaking')");
}
export async function down(knex: Knex): Promise<void> {
  await knex.raw("delete from schema_need where migration = '20991231000200_breaking'");
}
`,
};

/** Returns where it lies. */
export async function makeRelease(kit: DrillKit, name: string, migrations: Readonly<Record<string, string>>): Promise<string> {
  const folder = path.join(kit.directory, name);
  await mkdir(folder);
  for (const part of ['src', 'migrations', 'seeds', 'package.json'])
    await cp(path.join(SOURCE, part), path.join(folder, part), { recursive: true });
  await symlink(path.join(SOURCE, 'node_modules'), path.join(folder, 'node_modules'));
  for (const [file, text] of Object.entries(migrations)) await writeFile(path.join(folder, 'migrations', file), text);
  return folder;
}
