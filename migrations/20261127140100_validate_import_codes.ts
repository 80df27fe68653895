import type { Knex } from 'knex';

/** Validates what the migration before added without looking at the rows there were. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table import_row validate constraint import_row_codes_check');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table import_row drop constraint import_row_codes_check;
alter table import_row add constraint import_row_codes_check check (length(own_code) <= 32 and length(sponsor_code) <= 32) not valid;
`);
}
