/** What the migrations once said of the functions that are now made of all features' parts. */
import type { Knex } from 'knex';
import { migrationSource } from '../../../src/db/migrate.ts';

/** Creates the function as `old_…`, owned by and open to the same roles. `migration` is the newest that carries its text. */
export async function oldFunction(migration: string, name: string, owner: string): Promise<string> {
  const texts: string[] = [];
  const { up } = await migrationSource.getMigration(migration);
  await up({ raw: async (text: string) => texts.push(text) } as unknown as Knex);
  const [, text] =
    new RegExp(`create or replace function ${name}(\\(\\)[\\s\\S]*?\\n(?:end )?\\$\\$);`).exec(texts.join('\n')) ?? [];
  if (text === undefined) throw new Error(`the migration ${migration} does not create ${name}()`);
  return `create function old_${name}${text}; alter function old_${name}() owner to ${owner}`;
}
