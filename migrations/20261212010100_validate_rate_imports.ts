import type { Knex } from 'knex';

/** Validates what the migration before added without looking at the rows there were. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`alter table import_run validate constraint import_run_kind_check;`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
alter table import_run drop constraint import_run_kind_check;
alter table import_run add constraint import_run_kind_check
  check (kind in ('members', 'leads', 'purchases', 'rate_overrides')) not valid;
`);
}
