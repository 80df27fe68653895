import type { Knex } from 'knex';

/** Validates what the migration before added without looking at the rows there were. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
alter table api_key validate constraint api_key_root_check;
alter table api_key validate constraint api_key_root_set;
-- The check is known to hold, so no row is looked at.
alter table api_key alter column root set not null;
alter table api_key drop constraint api_key_root_set;
`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table api_key drop constraint api_key_root_check;
alter table api_key alter column root drop not null;
alter table api_key add constraint api_key_root_check check (root ~ '^(api_key|staff):.+$') not valid;
alter table api_key add constraint api_key_root_set check (root is not null) not valid;
`);
}
