import type { Knex } from 'knex';

/** Who recorded a manual commission: `{kind, id, name}`. Null for what was recorded before, and by the plan itself. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table event_detail add column created_by jsonb;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`alter table event_detail drop column created_by;`);
}
